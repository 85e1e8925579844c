// File names, on pieces that are near enough to read them.

export const order = 4;
const MOST = 250;

export function draw(table) {
  const { Text } = window.PIXI;
  const [left, top, right, bottom] = table.view();
  const { width, height } = table.layout;
  let count = 0;
  table.sprites.forEach((sprite, piece) => {
    const seen = sprite.x > left && sprite.x < right && sprite.y > top && sprite.y < bottom;
    if (!seen || table.world.scale.x * width < 52 || count++ > MOST) return;
    const style = { fill: 0xffffff, fontSize: 14, stroke: { color: 0x000000, width: 4 }, fontFamily: "system-ui, sans-serif" };
    const label = new Text({ text: table.store.name(piece), style });
    label.anchor.set(0.5, 1);
    label.scale.set(Math.min(1, (width * 0.95) / label.width));
    label.position.set(sprite.x, sprite.y + height / 2 - 3);
    table.words.addChild(label);
  });
}
