"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = data.sheets.map(() => null);
  const maps = data.sheets.map((_, s) => document.getElementById(`map-${s}`));
  const percent = (n) => (n / 100).toFixed(2);
  const turnsWord = (n) => (n === 0 ? "not turned" : `${n} quarter turn${n > 1 ? "s" : ""} counter-clockwise`);

  function joins(sheet, r, c) {
    const across = (row, col) => (col < 0 || col > sheet.cols - 2 ? -1 : sheet.right[row * (sheet.cols - 1) + col]);
    const down = (row, col) => (row < 0 || row > sheet.rows - 2 ? -1 : sheet.down[row * sheet.cols + col]);
    const all = [["left", across(r, c - 1)], ["above", down(r - 1, c)], ["right", across(r, c)], ["below", down(r, c)]];
    return all.filter(([, v]) => v >= 0).map(([name, v]) => `${name} ${percent(v)}`).join(", ");
  }

  function describe(s, r, c) {
    const sheet = data.sheets[s];
    const k = r * sheet.cols + c;
    const where = `Row ${r + data.first}, column ${c + data.first}: `;
    const piece = sheet.piece[k];
    if (piece < 0) return where + "no piece.";
    const fit = sheet.fit[k] < 0 ? "" : ` Local fitness ${percent(sheet.fit[k])}.`;
    const sure = joins(sheet, r, c);
    const right = sheet.sure[k] < 0 ? "" : ` Lies right with confidence ${percent(sheet.sure[k])}.`;
    return where + data.names[piece] + ", " + turnsWord(Number(sheet.turns[k])) + "." + fit + right + (sure ? ` Confidence of its joins: ${sure}.` : "");
  }

  function mark(s, kind, r, c) {
    const sheet = data.sheets[s];
    const box = maps[s].querySelector("." + kind);
    box.hidden = r === null;
    if (r === null) return;
    box.style.left = `${(100 * c) / sheet.cols}%`;
    box.style.top = `${(100 * r) / sheet.rows}%`;
    box.style.width = `${100 / sheet.cols}%`;
    box.style.height = `${100 / sheet.rows}%`;
  }

  function select(s, r, c, mate) {
    if (!maps[s]) return;
    at[s] = [r, c];
    mark(s, "cursor", r, c);
    mark(s, "mate", mate ? mate[0] : null, mate ? mate[1] : null);
    document.getElementById(`readout-${s}`).textContent = describe(s, r, c);
  }

  maps.forEach((map, s) => {
    if (!map) return;
    const sheet = data.sheets[s];
    const clamp = (v, n) => Math.max(0, Math.min(n - 1, v));
    map.addEventListener("pointermove", (event) => {
      const box = map.getBoundingClientRect();
      const r = clamp(Math.floor(((event.clientY - box.top) / box.height) * sheet.rows), sheet.rows);
      const c = clamp(Math.floor(((event.clientX - box.left) / box.width) * sheet.cols), sheet.cols);
      if (!at[s] || at[s][0] !== r || at[s][1] !== c) select(s, r, c);
    });
    map.addEventListener("focus", () => { if (!at[s]) select(s, 0, 0); });
    map.addEventListener("keydown", (event) => {
      const [r, c] = at[s] || [0, 0];
      const moves = { ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1], ArrowUp: [r - 1, c], ArrowDown: [r + 1, c], Home: [r, 0], End: [r, sheet.cols - 1], PageUp: [0, c], PageDown: [sheet.rows - 1, c] };
      const to = moves[event.key];
      if (!to || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      select(s, clamp(to[0], sheet.rows), clamp(to[1], sheet.cols));
    });
    for (const choice of document.getElementsByName(`layer-${s}`)) {
      choice.addEventListener("change", () => { map.querySelector(".heat").hidden = choice.value !== "heat"; });
    }
  });

  for (const link of document.querySelectorAll("a[data-cell]")) {
    link.addEventListener("click", (event) => {
      const [s, r, c] = link.dataset.cell.split(",").map(Number);
      const mate = link.dataset.mate ? link.dataset.mate.split(",").map(Number).slice(1) : null;
      if (!maps[s]) return;
      event.preventDefault();
      select(s, r, c, mate);
      maps[s].focus({ preventScroll: true });
      maps[s].querySelector(".cursor").scrollIntoView({ block: "center" });
    });
  }

  function elsewhere(wanted) {
    const piece = data.names.findIndex((name) => name.toLowerCase().includes(wanted));
    if (piece < 0) return null;
    for (const [s, sheet] of data.sheets.entries()) {
      const k = sheet.piece.indexOf(piece);
      if (k >= 0) return `${data.names[piece]} lies on sheet ${s + data.first}, row ${Math.floor(k / sheet.cols) + data.first}, column ${(k % sheet.cols) + data.first}.`;
    }
    return `${data.names[piece]} is left over: it lies on no sheet.`;
  }

  for (const field of document.querySelectorAll("input[type=search]")) {
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      if (!wanted) return;
      const s = Number(field.dataset.sheet);
      const sheet = data.sheets[s];
      const named = (p) => p >= 0 && data.names[p].toLowerCase();
      let hit = sheet.piece.findIndex((p) => named(p) === wanted);
      if (hit < 0) hit = sheet.piece.findIndex((p) => p >= 0 && named(p).includes(wanted));
      if (hit >= 0) select(s, Math.floor(hit / sheet.cols), hit % sheet.cols);
      else document.getElementById(`readout-${s}`).textContent = elsewhere(wanted) || `No file has “${field.value}” in its name.`;
    });
  }

  for (const button of document.querySelectorAll(".overview button")) {
    button.addEventListener("click", () => {
      const column = Number(button.dataset.column), up = Number(button.dataset.up);
      const body = button.closest("table").tBodies[0];
      const value = (row) => Number(row.cells[column].textContent);
      body.append(...[...body.rows].sort((one, two) => up * (value(one) - value(two))));
      for (const head of button.closest("tr").cells) head.removeAttribute("aria-sort");
      button.closest("th").setAttribute("aria-sort", up > 0 ? "ascending" : "descending");
    });
  }

  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));

  const stage = document.querySelector(".stage");
  if (stage) {
    const steps = [...document.querySelectorAll(".strip li")];
    const slider = stage.querySelector("input");
    const show = () => {
      const chosen = steps[Number(slider.value)];
      steps.forEach((step) => step.classList.toggle("chosen", step === chosen));
      for (const kind of [".picture", ".heat"]) {
        stage.querySelector(kind).src = chosen.querySelector(kind).src;
        stage.querySelector(kind).alt = chosen.querySelector(kind).alt;
      }
      const label = chosen.querySelector("span").textContent;
      stage.querySelector("output").textContent = label;
      slider.setAttribute("aria-valuetext", label);
    };
    slider.addEventListener("input", show);
    steps.forEach((step, k) => step.addEventListener("click", () => { slider.value = k; show(); }));
    stage.hidden = false;
    show();
  }
})();
