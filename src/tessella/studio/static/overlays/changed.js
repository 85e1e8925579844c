// What the solver moved last: a frame with a dot in its corner.

export const order = 3;

export function draw(table) {
  if (table.preview) return;
  const { width, height } = table.layout;
  for (const piece of table.store.changed) {
    const [x, y] = table.layout.middle(piece, table.store.spot(piece));
    if (!table.seen(x, y)) continue;
    table.above.rect(x - width / 2 + 4, y - height / 2 + 4, width - 8, height - 8)
      .stroke({ width: 6, color: 0xffffff }).stroke({ width: 3, color: 0x0b57d0 });
    table.above.circle(x + width * 0.36, y - height * 0.36, 0.08 * width)
      .fill(0x0b57d0).stroke({ width: 3, color: 0xffffff });
  }
}
