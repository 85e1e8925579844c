// What was said: every lock, join, forbidden join and the like, each to be taken back alone.

import { refocused } from "./focus.js";
import { make, t } from "./i18n.js";

const MOST = 200;

export class Said {
  constructor(store, table, hands, panels) {
    Object.assign(this, { store, table, hands, panels });
    this.host = document.getElementById("panel-said");
    for (const kind of ["changed", "all"]) store.addEventListener(kind, () => { if (!this.host.hidden) this.draw(); });
  }

  draw() {
    refocused(this.host, () => this.#draw());
  }

  #draw() {
    const { tables } = this.store;
    const joins = (word) => [...tables.join].filter(([, said]) => said === word).map(([key]) => this.#pair(key));
    const unsure = [...tables.asked.keys()].filter((key) => !tables.join.has(key)).map((key) => this.#pair(key));
    const groups = [
      ["said_locked", [...tables.lock.keys()].map((key) => this.#piece(Number(key), "unlock", { pieces: [Number(key)] }))],
      ["said_joined", joins("joined")], ["said_forbidden", joins("forbidden")], ["said_unsure", unsure],
      ["said_barred", [...tables.bar.keys()].map((key) => this.#bar(key))],
      ["said_codes", [...tables.code.keys()].map((key) => this.#piece(Number(key), "code", { piece: Number(key) }))],
    ].filter(([, rows]) => rows.length);
    this.host.replaceChildren(make("p", {}, t(groups.length ? "said_intro" : "said_nothing")), ...groups.flatMap(([title, rows]) => [
      make("h3", {}, `${t(title)} (${rows.length})`), make("ul", { class: "said" }, ...rows.slice(0, MOST).map((row) => row())),
    ]));
  }

  #row(pieces, words, act, args) {
    const show = () => { this.hands.choose(pieces); this.table.centre(this.table.layout.middle(pieces[0], this.table.spot(pieces[0]))); };
    const mark = `${act}:${JSON.stringify(args)}`;
    return make("li", {},
      make("button", { type: "button", class: "shown", onclick: show, "data-show": mark }, ...pieces.map((piece) => this.panels.thumb(piece, this.table.spot(piece)[3], 36)), make("span", {}, words)),
      make("button", { type: "button", "data-back": mark, "aria-label": `${t("take_back")}: ${words}`, onclick: () => this.hands.act(act, args) }, t("take_back")));
  }

  #piece(piece, act, args) {
    return () => this.#row([piece], this.store.name(piece), act, args);
  }

  #pair(key) {
    const [first, second] = key.split("-").map(Number);
    const pieces = [first >> 2, second >> 2];
    return () => this.#row(pieces, pieces.map((piece) => this.store.name(piece)).join(" · "), "release", { first, second });
  }

  #bar(key) {
    const [piece, sheet, row, col] = key.split(":").map(Number);
    const where = t("at", { sheet: sheet + 1, row: row + 1, col: col + 1 });
    return () => this.#row([piece], `${this.store.name(piece)}: ${where}`, "bar", { piece, sheet, row, col, barred: false });
  }
}
