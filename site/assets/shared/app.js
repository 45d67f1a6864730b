// Rules in the fragment of a link: shown as text, and available as a zip. They are untrusted: nothing in them is run or
// sent, and everything becomes plain text of the page. If this site has the edition they extend, they can be played there
// (see `play.js`).

import { KEY, PLAYED, Refused, coded, isCoded, read } from "./link.js";

const byId = (id) => document.getElementById(id);
const utf8 = new TextEncoder();
const KIND = { "+": "new", "-": "left out" };
let offered = "";

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function shown([path, text], at) {
  const lines = text.replace(/\n$/, "").split("\n").map((line) => element("span", line.trimStart().startsWith("#") ? { class: "note" } : {}, `${line}\n`));
  const code = element("code", {});
  for (const line of lines) code.append(line);
  return element("section", {}, element("h2", { id: `file-${at}` }, path), element("pre", { tabindex: "0", role: "region", "aria-label": path }, code));
}

// The date is the first that a zip can have, so that the same link gives the same zip.
function zipped(files) {
  const bytes = Object.fromEntries(files.map(([path, text]) => [path, utf8.encode(text)]));
  return new Blob([fflate.zipSync(bytes, { mtime: new Date(1980, 0, 1) })], { type: "application/zip" });
}

/** Returns the link to the book of an edition on this site, if there is one. */
function bookOf(ref) {
  return [...document.querySelectorAll("#shared-books a")].find((each) => each.dataset.ref === ref);
}

/** Describes where the rules come from. The link may claim any name, so a book of this name may have other rules. */
function introduce(rules) {
  const book = bookOf(rules.ref), files = rules.files.length === 1 ? "one file" : `${rules.files.length} files`;
  byId("shared-said").replaceChildren(
    `These rules${rules.ref && ` (${rules.ref})`} came with the link that you opened, in ${files}. `,
    ...(book
      ? ["This site has a book of this edition: ", element("a", { href: book.getAttribute("href") }, `open ${book.textContent}`), ". Nobody here has checked whether the rules in the link are the same."]
      : ["Nobody here has checked them, and they are not part of the books on this site."]),
  );
}

/** Describes which edition the rules change, and what can be played here. */
function based(rules, text) {
  const book = bookOf(rules.base);
  if (book) byId("shared-base").append("They change ", element("a", { href: book.getAttribute("href") }, book.textContent), ", whose book is on this site.");
  else if (rules.base) byId("shared-base").append(`They change ${rules.base}, which has no book on this site.`);
  if (!book || rules.play === null || !book.dataset.play || !isCoded(text)) return;
  if (rules.play.on !== book.dataset.digest) byId("shared-play").append("These rules extend another version of this book, so they can be read here but not played.");
  else byId("shared-play").append(element("a", { href: `${book.dataset.play}#${PLAYED}=${text}` }, "Play by these rules"), " on that book's Play page.");
}

let asked = Promise.resolve();

/** Returns the addresses of entries in a book, by path, from a script of the site (`step_links.py`). One book at a time. */
function entriesOf(book) {
  if (!book) return new Map();
  return asked = asked.then(() => new Promise((done) => {
    globalThis.rulewrightEntries = ({ anchors, pages }) => {
      const found = Object.entries(pages).flatMap(([page, sections]) => Object.entries(sections).flatMap(([section, ids]) => ids.split(" ").map((told) => {
        const [id, fragment = `${anchors[section]}${id}`] = told.split("#");
        return [`${section}.${id}`, fragment ? `${page}#${fragment}` : page];
      })));
      done(new Map(found));
    };
    const made = document.createElement("script");
    made.src = book.dataset.entries;
    made.onerror = () => done(new Map());
    document.head.append(made);
  }));
}

/** Returns the id of an entry as words, as the book does for entries without a title. */
function nameOf(path) {
  const words = path.slice(path.indexOf(".") + 1).replaceAll("_", " ");
  return words[0].toUpperCase() + words.slice(1);
}

async function changed(rules) {
  const book = bookOf(rules.base);
  const entries = await entriesOf(book);
  return rules.changes.map((each) => {
    const kind = KIND[each[0]], path = kind ? each.slice(1) : each;
    const home = entries.has(path) ? new URL(entries.get(path), book.href).href : "";
    const name = nameOf(path);
    return element("li", {}, home ? element("a", { href: home }, name) : name, kind ? ` (${kind})` : "", " ", element("code", {}, path));
  });
}

async function open() {
  const fragment = location.hash.slice(1);
  if (!fragment.includes(`${KEY}=`)) return;
  for (const id of ["shared-files", "shared-list", "shared-base", "shared-play", "shared-changed"]) byId(id).replaceChildren();
  for (const id of ["shared-nav", "shared-zip", "shared-changes"]) byId(id).hidden = true;
  URL.revokeObjectURL(offered);
  let rules;
  const text = coded(fragment);
  try {
    rules = await read(text);
  } catch (error) {
    byId("shared-title").textContent = "Rules from a link";
    byId("shared-said").textContent = error instanceof Refused ? error.message : "This browser cannot unpack the link.";
    return;
  }
  const lines = rules.changes.length ? await changed(rules) : [];
  if (fragment !== location.hash.slice(1)) return; // another link was opened in the meantime
  byId("shared-title").textContent = rules.title || rules.ref || "Rules from a link";
  introduce(rules);
  based(rules, text);
  byId("shared-changed").append(...lines);
  byId("shared-changes").hidden = !lines.length;
  byId("shared-files").append(...rules.files.map(shown));
  byId("shared-list").append(...rules.files.map(([path], at) => element("li", {}, element("button", { type: "button", "data-at": String(at) }, path))));
  byId("shared-nav").hidden = false;
  offered = URL.createObjectURL(zipped(rules.files));
  byId("shared-zip").href = offered;
  byId("shared-zip").hidden = false;
}

// The fragment contains the rules, so no link within the page may change it.
document.querySelector(".rw-skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("shared-main").focus();
});
byId("shared-list").addEventListener("click", ({ target }) => {
  if (target.dataset.at === undefined) return;
  const pre = document.querySelectorAll("#shared-files pre")[Number(target.dataset.at)];
  pre.previousElementSibling.scrollIntoView();
  pre.focus({ preventScroll: true });
});
byId("shared-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const link = byId("shared-link").value;
  location.hash = link.includes(`#${KEY}=`) ? link.slice(link.indexOf("#")) : `#${KEY}=${link.trim().slice(0, 100)}`;
});
addEventListener("hashchange", open);
open();
