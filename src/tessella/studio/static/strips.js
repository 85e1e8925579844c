// Strips of paper in questions: too thin to be seen whole, they are shown where most is written on them.

import { make } from "./i18n.js";

/** Whether pieces are so thin that only a part of them can be shown large. */
export function thin(layout) {
  return layout.height > 3 * layout.width;
}

/** A canvas with strips side by side, cut to the part where the strip number `key` has most ink; a seam is marked. */
export function part(pictures, layout, lying, { key = 0, seam = null, wide = 40, high = 220 }) {
  const canvas = make("canvas", { width: wide * lying.length, height: high, class: "thumb", "aria-hidden": "true" });
  const scale = wide / layout.width;
  const tall = Math.max(high, Math.round(layout.height * scale));
  Promise.all(lying.map(([piece]) => (piece === null ? null : pictures.full(piece)))).then((full) => {
    const drawn = lying.map(([piece, turns], k) => (piece === null ? null : whole(pictures, piece, turns, full[k], wide, tall)));
    const top = inkiest(drawn[key], high);
    const pen = canvas.getContext("2d");
    drawn.forEach((strip, k) => { if (strip) pen.drawImage(strip, 0, top, wide, high, k * wide, 0, wide, high); });
    if (seam === null) return;
    for (const [style, width] of [["#fff", 5], ["#111", 2]]) {
      pen.strokeStyle = style;
      pen.lineWidth = width;
      pen.beginPath();
      pen.moveTo(seam * wide, 0);
      pen.lineTo(seam * wide, 12);
      pen.moveTo(seam * wide, high - 12);
      pen.lineTo(seam * wide, high);
      pen.stroke();
    }
  }, () => {});
  return canvas;
}

function whole(pictures, piece, turns, full, wide, tall) {
  const canvas = make("canvas", { width: wide, height: tall });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, wide, tall);
  const factor = Math.min(wide / full.naturalWidth, tall / full.naturalHeight);
  const [w, h] = [full.naturalWidth * factor, full.naturalHeight * factor];
  pictures.draw(pen, piece, turns, (wide - w) / 2, 0, w, h, full);
  return canvas;
}

/** The row at which the part of `high` rows with most ink begins. */
function inkiest(canvas, high) {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const ink = new Float64Array(height + 1);
  for (let y = 0; y < height; y++) {
    let dark = 0;
    for (let x = 0; x < width; x++) dark += 255 - data[4 * (y * width + x)];
    ink[y + 1] = ink[y] + dark;
  }
  let best = 0;
  for (let y = 0; y + high <= height; y++) if (ink[y + high] - ink[y] > ink[best + high] - ink[best]) best = y;
  return best;
}
