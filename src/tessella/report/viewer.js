"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const view = document.getElementById("view");
  const readout = document.getElementById("readout");
  const tiles = new Map();
  let scale = 1, x = 0, y = 0; // The view's top left corner, in pixels of the whole picture.

  const fit = () => Math.min(view.clientWidth / data.width, view.clientHeight / data.height);

  function show() {
    const level = Math.max(0, Math.min(data.levels - 1, data.levels - 1 + Math.ceil(Math.log2(scale) - 0.25)));
    const wanted = new Set();
    // A coarse level lies below the fine one until that is loaded.
    for (const l of new Set([Math.min(level, 8, data.levels - 1), Math.max(0, level - 2), level])) draw(l, wanted);
    for (const [name, tile] of tiles) if (!wanted.has(name)) { tile.remove(); tiles.delete(name); }
  }

  function draw(level, wanted) {
    const times = 2 ** (data.levels - 1 - level), side = data.tile * times;
    const right = Math.min(data.width, x + view.clientWidth / scale), bottom = Math.min(data.height, y + view.clientHeight / scale);
    for (let row = Math.max(0, Math.floor(y / side)); row * side < bottom; row++) {
      for (let col = Math.max(0, Math.floor(x / side)); col * side < right; col++) {
        const name = `${level}/${col}_${row}`;
        wanted.add(name);
        let tile = tiles.get(name);
        if (!tile) {
          tile = new Image();
          tile.alt = "";
          tile.draggable = false;
          tile.style.zIndex = level;
          tile.src = `${data.files}/${name}.jpg`;
          tiles.set(name, tile);
          view.append(tile);
        }
        const left = Math.round((col * side - x) * scale), top = Math.round((row * side - y) * scale);
        tile.style.left = `${left}px`;
        tile.style.top = `${top}px`;
        tile.style.width = `${Math.round((Math.min(data.width, (col + 1) * side) - x) * scale) - left}px`;
        tile.style.height = `${Math.round((Math.min(data.height, (row + 1) * side) - y) * scale) - top}px`;
        tile.style.imageRendering = scale > 2 ? "pixelated" : "auto";
      }
    }
  }

  function move(dx, dy) {
    x += dx / scale;
    y += dy / scale;
    const wide = view.clientWidth / scale, high = view.clientHeight / scale;
    x = wide >= data.width ? (data.width - wide) / 2 : Math.max(0, Math.min(data.width - wide, x));
    y = high >= data.height ? (data.height - high) / 2 : Math.max(0, Math.min(data.height - high, y));
    show();
  }

  function zoom(by, cx = view.clientWidth / 2, cy = view.clientHeight / 2) {
    const to = Math.max(Math.min(fit(), 1), Math.min(16, scale * by));
    x += cx / scale - cx / to;
    y += cy / scale - cy / to;
    scale = to;
    move(0, 0);
  }

  function whole() {
    scale = fit();
    move(0, 0);
  }

  function tell(event) {
    const px = x + event.offsetX / scale, py = y + event.offsetY / scale;
    const inside = px >= 0 && py >= 0 && px < data.width && py < data.height;
    const zoomed = `${Math.round(100 * scale)} %`;
    readout.textContent = inside ? `Row ${Math.floor(py / data.cell[0]) + 1}, column ${Math.floor(px / data.cell[1]) + 1}. ${zoomed}` : zoomed;
  }

  let held = null;
  view.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; view.setPointerCapture(event.pointerId); view.focus(); });
  view.addEventListener("pointerup", () => { held = null; });
  view.addEventListener("pointermove", (event) => {
    tell(event);
    if (!held) return;
    move(held[0] - event.clientX, held[1] - event.clientY);
    held = [event.clientX, event.clientY];
  });
  view.addEventListener("wheel", (event) => { event.preventDefault(); zoom(2 ** (-event.deltaY / 300), event.offsetX, event.offsetY); }, { passive: false });
  view.addEventListener("dblclick", (event) => zoom(2, event.offsetX, event.offsetY));
  view.addEventListener("keydown", (event) => {
    const step = 120;
    const acts = { ArrowLeft: () => move(-step, 0), ArrowRight: () => move(step, 0), ArrowUp: () => move(0, -step), ArrowDown: () => move(0, step), "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), 0: whole };
    const act = acts[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
  addEventListener("resize", () => zoom(1));
  whole();
})();
