// Solving live: begin, stop, the arrangement as it grows, the curve of its worth.

import { get, post } from "./api.js";
import { stage, t, told } from "./i18n.js";

export class Solve {
  constructor(store, table, tell) {
    Object.assign(this, { store, table, tell });
    this.button = document.getElementById("solve");
    this.stop = document.getElementById("stop");
    this.line = document.getElementById("progress");
    this.bar = document.getElementById("progress-bar");
    this.picture = document.getElementById("curve");
    this.box = document.getElementById("solving");
    this.curve = [];
    this.button.addEventListener("click", () => this.begin());
    this.stop.addEventListener("click", () => post(`${store.path}/stop`).catch((problem) => tell(problem.message, true)));
    store.addEventListener("solving", (event) => this.hear(event.detail));
    store.addEventListener("all", () => this.#resume());
    this.told = null; // what the server told last, and when
    setInterval(() => this.#tick(), 1000);
    this.#resume();
  }

  /** Take up how the solver is doing: when the page opens, and after the connection was lost. */
  async #resume() {
    const { busy } = this.store.solving;
    this.#busy(busy);
    if (!busy) {
      this.table.show(null);
      return;
    }
    const told = await get(`${this.store.path}/solving`).catch(() => null);
    if (!told?.busy) return;
    this.curve = told.curve;
    this.hear({ ...told, what: told.kind });
    this.#draw();
  }

  /** Begin, or have it begun when the search that goes on has ended; `wanted` in place of what is chosen. */
  async begin(chosen = {}) {
    const value = (id) => document.getElementById(id).value.trim();
    const wanted = { effort: value("effort"), after: this.busy };
    if (value("seconds")) wanted.seconds = Number(value("seconds"));
    if (value("seed")) wanted.seed = Number(value("seed"));
    if (value("runs")) wanted.runs = Number(value("runs"));
    for (const name of ["measure", "solver"]) if (value(name)) wanted[name] = value(name);
    const lines = value("settings").split("\n").filter((line) => line.includes("="));
    wanted.settings = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1).trim()]));
    try {
      const { queued } = await post(`${this.store.path}/solve`, { ...wanted, ...chosen });
      if (queued) this.tell(t("queued"));
    } catch (problem) {
      this.tell(problem.message, true);
    }
  }

  hear(message) {
    this.told = { ...message, at: Date.now() };
    const ended = ["answer", "stopped", "failed"].includes(message.what);
    if (message.what === "stage" && message.stage === "starting") this.curve = [];
    if (message.what === "stage") {
      this.doing = t("solving", { stage: stage(message.stage) });
      if (message.total) this.bar.value = message.done / message.total;
      else this.bar.removeAttribute("value");
    }
    if (message.what === "live") {
      this.curve.push(message.best);
      this.doing = t("solving_best", { best: message.best.toFixed(1), number: message.number });
      if (message.spots) this.table.show(message.spots);
      this.#draw();
    }
    this.#busy(!ended);
    if (!ended) return;
    this.doing = "";
    this.table.show(null);
    if (message.what === "answer") {
      const around = message.kept ? ` ${t("answered_around", { kept: message.kept })}` : "";
      this.tell(t("answered", { moved: message.moved, seconds: message.seconds.toFixed(1) }) + around);
      this.table.dispatchEvent(new CustomEvent("answered"));
    } else if (message.what === "stopped") this.tell(t("stopped_early"));
    else this.tell(t("failed", { error: told(message.error) }), true);
  }

  /** The line beside the bar, kept up between two words of the server. */
  #tick() {
    if (!this.busy || !this.told) return;
    const since = (Date.now() - this.told.at) / 1000;
    const passed = t("time_passed", { seconds: Math.round((this.told.passed ?? 0) + since) });
    const left = this.told.left === null || this.told.left === undefined ? "" : t("time_left", { seconds: Math.max(0, Math.round(this.told.left - since)) });
    this.line.textContent = [this.doing, `${passed} ${left}`.trim(), this.queued ? t("queued_short") : ""].filter(Boolean).join(" · ");
  }

  #busy(busy) {
    this.busy = busy;
    this.queued = busy && Boolean(this.told?.queued);
    this.stop.disabled = !busy;
    this.stop.textContent = t(this.stop.dataset.text = this.queued ? "stop_next" : "stop");
    this.box.hidden = !busy;
    this.#tick();
    this.draw();
  }

  /** What the button says: the first time, when there is an answer to go on from, and while a search goes on. */
  draw() {
    this.button.disabled = this.queued;
    this.button.dataset.text = this.busy ? "solve_after" : this.store.tables.about.has("answer") ? "solve_on" : "solve";
    this.button.textContent = t(this.button.dataset.text);
  }

  #draw() {
    const pen = this.picture.getContext("2d");
    const { width, height } = this.picture;
    pen.clearRect(0, 0, width, height);
    const low = Math.min(...this.curve);
    const high = Math.max(...this.curve);
    pen.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
    pen.lineWidth = 2;
    pen.beginPath();
    this.curve.forEach((value, k) => {
      const x = (k / Math.max(1, this.curve.length - 1)) * (width - 4) + 2;
      const y = height - 3 - ((value - low) / Math.max(1e-9, high - low)) * (height - 6);
      if (k) pen.lineTo(x, y);
      else pen.moveTo(x, y);
    });
    pen.stroke();
  }
}
