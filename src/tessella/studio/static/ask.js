// Ask me: the joins most worth asking about, one after the other, large, with their surroundings.

import { get } from "./api.js";
import { refocused } from "./focus.js";
import { make, t } from "./i18n.js";
import { part, thin } from "./strips.js";

const EVERY = 5; // answers after which the studio solves on
const SIZE = 104; // drawn finer than it is shown
const LOOK = 400; // milliseconds in which keys say nothing about a question that has just taken another's place
const ARROWS = { ArrowRight: "yes", ArrowLeft: "no", ArrowDown: "unsure" };

export class Ask {
  constructor(store, table, hands, panels, solve) {
    Object.assign(this, { store, table, hands, panels, solve });
    this.host = document.getElementById("panel-ask");
    this.host.tabIndex = -1;
    this.queue = [];
    this.past = []; // questions that were answered, and by which version
    this.seen = new Set(); // each is asked once, whatever was said
    this.count = 0;
    this.on = true;
    for (const kind of ["changed", "all"]) store.addEventListener(kind, (event) => this.#changed(event.detail?.moved));
    document.addEventListener("keydown", (event) => this.#key(event), true);
  }

  /** Pieces moved: what is asked goes on being asked if it is still a question. */
  #changed(moved) {
    if (this.saying) return;
    if (moved?.length) this.queue = this.queue.filter((each) => each === this.current);
    if (!this.host.hidden) this.draw();
  }

  #key(event) {
    const { activeElement } = document;
    const aside = ["INPUT", "TEXTAREA", "SELECT"].includes(activeElement?.tagName) && activeElement.type !== "checkbox";
    if (this.host.hidden || aside || event.ctrlKey || event.altKey || event.metaKey) return;
    const here = activeElement === document.body || this.host.contains(activeElement); // arrows elsewhere are the table's or the tabs'
    const said = here ? ARROWS[event.key] : null;
    const back = event.key === "b" || event.key === "Backspace" || (here && event.key === "ArrowUp");
    const does = said ? () => this.say(said) : back ? () => this.back() : { y: () => this.say("yes"), n: () => this.say("no"), u: () => this.say("unsure") }[event.key.toLowerCase()];
    const rival = this.current?.rivals[0][Number(event.key) - 1];
    const none = event.key === "0" && this.current?.rivals[0].length;
    if ((!this.current && !back) || (!does && !rival && !none)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!back && (event.repeat || Date.now() < (this.surprised ?? 0) + LOOK)) return;
    if (does) does();
    else if (none) this.none();
    else this.say("no", rival.edge);
  }

