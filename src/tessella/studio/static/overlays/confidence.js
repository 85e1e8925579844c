// How sure joins are: a bar across every doubtful join, the thicker the more doubtful.

export const order = 1;

export async function prepare(store) {
  return store.judge();
}

export function draw(table) {
  const joins = table.store.joins;
  if (!joins || table.preview) return;
  const { width, height } = table.layout;
  for (let k = 0; k < joins.first.length; k++) {
    const doubt = 1 - joins.confidence[k] / 0.6;
    if (doubt <= 0) continue;
    const [x, y] = table.layout.cell(joins.sheet[k], joins.row[k], joins.col[k]);
    if (!table.seen(x, y)) continue;
    const thick = 4 + 14 * doubt;
    if (joins.down[k]) {
      table.above.rect(x - width * 0.3, y + height / 2 - thick / 2, width * 0.6, thick);
    } else {
      table.above.rect(x + width / 2 - thick / 2, y - height * 0.3, thick, height * 0.6);
    }
    table.above.fill({ color: 0xd1495b, alpha: 0.9 }).stroke({ width: 2, color: 0xffffff });
  }
}
