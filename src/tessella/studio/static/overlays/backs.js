// The backs of pieces that there are pictures of, in place of their fronts, as they were photographed.

export const order = 6;
const MOST = 300; // pictures on the table at once
const held = new Map();

/** The texture of a back; null until it is there. */
function texture(table, piece) {
  if (!held.has(piece)) {
    held.set(piece, null);
    table.pictures.back(piece).then((image) => {
      held.set(piece, window.PIXI.Texture.from(image));
      table.overlay();
      table.draw();
    }, () => held.delete(piece));
  }
  return held.get(piece);
}

export function draw(table) {
  const [left, top, right, bottom] = table.view();
  const { width, height } = table.layout;
  let count = 0;
  for (const piece of table.store.facts.backs) {
    const [x, y] = table.layout.middle(piece, table.spot(piece));
    const seen = x > left - width && x < right + width && y > top - height && y < bottom + height;
    if (!seen || count++ >= MOST) continue;
    const picture = texture(table, piece);
    if (!picture) continue;
    const sprite = new window.PIXI.Sprite({ texture: picture, anchor: 0.5 });
    sprite.position.set(x, y);
    sprite.width = width;
    sprite.height = height;
    table.words.addChild(sprite);
  }
}
