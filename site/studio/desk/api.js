// Requests to the server. If it is unavailable, callers get an error and unsaved text is kept.

/** The server refused a request. */
export class Refused extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? `The studio responded with status ${status}.`);
    this.status = status;
    this.body = body;
  }
}

/** The server did not respond. */
export class Gone extends Error {
  constructor() {
    super("The studio is not responding.");
  }
}

async function ask(path, settings = {}) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", cache: "no-store", ...settings });
  } catch {
    throw new Gone();
  }
  let body = null;
  try {
    body = await answer.json();
  } catch {
    // A response without JSON comes from a server that is starting, stopping, or not ours.
    if (answer.ok) throw new Gone();
  }
  if (!answer.ok) throw new Refused(answer.status, body);
  return body;
}

function withBody(method) {
  return (path, body = {}) => ask(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

export const get = (path, query = {}) => ask(Object.keys(query).length ? `${path}?${new URLSearchParams(query)}` : path);
export const post = withBody("POST");
export const put = withBody("PUT");

/** Uploads a file. */
export const upload = (path, file) => ask(path, { method: "POST", headers: { "Content-Type": file.type || "application/octet-stream" }, body: file });
