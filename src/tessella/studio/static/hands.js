// Hands: pointer and keyboard on the table become acts.

import { enclosed, outline } from "./enclosing.js";
import { to_table } from "./focus.js";
import { STEPS, TRAY } from "./store.js";
import { t } from "./i18n.js";

const ARROWS = { ArrowRight: 0, ArrowUp: 1, ArrowLeft: 2, ArrowDown: 3 };

export class Hands extends EventTarget {
  constructor(store, table, tell) {
    super();
    this.store = store;
    this.table = table;
    this.tell = tell;
    this.tool = "hand"; // what dragging does: hand, box or lasso
    this.mode = null; // what the next choice or arrow key is for
    this.carried = null;
    this.pointers = new Map();
    const host = table.host;
    host.addEventListener("pointerdown", (event) => this.#down(event));
    host.addEventListener("pointermove", (event) => this.#move(event));
    host.addEventListener("pointerup", (event) => this.#up(event));
    host.addEventListener("pointercancel", () => this.#let_go());
    host.addEventListener("contextmenu", (event) => event.preventDefault());
    host.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    host.addEventListener("keydown", (event) => this.key(event));
    table.drawn = (marks) => outline(marks, this.drag);
  }

  // Choosing.

  choose(pieces, { add = false } = {}) {
    if (!add) this.table.chosen.clear();
    for (const piece of pieces) this.table.chosen.add(piece);
    const last = pieces.at(-1);
    if (last !== undefined) this.#follow(last);
    this.#said();
  }

  #follow(piece) {
    const [sheet, row, col] = this.table.spot(piece);
    this.table.cursor = { sheet, row, col, piece };
  }

  #said() {
    this.table.draw();
    this.dispatchEvent(new CustomEvent("chosen"));
  }

  /** The chosen pieces, or the one under the cursor. */
  chosen() {
    if (this.table.chosen.size) return [...this.table.chosen];
    const piece = this.under();
    return piece === null ? [] : [piece];
  }

  under() {
    const { sheet, row, col, piece } = this.table.cursor;
    return sheet === TRAY ? piece : this.table.at(sheet, row, col);
  }

  // The pointer.

  #at(event) {
    const box = this.table.host.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #down(event) {
    this.table.host.focus({ preventScroll: true });
    const [x, y] = this.#at(event);
    this.pointers.set(event.pointerId, [x, y]);
    this.table.host.setPointerCapture(event.pointerId);
    if (this.pointers.size === 2) {
      this.drag = null;
      this.pinch = this.#span();
      return;
    }
    const found = this.table.under(x, y);
    const keys = event.altKey ? "lasso" : event.shiftKey && found.piece === null ? "box" : null;
    const wish = keys ?? (this.tool === "hand" ? null : this.tool);
    const hand = event.button === 0 && !this.panning;
    if (wish && hand) this.drag = { kind: wish, x, y, path: [[x, y]] };
    else if (found.piece !== null && hand) this.#grab(event, found, x, y);
    else this.drag = { kind: "pan", x, y, cell: found };
  }

  #grab(event, found, x, y) {
    if (this.mode?.kind === "swap") {
      this.#swap(found.piece);
      return;
    }
    const { chosen } = this.table;
    if (event.shiftKey) this.choose([found.piece], { add: true });
    else if (!chosen.has(found.piece)) this.choose([found.piece]);
    this.drag = { kind: "pieces", x, y, piece: found.piece, moved: false };
  }

