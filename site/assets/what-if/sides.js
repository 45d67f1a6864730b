// The published and the changed rules, each in its own worker, so that both compute at the same time.

export class Side {
  #worker;
  #asked = new Map();
  #next = 1;

  /** `program` is the text of the engine, and `files` are those of the rules: `{wasm, data}`. */
  constructor(program, files) {
    const address = URL.createObjectURL(new Blob([`(${program})(self).serveTrials(self)`], { type: "text/javascript" }));
    this.#worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = () => {
      for (const { refuse } of this.#asked.values()) refuse(new Error("the part of this page that computes could not be started"));
      this.#asked.clear();
    };
    this.#worker.postMessage({ kind: "rules", ...files });
  }

  /** Sends a message and returns the response. `tell` receives the progress. A cancelled request gives null. */
  ask(message, tell = null) {
    const id = this.#next++;
    return new Promise((done, refuse) => {
      this.#asked.set(id, { done, refuse, tell });
      this.#worker.postMessage({ ...message, id });
    });
  }

  /** Cancels everything. */
  stop() {
    if (this.#asked.size) this.#worker.postMessage({ kind: "stop" });
  }

  #hear({ id, error, stopped, ...answer }) {
    const { done, refuse, tell } = this.#asked.get(id) ?? {};
    if (done === undefined) return;
    if (error === undefined && stopped === undefined && tell !== null && answer.over === undefined) {
      tell(answer);
      return;
    }
    this.#asked.delete(id);
    if (error !== undefined) refuse(new Error(error));
    else done(stopped ? null : answer);
  }
}
