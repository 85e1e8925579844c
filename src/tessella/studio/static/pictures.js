// Pieces drawn small: from the atlases, on ordinary canvases in panels.

import { get } from "./api.js";

export class Pictures {
  constructor(path) {
    this.path = path;
    this.sheets = [];
  }

  /** Load the atlases; tell is called with how many are there. */
  async load(tell = () => {}) {
    this.index = await get(`${this.path}/atlas`);
    this.made = `?made=${this.index.made}`; // another project in the same place has other pictures
    let there = 0;
    this.sheets = await Promise.all(
      Array.from({ length: this.index.count }, async (_, number) => {
        const answer = await fetch(`${this.path}/atlas/${number}${this.made}`);
        const image = await createImageBitmap(await answer.blob()); // decoded beside the page's own thread
        tell(++there, this.index.count);
        return image;
      }),
    );
  }

  /** Where a piece's thumbnail lies: atlas, x, y, width, height. */
  frame(piece) {
    const { side, across, each, size, sizes } = this.index;
    const k = piece % each;
    const [width, height] = size ?? sizes[piece];
    return [Math.floor(piece / each), (k % across) * side, Math.floor(k / across) * side, width, height];
  }

  /** Draw a piece, turned, into a box of a canvas; by its thumbnail, or its full picture. */
  draw(pen, piece, turns, left, top, width, height, full = null) {
    const [sheet, x, y, w, h] = full ? [null, 0, 0, full.naturalWidth, full.naturalHeight] : this.frame(piece);
    pen.save();
    pen.translate(left + width / 2, top + height / 2);
    pen.rotate((-turns * Math.PI) / 2);
    const [a, b] = turns % 2 ? [height, width] : [width, height];
    pen.drawImage(full ?? this.sheets[sheet], x, y, w, h, -a / 2, -b / 2, a, b);
    pen.restore();
  }

  /** Return the full picture of a piece. */
  full(piece) {
    return picture(`${this.path}/pieces/${piece}${this.made}`);
  }

  /** Return the picture of a piece's back. */
  back(piece) {
    return picture(`${this.path}/pieces/${piece}/back${this.made}`);
  }
}

async function picture(path) {
  const image = new Image();
  image.src = path;
  await image.decode();
  return image;
}
