// Solving live: begin, stop, the arrangement as it grows, the curve of its worth.

import { get, post } from "./api.js";
import { stage, t } from "./i18n.js";

const QUICK = 60; // seconds of search that quick takes at most

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
    if (store.solving.busy) this.#resume();
    this.#busy(store.solving.busy);
  }

  async #resume() {
    const told = await get(`${this.store.path}/solving`);
    this.curve = told.curve;
    this.began = Date.now();
  }

  async begin() {
    const value = (id) => document.getElementById(id).value.trim();
    const wanted = { effort: value("effort") };
    if (value("seconds")) wanted.seconds = Number(value("seconds"));
    if (value("seed")) wanted.seed = Number(value("seed"));
    if (value("runs")) wanted.runs = Number(value("runs"));
    for (const name of ["measure", "solver"]) if (value(name)) wanted[name] = value(name);
    const lines = value("settings").split("\n").filter((line) => line.includes("="));
    wanted.settings = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1).trim()]));
    this.limit = wanted.seconds ?? (wanted.effort === "quick" ? QUICK : 0);
    this.curve = [];
    this.began = Date.now();
    try {
      await post(`${this.store.path}/solve`, wanted);
      this.#busy(true);
    } catch (problem) {
      this.tell(problem.message, true);
    }
  }

  hear(message) {
    if (message.what === "stage") {
      this.#busy(true);
      this.line.textContent = t("solving", { stage: stage(message.stage) });
      if (message.total) this.bar.value = message.done / message.total;
      else this.bar.removeAttribute("value");
    }
    if (message.what === "live") {
      this.#busy(true);
      this.curve.push(message.best);
      const seconds = Math.round((Date.now() - this.began) / 1000);
      const left = this.limit ? t("time_left", { seconds: Math.max(0, this.limit - seconds) }) : "";
      const passed = `${t("time_passed", { seconds })} ${left}`;
      this.line.textContent = `${t("solving_best", { best: message.best.toFixed(1), number: message.number })} · ${passed}`;
      if (message.spots) this.table.show(message.spots);
      this.#draw();
    }
    if (message.what === "answer") {
      this.#busy(false);
      this.table.show(null);
      const around = message.kept ? ` ${t("answered_around", { kept: message.kept })}` : "";
      this.tell(t("answered", { moved: message.moved, seconds: message.seconds.toFixed(1) }) + around);
      this.table.dispatchEvent(new CustomEvent("answered"));
    }
    if (message.what === "failed") {
      this.#busy(false);
      this.table.show(null);
      this.tell(t("failed", { error: message.error }), true);
    }
  }

  #busy(busy) {
    if (busy) this.began ??= Date.now();
    else this.began = null;
    this.button.disabled = busy;
    this.stop.disabled = !busy;
    this.box.hidden = !busy;
    this.draw();
  }

  /** What the button says: the first time, and when there is an answer to go on from. */
  draw() {
    this.button.dataset.text = this.store.tables.about.has("answer") ? "solve_on" : "solve";
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
