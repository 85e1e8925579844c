// The page of a project: everything is put together here.

import { get } from "./api.js";
import { Ask } from "./ask.js";
import { Exporting } from "./exporting.js";
import { to_table } from "./focus.js";
import { Hands } from "./hands.js";
import { LANGUAGES, choose, current, load, make, t, write } from "./i18n.js";
import { menus } from "./menus.js";
import { Panels } from "./panels.js";
import { Pictures } from "./pictures.js";
import { Said } from "./said.js";
import { Solve } from "./solve.js";
import { Store, TRAY } from "./store.js";
import { Table } from "./table.js";
import { theme } from "./theme.js";
import { Twin, described } from "./twin.js";

const JUDGED_MAX = 5000; // pieces

const $ = (id) => document.getElementById(id);

/** Say something, to eyes and to screen readers. */
function tell(text, wrong = false) {
  $("said").textContent = text;
  $("said").classList.toggle("problem", wrong);
}

/** Every overlay there is: its name and its module. */
async function known_overlays() {
  const { overlays: names } = await get("/api/overlays");
  const found = await Promise.all(names.map(async (name) => [name, await import(`/static/overlays/${name}.js`)]));
  return found.sort((a, b) => a[1].order - b[1].order);
}

function overlays(found, store, table) {
  for (const [name, overlay] of found) {
    table.overlays.set(name, overlay);
    const box = make("input", { type: "checkbox", id: `overlay-${name}` });
    box.addEventListener("change", async () => {
      if (box.checked) table.shown.add(name);
      else table.shown.delete(name);
      await overlay.prepare?.(store);
      table.overlay();
      table.draw();
    });
    if (name === "backs" && !store.facts.backs.length) box.disabled = true;
    $("overlays").append(make("label", {}, box, " ", make("span", { "data-text": `overlay_${name}` }, t(`overlay_${name}`))));
  }
  const again = async () => {
    if ([...table.shown].some((name) => table.overlays.get(name).prepare)) await store.judge();
    table.overlay();
    table.draw();
  };
  store.addEventListener("changed", again);
  table.addEventListener("answered", () => {
    const box = $("overlay-changed");
    if (box && !box.checked && store.changed.size < store.facts.pieces) box.click();
    store.judge();
  });
}

function tabs(panels, ask, said) {
  const every = [...document.querySelectorAll("[role=tab]")];
  const show = (tab) => {
    for (const each of every) {
      const chosen = each === tab;
      each.setAttribute("aria-selected", String(chosen));
      each.tabIndex = chosen ? 0 : -1;
      $(each.getAttribute("aria-controls")).hidden = !chosen;
    }
    if (tab.id === "tab-doubts") panels.draw_doubts();
    if (tab.id === "tab-ask") ask.draw();
    if (tab.id === "tab-said") said.draw();
  };
  every.forEach((tab, k) => {
    tab.addEventListener("click", () => { show(tab); if (tab.id === "tab-ask") ask.host.focus(); });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = every[(k + step + every.length) % every.length];
      next.focus();
      show(next);
      event.preventDefault();
    });
  });
  return show;
}

function finder(store, table, hands) {
  $("find").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const wished = $("find").value.trim().toLowerCase();
    const start = (finder.last ?? -1) + 1;
    const { names } = store.facts;
    for (let k = 0; wished && k < names.length; k++) {
      const piece = (start + k) % names.length;
      if (!names[piece].toLowerCase().includes(wished)) continue;
      finder.last = piece;
      hands.choose([piece]);
      table.centre(table.layout.middle(piece, table.spot(piece)));
      tell(described(table, table.cursor));
      return;
    }
    tell(t("found_none"), true);
  });
}

/** Whether a key belongs to the button, tab or menu that has the focus. */
function its_own({ key, target }) {
  if (key.startsWith("Arrow")) return target.closest("[role=tab], .sheet-of-settings");
  return ["Enter", " "].includes(key) && target !== document.body;
}

function keys(table, hands, panels) {
  const open = { v: () => $("overlay-backs").click(), f: () => $("find").focus(), "?": () => $("keys").showModal(), g: () => twin_shown(), c: () => panels.what_fits(), w: () => panels.where_goes(), n: () => $("note")?.focus(), PageDown: () => step_sheet(table, hands, 1), PageUp: () => step_sheet(table, hands, -1) };
  document.addEventListener("keydown", (event) => {
    const typing = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && event.target.closest(typing ? "header" : "header, aside")) {
      to_table(); // back to where the keys are
      return;
    }
    if (typing) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const scrolls = event.key.startsWith("Page") && event.target.closest("aside");
    if (plain && event.key in open && !scrolls) {
      open[event.key]();
      event.preventDefault();
    } else if (!event.target.closest("#table, #twin") && (!plain || !its_own(event))) hands.key(event); // those two ask themselves
  });
}

