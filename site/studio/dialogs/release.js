// The Release dialog, a guide through the steps of a release: fix errors, review texts, check the balance, set the version,
// lock, and publish.

import { get, post } from "../desk/api.js";
import { button, element, refuse, waiting, worded } from "../desk/elements.js";
import { confirm, dialog } from "./dialog.js";

const SIGNS = { done: "✓", ready: "→", blocked: "·", failed: "✗", none: "–" };
const DOING = { balance: "The first games are being played…", book: "The book is being built…" };
const WORDS = { done: "done", ready: "to do now", blocked: "later", failed: "not yet", none: "nothing to do" };

/** Releases an edition, or only compares its texts with its rules if one `text` is named. `go` shows a position, `changed`
 * is called after each step, `news` has the progress. `rendered` returns the nodes of a text in Markdown. */
export async function release({ ref, text = null, go, changed, news, trouble, rendered }) {
  const list = element("ol", { class: "st-steps" });
  const said = element("p", { class: "st-refused", role: "alert" });
  const [title, words] = text === null
    ? [`Release ${ref}`, "Others rely on a release, so its gameplay can no longer change. Later changes need a new version."]
    : [`Compare texts of ${ref} with its rules`, "Read each text beside the rules that it describes. Nothing is released here."];
  const box = dialog({ title, body: [element("p", {}, words), list, said], kind: "st-dialog--release", closed: news.on("job", (job) => job.panel === "release" && far(job)) });
  let waits = null; // what shows that a step is being done
  let played = 0; // the number of games, and whether the user has stopped them
  let stopped = false;
  const far = ({ id, done, of }) => {
    if (waits === null || !of) return;
    played = done;
    const [words, bar, stop = null] = waits.children;
    words.textContent = `${done.toLocaleString("en")} of at most ${of.toLocaleString("en")} games are played.`;
    Object.assign(bar, { max: of, value: done });
    if (stop !== null) return;
    waits.append(button("Stop", ({ target }) => {
      stopped = target.disabled = true;
      post("/api/job/stop", { id }).catch(trouble);
    }));
  };
  let busy = false;
  let saved = null; // the text that the last step wrote
  // The rules that the steps are based on. The server refuses to act if they have changed.
  let seen = null;
  const ask = async (id, more) => {
    if (busy) return;
    busy = true;
    list.setAttribute("aria-busy", "true");
    said.textContent = "";
    stopped = false;
    const acted = list.contains(document.activeElement) ? document.activeElement : null;
    const able = [...list.querySelectorAll("button:enabled")];
    for (const each of able) each.disabled = true;
    waits = waiting(DOING[id] ?? "The rules are being checked…");
    // A text is rewritten within the step of the reviews.
    const step = list.querySelector(`[data-step=${id === "rewrite" ? "sign" : id}] > div`);
    if (step === null) said.before(waits);
    else step.append(waits);
    try {
      saved = id === "rewrite" ? more.id : null;
      draw(await (id === null ? get("/api/release", { ref }) : post(`/api/release/${id}`, { ref, seen, ...more })));
      if (id !== null) changed();
    } catch (error) {
      refuse(said, stopped ? { message: `Stopped after ${played.toLocaleString("en")} games, which decide nothing. Play again to test the targets.` } : error);
      // A new text is refused where it is written, with the fixes that it can be saved with.
      const host = id === "rewrite" ? list.querySelector(`[data-text="${CSS.escape(more.id)}"]`) : null;
      const fixes = (error.body?.fixes ?? []).map((title) => element("button", { type: "button", class: "st-button", onclick: () => ask(id, { ...more, fixes: [...(more.fixes ?? []), title] }) }, ...worded(title)));
      if (fixes.length) said.append(element("span", { class: "st-buttons" }, ...fixes));
      (host ?? step)?.append(said);
      said.scrollIntoView({ block: "nearest" });
      for (const each of able) each.disabled = false;
      (fixes[0] ?? acted)?.focus();
      if (id === null) trouble(error);
    } finally {
      busy = false;
      waits.remove();
      waits = null;
      list.removeAttribute("aria-busy");
    }
  };
  /** Returns the texts with unsaved changes, each as its name and its text area. */
  const listWritten = () => [...list.querySelectorAll("[data-text]")].map((each) => [each.dataset.text, each.querySelector("textarea")]).filter(([, { value, defaultValue }]) => value !== defaultValue);
  const draw = ({ steps, ref: now, seen: files }) => {
    seen = files;
    if (now) ref = now;
    // Keep unsaved text when the list is redrawn after another step.
    const written = listWritten();
    const held = list.contains(document.activeElement) || document.activeElement === document.body;
    list.replaceChildren(...steps.filter(({ id, state }) => text === null || id === "sign" || (id === "check" && state === "failed")).map((step) => element("li", { class: `st-step st-step--${step.state}`, "data-step": step.id, "data-state": step.state },
      element("span", { class: "st-step__sign", "aria-hidden": "true" }, SIGNS[step.state]),
      element("div", {},
        element("h3", {}, step.title, element("span", { class: "st-unseen" }, `, ${WORDS[step.state]}`)),
        ...(step.words ? [element("p", {}, ...worded(step.words))] : []),
        step.results ? element("ul", {}, ...step.results.map((each) => element("li", {}, each))) : null,
        ...(step.diagnostics ?? []).map((each) => element("p", {}, element("button", { type: "button", class: "st-link", onclick: () => { box.close(); go(each.path ?? each.file, each.line, each.column); } }, ...worded(each.message), ` (${each.path ?? each.file}:${each.line})`))),
        step.address ? element("p", {}, element("a", { href: step.address, target: "_blank", rel: "noopener" }, "Open the book")) : null,
        step.state === "ready" || step.state === "failed" ? choices(step) : null))));
    for (const [name, { value }] of written.filter(([name]) => name !== saved)) {
      const host = list.querySelector(`[data-text="${CSS.escape(name)}"]`);
      if (host === null) continue;
      host.querySelector(".st-sign__change").click();
      host.querySelector("textarea").value = value;
    }
    if (held) (list.querySelector("[data-state=ready] :is(button, input, select)") ?? list.querySelector("button") ?? box.element.querySelector("button")).focus();
  };
  /** Returns the choices of a step: one of several, or any of several with descriptions. */
  const choices = (step) => {
    const fields = element("div", { class: "st-step__choices" });
    const read = [];
    for (const each of step.choices ?? []) {
      if (each.text === undefined) continue;
      const box = element("input", { type: "checkbox", value: each.id, checked: Boolean(each.checked) });
      const shown = element("div", { class: "st-sign__text" });
      const words = each.text.startsWith(each.title ?? each.id) ? each.text.slice((each.title ?? each.id).length).trim() : each.text; // an example begins with its title, and may have no more
      shown.append(...rendered(words));
      const text = element("textarea", { class: "st-field", rows: Math.min(16, each.source.split("\n").length + 2), "aria-label": `New text: ${each.title ?? each.id}`, spellcheck: "true" }, each.source);
      const change = element("div", { hidden: true }, element("p", { class: "st-hint" }, "The rules fill in names in braces. The new text is saved in your own rules."), text,
        element("div", { class: "st-buttons" }, button("Save this text", () => ask("rewrite", { id: each.id, text: text.value }))));
      fields.append(element("div", { class: "st-sign", "data-text": each.id },
        element("label", {}, box, element("b", {}, ` ${each.title ?? each.id}`)),
        words ? shown : null,
        each.changes ? element("ul", { class: "st-sign__changes" }, ...each.changes.map((change) => element("li", {}, ...worded(change)))) : null,
        each.rules ? element("details", { class: "st-sign__rules" }, element("summary", {}, "The rules that this text describes"), element("p", {}, each.rules)) : null,
        element("div", { class: "st-buttons" }, button("Edit this text…", ({ target }) => { change.hidden = false; target.hidden = true; text.focus(); }, { class: "st-button st-sign__change" })),
        change));
      read.push(() => (box.checked ? [each.id] : []));
    }
    if (read.length > 1) {
      const boxes = [...fields.querySelectorAll(".st-sign > label input")];
      const all = element("input", { type: "checkbox", onchange: () => { for (const each of boxes) each.checked = all.checked; } });
      const aim = () => {
        const count = boxes.filter(({ checked }) => checked).length;
        [all.checked, all.indeterminate] = [count === boxes.length, count > 0 && count < boxes.length];
      };
      for (const each of boxes) each.addEventListener("change", aim);
      fields.prepend(element("label", { class: "st-sign__all" }, all, ` Select all ${boxes.length} texts`));
    }
    const plain = (step.choices ?? []).filter((each) => each.text === undefined);
    const select = plain.length ? element("select", { class: "st-field", "aria-label": step.title }, ...plain.map((each) => element("option", { value: each.id ?? each, selected: Boolean(each.usual ?? each.checked) }, each.title ?? each))) : null;
    if (select) fields.append(select);
    const anyway = step.concerns?.length ? element("input", { type: "checkbox" }) : null;
    if (anyway) {
      fields.append(
        element("ul", {}, ...step.concerns.map((each) => element("li", {}, ...worded(`${each[0].toUpperCase()}${each.slice(1)}.`)))),
        element("label", {}, anyway, " Release it anyway"));
    }
    // A step without actions is done outside this dialog. Its button only checks again.
    const send = async () => {
      const texts = read.flatMap((each) => each());
      const lost = listWritten().some(([name]) => texts.includes(name));
      if (lost && !(await confirm("Mark the old text as reviewed?", "The text that you have written here is not saved. To keep it, cancel, and choose “Save this text” first.", "Mark the old text"))) return;
      await ask(step.does || step.choices ? step.id : null, { ...(select ? { choice: select.value } : {}), ...(read.length ? { texts } : {}), ...(anyway ? { anyway: anyway.checked } : {}) });
    };
    const main = button(step.does ?? (step.choices ? "Continue" : "Check again"), send, { class: "st-button st-button--main", disabled: anyway !== null });
    anyway?.addEventListener("change", () => (main.disabled = !anyway.checked));
    return element("div", {}, fields, element("div", { class: "st-buttons" }, main));
  };
  await ask(null);
  if (text !== null) list.querySelector(`[data-text="${CSS.escape(text)}"]`)?.scrollIntoView({ block: "start" });
  return box;
}
