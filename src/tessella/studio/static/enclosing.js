// What a rectangle or a lasso encloses.

/** Return what says whether a point lies in the rectangle between two others. */
function within_box([ax, ay], [bx, by]) {
  return (x, y) => x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);
}

/** Return what says whether a point lies within a path. */
function within(path) {
  return (x, y) => {
    let odd = false;
    for (let i = 0, j = path.length - 1; i < path.length; j = i++) {
      const [[ax, ay], [bx, by]] = [path[i], path[j]];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
    }
    return odd;
  };
}

/** The pieces whose middles a rectangle or a lasso on the screen encloses. */
export function enclosed({ world, sprites }, { kind, path }) {
  const inside = kind === "box" ? within_box(path[0], path.at(-1)) : within(path);
  const found = [];
  sprites.forEach((sprite, piece) => {
    if (inside(world.x + sprite.x * world.scale.x, world.y + sprite.y * world.scale.y)) found.push(piece);
  });
  return found;
}

/** Draw the rectangle or the lasso. */
export function outline(marks, drag) {
  const path = drag?.path;
  if (!path || path.length < 2) return;
  if (drag.kind === "box") {
    const [[ax, ay], [bx, by]] = [path[0], path.at(-1)];
    marks.rect(Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx), Math.abs(ay - by));
  } else {
    marks.poly(path.flat());
  }
  marks.fill({ color: 0x0b57d0, alpha: 0.12 }).stroke({ width: 2, color: 0x0b57d0 });
}