/** What a drag on the table does, for people without Shift and Alt keys. */
function tools(hands) {
  const buttons = ["hand", "box", "lasso"].map((name) => [name, $(`tool-${name}`)]);
  const show = () => { for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(hands.tool === name)); };
  for (const [name, button] of buttons) button.addEventListener("click", () => hands.take_up(name));
  hands.addEventListener("tool", show);
  show();
}

function twin_shown() {
  const on = document.body.classList.toggle("as-grid");
  $("grid-twin").setAttribute("aria-pressed", String(on));
  to_table();
}

function counts(store) {
  $("undo").disabled = !store.undo;
  $("redo").disabled = !store.redo;
}

/** Joins are judged anew a while after the last change, where that takes no time. */
function judging(store, panels, solve) {
  let waiting = 0;
  store.addEventListener("judged", () => panels.draw_piece());
  store.addEventListener("changed", () => {
    clearTimeout(waiting);
    if (store.facts.pieces <= JUDGED_MAX && !solve.busy) waiting = setTimeout(() => store.judge().catch(() => {}), 600);
  });
  store.judge().catch(() => {});
}

/** The next sheet, or the one before; behind the last comes the tray. */
function step_sheet(table, hands, by) {
  const { layout, cursor } = table;
  const every = [...layout.sheets.keys(), ...(layout.tray.length ? [TRAY] : [])];
  if (!every.length) return;
  const next = every[(every.indexOf(cursor.sheet) + by + every.length) % every.length];
  const box = layout.sheets.get(next);
  table.cursor = next === TRAY ? { sheet: TRAY, piece: layout.tray[0] } : { sheet: next, row: box.top, col: box.left };
  const piece = hands.under();
  hands.choose(piece === null ? [] : [piece]);
  table.centre(next === TRAY ? layout.middle(piece, [TRAY]) : layout.cell(next, box.top, box.left), table.world.scale.x);
}

async function start() {
  const store = new Store(location.pathname.split("/").at(-1));
  const pictures = new Pictures(store.path);
  const words = load();
  words.then(() => tell(t("opening")));
  const drawn = pictures.load(async (done, total) => { await words; tell(`${t("opening")} ${done} / ${total}`); });
  const [found, { exports: names }] = await Promise.all([known_overlays(), get("/api/exports"), words, store.load(), drawn]);
  tell("");
  theme($("theme"));
  document.title = `${store.facts.name} · tessella`;
  $("name").textContent = store.facts.name;
  const table = new Table(store, pictures, $("table"));
  await table.start();
  if (table.layout.tray.length === store.facts.pieces) table.cursor = { sheet: TRAY, piece: 0 };
  const hands = new Hands(store, table, tell);
  const panels = new Panels(store, table, hands, pictures);
  const solve = new Solve(store, table, tell);
  const ask = new Ask(store, table, hands, panels, solve);
  const twin = new Twin(store, table, hands, $("twin"));
  const said = new Said(store, table, hands, panels);
  const show = tabs(panels, ask, said);
  finder(store, table, hands);
  keys(table, hands, panels);
  tools(hands);
  hands.addEventListener("chosen", () => { if ($("panel-ask").hidden) tell(described(table, table.cursor)); });
  store.addEventListener("done", (event) => tell(t(`done_${event.detail}`)));
  for (const kind of ["changed", "all"]) store.addEventListener(kind, () => counts(store));
  counts(store);
  $("undo").addEventListener("click", () => hands.act("undo"));
  $("redo").addEventListener("click", () => hands.act("redo"));
  $("fit").addEventListener("click", () => table.fit());
  $("zoom-in").addEventListener("click", () => table.zoom(1.3));
  $("zoom-out").addEventListener("click", () => table.zoom(1 / 1.3));
  $("grid-twin").addEventListener("click", twin_shown);
  $("help").addEventListener("click", () => $("keys").showModal());
  const language = $("language");
  language.append(...LANGUAGES.map((name) => make("option", { value: name }, name)));
  language.value = current();
  language.addEventListener("change", async () => { await choose(language.value); table.refresh(); twin.draw(); panels.draw(); solve.draw(); exporting.draw(); tell(described(table, table.cursor)); if (!$("panel-ask").hidden) ask.draw(); if (!$("panel-said").hidden) said.draw(); });
  document.addEventListener("themed", () => table.refresh());
  overlays(found, store, table);
  const exporting = new Exporting(names, store, tell);
  menus();
  store.listen(() => tell(t("unsaved"), true), () => tell(t("connected")));
  for (const note of store.notes) tell(note, true);
  write(document);
  show($("tab-piece"));
  judging(store, panels, solve);
  window.studio = { store, table, hands, pictures };
  document.body.dataset.ready = "yes";
}

start().catch((problem) => tell(problem.message, true));
