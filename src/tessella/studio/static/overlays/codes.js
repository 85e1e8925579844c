// What is written on the back of pieces: panel, row, column.

export const order = 5;

export function draw(table) {
  const { Text } = window.PIXI;
  for (const [key, code] of table.store.tables.code) {
    const [x, y] = table.layout.middle(Number(key), table.spot(Number(key)));
    if (!table.seen(x, y)) continue;
    const parts = [code.panel, code.row === undefined ? null : code.row + 1, code.col === undefined ? null : code.col + 1];
    const text = parts.map((part) => part ?? "·").join(" ");
    const style = { fill: 0xffffff, fontSize: 22, stroke: { color: 0x000000, width: 5 }, fontFamily: "system-ui, sans-serif" };
    const label = new Text({ text, style });
    label.anchor.set(0.5);
    label.position.set(x, y);
    table.words.addChild(label);
  }
}
