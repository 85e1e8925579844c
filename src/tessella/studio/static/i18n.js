// Texts of the pages, from one file a language.

export const LANGUAGES = ["en", "pt"];
let texts = {};
let sentences = []; // what the studio may say in English, and the text that says it here
let language = "en";

/** Load the texts of the language that was chosen before, or of the browser. */
export async function load() {
  const wished = localStorage.getItem("language") ?? navigator.language.slice(0, 2);
  await choose(LANGUAGES.includes(wished) ? wished : "en");
}

/** Take up a language and write it into the page. */
export async function choose(name) {
  const read = async (which) => (await fetch(`/static/texts/${which}.json`)).json();
  texts = await read(name);
  const english = name === "en" ? {} : await read("en"); // what the studio says of itself
  sentences = Object.entries(english).filter(([key]) => key.startsWith("told_")).map(([key, text]) => [pattern(text), key]);
  sentences.sort((a, b) => b[0].source.length - a[0].source.length); // the one that says most
  language = name;
  localStorage.setItem("language", name);
  document.documentElement.lang = name;
  write(document);
}

export function current() {
  return language;
}

/** Return a text, its {names} filled in. */
export function t(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** What matches a text with anything in its {gaps}. */
function pattern(text) {
  const plain = text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${plain.replace(/\{(\w+)\}/g, "(?<$1>.+?)")}$`, "s");
}

/** Return what the studio said in the language of the page; as it is, where there is no text for it. */
export function told(sentence) {
  for (const [match, key] of sentences) {
    const found = match.exec(sentence);
    if (found) return t(key, Object.fromEntries(Object.entries(found.groups ?? {}).map(([gap, text]) => [gap, told(text)])));
  }
  return sentence;
}

/** Whether there is such a text. */
export function known(key) {
  return key in texts;
}

/** Return what a stage of some work is called; the studio itself names them in English. */
export function stage(name) {
  const whole = `stage_${name.replace(/\W+/g, "_")}`;
  const first = `stage_${name.split(" ")[0]}`; // "measuring with ..."
  return known(whole) ? t(whole) : known(first) ? t(first) : name;
}

/** Write the texts of every element that asks for one by data-text, data-title or data-hint. */
export function write(root) {
  for (const each of root.querySelectorAll("[data-text]")) {
    each.textContent = t(each.dataset.text);
  }
  for (const each of root.querySelectorAll("[data-title]")) {
    each.title = t(each.dataset.title);
    each.setAttribute("aria-label", t(each.dataset.title));
  }
  for (const each of root.querySelectorAll("[data-hint]")) {
    each.placeholder = t(each.dataset.hint);
  }
}

/** Make an element; children that are texts stay texts. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
