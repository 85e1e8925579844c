// Ask me: the joins most worth asking about, one after the other, large, with their surroundings.

import { get } from "./api.js";
import { make, t } from "./i18n.js";

const EVERY = 5; // answers after which the studio solves on
const SIZE = 78;

export class Ask {
  constructor(store, table, hands, panels, solve) {
    Object.assign(this, { store, table, hands, panels, solve });
    this.host = document.getElementById("panel-ask");
    this.queue = [];
    this.past = [];
    this.count = 0;
    this.on = true;
    store.addEventListener("changed", (event) => { if (event.detail.moved.length) this.queue = []; if (!this.host.hidden) this.draw(); });
    document.addEventListener("keydown", (event) => this.#key(event), true);
  }

  #key(event) {
    const aside = ["INPUT", "TEXTAREA", "SELECT"].includes(document.activeElement?.tagName);
    if (this.host.hidden || aside || event.ctrlKey || event.altKey || event.metaKey) return;
    const does = { y: () => this.say("yes"), n: () => this.say("no"), u: () => this.say("unsure"), b: () => this.back(), Backspace: () => this.back() }[event.key];
    const rival = this.current?.rivals[0][Number(event.key) - 1];
    const none = event.key === "0" && this.current?.rivals[0].length;
    if (!this.current || (!does && !rival && !none)) return;
    if (does) does();
    else if (none) this.none();
    else this.say("no", rival.edge);
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  async draw() {
    if (!this.queue.length) {
      try {
        const told = await get(`${this.store.path}/questions?count=20`);
        this.queue = told.questions.filter((each) => this.store.verdict(each.first, each.second) === null);
      } catch {
        this.queue = [];
      }
    }
    this.current = this.queue.find((each) => !this.store.tables.asked.has(key(each)) && this.store.verdict(each.first, each.second) === null) ?? null;
    if (!this.current) this.host.replaceChildren(make("p", {}, t("ask_none")), this.#again());
    else this.#show(this.current);
  }

  #show(asked) {
    const first = asked.first >> 2;
    const second = asked.second >> 2;
    this.hands.choose([first, second]);
    this.table.centre(this.table.layout.cell(asked.sheet, asked.row, asked.col));
    this.hands.tell(`${t("ask_intro")} ${this.store.name(first)} · ${this.store.name(second)}`);
    const answer = (said, shortcut) => make("button", { type: "button", class: "answer", "data-say": said, onclick: () => this.say(said) }, t(said), " ", make("kbd", {}, shortcut));
    this.host.replaceChildren(
      make("h2", {}, t("ask_intro")),
      make("p", { class: "quiet" }, t("ask_count", { number: this.count + 1, confidence: asked.confidence.toFixed(2) })),
      this.#picture(asked),
      make("p", {}, `${this.store.name(first)} · ${this.store.name(second)}`),
      make("div", { class: "buttons" }, answer("yes", "Y"), answer("no", "N"), answer("unsure", "U"),
        make("button", { type: "button", onclick: () => this.back(), disabled: !this.past.length }, t("back"), " ", make("kbd", {}, "B"))),
      this.#rivals(asked), this.#again(),
    );
  }

  #again() {
    const box = make("input", { type: "checkbox", id: "solve-on" });
    box.checked = this.on;
    box.addEventListener("change", () => { this.on = box.checked; });
    return make("p", {}, box, " ", make("label", { for: "solve-on" }, t("ask_solve_on", { count: EVERY })));
  }

  /** Both pieces and what lies around them; corners mark the join. */
  #picture({ sheet, row, col, down, first, second }) {
    const { width, height } = this.table.layout;
    const [w, h] = [(SIZE * width) / 100, (SIZE * height) / 100];
    const [rows, cols] = down ? [4, 3] : [3, 4];
    const canvas = make("canvas", { width: Math.round(w * cols), height: Math.round(h * rows), class: "asked", role: "img", "aria-label": `${this.store.name(first >> 2)}, ${this.store.name(second >> 2)}` });
    const pen = canvas.getContext("2d");
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++) {
        const piece = this.store.at(sheet, row - 1 + r, col - 1 + c);
        if (piece === null) continue;
        const own = piece === first >> 2 || piece === second >> 2;
        pen.globalAlpha = own ? 1 : 0.45;
        this.panels.pictures.draw(pen, piece, this.store.spot(piece)[3], c * w, r * h, w, h);
      }
    }
    pen.globalAlpha = 1;
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
    return canvas;
  }

  /** What else could lie beside the first piece; a click says that it does. */
  #rivals({ sheet, row, col, down, first, rivals }) {
    const ahead = this.store.at(sheet, row, col) === first >> 2; // else the first piece is the lower or right one
    const faces = (down ? 1 : 2) + (ahead ? 0 : 2); // the side of a rival that would lie against it
    const items = rivals[0].map(({ edge, score }, k) => make("li", {}, make("button", { type: "button", title: this.store.name(edge >> 2), "data-rival": k + 1, onclick: () => this.say("no", edge) },
      this.panels.thumb(edge >> 2, (faces - (edge & 3) + 4) % 4, 48), make("span", {}, `${score.toFixed(2)} `, make("kbd", {}, String(k + 1))))));
    return items.length ? make("section", {}, make("h3", {}, t("rivals")), make("ul", { class: "candidates" }, ...items),
      make("button", { type: "button", "data-say": "none", onclick: () => this.none() }, t("none_of_these"), " ", make("kbd", {}, "0"))) : "";
  }

  /** Neither these two nor any of the rivals belong together. */
  none() {
    this.say("no", null, this.current.rivals[0].map(({ edge }) => edge));
  }

  async say(said, instead = null, neither = []) {
    const asked = this.current;
    if (!asked) return;
    const done = await this.hands.act("reply", { first: asked.first, second: asked.second, said, instead, neither });
    if (!done) return;
    this.past.push(asked);
    this.count += 1;
    this.queue = this.queue.filter((each) => each !== asked);
    if (this.on && this.count % EVERY === 0) this.solve.begin();
    this.draw();
  }

  async back() {
    const asked = this.past.pop();
    if (!asked) return;
    await this.hands.act("undo");
    this.count -= 1;
    this.queue.unshift(asked);
    this.draw();
  }
}

function key({ first, second }) {
  return first < second ? `${first}-${second}` : `${second}-${first}`;
}
