// The connection to the server and its events: external changes and jobs. Reconnects when the server restarts.

const PAUSES = [100, 200, 400, 800, 1500];

export class Connection {
  #tries = 0;

  constructor(news) {
    this.news = news;
    this.state = "begun";
    this.#listen();
  }

  #listen() {
    const source = new EventSource("/api/events");
    source.onopen = () => {
      this.#tries = 0;
      this.#become("here");
    };
    source.onmessage = ({ data }) => {
      const { kind, ...what } = JSON.parse(data);
      this.news.tell(kind === "folder" ? "listed" : kind, what);
    };
    source.onerror = () => {
      source.close();
      this.#become("gone");
      setTimeout(() => this.#listen(), PAUSES[Math.min(this.#tries++, PAUSES.length - 1)]);
    };
  }

  #become(state) {
    if (state === this.state) return;
    const before = this.state;
    this.state = state;
    this.news.tell(state, { again: before === "gone" });
  }
}
