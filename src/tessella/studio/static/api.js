// Talking to the studio: questions, acts, and the stream of what happens.

import { t, told } from "./i18n.js";

export class Problem extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/** Send a request and return the answer; every problem is one sentence. */
export async function fetched(path, options = {}) {
  const answer = await fetch(path, options).catch(() => { throw new Problem(0, t("no_answer")); });
  if (answer.ok) return answer;
  const { error } = await answer.json().catch(() => ({ error: t("no_answer") }));
  throw new Problem(answer.status, told(error));
}

async function sent(path, options) {
  return (await fetched(path, options)).json();
}

function ask(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["content-type"] = "application/json";
  }
  return sent(path, options);
}

export const get = (path) => ask("GET", path);
export const post = (path, body = {}) => ask("POST", path, body);

/** Send a file: of an upload, or a list of wishes. */
export const send = (method, path, file) => sent(path, { method, body: file });

/** Call hear with every message of a stream; lost and found say how the connection is. */
export function listen(path, hear, lost, found) {
  const source = new EventSource(path);
  source.onmessage = (event) => hear(JSON.parse(event.data));
  source.onerror = lost;
  source.onopen = found;
  return source;
}
