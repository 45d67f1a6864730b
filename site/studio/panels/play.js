// The Play panel: the book's Play page. After an edit, rules reload in place, and the game continues with the same seed
// and choices as far as possible.

import { element, waiting } from "../desk/elements.js";
import { dark } from "../desk/scheme.js";

class Play {
  #digest = null;
  #page = null;
  #left = "";

  constructor(panels) {
    this.panels = panels;
    this.frame = null;
    this.hint = element("p", { class: "st-hint", hidden: true });
    this.waits = waiting("The game is being set up…");
    this.waits.hidden = true;
    this.stage = element("div", { class: "st-frames" });
    this.element = element("div", { class: "st-play" }, this.hint, this.waits, this.stage);
  }

  async refresh() {
    this.waits.hidden = this.frame !== null;
    const answer = await this.panels.ask("play", { dark: dark() });
    if (answer === null) return;
    if (!answer.page) {
      this.hint.textContent = answer.words ?? "There is nothing to play here.";
      this.hint.hidden = false;
      this.waits.hidden = true;
      return;
    }
    this.hint.hidden = true;
    const another = answer.page.split("?")[0] !== this.#page?.split("?")[0];
    if (another || answer.digest !== this.#digest || this.#left) this.#load(answer, another);
  }

  /** Keeps the running game for when the panel is shown again. The page loses it when it leaves the desk. */
  leave() {
    this.#left = this.#kept();
  }

  /** Starts with the entry at the cursor: an example is replayed, anything else starts a game. */
  async here() {
    const answer = await this.panels.ask("play", { dark: dark() });
    if (answer === null || !answer.page) return;
    this.hint.hidden = true;
    this.#load(answer, true, answer.example);
  }

  #load({ page, digest }, another, begun = "") {
    const again = another || this.frame === null ? begun : this.#left || this.#kept();
    this.#left = "";
    this.#page = page;
    this.#digest = digest;
    this.waits.hidden = false;
    const frame = element("iframe", { class: "st-frame st-frame--shown", title: "The game" });
    frame.addEventListener("load", () => {
      this.panels.dress(frame.contentDocument);
      this.waits.hidden = true;
      this.element.dataset.digest = digest;
    });
    // The address contains the game. The digest makes the address unique, so that the page reloads.
    const address = new URL(page, location.href);
    address.searchParams.set("digest", digest);
    frame.src = address.href + again;
    this.stage.replaceChildren(frame);
    this.frame = frame;
  }

  /** Returns the fragment of the running game, or an empty string. */
  #kept() {
    try {
      return this.frame.contentWindow.rulewrightGame?.() ?? "";
    } catch {
      return "";
    }
  }
}

export const panel = { name: "play", title: "Play", make: (panels) => new Play(panels) };
