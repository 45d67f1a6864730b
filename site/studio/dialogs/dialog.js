// Modal dialogs: Escape closes them, and focus returns to where it was. They ask before a text that the user wrote is lost.

import { button, element, refuse } from "../desk/elements.js";

/** Opens a dialog. Returns a function that closes it. `closed` is called afterwards in any case. */
export function dialog({ title, body, actions = [], wide = false, kind = "", closed = () => {} }) {
  const before = document.activeElement;
  const heading = `st-dialog-${crypto.randomUUID()}`;
  const made = element("dialog", { class: `st-dialog${wide ? " st-dialog--wide" : ""} ${kind}`.trim(), "aria-labelledby": heading },
    element("div", { class: "st-dialog__head" }, element("h2", { id: heading }, title), button("Close", () => leave(), { class: "st-button st-button--quiet" })),
    element("div", { class: "st-dialog__body" }, ...body),
    actions.length ? element("div", { class: "st-dialog__foot st-buttons" }, ...actions) : null);
  const isWritten = () => [...made.querySelectorAll("textarea:not([readonly])")].some(({ value, defaultValue }) => value !== defaultValue);
  const leave = async () => {
    if (!isWritten() || (await confirm("Close without your new text?", "The text that you have written here is not saved.", "Close without it"))) made.close();
  };
  made.addEventListener("cancel", (event) => {
    if (!isWritten()) return;
    event.preventDefault();
    leave();
  });
  made.addEventListener("close", () => {
    closed();
    made.remove();
    if (before?.isConnected) before.focus();
  });
  document.body.append(made);
  made.showModal();
  made.querySelector("[autofocus], .st-dialog__body :is(input, select, button, textarea), .st-dialog__foot button")?.focus();
  return { element: made, close: () => made.close() };
}

/** Asks for a short text and returns what `act` makes of it, or null if cancelled. While `act` throws, the dialog stays open. */
export function askFor(title, words, act, { value = "", does = "Continue" } = {}) {
  return new Promise((done) => {
    let answer = null;
    const input = element("input", { class: "st-field", value, autofocus: true, required: true, spellcheck: "false" });
    const refused = element("p", { class: "st-refused", role: "alert" });
    const send = async (event) => {
      event.preventDefault();
      refused.textContent = "";
      try {
        answer = await act(input.value);
        box.close();
      } catch (error) {
        refuse(refused, error);
      }
    };
    const form = element("form", { onsubmit: send },
      element("label", { class: "st-label" }, words, input),
      refused,
      element("div", { class: "st-buttons" }, button(does, null, { type: "submit", class: "st-button st-button--main" })));
    const box = dialog({ title, body: [form], closed: () => done(answer) });
    input.select();
  });
}

/** Asks for confirmation. */
export function confirm(title, words, does) {
  return new Promise((done) => {
    let answer = false;
    const box = dialog({
      title,
      body: [element("p", {}, words)],
      actions: [button(does, () => { answer = true; box.close(); }, { class: "st-button st-button--main" }), button("Cancel", () => box.close())],
      closed: () => done(answer),
    });
  });
}
