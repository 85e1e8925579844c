// The table: all pieces on a canvas that can be moved and zoomed; drawn only when something changed.

import { Layout } from "./layout.js";
import { t } from "./i18n.js";
import { STEPS, TRAY } from "./store.js";

const { Application, Container, Graphics, Rectangle, Sprite, Text, Texture } = window.PIXI;
const NEAR = 1.25; // a piece this much larger than its thumbnail is shown in full
const MOST_FULL = 300;
const SEAM = 1.004; // neighbours overlap by a hair, so that no line of the ground shows between them

export class Table extends EventTarget {
  constructor(store, pictures, host) {
    super();
    this.store = store;
    this.pictures = pictures;
    this.host = host;
    this.layout = new Layout(store.facts);
    this.sprites = [];
    this.chosen = new Set();
    this.cursor = { sheet: 0, row: 0, col: 0 };
    this.overlays = new Map();
    this.shown = new Set();
    this.full = new Map();
    this.preview = null;
    this.frames = [];
  }

  async start() {
    this.app = new Application();
    await this.app.init({
      resizeTo: this.host, antialias: false, backgroundAlpha: 0, autoStart: false,
      resolution: Math.min(window.devicePixelRatio || 1, 2), autoDensity: true, preference: "webgl",
    });
    this.app.ticker.stop();
    this.host.append(this.app.canvas);
    this.app.canvas.setAttribute("aria-hidden", "true");
    this.world = new Container({ isRenderGroup: true });
    this.ground = new Graphics();
    this.board = new Container();
    this.above = new Graphics();
    this.labels = new Container();
    this.words = new Container();
    this.marks = new Graphics();
    this.world.addChild(this.ground, this.board, this.above, this.labels, this.words);
    this.app.stage.addChild(this.world, this.marks);
    this.#make();
    this.app.renderer.on("resize", () => this.draw());
    this.store.addEventListener("all", () => { this.preview = null; this.refresh(); });
    this.store.addEventListener("changed", (event) => this.#changed(event.detail.moved));
    this.refresh();
    this.fit();
  }

  #make() {
    const sources = this.pictures.sheets.map((image) => Texture.from(image).source);
    this.thumbs = [];
    for (let piece = 0; piece < this.store.facts.pieces; piece++) {
      const [sheet, x, y, width, height] = this.pictures.frame(piece);
      const texture = new Texture({ source: sources[sheet], frame: new Rectangle(x, y, width, height) });
      const sprite = new Sprite({ texture, anchor: 0.5 });
      this.thumbs.push(texture);
      this.sprites.push(sprite);
      this.board.addChild(sprite);
    }
  }

  spot(piece) {
    return this.preview?.get(piece) ?? this.store.spot(piece);
  }

  /** The piece that is seen in a cell: of the solver's arrangement while that is shown. */
  at(sheet, row, col) {
    return this.preview ? this.foreseen.get(`${sheet}:${row}:${col}`) ?? null : this.store.at(sheet, row, col);
  }

  /** The edge of a piece that is seen to face a direction: 0 right, 1 top, 2 left, 3 bottom. */
  edge(piece, direction) {
    return 4 * piece + ((direction - this.spot(piece)[3] + 4) % 4);
  }

  /** The piece that is seen beside another. */
  neighbour(piece, direction) {
    const [sheet, row, col] = this.spot(piece);
    return sheet === TRAY ? null : this.at(sheet, row + STEPS[direction][0], col + STEPS[direction][1]);
  }

  /** Show where the solver would lay every piece for a while; null shows what really lies there. */
  show(spots) {
    this.preview = null;
    if (spots) {
      this.previews = (this.previews ?? 0) + 1;
      this.#foresee(new Map(spots.map((spot, piece) => [piece, spot ?? [TRAY, 0, 0, 0]])));
    }
    this.refresh();
    if (this.whole) this.fit();
    this.dispatchEvent(new CustomEvent("shown"));
  }

