// Keeps focus where it is. Otherwise, a page in a frame that takes focus, as games do when they load or continue, would
// receive what the user is typing.

let invited = false;
let last = null;

/** Clicking in a frame allows it to take focus, and so does the key that moves between columns. */
export function invite(window) {
  window.addEventListener("pointerdown", () => (invited = true), { capture: true });
}

export function stay() {
  addEventListener("keydown", ({ key }) => (invited = key === "Tab" || key === "F6"), { capture: true });
  addEventListener("focusin", ({ target }) => {
    if (target.localName === "iframe") return;
    last = target;
    invited = false;
  });
  addEventListener("blur", () => {
    if (document.activeElement?.localName === "iframe" && !invited && last?.isConnected) last.focus();
  });
}