  #open(each) {
    return !this.seen.has(key(each)) && !this.store.tables.asked.has(key(each)) && this.store.verdict(each.first, each.second) === null && this.store.meet(each.first, each.second);
  }

  async draw() {
    this.queue = this.queue.filter((each) => each === this.again || this.#open(each));
    if (!this.queue.length) {
      const told = await get(`${this.store.path}/questions?count=20`).catch(() => ({ questions: [] }));
      if (!this.queue.length) this.queue = told.questions.filter((each) => this.#open(each));
    }
    const next = this.queue[0] ?? null;
    if (next && this.current && key(next) !== key(this.current) && !this.stepped) this.surprised = Date.now();
    this.stepped = false;
    this.current = next;
    refocused(this.host, () => {
      if (!this.current) this.host.replaceChildren(make("p", {}, t("ask_none")), this.#buttons(false), this.#again());
      else this.#show(this.current);
    });
    if (document.activeElement === document.body) this.host.focus({ preventScroll: true });
  }

  #show(asked) {
    const pieces = [asked.first >> 2, asked.second >> 2];
    const names = pieces.map((piece) => this.store.name(piece)).join(" · ");
    if (this.looked !== key(asked)) {
      this.looked = key(asked);
      this.hands.choose(pieces);
      this.#approach(pieces);
      this.hands.tell(`${t("ask_intro")} ${names}`);
    }
    this.host.replaceChildren(
      make("h2", {}, t("ask_intro")),
      make("p", { class: "quiet" }, t("ask_count", { number: this.count + 1, confidence: asked.confidence.toFixed(2) })),
      this.#picture(asked),
      make("p", {}, names),
      this.#buttons(true),
      this.#rivals(asked), this.#again(),
    );
  }

  /** Bring the question and what lies around it before the eyes, as large as the table allows. */
  #approach(pieces) {
    const { layout, app } = this.table;
    const [[ax, ay], [bx, by]] = pieces.map((piece) => layout.middle(piece, this.store.spot(piece)));
    const near = Math.min(app.screen.width / (6 * layout.width), app.screen.height / (5 * layout.height), 6);
    const scale = thin(layout) ? app.screen.height / (1.1 * layout.height) : near;
    this.table.centre([(ax + bx) / 2, (ay + by) / 2], scale);
  }

  #buttons(open) {
    const answer = (said, ...keys) => make("button", { type: "button", class: "answer", "data-say": said, onclick: () => this.say(said) }, t(said), ...keys.flatMap((each) => [" ", make("kbd", {}, each)]));
    return make("div", { class: "buttons" }, ...(open ? [answer("yes", "Y", "→"), answer("no", "N", "←"), answer("unsure", "U", "↓")] : []),
      make("button", { type: "button", "data-say": "back", onclick: () => this.back(), disabled: !this.past.length }, t("back"), " ", make("kbd", {}, "B"), " ", make("kbd", {}, "↑")));
  }

  #again() {
    const box = make("input", { type: "checkbox", id: "solve-on" });
    box.checked = this.on;
    box.addEventListener("change", () => { this.on = box.checked; });
    return make("p", {}, box, " ", make("label", { for: "solve-on" }, t("ask_solve_on", { count: EVERY })));
  }

  /** Both pieces and what lies around them; corners mark the join. Who came apart since is shown side by side. */
  #picture(asked) {
    const { first, second } = asked;
    const meet = this.store.meet(first, second);
    if (thin(this.table.layout)) return this.#strips(asked, meet);
    const down = meet && asked.down;
    const { width, height } = this.table.layout;
    const [w, h] = [(SIZE * width) / 100, (SIZE * height) / 100];
    const [rows, cols] = down ? [4, 3] : [3, 4];
    const canvas = make("canvas", { width: Math.round(w * cols), height: Math.round(h * rows), class: "asked", role: "img", "aria-label": `${this.store.name(first >> 2)}, ${this.store.name(second >> 2)}` });
    const lying = [];
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++) {
        const [piece, turns] = meet ? this.#lying(asked, r, c) : this.#beside(asked, r, c);
        if (piece !== null) lying.push([piece, turns, c * w, r * h, w, h]);
      }
    }
    const pen = canvas.getContext("2d");
    const paint = (full) => {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      for (const [piece, ...where] of lying) {
        pen.globalAlpha = piece === first >> 2 || piece === second >> 2 ? 1 : 0.6;
        this.panels.pictures.draw(pen, piece, ...where, full.get(piece));
      }
      pen.globalAlpha = 1;
      marked(pen, w, h, down);
    };
    paint(new Map());
    Promise.all(lying.map(async ([piece]) => [piece, await this.panels.pictures.full(piece)])).then((full) => { if (canvas.isConnected) paint(new Map(full)); }, () => {});
    return canvas;
  }

  /** Eight strips around a join, as far as they lie there. */
  #strips(asked, meet) {
    const { sheet, row, col } = asked;
    const around = Array.from({ length: 8 }, (_, k) => {
      const piece = this.store.at(sheet, row, col - 3 + k);
      return [piece, piece === null ? 0 : this.store.spot(piece)[3]];
    });
    const lying = meet ? around : [this.#beside(asked, 1, 1), this.#beside(asked, 1, 2)];
    const [key, seam] = meet ? [3, 4] : [0, 1];
    const canvas = part(this.panels.pictures, this.table.layout, lying, { key, seam });
    canvas.className = "asked";
    return canvas;
  }

  #lying({ sheet, row, col }, r, c) {
    const piece = this.store.at(sheet, row - 1 + r, col - 1 + c);
    return [piece, piece === null ? 0 : this.store.spot(piece)[3]];
  }

  #beside({ first, second }, r, c) {
    if (r !== 1) return [null, 0];
    return { 1: [first >> 2, (4 - (first & 3)) % 4], 2: [second >> 2, (6 - (second & 3)) % 4] }[c] ?? [null, 0];
  }

  /** What else could lie beside the first piece; a click says that it does. */
  #rivals({ sheet, row, col, down, first, rivals }) {
    const ahead = this.store.at(sheet, row, col) === first >> 2; // else the first piece is the lower or right one
    const faces = (down ? 1 : 2) + (ahead ? 0 : 2); // the side of a rival that would lie against it
    const side = (down ? 3 : 0) + (ahead ? 0 : 2); // of the first piece, where a rival would lie
    const items = rivals[0].map(({ edge, score }, k) => make("li", {}, make("button", { type: "button", title: this.store.name(edge >> 2), "data-rival": k + 1, onclick: () => this.say("no", edge) },
      this.#together(first >> 2, edge >> 2, (faces - (edge & 3) + 4) % 4, side % 4), make("span", {}, `${score.toFixed(2)} `, make("kbd", {}, String(k + 1))))));
    return items.length ? make("section", {}, make("h3", {}, t("rivals")), make("ul", { class: "candidates" }, ...items),
      make("button", { type: "button", "data-say": "none", onclick: () => this.none() }, t("none_of_these"), " ", make("kbd", {}, "0"))) : "";
  }

  /** A piece, and a rival beside it on a side: 0 right, 1 top, 2 left, 3 bottom. */
  #together(piece, rival, turns, side) {
    const { width, height } = this.table.layout;
    if (thin(this.table.layout)) {
      const lying = [[piece, this.store.spot(piece)[3]], [rival, turns]];
      const key = side === 2 ? 1 : 0;
      return part(this.panels.pictures, this.table.layout, key ? lying.reverse() : lying, { key, wide: 30, high: 120 });
    }
    const size = side % 2 ? 46 : 62;
    const [w, h] = [(size * width) / 100, (size * height) / 100];
    const canvas = make("canvas", { width: Math.round(side % 2 ? w : 2 * w), height: Math.round(side % 2 ? 2 * h : h), class: "thumb", "aria-hidden": "true" });
    const [x, y] = [[w, 0], [0, 0], [0, 0], [0, h]][side];
    const pen = canvas.getContext("2d");
    this.panels.pictures.draw(pen, piece, this.store.spot(piece)[3], side === 2 ? w : 0, side === 1 ? h : 0, w, h);
    this.panels.pictures.draw(pen, rival, turns, x, y, w, h);
    return canvas;
  }

  /** Neither these two nor any of the rivals belong together. */
  none() {
    this.say("no", null, this.current.rivals[0].map(({ edge }) => edge));
  }

  async say(said, instead = null, neither = []) {
    const asked = this.current;
    if (!asked || this.saying) return;
    this.saying = true;
    const version = await this.hands.act("reply", { first: asked.first, second: asked.second, said, instead, neither });
    this.saying = false;
    if (!version) return;
    this.past.push({ asked, version });
    this.seen.add(key(asked));
    this.again = null;
    this.count += 1;
    this.#step();
    if (this.on && this.count % EVERY === 0) this.solve.begin({ effort: "quick", after: true });
  }

  /** Take the last answer back, whatever was done since, and ask again. */
  async back() {
    const last = this.past.at(-1);
    if (!last || this.saying) return;
    this.saying = true;
    const done = await this.hands.retract(last.version);
    this.saying = false;
    if (!done) return;
    this.past.pop();
    this.seen.delete(key(last.asked));
    this.count -= 1;
    this.again = last.asked;
    this.queue.unshift(last.asked);
    this.#step();
  }

  #step() {
    this.stepped = true;
    this.queue = this.queue.filter((each) => each === this.again || this.#open(each));
    this.draw();
  }
}

/** Corners beside the join. */
function marked(pen, w, h, down) {
  const [x, y, a, b] = down ? [w, h, w, 2 * h] : [w, h, 2 * w, h];
  for (const [style, line] of [["#fff", 5], ["#111", 2]]) {
    pen.strokeStyle = style;
    pen.lineWidth = line;
    pen.strokeRect(x, y, a, b);
    pen.beginPath();
    if (down) { pen.moveTo(x - 14, 2 * h); pen.lineTo(x - 2, 2 * h); pen.moveTo(x + w + 2, 2 * h); pen.lineTo(x + w + 14, 2 * h); }
    else { pen.moveTo(2 * w, y - 14); pen.lineTo(2 * w, y - 2); pen.moveTo(2 * w, y + h + 2); pen.lineTo(2 * w, y + h + 14); }
    pen.stroke();
  }
}

function key({ first, second }) {
  return first < second ? `${first}-${second}` : `${second}-${first}`;
}