  #foresee(preview) {
    this.preview = preview;
    this.foreseen = new Map([...preview].filter(([, spot]) => spot[0] !== TRAY).map(([piece, [sheet, row, col]]) => [`${sheet}:${row}:${col}`, piece]));
  }

  /** What a person does while the solver's arrangement is shown is seen at once. */
  #changed(moved) {
    if (this.preview) {
      const spots = new Map(moved.map((piece) => [piece, this.store.spot(piece)]));
      const held = new Set([...spots.values()].map(([sheet, row, col]) => `${sheet}:${row}:${col}`));
      for (const [piece, [sheet, row, col]] of this.preview) if (!spots.has(piece) && held.has(`${sheet}:${row}:${col}`)) spots.set(piece, [TRAY, 0, 0, 0]);
      this.#foresee(new Map([...this.preview, ...spots]));
    }
    this.refresh();
  }

  /** Lay everything out anew. */
  refresh() {
    const sheets = new Set(this.store.sheets());
    if (this.preview) for (const spot of this.preview.values()) if (spot[0] !== TRAY) sheets.add(spot[0]);
    this.layout.shape = this.store.shape();
    this.layout.arrange([...sheets].sort((a, b) => a - b), (piece) => this.spot(piece));
    this.sprites.forEach((_, piece) => this.set(piece));
    this.#follow();
    this.#ground();
    this.overlay();
    this.draw();
  }

  /** Where the piece under the cursor left the tray, the cursor goes with it. */
  #follow() {
    const { sheet, piece } = this.cursor;
    if (sheet !== TRAY || this.preview || this.layout.slot.has(piece)) return;
    const [to, row, col] = this.store.spot(piece);
    this.cursor = { sheet: to, row, col, piece };
  }

  /** Put a piece's picture where it belongs, or a little beside it while it is dragged. */
  set(piece, shift = [0, 0]) {
    const sprite = this.sprites[piece];
    const spot = this.spot(piece);
    const [x, y] = this.layout.middle(piece, spot);
    sprite.position.set(x + shift[0], y + shift[1]);
    sprite.rotation = (-spot[3] * Math.PI) / 2;
    const { width, height } = this.layout;
    const scale = Math.min(width / sprite.texture.width, height / sprite.texture.height);
    const both = this.store.facts.kind === "grid";
    sprite.scale.set((both ? width / sprite.texture.width : scale) * SEAM, (both ? height / sprite.texture.height : scale) * SEAM);
  }

  #ground() {
    const style = getComputedStyle(document.documentElement);
    const { width, height } = this.layout;
    this.ground.clear();
    this.labels.removeChildren().forEach((each) => each.destroy());
    for (const [sheet, box] of this.layout.sheets) {
      const left = (box.x + box.left) * width;
      const top = box.top * height;
      this.ground.rect(left - 4, top - 4, (box.right - box.left + 1) * width + 8, (box.bottom - box.top + 1) * height + 8);
      this.ground.fill(style.getPropertyValue("--sheet").trim());
      this.#label(this.store.called(sheet), left, top - this.#lift(), (box.right - box.left + 2) * width);
    }
    if (this.layout.tray.length) {
      this.#label(`${t("tray")} (${this.layout.tray.length})`, 0, this.layout.trayTop * height - this.#lift());
    }
  }

  #label(text, x, y, room = Infinity) {
    const fill = getComputedStyle(document.documentElement).getPropertyValue("--quiet").trim();
    const size = this.#label_size();
    const fine = Math.max(1, 72 / size); // drawn large, so that it stays sharp when thin strips are near
    const label = new Text({ text, style: { fill, fontSize: size * fine, fontFamily: "system-ui, sans-serif" } });
    label.position.set(x, y);
    label.anchor.set(0, 0.8);
    label.scale.set(Math.min(1 / fine, room / label.width)); // names of narrow sheets stay apart
    this.labels.addChild(label);
  }

  #label_size() {
    const [left, top, right, bottom] = this.layout.bounds();
    const wide = Math.max(right - left, 1.4 * (bottom - top));
    return Math.max(Math.min(26, 0.045 * wide), Math.min(400, 0.024 * wide));
  }

  /** How far above its sheet a name stands. */
  #lift() {
    return Math.min(0.45 * this.layout.height, this.#label_size());
  }

  /** Draw what the chosen overlays show of every piece and join. */
  overlay() {
    const [left, top, right, bottom] = this.view();
    const [wide, high] = [right - left, bottom - top];
    this.rested = [left, top, right, bottom];
    this.drawnFor = [left - wide, top - high, right + wide, bottom + high];
    this.above.clear();
    this.words.removeChildren().forEach((each) => each.destroy());
    for (const name of this.shown) this.overlays.get(name)?.draw(this);
    this.#locks();
    this.#verdicts();
  }

  #locks() {
    const { width, height } = this.layout;
    const size = 0.16 * Math.min(width, height);
    for (const key of this.store.tables.lock.keys()) {
      const [x, y] = this.layout.middle(Number(key), this.spot(Number(key)));
      if (!this.seen(x, y)) continue;
      const [left, top] = [x - width / 2 + size * 0.5, y - height / 2 + size * 0.5];
      this.above.circle(left + size / 2, top + size * 0.45, size * 0.36).stroke({ width: size * 0.2, color: 0xffffff });
      this.above.rect(left - size * 0.1, top + size * 0.45, size * 1.2, size * 0.9).fill(0xffffff);
      this.above.rect(left, top + size * 0.55, size, size * 0.7).fill(0x1b1b1b);
    }
  }

  #verdicts() {
    for (const [key, word] of this.store.tables.join) {
      const [first, second] = key.split("-").map(Number);
      const side = this.side(first, second);
      if (side === null) continue;
      const [x, y, across] = side;
      if (!this.seen(x, y)) continue;
      const reach = 0.14 * this.layout.width;
      if (word === "joined") {
        this.above.rect(x - reach / 2, y - reach / 2, reach, reach).fill(0xffffff).stroke({ width: 4, color: 0x1b6e3c });
        this.above.moveTo(x - (across ? 0 : reach), y - (across ? reach : 0)).lineTo(x + (across ? 0 : reach), y + (across ? reach : 0)).stroke({ width: 8, color: 0x1b6e3c });
      } else {
        this.above.circle(x, y, reach).fill(0xffffff).stroke({ width: 4, color: 0xb3261e });
        this.above.moveTo(x - reach / 2, y - reach / 2).lineTo(x + reach / 2, y + reach / 2).moveTo(x + reach / 2, y - reach / 2).lineTo(x - reach / 2, y + reach / 2).stroke({ width: 6, color: 0xb3261e });
      }
    }
  }

  /** The middle of the side of an edge, if the other edge lies there; and whether it runs down. */
  side(first, second) {
    const piece = first >> 2;
    const spot = this.spot(piece);
    const direction = ((first & 3) + spot[3]) % 4;
    if (spot[0] === TRAY || !this.#meet(first, second, direction)) return null; // said of others than those that lie here
    const [x, y] = this.layout.middle(piece, spot);
    const off = [[0.5, 0], [0, -0.5], [-0.5, 0], [0, 0.5]][direction];
    return [x + off[0] * this.layout.width, y + off[1] * this.layout.height, direction % 2 === 1];
  }

  #meet(first, second, direction) {
    const other = this.neighbour(first >> 2, direction);
    return other === second >> 2 && this.edge(other, (direction + 2) % 4) === second;
  }

  // Looking.

  fit() {
    const [left, low, right, bottom] = this.layout.bounds();
    const top = low - this.#lift() - this.#label_size(); // names stand above their sheets
    const { width, height } = this.app.screen;
    const margin = Math.min(200, 0.15 * Math.max(right - left, bottom - top));
    const most = Math.min(8, 200 / Math.min(this.layout.width, this.layout.height)); // strips are thin
    const scale = Math.min(width / (right - left + margin), height / (bottom - top + margin), most);
    this.world.scale.set(scale);
    this.world.position.set((width - (left + right) * scale) / 2, (height - (top + bottom) * scale) / 2);
    this.whole = true; // until a person looks elsewhere
    this.draw();
  }

  zoom(factor, x = this.app.screen.width / 2, y = this.app.screen.height / 2) {
    const before = this.world.scale.x;
    const after = Math.max(0.005, Math.min(20, before * factor));
    this.world.position.set(x - ((x - this.world.x) * after) / before, y - ((y - this.world.y) * after) / before);
    this.world.scale.set(after);
    this.whole = false;
    this.draw();
  }

  pan(x, y) {
    this.world.position.set(this.world.x + x, this.world.y + y);
    this.whole = false;
    this.draw();
  }

  /** Bring a point of the table into view, and near. */
  centre([x, y], scale = Math.max(this.world.scale.x, 0.6)) {
    this.whole = false;
    this.world.scale.set(scale);
    this.world.position.set(this.app.screen.width / 2 - x * scale, this.app.screen.height / 2 - y * scale);
    this.draw();
  }

  /** From a point of the screen to one of the table. */
  point(x, y) {
    return [(x - this.world.x) / this.world.scale.x, (y - this.world.y) / this.world.scale.y];
  }

  /** The piece at a point of the screen, and the cell. */
  under(x, y) {
    const found = this.layout.at(...this.point(x, y));
    if (found.tray) return found;
    return { ...found, piece: this.at(found.sheet, found.row, found.col) };
  }

  /** The part of the table that can be seen: left, top, right, bottom. */
  view() {
    return [...this.point(0, 0), ...this.point(this.app.screen.width, this.app.screen.height)];
  }

  /** Whether a point of the table can be seen, or soon can; what cannot is not drawn by overlays. */
  seen(x, y) {
    const [left, top, right, bottom] = this.drawnFor;
    return x > left && x < right && y > top && y < bottom;
  }

  // Drawing.

  draw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      const began = performance.now();
      this.#marks();
      this.app.renderer.render(this.app.stage);
      this.frames.push(performance.now() - began);
      if (this.frames.length > 600) this.frames.shift();
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.#rest(), 120);
    });
  }

  /** When the table lies still: full pictures, and overlays of what is seen now. */
  #rest() {
    this.#sharpen();
    const { tables } = this.store;
    if (this.view().join() === this.rested.join() || !(this.shown.size || tables.lock.size || tables.join.size)) return;
    this.overlay();
    this.draw();
  }

  #marks() {
    const style = getComputedStyle(document.documentElement);
    const scale = this.world.scale.x;
    const box = (x, y, colour, width) => {
      const [w, h] = [this.layout.width * scale, this.layout.height * scale];
      this.marks.rect(this.world.x + x * scale - w / 2, this.world.y + y * scale - h / 2, w, h)
        .stroke({ width, color: colour });
    };
    this.marks.clear();
    let count = 0;
    for (const piece of this.chosen) {
      if (count++ > 3000) break;
      const sprite = this.sprites[piece];
      box(sprite.x, sprite.y, 0xffffff, 5);
      box(sprite.x, sprite.y, style.getPropertyValue("--accent").trim(), 3);
    }
    const { sheet, row, col, piece } = this.cursor;
    const [x, y] = sheet === TRAY ? this.layout.middle(piece, [TRAY]) : this.layout.cell(sheet, row, col);
    box(x, y, 0x000000, 3);
    box(x, y, 0xffd54a, 1.5);
    this.drawn?.(this.marks);
  }

  /** Show what is near in full, and what is not by its thumbnail again. */
  async #sharpen() {
    const large = this.layout.width * this.world.scale.x * this.app.renderer.resolution;
    const wanted = new Set();
    if (large > NEAR * this.pictures.index.side * (this.layout.width / 100)) {
      const [left, top, right, bottom] = this.view();
      this.sprites.forEach((sprite, piece) => {
        const seen = sprite.x > left - 100 && sprite.x < right + 100 && sprite.y > top - 100 && sprite.y < bottom + 100;
        if (seen && wanted.size < MOST_FULL) wanted.add(piece);
      });
    }
    for (const [piece, texture] of this.full) {
      if (wanted.has(piece) || !texture) continue;
      this.sprites[piece].texture = this.thumbs[piece];
      this.set(piece);
      texture.destroy(true);
      this.full.delete(piece);
    }
    for (const piece of wanted) {
      if (this.full.has(piece)) continue;
      this.full.set(piece, null);
      this.pictures.full(piece).then((image) => {
        const texture = Texture.from(image);
        this.full.set(piece, texture);
        this.sprites[piece].texture = texture;
        this.set(piece);
        this.draw();
      }, () => this.full.delete(piece));
    }
  }
}
