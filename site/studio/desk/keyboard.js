// The keyboard stays where it is until somebody goes elsewhere: a page in a frame that moves it to itself, as a game does when
// it is laid or goes on, would else take the keys of whoever types.

let invited = false;
let last = null;

/** A pointer that is pressed in a frame invites it, and so does the key that walks on. */
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
