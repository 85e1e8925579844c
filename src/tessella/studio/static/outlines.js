// The editor of outlines: every picture with the pieces that were found, doubtful ones first, four handles each.

import { make, t } from "./i18n.js";

const SVG = "http://www.w3.org/2000/svg";
const REACH = 0.6; // how much around a piece is shown when it is near, in its own sizes
const LABEL = 26;

function drawn(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export class Outlines {
  /** found: what the studio told of the pictures and pieces; path: of the upload. */
  constructor(host, found, path, tell) {
    Object.assign(this, { host, found, path, tell });
    this.pieces = found.pieces.map((piece, number) => ({ ...piece, number, keep: true, moved: false, seen: false }));
    this.at = this.pieces.find((piece) => piece.doubts.length)?.picture ?? 0;
    this.chosen = null;
    this.near = false;
    this.draw();
  }

  /** What the person said, as the studio takes it. */
  said() {
    const known = this.pieces.filter((piece) => piece.number !== null && (piece.seen || piece.moved || !piece.keep));
    const fresh = this.pieces.filter((piece) => piece.number === null && piece.keep);
    return [
      ...known.map((piece) => ({ piece: piece.number, keep: piece.keep, corners: piece.moved ? piece.corners : null })),
      ...fresh.map((piece) => ({ picture: piece.picture, corners: piece.corners })),
    ];
  }

  kept() {
    return this.pieces.filter((piece) => piece.keep).length;
  }

  doubtful() {
    return this.pieces.filter((piece) => doubted(piece)).length;
  }

  // Drawing.

  draw() {
    const count = this.found.pictures.length;
    const step = (by) => () => { this.at = (this.at + by + count) % count; this.near = false; this.choose(null); };
    const turn = count > 1 ? [make("button", { type: "button", "data-do": "before", onclick: step(-1) }, "‹"), make("button", { type: "button", "data-do": "after", onclick: step(1) }, "›")] : [];
    const name = this.found.pictures[this.at].name;
    this.host.replaceChildren(
      make("p", {}, t("outlines_intro", { count: this.kept(), doubtful: this.doubtful() })),
      make("div", { class: "buttons" }, ...turn, make("span", {}, count > 1 ? `${name} (${this.at + 1} / ${count})` : name),
        make("button", { type: "button", "data-do": "add", onclick: () => this.add() }, t("outline_add")),
        make("button", { type: "button", "data-do": "whole", onclick: () => { this.near = false; this.draw(); } }, t("fit_view"))),
      make("div", { class: "outlining" }, this.#picture(), this.#list()),
    );
  }

  #here() {
    return this.pieces.filter((piece) => piece.picture === this.at);
  }

  #picture() {
    const { width, height } = this.found.pictures[this.at];
    const [x, y, wide, high] = this.#view(width, height);
    this.svg = drawn("svg", { viewBox: `${x} ${y} ${wide} ${high}`, class: "outlined", role: "group", "aria-label": this.found.pictures[this.at].name });
    this.svg.append(drawn("image", { href: `${this.path}/pictures/${this.at}`, x: 0, y: 0, width, height, preserveAspectRatio: "none" }));
    this.unit = Math.max(wide / 760, high / 480); // pixels of the file for one of the screen, about
    for (const piece of this.#here()) if (piece !== this.chosen) this.svg.append(...this.#outline(piece));
    if (this.chosen?.picture === this.at) this.svg.append(...this.#outline(this.chosen), ...this.#handles(this.chosen));
    return this.svg;
  }

  /** What of the picture is shown: all of it, or the chosen piece and what is around. */
  #view(width, height) {
    if (!this.near || this.chosen?.picture !== this.at) return [0, 0, width, height];
    const xs = this.chosen.corners.map(([x]) => x);
    const ys = this.chosen.corners.map(([, y]) => y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const room = REACH * Math.max(20, Math.min(right - left, bottom - top));
    return [left - room, top - room, right - left + 2 * room, bottom - top + 2 * room];
  }

  #outline(piece) {
    const kind = !piece.keep ? "out" : doubted(piece) ? "doubtful" : "sure";
    const points = piece.corners.map((corner) => corner.join(",")).join(" ");
    const [x, y] = middle(piece.corners);
    const sign = !piece.keep ? "✕" : doubted(piece) ? "?" : "";
    const shape = drawn("polygon", { points, class: `${kind}${piece === this.chosen ? " chosen" : ""}`, onclick: () => this.choose(piece) });
    const word = drawn("text", { x, y, "font-size": LABEL * this.unit, "text-anchor": "middle", "dominant-baseline": "middle" }, sign);
    return sign ? [shape, word] : [shape];
  }

  #handles(piece) {
    if (!piece.keep) return [];
    return piece.corners.map(([x, y], k) => drawn("circle", {
      cx: x, cy: y, r: 9 * this.unit, class: "handle", tabindex: 0, role: "button", "data-corner": k,
      "aria-label": t("outline_corner", { number: k + 1 }),
      onpointerdown: (event) => this.#drag(event, piece, k), onkeydown: (event) => this.#key(event, piece, k),
    }));
  }

  #list() {
    const order = (piece) => (doubted(piece) ? 0 : 1);
    const rows = this.#here().sort((a, b) => order(a) - order(b)).map((piece) => {
      const told = !piece.keep ? t("outline_out") : piece.moved ? t("outline_moved") : piece.doubts.length ? (piece.seen ? t("outline_right") : piece.doubts.join("; ")) : t("outline_sure");
      const does = (key, action) => make("button", { type: "button", "data-do": key, onclick: action }, t(key));
      const buttons = piece === this.chosen ? make("div", { class: "buttons" },
        ...(piece.keep ? [does("outline_yes", () => this.#say(piece, { seen: true }, true)), does("outline_no", () => this.#say(piece, { keep: false }, true))]
          : [does("outline_back", () => this.#say(piece, { keep: true }, false))])) : "";
      return make("li", {}, make("button", { type: "button", class: "pick", "aria-pressed": String(piece === this.chosen), onclick: () => { this.near = true; this.choose(piece); } }, `${doubted(piece) ? "? " : ""}${piece.name}: ${told}`), buttons);
    });
    return make("ol", { class: "found" }, ...rows);
  }

  // Acts.

  choose(piece) {
    this.chosen = piece;
    this.draw();
    if (piece) this.host.querySelector(".pick[aria-pressed=true]")?.focus();
  }

  #say(piece, change, on) {
    Object.assign(piece, change);
    const next = on ? this.#here().find((each) => doubted(each)) ?? this.pieces.find((each) => doubted(each)) : null;
    if (next) { this.at = next.picture; this.near = true; }
    this.choose(next ?? piece);
    this.tell(t("outlines_intro", { count: this.kept(), doubtful: this.doubtful() }));
  }

  /** A new outline in the middle of what is shown. */
  add() {
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    const like = this.#here()[0]?.corners;
    const side = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) / 2;
    const [w, h] = like ? [side(like[0], like[1]), side(like[1], like[2])] : [width / 6, width / 6];
    const [cx, cy] = [x + width / 2, y + height / 2];
    const corners = [[cx - w, cy - h], [cx + w, cy - h], [cx + w, cy + h], [cx - w, cy + h]];
    const piece = { name: t("outline_new"), number: null, picture: this.at, corners, doubts: [], keep: true, moved: true, seen: true };
    this.pieces.push(piece);
    this.choose(piece);
  }

  #drag(event, piece, k) {
    event.preventDefault();
    const handle = event.target;
    handle.setPointerCapture(event.pointerId);
    const to = (moved) => {
      const point = new DOMPoint(moved.clientX, moved.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      this.#move(piece, k, point.x, point.y);
    };
    handle.addEventListener("pointermove", to);
    handle.addEventListener("pointerup", () => { handle.removeEventListener("pointermove", to); this.draw(); }, { once: true });
  }

  #key(event, piece, k) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    const [x, y] = piece.corners[k];
    this.#move(piece, k, x + far * step[0], y + far * step[1]);
    this.tell(`${t("outline_corner", { number: k + 1 })}: ${piece.corners[k].map(Math.round).join(", ")}`);
  }

  /** Bring one corner somewhere within the picture. */
  #move(piece, k, x, y) {
    const { width, height } = this.found.pictures[piece.picture];
    piece.corners = piece.corners.map((corner, each) => (each === k ? [Math.max(0, Math.min(width, x)), Math.max(0, Math.min(height, y))] : corner));
    piece.moved = true;
    const handle = this.svg.querySelector(`[data-corner="${k}"]`);
    handle.setAttribute("cx", piece.corners[k][0]);
    handle.setAttribute("cy", piece.corners[k][1]);
    this.svg.querySelector("polygon.chosen").setAttribute("points", piece.corners.map((corner) => corner.join(",")).join(" "));
  }
}

function doubted(piece) {
  return piece.doubts.length > 0 && piece.keep && !piece.seen && !piece.moved;
}

function middle(corners) {
  return [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
}