  #move(event) {
    if (!this.pointers.has(event.pointerId)) return;
    const [x, y] = this.#at(event);
    this.pointers.set(event.pointerId, [x, y]);
    if (this.pointers.size === 2 && this.pinch) {
      const now = this.#span();
      this.table.zoom(now.far / this.pinch.far, now.x, now.y);
      this.pinch = now;
      return;
    }
    const drag = this.drag;
    if (!drag) return;
    if (drag.kind === "pan") {
      this.table.pan(x - drag.x, y - drag.y);
      drag.far = (drag.far ?? 0) + Math.abs(x - drag.x) + Math.abs(y - drag.y);
      [drag.x, drag.y] = [x, y];
    } else if (drag.kind === "pieces") {
      if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < 5) return;
      drag.moved = true;
      const scale = this.table.world.scale.x;
      for (const piece of this.table.chosen) {
        if (!this.store.locked(piece)) this.table.set(piece, [(x - drag.x) / scale, (y - drag.y) / scale]);
      }
      this.table.draw();
    } else {
      drag.path.push([x, y]);
      this.table.draw();
    }
  }

  #span() {
    const [[ax, ay], [bx, by]] = [...this.pointers.values()];
    return { far: Math.max(1, Math.hypot(ax - bx, ay - by)), x: (ax + bx) / 2, y: (ay + by) / 2 };
  }

  #up(event) {
    const [x, y] = this.#at(event);
    this.pointers.delete(event.pointerId);
    this.pinch = null;
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    if (drag.kind === "pieces" && drag.moved) this.#drop(drag.piece, this.table.under(x, y));
    else if (drag.kind === "pan" && (drag.far ?? 0) < 5) this.#clicked(drag.cell);
    else if (drag.kind === "box" || drag.kind === "lasso") this.#enclosed(drag, event.ctrlKey);
  }

  #let_go() {
    this.pointers.clear();
    this.drag = null;
    this.table.refresh();
  }

  #clicked(cell) {
    this.table.chosen.clear();
    if (!cell.tray) this.table.cursor = { sheet: cell.sheet, row: cell.row, col: cell.col };
    if (this.carried && !cell.tray) this.#lay(cell);
    this.#said();
  }

  #enclosed(drag, add) {
    this.choose(enclosed(this.table, drag), { add });
    this.take_up("hand");
  }

  /** Take up a tool; after a rectangle or a lasso the hand is back. */
  take_up(tool) {
    this.tool = tool;
    this.dispatchEvent(new CustomEvent("tool"));
  }

  #wheel(event) {
    event.preventDefault();
    const [x, y] = this.#at(event);
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.table.zoom(Math.exp(-event.deltaY * lines * 0.0015), x, y);
  }

  // Acts.

  async #try(act, args) {
    try {
      if (act === "retract") return await this.store.retract(args);
      return args === undefined ? await this.store.step(act) : await this.store.act(act, args);
    } catch (problem) {
      this.tell(problem.message, true);
      this.table.refresh();
      return false;
    }
  }

  act(name, args) { return this.#try(name, args); }

  retract(version) { return this.#try("retract", version); }

  #drop(held, target) {
    const pieces = [...this.table.chosen];
    return target.tray ? this.#to_tray(pieces) : this.#place(pieces, held, target);
  }

  /** Nothing is posted where nothing moves: that would be no act, and is nothing to undo. */
  #to_tray(pieces) {
    if (pieces.some((piece) => this.table.spot(piece)[0] !== TRAY)) return this.#try("tray", { pieces });
    return this.table.refresh();
  }

  async #place(pieces, held, { sheet, row, col }) {
    const lying = this.table.spot(held);
    const there = this.table.at(sheet, row, col);
    if (pieces.length === 1 && there !== null && there !== held && lying[0] !== TRAY) {
      if (await this.#exchange(held, there)) this.choose([held]);
      return;
    }
    const [rows, cols] = [[], []];
    let next = 0;
    for (const piece of pieces) {
      const spot = this.table.spot(piece);
      const from = spot[0] !== TRAY && spot[0] === lying[0];
      rows.push(row + (from ? spot[1] - lying[1] : 0));
      cols.push(col + (from ? spot[2] - lying[2] : piece === held ? 0 : ++next));
    }
    const turns = pieces.map((piece) => this.table.spot(piece)[3]);
    const still = pieces.every((piece, k) => this.table.spot(piece).slice(0, 3).join() === `${sheet},${rows[k]},${cols[k]}`);
    if (still) this.table.refresh();
    if (still || (await this.#try("place", { pieces, sheet, rows, cols, turns }))) this.choose(pieces);
  }

  /** While the solver's arrangement is shown, pieces are laid as they are seen there, changed as wished. */
  #as_seen(pieces, changed) {
    const spots = pieces.map((piece) => changed(piece, this.table.spot(piece)));
    const [[sheet]] = spots;
    if (!this.table.preview || sheet === TRAY || spots.some((spot) => spot[0] !== sheet)) return null;
    const [rows, cols, turns] = [1, 2, 3].map((k) => spots.map((spot) => spot[k]));
    return this.#try("place", { pieces, sheet, rows, cols, turns });
  }

  #exchange(first, second) {
    const cell = (piece) => this.table.spot(piece === first ? second : first).slice(0, 3);
    return this.#as_seen([first, second], (piece, spot) => [...cell(piece), spot[3]]) ?? this.#try("swap", { first, second });
  }

  async #lay(cell) {
    const { pieces, held } = this.carried;
    this.carried = null;
    await this.#place(pieces, held, cell);
  }

  async #swap(second) {
    const first = this.mode.piece;
    this.mode = null;
    if (first !== second) await this.#exchange(first, second);
    this.#said();
  }

  turn(together) {
    const pieces = this.chosen();
    if (!pieces.length) return;
    const times = this.store.facts.square ? 1 : 2;
    const block = together && pieces.length > 1;
    const seen = block ? null : this.#as_seen(pieces, (piece, [sheet, row, col, turns]) => [sheet, row, col, (turns + times) % 4]);
    if (!seen) this.#try("turn", { pieces, times, together: block });
  }

  lock() {
    const pieces = this.chosen();
    if (!pieces.length) return;
    if (pieces.every((piece) => this.store.locked(piece))) this.#try("unlock", { pieces });
    else this.#try("lock", { pieces, spots: pieces.map((piece) => this.table.spot(piece)) });
  }

  tray() {
    const pieces = this.chosen();
    if (pieces.length) this.#to_tray(pieces);
  }

  begin_swap() {
    const [piece] = this.chosen();
    if (piece === undefined) return;
    this.mode = { kind: "swap", piece };
    to_table(); // Enter, which ends it, presses whatever button has the focus
    this.tell(t("swap_choose"));
  }

  begin_side(kind) {
    if (!this.chosen().length) return;
    this.mode = { kind };
    this.tell(t("choose_side"));
  }

  /** Join, forbid or release the join of the piece under the cursor in a direction. */
  async verdict(kind, direction) {
    this.mode = null;
    const [piece] = this.chosen();
    const other = piece === undefined ? null : this.table.neighbour(piece, direction);
    if (other === null) {
      this.tell(t("no_neighbour"), true);
      return;
    }
    const first = this.table.edge(piece, direction);
    await this.#try(kind, { first, second: this.table.edge(other, (direction + 2) % 4) });
  }

  // The keyboard.

  key(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key === "z") this.#try(event.shiftKey ? "redo" : "undo");
      else if (key === "y") this.#try("redo");
      else if (key === "a") this.choose([...this.table.sprites.keys()]);
      else return;
      event.preventDefault();
      return;
    }
    if (event.altKey) return;
    const plain = {
      " ": () => this.#toggle(), Enter: () => this.#enter(), Escape: () => this.#escape(),
      r: () => this.turn(event.shiftKey), l: () => this.lock(), t: () => this.tray(),
      Delete: () => this.tray(), s: () => this.begin_swap(), j: () => this.begin_side("join"),
      x: () => this.begin_side("forbid"), u: () => this.begin_side("release"),
      "+": () => this.table.zoom(1.3), "=": () => this.table.zoom(1.3), "-": () => this.table.zoom(1 / 1.3),
      0: () => this.table.fit(),
    };
    if (key in ARROWS) this.#arrow(ARROWS[key], event.shiftKey);
    else if (key in plain) plain[key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #arrow(direction, add) {
    if (this.mode && this.mode.kind !== "swap") {
      this.verdict(this.mode.kind, direction);
      return;
    }
    const { cursor, layout } = this.table;
    if (cursor.sheet === TRAY) this.#along_tray(direction);
    else {
      const [down, right] = STEPS[direction];
      this.table.cursor = { sheet: cursor.sheet, row: cursor.row + down, col: cursor.col + right };
      const box = layout.sheets.get(cursor.sheet);
      const low = box ? box.bottom + 1 : 0;
      if (this.table.cursor.row > low && layout.tray.length) {
        this.table.cursor = { sheet: TRAY, piece: layout.tray[0] };
      }
    }
    const piece = this.under();
    if (!add) this.table.chosen.clear();
    if (piece !== null) this.table.chosen.add(piece);
    this.#into_view();
    this.#said();
  }

  #along_tray(direction) {
    const { layout, cursor } = this.table;
    const step = [1, -layout.across, -1, layout.across][direction];
    const next = (layout.slot.get(cursor.piece) ?? 0) + step;
    if (next < 0 && direction === 1) {
      const [sheet, box] = [...layout.sheets][0] ?? [0, { bottom: 0, left: 0 }];
      this.table.cursor = { sheet, row: box.bottom, col: box.left };
    } else if (next >= 0 && next < layout.tray.length) {
      this.table.cursor = { sheet: TRAY, piece: layout.tray[next] };
    }
  }

  #into_view() {
    const { sheet, row, col, piece } = this.table.cursor;
    const [x, y] = sheet === TRAY ? this.table.layout.middle(piece, [TRAY]) : this.table.layout.cell(sheet, row, col);
    const [left, top, right, bottom] = this.table.view();
    if (x < left || x > right || y < top || y > bottom) this.table.centre([x, y], this.table.world.scale.x);
  }

  #toggle() {
    const piece = this.under();
    if (piece === null) return;
    if (this.table.chosen.has(piece)) this.table.chosen.delete(piece);
    else this.table.chosen.add(piece);
    this.#said();
  }

  #enter() {
    const piece = this.under();
    if (this.mode?.kind === "swap" && piece !== null) this.#swap(piece);
    else if (this.carried && this.table.cursor.sheet === TRAY) this.tray();
    else if (this.carried) this.#lay(this.table.cursor);
    else if (piece !== null) {
      this.carried = { pieces: this.chosen(), held: piece };
      this.tell(t("carry_on"));
    }
  }

  #escape() {
    this.mode = null;
    this.carried = null;
    this.table.chosen.clear();
    this.#let_go();
    this.#said();
  }
}
