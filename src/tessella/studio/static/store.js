// The state of a project in this page: the same tables as on the disk, kept up by changes.

import { get, post, listen } from "./api.js";
import { t } from "./i18n.js";

export const TRAY = -1;
export const STEPS = [[0, 1], [-1, 0], [0, -1], [1, 0]]; // right, top, left, bottom

export class Store extends EventTarget {
  constructor(project) {
    super();
    this.path = `/api/projects/${project}`;
    this.changed = new Set(); // pieces that the solver moved last
    this.joins = null; // as they were judged last
    this.stale = true;
  }

  /** Read everything anew. */
  async load() {
    const told = await get(this.path);
    this.facts = told.facts;
    this.version = told.version;
    this.undo = told.undo;
    this.redo = told.redo;
    this.notes = told.notes;
    this.solving = told.solving;
    this.tables = Object.fromEntries(
      ["place", "lock", "sheet", "join", "bar", "note", "asked", "code", "lie", "about"].map((name) => [
        name,
        new Map(Object.entries(told.state[name] ?? {})),
      ]),
    );
    this.joins = null;
    this.stale = true;
    this.cells = new Map();
    for (const [key, spot] of this.tables.place) this.#lay(Number(key), spot);
    this.say("all");
  }

  /** Hear of everything that happens. */
  listen(lost, found) {
    let before = false;
    listen(`${this.path}/stream`, (message) => this.#hear(message), () => { before = true; lost(); },
      () => { if (before) { before = false; this.load(); found(); } });
  }

  #hear(message) {
    if (message.kind === "hello" && message.version !== this.version) this.load();
    if (message.kind === "event") {
      if (message.by === "solver") {
        this.changed = new Set(
          message.changes.filter((change) => change[0] === "place").map((change) => Number(change[1])),
        );
      }
      if (message.version > this.version) {
        const told = message.act === "undo" ? [-1, 1] : message.act === "redo" ? [1, -1] : [1, -this.redo];
        this.take(message.version, message.changes, this.undo + told[0], this.redo + told[1]);
      }
    }
    if (message.kind === "solving") this.say("solving", message);
  }

  /** Take up the changes of one version; a gap means that something was missed. */
  take(version, changes, undo, redo) {
    if (version <= this.version) return;
    if (version > this.version + 1) {
      this.load();
      return;
    }
    this.version = version;
    this.undo = undo;
    this.redo = redo;
    const moved = [];
    for (const [table, key, , after] of changes) {
      if (table === "place") {
        moved.push(Number(key));
        this.#lift(Number(key));
      }
      if (after === null) this.tables[table].delete(key);
      else this.tables[table].set(key, after);
    }
    for (const piece of moved) this.#lay(piece, this.spot(piece));
    this.#doubt(new Set(moved));
    this.say("changed", { changes, moved });
  }

  /** What was judged before a change holds for all joins of pieces that did not move, until it is judged anew. */
  #doubt(moved) {
    this.stale = true;
    const { joins } = this;
    if (!joins || !moved.size) return;
    const keep = joins.first.map((edge, k) => !moved.has(edge >> 2) && !moved.has(joins.second[k] >> 2));
    const columns = ["sheet", "row", "col", "down", "first", "second", "confidence"];
    this.joins = { ...joins, ...Object.fromEntries(columns.map((name) => [name, joins[name].filter((_, k) => keep[k])])),
      fit: Object.fromEntries(Object.entries(joins.fit).filter(([piece]) => !moved.has(Number(piece)))) };
  }

  #lift(piece) {
    const [sheet, row, col] = this.spot(piece);
    if (this.cells.get(`${sheet}:${row}:${col}`) === piece) this.cells.delete(`${sheet}:${row}:${col}`);
  }

  #lay(piece, [sheet, row, col]) {
    if (sheet !== TRAY) this.cells.set(`${sheet}:${row}:${col}`, piece);
  }

  say(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  // What lies where.

  spot(piece) {
    return this.tables.place.get(String(piece)) ?? [TRAY, 0, 0, 0];
  }

  at(sheet, row, col) {
    return this.cells.get(`${sheet}:${row}:${col}`) ?? null;
  }

  locked(piece) {
    return this.tables.lock.has(String(piece));
  }

  /** Rows and columns of the answer, as far as they are known by now. */
  shape() {
    const known = this.tables.about.get("known");
    if (this.facts.kind !== "grid") return null;
    if (!known) return this.facts.shape;
    return known.rows && known.panels === 1 ? [known.rows, known.cols] : null;
  }

  sheets() {
    return [...new Set([0, ...[...this.tables.sheet.keys()].map(Number)])].sort((a, b) => a - b);
  }

  /** What a sheet is called; of shredded paper it is a page. */
  called(sheet) {
    return this.tables.sheet.get(String(sheet))?.name || t(this.facts.kind === "strips" ? "page" : "sheet", { number: sheet + 1 });
  }

  name(piece) {
    return this.facts.names[piece];
  }

  /** The edge of a piece that faces a direction: 0 right, 1 top, 2 left, 3 bottom. */
  edge(piece, direction) {
    return 4 * piece + ((direction - this.spot(piece)[3] + 4) % 4);
  }

  neighbour(piece, direction) {
    const [sheet, row, col] = this.spot(piece);
    if (sheet === TRAY) return null;
    return this.at(sheet, row + STEPS[direction][0], col + STEPS[direction][1]);
  }

  /** Whether two edges lie against each other. */
  meet(first, second) {
    const direction = ((first & 3) + this.spot(first >> 2)[3]) % 4;
    const other = this.neighbour(first >> 2, direction);
    return other === second >> 2 && this.edge(other, (direction + 2) % 4) === second;
  }

  verdict(first, second) {
    return this.tables.join.get(first < second ? `${first}-${second}` : `${second}-${first}`) ?? null;
  }

  // Acts.

  async act(act, args) {
    const told = await post(`${this.path}/acts`, { act, args, base: this.version });
    if (told.changes.length) this.take(told.version, told.changes, told.undo, told.redo); // else the version may be another's, who is heard yet
    this.say("done", act);
    return told.version;
  }

  /** Take back one act alone. */
  async retract(version) {
    const told = await post(`${this.path}/retract`, { of: version });
    this.take(told.version, told.changes, told.undo, told.redo);
    this.say("done", "retract");
    return told.version;
  }

  async step(which) {
    const told = await post(`${this.path}/${which}`, { base: this.version });
    this.take(told.version, told.changes, told.undo, told.redo);
    this.say("done", which);
    return told.version;
  }

  /** How sure all joins are; there are none before anything was measured. */
  async judge() {
    if (this.joins !== null && !this.stale) return this.joins;
    const { version } = this;
    const told = await get(`${this.path}/joins`);
    if (version === this.version) {
      this.joins = told;
      this.stale = false;
      this.say("judged");
    }
    return told;
  }
}
