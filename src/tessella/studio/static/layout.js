// Where cells lie on the table: sheets side by side, the tray below them.

import { TRAY } from "./store.js";

export const UNIT = 100;
const GAP = 2; // cells between two sheets

export class Layout {
  constructor(facts) {
    const largest = Math.max(facts.width, facts.height);
    this.width = (UNIT * facts.width) / largest;
    this.height = (UNIT * facts.height) / largest;
    this.pieces = facts.pieces;
    this.shape = null; // rows and columns of the answer, where they are known
    this.sheets = new Map();
    this.tray = [];
    this.slot = new Map();
  }

  /** Lay everything out; spot(piece) says where it is. */
  arrange(sheets, spot) {
    const boxes = new Map(sheets.map((sheet) => [sheet, null]));
    this.tray = [];
    for (let piece = 0; piece < this.pieces; piece++) {
      const [sheet, row, col] = spot(piece);
      if (sheet === TRAY) {
        this.tray.push(piece);
        continue;
      }
      const box = boxes.get(sheet);
      if (!box) boxes.set(sheet, { top: row, bottom: row, left: col, right: col, count: 1 });
      else {
        box.top = Math.min(box.top, row);
        box.bottom = Math.max(box.bottom, row);
        box.left = Math.min(box.left, col);
        box.right = Math.max(box.right, col);
        box.count += 1;
      }
    }
    this.sheets = new Map();
    let next = 0;
    let low = -1;
    const empty = { top: 0, bottom: 2, left: 0, right: 3, count: 0 };
    for (const [sheet, found] of boxes) {
      if (!found && sheets.length === 1 && !this.shape) continue; // nothing lies anywhere yet
      const box = this.#framed(found ?? empty);
      const first = this.sheets.size === 0;
      const x = first ? 0 : next - box.left;
      this.sheets.set(sheet, { ...box, x });
      next = x + box.right + 1 + GAP;
      low = Math.max(low, box.bottom);
    }
    this.#lay_tray(low, next - GAP);
  }

  /** A sheet whose pieces lie within the known shape shows all of its cells. */
  #framed(box) {
    if (!this.shape) return box;
    const [rows, cols] = this.shape;
    const within = box.top >= 0 && box.left >= 0 && box.bottom < rows && box.right < cols;
    return within ? { ...box, top: 0, left: 0, bottom: rows - 1, right: cols - 1 } : box;
  }

  #lay_tray(low, wide) {
    const broad = this.sheets.size ? 3.4 : 1.7; // below sheets the tray is low and wide
    const least = Math.ceil(Math.sqrt((this.tray.length * this.height * broad) / this.width));
    this.across = Math.max(4, Math.min(this.tray.length, Math.max(least, wide)));
    this.trayTop = this.sheets.size ? low + 1 + GAP : 0;
    this.slot = new Map(this.tray.map((piece, k) => [piece, k]));
  }

  /** The middle of a piece on the table. */
  middle(piece, [sheet, row, col]) {
    if (sheet === TRAY) {
      const k = this.slot.get(piece) ?? 0;
      return this.#centre(this.trayTop + Math.floor(k / this.across) * 1.12, (k % this.across) * 1.12);
    }
    return this.cell(sheet, row, col);
  }

  /** The middle of a cell on the table. */
  cell(sheet, row, col) {
    return this.#centre(row, col + (this.sheets.get(sheet)?.x ?? 0));
  }

  #centre(row, col) {
    return [(col + 0.5) * this.width, (row + 0.5) * this.height];
  }

  /** What lies at a point of the table: a cell of a sheet, a piece of the tray, or nothing. */
  at(x, y) {
    const row = Math.floor(y / this.height);
    const col = Math.floor(x / this.width);
    if (y >= (this.trayTop - 0.5) * this.height) {
      const line = Math.floor((row - this.trayTop + (y / this.height - row)) / 1.12);
      const at = Math.floor(x / this.width / 1.12);
      const piece = at >= 0 && at < this.across && line >= 0 ? this.tray[line * this.across + at] : undefined;
      return { tray: true, piece: piece ?? null };
    }
    let best = null;
    for (const [sheet, box] of this.sheets) {
      const off = Math.max(box.x + box.left - col, col - box.x - box.right, 0);
      if (best === null || off < best.off) best = { off, sheet, row, col: col - box.x };
    }
    return best ?? { sheet: 0, row, col, off: 0 };
  }

  /** The rectangle that holds everything: left, top, right, bottom. */
  bounds() {
    if (!this.sheets.size && !this.tray.length) return [0, 0, 4 * this.width, 3 * this.height];
    let [left, top, right, bottom] = [0, Infinity, 1, 1];
    for (const box of this.sheets.values()) {
      left = Math.min(left, box.x + box.left);
      right = Math.max(right, box.x + box.right + 1);
      top = Math.min(top, box.top);
      bottom = Math.max(bottom, box.bottom + 1);
    }
    if (this.tray.length) {
      top = Math.min(top, this.trayTop);
      right = Math.max(right, this.across * 1.12);
      bottom = Math.max(bottom, this.trayTop + Math.ceil(this.tray.length / this.across) * 1.12);
    }
    return [left * this.width, top * this.height, right * this.width, bottom * this.height];
  }
}
