// The panel beside the table: a piece, its notes and candidates; the doubts; the sheets.

import { get, send } from "./api.js";
import { refocused } from "./focus.js";
import { make, t } from "./i18n.js";
import { TRAY } from "./store.js";
import { around } from "./twin.js";

const SIDES = ["right", "up", "left", "down"];

/** What a note on the join of two edges is about. */
function joint(first, second) {
  return `join:${Math.min(first, second)}-${Math.max(first, second)}`;
}

export class Panels {
  constructor(store, table, hands, pictures) {
    Object.assign(this, { store, table, hands, pictures });
    this.drafts = new Map(); // notes that are written but not kept yet
    this.piece = document.getElementById("panel-piece");
    this.doubts = document.getElementById("panel-doubts");
    this.sheets = document.getElementById("panel-sheets");
    hands.addEventListener("chosen", () => { this.found = null; this.draw_piece(); });
    table.addEventListener("shown", () => { if (!this.piece.hidden && !this.piece.contains(document.activeElement)) this.draw_piece(); });
    store.addEventListener("changed", () => { this.found = null; this.draw(); });
    store.addEventListener("all", () => this.draw());
    this.draw();
  }

  draw() {
    this.draw_piece();
    this.draw_sheets();
    if (!this.doubts.hidden) this.draw_doubts();
  }

  /** A small picture of a piece. */
  thumb(piece, turns = 0, size = 56) {
    const { width, height } = this.table.layout;
    const canvas = make("canvas", { width: Math.max(8, Math.round((size * width) / 100)), height: Math.round((size * height) / 100), class: "thumb", "aria-hidden": "true" });
    this.pictures.draw(canvas.getContext("2d"), piece, turns, 0, 0, canvas.width, canvas.height);
    return canvas;
  }

  button(key, action, shortcut) {
    const words = shortcut ? [t(key), " ", make("kbd", {}, shortcut)] : [t(key)];
    return make("button", { type: "button", onclick: action, "data-do": key }, ...words);
  }

  // The piece.

