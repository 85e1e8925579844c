// What a rectangle or a lasso encloses.

/** Return what says whether a point lies in the rectangle between two others. */
export function within_box([ax, ay], [bx, by]) {
  return (x, y) => x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);
}

/** Return what says whether a point lies within a path. */
export function within(path) {
  return (x, y) => {
    let odd = false;
    for (let i = 0, j = path.length - 1; i < path.length; j = i++) {
      const [[ax, ay], [bx, by]] = [path[i], path[j]];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
    }
    return odd;
  };
}
