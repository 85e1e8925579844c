// Local fit: pieces that fit their neighbours badly are shaded and hatched, the closer the worse.

export const order = 2;

export async function prepare(store) {
  return store.judge();
}

export function draw(table) {
  const joins = table.store.joins;
  if (!joins || table.preview) return;
  const { width, height } = table.layout;
  for (const [key, fit] of Object.entries(joins.fit)) {
    if (fit > 0.75) continue;
    const worse = 1 - fit / 0.75;
    const [x, y] = table.layout.middle(Number(key), table.store.spot(Number(key)));
    if (!table.seen(x, y)) continue;
    const [left, top] = [x - width / 2, y - height / 2];
    table.above.rect(left, top, width, height).fill({ color: 0x3b1c5a, alpha: 0.15 + 0.35 * worse });
    const lines = 2 + Math.round(6 * worse);
    for (let k = 1; k <= lines; k++) {
      table.above.moveTo(left, top + (height * k) / (lines + 1)).lineTo(left + width, top + (height * k) / (lines + 1));
    }
    table.above.stroke({ width: 2, color: 0xffffff, alpha: 0.8 });
  }
}
