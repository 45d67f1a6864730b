// Help for the cursor and the current panel: problems, the meaning of the name there, and matching documentation.

import { get } from "../desk/api.js";
import { button, element, refuse, worded } from "../desk/elements.js";
import { dialog } from "./dialog.js";

/** Returns the address of a link on a page within the documentation, or null if it leads elsewhere. */
function within(page, href) {
  if (!href || /^[a-z]+:/i.test(href)) return null;
  const { pathname, hash } = new URL(href, `http://docs/${page}`);
  return pathname.endsWith(".md") ? { page: pathname.slice(1), hash: hash.slice(1) } : null;
}

/** Opens the help. `problems` are the diagnostics at the cursor, `here` is the text about the cursor in Markdown, and
 * `render(markdown)` returns the nodes of a text. `section` and `panel` name what is shown. */
export async function help({ section, panel, problems, here, render }) {
  const ask = (page = null) => get("/api/help", { panel, section, ...(page === null ? {} : { page }) });
  const answer = await ask();
  const shown = element("div", { class: "st-help__page", role: "region", "aria-label": "Documentation", tabindex: "0" });
  const refused = element("p", { class: "st-refused", role: "alert" });
  const links = element("div", { class: "st-buttons st-help__links" });
  const show = ({ page, text }, hash = "") => {
    const nodes = render(text.replace(/<!--.*?-->/gs, ""));
    shown.replaceChildren(...nodes);
    for (const each of links.children) each.setAttribute("aria-pressed", String(each.dataset.page === page));
    for (const link of shown.querySelectorAll("a[href]")) {
      const to = within(page, link.getAttribute("href"));
      if (to === null) link.replaceWith(...link.childNodes);
      else link.addEventListener("click", (event) => { event.preventDefault(); go(to.page, to.hash); });
    }
    const slug = (words) => words.toLowerCase().replace(/[^\w\s-]/g, "").trim().replace(/[-\s]+/g, "-");
    const target = hash ? [...shown.querySelectorAll("h2, h3")].find((each) => slug(each.textContent) === hash) : null;
    target?.scrollIntoView({ block: "start" });
    if (!target) shown.scrollTop = 0;
  };
  const go = async (page, hash = "") => {
    refused.textContent = "";
    try {
      show(await ask(page), hash);
    } catch (error) {
      refuse(refused, error);
    }
  };
  const offer = (pages) => links.replaceChildren(...pages.map(({ path, title }) => button(title, () => go(path), { "data-page": path })));
  offer(answer.pages);
  const find = async (event) => {
    event.preventDefault();
    try {
      const { pages } = words.value.trim() ? await get("/api/help", { words: words.value }) : answer;
      offer(pages);
      if (pages.length) await go(pages[0].path);
      else refused.textContent = "No page has all of these words.";
    } catch (error) {
      refuse(refused, error);
    }
  };
  const words = element("input", { class: "st-field", type: "search", "aria-label": "Search the documentation", placeholder: "Search the documentation…" });
  const search = element("form", { class: "st-buttons", onsubmit: find }, words, button("Search", null, { type: "submit" }));
  const told = problems.map(({ message, severity, data }) => element("section", { class: `st-help__problem${severity === 1 ? " st-help__problem--error" : ""}` },
    element("p", {}, element("strong", {}, ...worded(message.split("\n")[0]))),
    ...[data?.why, message.split("\n").slice(1).join("\n")].filter(Boolean).map((words) => element("p", {}, ...worded(words)))));
  dialog({
    title: "Help",
    wide: true,
    kind: "st-help",
    body: [
      ...told,
      here ? element("section", { class: "st-help__here" }, ...render(here)) : null,
      answer.pages.length ? search : null,
      answer.pages.length ? links : element("p", {}, "The documentation is not installed here."),
      refused,
      answer.pages.length ? shown : null,
      element("p", { class: "st-hint" }, "In a terminal: ", element("code", {}, answer.command)),
    ].filter(Boolean),
  });
  if (answer.pages.length) show(answer);
}