  draw_piece() {
    refocused(this.piece, () => this.#draw_piece());
  }

  #draw_piece() {
    const chosen = this.hands.chosen();
    const { cursor } = this.table;
    if (chosen.length !== 1) {
      const told = chosen.length ? t("selected_many", { count: chosen.length }) : t("nothing_selected");
      const fits = !chosen.length && cursor.sheet !== TRAY ? [this.button("what_fits", () => this.what_fits(), "C")] : [];
      this.piece.replaceChildren(make("p", {}, told), make("div", { class: "buttons" }, ...(chosen.length ? this.#hands(chosen) : fits)), this.#found());
      return;
    }
    const [piece] = chosen;
    const [sheet, row, col, turns] = this.table.spot(piece);
    const where = sheet === TRAY ? t("in_tray") : t("at", { sheet: sheet + 1, row: row + 1, col: col + 1 });
    const words = [where];
    if (turns) words.push(t("turned", { degrees: 90 * turns }));
    if (this.store.locked(piece)) words.push(t("locked"));
    const sure = around(this.table, piece);
    if (sure.length) words.push(t("confidence_is", { best: Math.max(...sure).toFixed(2), worst: Math.min(...sure).toFixed(2) }));
    this.piece.replaceChildren(
      make("div", { class: "headed" }, this.thumb(piece, turns, 96), ...this.#back(piece), make("div", {}, make("h2", {}, this.store.name(piece)), make("p", {}, words.join(", ")))),
      make("div", { class: "buttons" }, ...this.#hands(chosen)),
      this.#sides(piece), this.#note(piece), this.#found(),
    );
  }

  /** The other face of a piece, as it was photographed, where there is a picture of it. */
  #back(piece) {
    if (!this.store.facts.backs.includes(piece)) return [];
    return [make("img", { src: `${this.store.path}/pieces/${piece}/back${this.pictures.made}`, alt: t("back_of", { name: this.store.name(piece) }), class: "thumb back" })];
  }

  #hands(chosen) {
    const { hands, store } = this;
    const locked = chosen.every((piece) => store.locked(piece));
    const all = [
      this.button("turn", () => hands.turn(chosen.length > 1), "R"),
      this.button(locked ? "unlock" : "lock", () => hands.lock(), "L"),
      this.button("to_tray", () => hands.tray(), "T"),
    ];
    if (chosen.length === 1) {
      all.push(this.button("swap_with", () => hands.begin_swap(), "S"));
      const tray = this.table.spot(chosen[0])[0] === TRAY;
      all.push(this.button("where_goes", () => this.where_goes(), "W"));
      if (!tray) all.push(this.button("what_fits", () => this.what_fits(), "C"));
    }
    return all;
  }

  #sides(piece) {
    const rows = [];
    SIDES.forEach((side, direction) => {
      const other = this.table.neighbour(piece, direction);
      if (other === null) return;
      const said = this.store.verdict(this.table.edge(piece, direction), this.table.edge(other, (direction + 2) % 4));
      const choice = (kind, word, sign) => make("button", {
        type: "button", "aria-pressed": String(said === word), "aria-label": `${t(`${kind}_side`)} ${t(side)}`, title: `${t(`${kind}_side`)} ${t(side)}`,
        onclick: () => { this.hands.choose([piece]); this.hands.verdict(said === word ? "release" : kind, direction); },
      }, sign);
      const about = joint(this.table.edge(piece, direction), this.table.edge(other, (direction + 2) % 4));
      const noted = this.store.tables.note.has(about);
      const write = make("button", { type: "button", "data-note": about, "aria-pressed": String(noted), "aria-label": `${t("note")}: ${t(side)}`, title: `${t("note")}: ${t(side)}`, onclick: () => { this.noting = this.noting === about ? null : about; this.draw_piece(); document.getElementById("join-note")?.focus(); } }, "✎");
      rows.push(make("tr", {}, make("th", { scope: "row" }, t(side)), make("td", {}, this.store.name(other)), make("td", {}, choice("join", "joined", "+"), choice("forbid", "forbidden", "✕"), write)));
      if (this.noting === about) rows.push(make("tr", {}, make("td", { colspan: "3" }, this.#writing("join-note", about))));
    });
    return rows.length ? make("table", { class: "sides" }, ...rows) : "";
  }

  #note(piece) {
    return this.#writing("note", `piece:${piece}`);
  }

  #writing(id, about) {
    const text = make("textarea", { id, rows: "2", maxlength: "4000" });
    text.value = this.drafts.get(about) ?? this.store.tables.note.get(about) ?? "";
    text.addEventListener("input", () => this.drafts.set(about, text.value));
    const save = async () => {
      this.noting = null;
      if (await this.hands.act("note", { about, text: text.value })) this.drafts.delete(about);
      this.table.host.focus({ preventScroll: true }); // where the keys are
    };
    return make("div", { class: "note" }, make("label", { for: id }, t("note")), text, this.button("save_note", save));
  }

  #found() {
    return this.found ?? "";
  }

  async #list(title, path, row) {
    try {
      const rows = row(await get(path));
      const body = rows.length ? make("ul", { class: "candidates" }, ...rows) : make("p", {}, t("none_found"));
      this.found = make("section", { "aria-live": "polite" }, make("h3", {}, t(title)), body);
    } catch (problem) {
      this.found = make("p", { class: "problem" }, problem.message);
    }
    this.draw_piece();
    this.piece.querySelector(".candidates button:not(:disabled)")?.focus({ preventScroll: true });
  }

  /** Which pieces fit the cell under the cursor. */
  what_fits() {
    const { sheet, row, col } = this.table.cursor;
    if (sheet === TRAY) return;
    const path = `${this.store.path}/fitting?sheet=${sheet}&row=${row}&col=${col}&count=12`;
    this.#list("candidates", path, (told) => told.candidates.map(({ piece, turns, score, placed, locked }) => make("li", {}, make("button", {
      type: "button", title: this.store.name(piece), "data-fits": piece, disabled: locked,
      onclick: () => this.#lay(piece, [sheet, row, col, turns]),
    }, this.thumb(piece, turns), make("span", {}, score.toFixed(2)), ...(placed ? [make("span", { class: "quiet" }, t(locked ? "fits_locked" : "fits_placed"))] : [])))));
  }

  /** Lay a piece in a cell; who lies there goes where it came from, if that is on the same sheet. */
  #lay(piece, [sheet, row, col, turns]) {
    const there = this.store.at(sheet, row, col);
    const from = this.store.spot(piece);
    const both = there !== null && from[0] === sheet;
    const args = { pieces: [piece], sheet, rows: [row], cols: [col], turns: [turns] };
    if (both) for (const [key, value] of Object.entries({ pieces: there, rows: from[1], cols: from[2], turns: this.store.spot(there)[3] })) args[key].push(value);
    this.hands.act("place", args);
  }

  /** In which empty cells a piece fits. */
  where_goes() {
    const [piece] = this.hands.chosen();
    if (piece === undefined) return;
    const path = `${this.store.path}/places?piece=${piece}&count=12`;
    this.#list("places", path, (told) => told.places.map(({ sheet, row, col, turns, score }) => make("li", {}, make("button", {
      type: "button",
      onclick: () => this.hands.act("place", { pieces: [piece], sheet, rows: [row], cols: [col], turns: [turns] }),
    }, this.thumb(piece, turns), make("span", {}, `${t("at", { sheet: sheet + 1, row: row + 1, col: col + 1 })}: ${score.toFixed(2)}`)))));
  }

  // The doubts.

  async draw_doubts() {
    const joins = await this.store.judge();
    refocused(this.doubts, () => this.#draw_doubts(joins));
  }

  #draw_doubts(joins) {
    if (!joins.measured) {
      this.doubts.replaceChildren(make("p", {}, t("ask_none")));
      return;
    }
    const order = joins.confidence.map((_, k) => k).sort((a, b) => joins.confidence[a] - joins.confidence[b]).slice(0, 40);
    const rows = order.map((k) => {
      const [first, second] = [joins.first[k] >> 2, joins.second[k] >> 2];
      return make("li", {}, make("button", {
        type: "button", "data-doubt": `${joins.first[k]}-${joins.second[k]}`,
        onclick: () => { this.hands.choose([first, second]); this.table.centre(this.table.layout.cell(joins.sheet[k], joins.row[k], joins.col[k])); },
      }, this.thumb(first, this.store.spot(first)[3], 36), this.thumb(second, this.store.spot(second)[3], 36),
      make("span", {}, t("doubt", { first: this.store.name(first), second: this.store.name(second), confidence: joins.confidence[k].toFixed(2) }))));
    });
    this.doubts.replaceChildren(make("p", {}, t("doubts_intro")), make("ol", { class: "doubts" }, ...rows));
  }

  // The sheets.

  draw_sheets() {
    refocused(this.sheets, () => this.#draw_sheets());
  }

  #draw_sheets() {
    const { layout } = this.table;
    const called = (sheet) => this.store.called(sheet);
    const every = this.store.sheets();
    const rows = every.map((sheet) => {
      const box = layout.sheets.get(sheet);
      const name = called(sheet);
      const told = { name, count: box?.count ?? 0, rows: box?.count ? box.bottom - box.top + 1 : 0, cols: box?.count ? box.right - box.left + 1 : 0 };
      const label = make("input", { type: "text", maxlength: "100", "aria-label": t("sheet_name"), placeholder: t("sheet_name"), "data-sheet": sheet });
      label.value = this.store.tables.sheet.get(String(sheet))?.name ?? "";
      label.addEventListener("change", () => this.hands.act("name_sheet", { sheet, name: label.value }));
      const look = make("button", { type: "button", "data-look": sheet, onclick: () => this.#look(sheet, name) }, t("look_at_sheet"));
      return make("li", {}, make("span", {}, t("sheet_line", told)), label, ...(told.count ? [look] : []), ...this.#merge(sheet, every, called));
    });
    this.sheets.replaceChildren(
      make("p", {}, t("sheets_intro")), make("ul", { class: "sheet-list" }, ...rows),
      make("div", { class: "buttons" },
        this.button("new_sheet", () => this.hands.act("new_sheet", { name: "" })),
        this.button("split", () => this.#split()), this.button("crop", () => this.#crop())),
      this.#known(), this.#wishes(),
    );
  }

  /** Which sheet to merge a sheet into. */
  #merge(sheet, every, called) {
    const others = every.filter((each) => each !== sheet);
    if (!others.length) return [];
    const into = make("select", { "aria-label": `${called(sheet)}: ${t("merge")}`, "data-into": sheet }, ...others.map((each) => make("option", { value: each }, called(each))));
    return [make("div", { class: "row" }, make("button", { type: "button", "data-merge": sheet, onclick: () => this.hands.act("merge_sheets", { sheet, into: Number(into.value) }) }, t("merge")), into)];
  }

  /** Show a sheet as one picture: a page as it is to be read. */
  #look(sheet, name) {
    document.getElementById("page-title").textContent = name;
    document.getElementById("page-picture").replaceChildren(make("img", { alt: name, src: `${this.store.path}/sheets/${sheet}?version=${this.store.version}` }));
    document.getElementById("page").showModal();
  }

  /** What is known of the whole, in place of what was said when the project was made. */
  #known() {
    const { facts } = this.store;
    const said = this.store.tables.about.get("known") ?? { rows: facts.shape?.[0], cols: facts.shape?.[1], panels: facts.panels ?? 0, missing: facts.missing };
    const number = (id, value, least) => { const made = make("input", { type: "number", id, min: least, max: "100000" }); made.value = value ?? ""; return made; };
    const [rows, cols, panels] = [number("known-rows", said.rows, 1), number("known-cols", said.cols, 1), number("known-panels", said.panels, 0)];
    const missing = make("input", { type: "checkbox", id: "known-missing" });
    missing.checked = said.missing;
    const whole = (input) => (input.value ? Number(input.value) : null);
    const save = () => this.hands.act("know", { rows: whole(rows), cols: whole(cols), panels: whole(panels) ?? 0, missing: missing.checked });
    const label = (id, key) => make("label", { for: id }, t(key));
    return make("section", {}, make("h3", {}, t("known")), make("div", { class: "known" }, label("known-rows", "rows"), rows, label("known-cols", "cols"), cols,
      label("known-panels", "known_panels"), panels, label("known-missing", "anything_missing"), missing, this.button("save_known", save)));
  }

  /** Wishes and codes: a list to take up, and what was said so far. */
  #wishes() {
    const file = make("input", { type: "file", id: "wishes", accept: ".csv,.json" });
    file.addEventListener("change", () => this.#take_wishes(file));
    return make("section", {}, make("h3", {}, t("wishes")), make("label", { for: "wishes" }, t("wishes_take")), file,
      make("p", {}, make("a", { href: `${this.store.path}/wishes`, download: "wishes.json" }, t("wishes_save"))));
  }

  async #take_wishes(file) {
    const [list] = file.files;
    const kind = list.name.toLowerCase().endsWith(".csv") ? "csv" : "json";
    try {
      const told = await send("POST", `${this.store.path}/wishes?kind=${kind}&name=${encodeURIComponent(list.name)}`, list);
      await this.store.load();
      const left = told.left_out ? ` ${t("wishes_left_out", { count: told.left_out })}` : "";
      this.hands.tell(t("wishes_taken", { count: told.changes }) + left, Boolean(left));
    } catch (problem) {
      file.value = ""; // so that the same file, mended, can be chosen again
      this.hands.tell(problem.message, true);
    }
  }

  #split() {
    const pieces = [...this.table.chosen];
    if (!pieces.length) this.hands.tell(t("choose_first"), true);
    else this.hands.act("split_sheet", { sheet: this.store.spot(pieces[0])[0], pieces });
  }

  #crop() {
    const spots = [...this.table.chosen].map((piece) => this.store.spot(piece)).filter((spot) => spot[0] !== TRAY);
    if (!spots.length || spots.some((spot) => spot[0] !== spots[0][0])) {
      this.hands.tell(t("choose_on_sheet"), true);
      return;
    }
    const rows = spots.map((spot) => spot[1]);
    const cols = spots.map((spot) => spot[2]);
    this.hands.act("crop", { sheet: spots[0][0], top: Math.min(...rows), left: Math.min(...cols), bottom: Math.max(...rows), right: Math.max(...cols) });
  }
}
