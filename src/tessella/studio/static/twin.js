// The grid twin: what lies around the cursor as a table that a keyboard and a screen reader walk.

import { make, t } from "./i18n.js";
import { TRAY } from "./store.js";

const ROWS = 6;
const COLS = 8;

/** What there is to say of a cell, in words: of what is seen there, which acts are about too. */
export function described(table, { sheet, row, col, piece }) {
  const { store } = table;
  const held = sheet === TRAY ? piece : table.at(sheet, row, col);
  const where = sheet === TRAY ? t("in_tray") : t("at", { sheet: sheet + 1, row: row + 1, col: col + 1 });
  if (held === null || held === undefined) return `${where}: ${t("empty_cell")}`;
  const words = [store.name(held)];
  const turns = table.spot(held)[3];
  if (turns) words.push(t("turned", { degrees: 90 * turns }));
  if (store.locked(held)) words.push(t("locked"));
  const note = store.tables.note.get(`piece:${held}`);
  if (note) words.push(`${t("note")}: ${note}`);
  const sure = around(table, held);
  if (sure.length) {
    words.push(t("confidence_is", { best: Math.max(...sure).toFixed(2), worst: Math.min(...sure).toFixed(2) }));
  }
  return `${where}: ${words.join(", ")}`;
}

/** How sure those joins of a piece are that are seen. */
export function around(table, piece) {
  const { joins } = table.store;
  if (!joins) return [];
  const its = (k) => joins.first[k] >> 2 === piece || joins.second[k] >> 2 === piece;
  return joins.confidence.filter((_, k) => its(k) && table.side(joins.first[k], joins.second[k]) !== null);
}

/** The rows or columns that are shown: around the cursor, and not far beyond the sheet. */
function window_of(at, reach, low, high) {
  const first = Math.min(at, Math.max(at - reach, low - 1));
  const last = Math.max(at, Math.min(at + reach, high + 1));
  return Array.from({ length: last - first + 1 }, (_, k) => first + k);
}

export class Twin {
  constructor(store, table, hands, host) {
    this.store = store;
    this.table = table;
    this.hands = hands;
    this.host = host;
    host.addEventListener("keydown", (event) => hands.key(event));
    hands.addEventListener("chosen", () => this.draw());
    table.addEventListener("shown", () => this.draw());
    store.addEventListener("changed", () => this.draw());
    store.addEventListener("all", () => this.draw());
    this.draw();
  }

  draw() {
    const { cursor } = this.table;
    const focused = this.host.contains(document.activeElement);
    const tray = cursor.sheet === TRAY;
    const rows = [];
    if (tray) rows.push(this.#tray(cursor));
    else {
      const box = this.table.layout.sheets.get(cursor.sheet) ?? { top: 0, left: 0, bottom: 0, right: 0 };
      const cols = window_of(cursor.col, COLS, box.left, box.right);
      rows.push(make("tr", { role: "row" }, make("td", { class: "corner" }), ...cols.map((col) => make("th", { scope: "col" }, String(col + 1)))));
      for (const row of window_of(cursor.row, ROWS, box.top, box.bottom)) rows.push(this.#row(cursor, row, cols));
    }
    const grid = make("table", { role: "grid", "aria-label": t("grid_twin") }, ...rows);
    if (this.host.firstElementChild?.isEqualNode(grid)) return; // so that a screen reader does not say it again
    this.host.replaceChildren(grid);
    if (focused) this.host.querySelector("[tabindex='0']")?.focus();
  }

  #row(cursor, row, cols) {
    const cells = [make("th", { scope: "row" }, String(row + 1))];
    for (const col of cols) cells.push(this.#cell({ sheet: cursor.sheet, row, col }, row === cursor.row && col === cursor.col));
    return make("tr", { role: "row" }, ...cells);
  }

  #tray(cursor) {
    const { tray, slot } = this.table.layout;
    const first = Math.max(0, (slot.get(cursor.piece) ?? 0) - COLS);
    const pieces = tray.slice(first, first + 2 * COLS + 1);
    return make("tr", { role: "row" }, ...pieces.map((piece) => this.#cell({ sheet: TRAY, piece }, piece === cursor.piece)));
  }

  #cell(place, here) {
    const held = place.sheet === TRAY ? place.piece : this.table.at(place.sheet, place.row, place.col);
    const locked = held !== null && this.store.locked(held);
    const shown = held === null ? "" : `${locked ? "🔒 " : ""}${this.store.name(held)}`;
    return make("td", {
      role: "gridcell", tabindex: here ? "0" : "-1", "aria-label": described(this.table, place), "data-piece": held,
      "aria-selected": String(held !== null && this.table.chosen.has(held)), class: here ? "here" : null,
      onclick: () => {
        this.table.cursor = { ...place, piece: held ?? undefined };
        this.hands.choose(held === null ? [] : [held]);
        this.host.querySelector("[tabindex='0']")?.focus();
      },
    }, shown);
  }
}

