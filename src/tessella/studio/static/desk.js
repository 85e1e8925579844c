// The desk: all projects, and a new one from what a person drops.

import { get, post, put } from "./api.js";
import { LANGUAGES, choose, current, load, make, t } from "./i18n.js";
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

async function make_project() {
  $("make").disabled = true;
  try {
    const { upload } = await post("/api/uploads");
    for (const [k, [name, file]] of files.entries()) {
      tell(t("uploading", { done: k + 1, total: files.length }));
      await put(`/api/uploads/${upload}/files?name=${encodeURIComponent(name)}`, file);
    }
    const asking = setInterval(async () => {
      const told = await get(`/api/uploads/${upload}`).catch(() => null);
      if (told) tell(t("making", { stage: `${told.stage} ${told.total ? Math.round((100 * told.done) / told.total) : 0} %` }));
    }, 500);
    try {
      const { id } = await post("/api/projects", wanted(upload));
      location.href = `/p/${id}`;
    } finally {
      clearInterval(asking);
    }
  } catch (problem) {
    tell(problem.message, true);
    $("make").disabled = false;
  }
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
  $("new").addEventListener("submit", (event) => { event.preventDefault(); make_project(); });
  await list();
  document.body.dataset.ready = "yes";
}

start().catch((problem) => tell(problem.message, true));
