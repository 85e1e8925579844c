// Talking to the studio: questions, acts, and the stream of what happens.

export class Problem extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

async function ask(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["content-type"] = "application/json";
  }
  const answer = await fetch(path, options);
  const told = await answer.json();
  if (!answer.ok) throw new Problem(answer.status, told.error);
  return told;
}

export const get = (path) => ask("GET", path);
export const post = (path, body = {}) => ask("POST", path, body);

/** Send a file of an upload. */
export async function put(path, file) {
  const answer = await fetch(path, { method: "PUT", body: file });
  const told = await answer.json();
  if (!answer.ok) throw new Problem(answer.status, told.error);
  return told;
}

/** Call hear with every message of a stream; lost and found say how the connection is. */
export function listen(path, hear, lost, found) {
  const source = new EventSource(path);
  source.onmessage = (event) => hear(JSON.parse(event.data));
  source.onerror = lost;
  source.onopen = found;
  return source;
}
