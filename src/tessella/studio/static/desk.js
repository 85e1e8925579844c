// The desk: all projects, and a new one from what a person drops.

import { get, post, send } from "./api.js";
import { LANGUAGES, choose, current, load, make, stage, t } from "./i18n.js";
import { Outlines } from "./outlines.js";
import { theme } from "./theme.js";

const $ = (id) => document.getElementById(id);
const FIT = /\.(png|jpe?g|tiff?|webp|zip|pdf)$|(^|\/)puzzle\.json$/i;
let files = [];

async function list() {
  const { projects } = await get("/api/projects");
  const rows = projects.map(({ id, name, pieces }) => make("li", {}, make("a", { href: `/p/${id}` }, name), make("span", { class: "quiet" }, t("pieces_count", { count: pieces }))));
  $("projects").replaceChildren(...(rows.length ? rows : [make("li", {}, t("no_projects"))]));
}

function take(found) {
  files = found.filter(([name]) => FIT.test(name));
  const size = files.reduce((sum, [, file]) => sum + file.size, 0) / 2 ** 20;
  $("chosen").textContent = files.length ? t("chosen_files", { count: files.length, size: size.toFixed(1) }) : "";
  $("make").disabled = !files.length;
  const documents = files.length > 0 && files.every(([name]) => /\.pdf$/i.test(name));
  if (documents) $("kind").value = "document";
  else if ($("kind").value === "document") $("kind").value = "pieces";
  if (files.length && !$("project-name").value) {
    const [first] = files[0][0].split("/");
    $("project-name").value = first.replace(/\.\w+$/, "");
  }
}

/** All files of what was dropped, folders walked through, with their paths. */
async function walked(entry, path = "") {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    return [[path + entry.name, file]];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return found;
    for (const each of some) found.push(...(await walked(each, `${path}${entry.name}/`)));
  }
}

function tell(text, wrong = false) {
  $("said").textContent = text;
  $("said").classList.toggle("problem", wrong);
}

function wanted(upload) {
  const number = (id) => ($(id).value ? Number($(id).value) : null);
  return {
    upload, name: $("project-name").value.trim() || "project", kind: $("kind").value,
    upright: $("turned").value ? $("turned").value === "no" : null, rows: number("rows"), cols: number("cols"),
    panels: $("panels-unknown").checked ? null : number("panels"), missing: $("missing").checked,
  };
}

/** Do something long with an upload, and tell how far it is meanwhile. */
async function told(upload, work) {
  let busy = true;
  const asking = setInterval(async () => {
    const now = await get(`/api/uploads/${upload}`).catch(() => null);
    if (busy && now?.stage) tell(t("making", { stage: `${stage(now.stage)} ${now.total ? Math.round((100 * now.done) / now.total) : 0} %` }));
  }, 500);
  try {
    return await work();
  } finally {
    busy = false;
    clearInterval(asking);
  }
}

async function uploaded() {
  const { upload } = await post("/api/uploads");
  for (const [k, [name, file]] of files.entries()) {
    tell(t("uploading", { done: k + 1, total: files.length }));
    await send("PUT", `/api/uploads/${upload}/files?name=${encodeURIComponent(name)}`, file);
  }
  return upload;
}

async function finish(upload, outlines = []) {
  const { id } = await told(upload, () => post("/api/projects", { ...wanted(upload), outlines }));
  location.href = `/p/${id}`;
}

/** Let the person look at the outlines that were found before pieces are made of them. */
async function look(upload) {
  const found = await told(upload, () => post(`/api/uploads/${upload}/outlines`, { kind: $("kind").value }));
  $("new").hidden = true;
  $("outlines").hidden = false;
  const editor = new Outlines($("outlines-host"), found, `/api/uploads/${upload}`, tell);
  tell(t("outlines_intro", { count: editor.kept(), doubtful: editor.doubtful() }));
  $("outlines-done").onclick = () => tried($("outlines-done"), () => finish(upload, editor.said()));
  $("outlines-title").focus();
}

async function tried(button, work) {
  button.disabled = true;
  try {
    await work();
  } catch (problem) {
    tell(problem.message, true);
  } finally {
    button.disabled = false;
  }
}

async function make_project() {
  const upload = await uploaded();
  if (["tiles", "strips"].includes($("kind").value)) await look(upload);
  else await finish(upload);
}

async function start() {
  await load();
  theme($("theme"));
  const language = $("language");
  language.append(...LANGUAGES.map((name) => make("option", { value: name }, name)));
  language.value = current();
  language.addEventListener("change", async () => { await choose(language.value); await list(); });
  const picked = (input) => take([...input.files].map((file) => [file.webkitRelativePath || file.name, file]));
  $("files").addEventListener("change", () => picked($("files")));
  $("folder").addEventListener("change", () => picked($("folder")));
  $("drop").addEventListener("dragover", (event) => { event.preventDefault(); $("drop").classList.add("over"); });
  $("drop").addEventListener("dragleave", () => $("drop").classList.remove("over"));
  $("drop").addEventListener("drop", async (event) => {
    event.preventDefault();
    $("drop").classList.remove("over");
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    take((await Promise.all(entries.map((entry) => walked(entry)))).flat());
  });
  $("new").addEventListener("submit", (event) => { event.preventDefault(); tried($("make"), make_project); });
  await list();
  document.body.dataset.ready = "yes";
}

start().catch((problem) => tell(problem.message, true));
