// The Share dialog: rules as a link or a zip file, and import of shared rules. Nothing is sent without consent.

import { get, post, upload } from "../desk/api.js";
import { button, element, refuse, waiting, worded } from "../desk/elements.js";
import { dialog } from "./dialog.js";

const SITE = "rulewright-published-book";
// Some mail and chat programs truncate longer links.
const LONG = 8000;

/** Returns the page of a published site that shows rules of a link, or null if the address is not one. */
function pageOf(address) {
  try {
    const site = new URL(address);
    if (!["http:", "https:", "file:"].includes(site.protocol)) return null;
    if (!/(\/|\.html?)$/.test(site.pathname)) site.pathname += "/";
    site.hash = site.search = "";
    return new URL("shared.html", site).href;
  } catch {
    return null;
  }
}

/** Returns the previous choice, if the browser stores anything. */
function remembered() {
  try {
    return localStorage.getItem(SITE) ?? "";
  } catch {
    return "";
  }
}

/** Says whether the published book can play the rules of the link, and why not. */
function playedThere(base, plays, why) {
  if (!base) return "These rules are a game of their own. To let others play it in a browser, build its book in Release, and publish the book.";
  const shows = `In a published book of ${base}, this link shows readers what your rules change.`;
  return plays ? shows : `${shows} Readers cannot play by your rules there because ${why}.`;
}

/** `taken({ref, open})` is called with imported rules. */
export async function share({ ref, taken }) {
  const sent = element("section", { "aria-busy": "true" }, waiting("The rules are being packed into a link…"));
  const { section } = taking({ taken: (made) => { box.close(); taken(made); } });
  const box = dialog({ title: "Share", body: ref === null ? [section] : [sent, section] });
  if (ref !== null) {
    try {
      const { fragment, shown, zip, base, plays, why } = await get("/api/share", { ref });
      const link = element("textarea", { class: "st-field st-share__link", rows: 3, readonly: true, "aria-label": "The rules as text", autofocus: true, onfocus: ({ target }) => target.select() });
      const copied = element("span", { role: "status" });
      const length = element("p", {}), cut = element("p", {}, "Some mail and chat programs cut off lines this long. A zip file is safer there.");
      const played = element("input", { type: "checkbox", checked: plays && fragment.length <= LONG });
      const copy = async () => {
        link.select();
        const done = await navigator.clipboard.writeText(link.value).then(() => "Copied.", () => "Selected. Copy it with the keyboard.");
        copied.textContent = done;
      };
      const site = element("input", { class: "st-field", type: "url", value: remembered(), placeholder: "https://…", spellcheck: "false", autocomplete: "off" });
      const unfit = element("p", { class: "st-refused", role: "alert" });
      const aim = () => {
        const page = pageOf(site.value);
        const chosen = played.checked ? fragment : shown;
        // Nobody else can reach a studio on this computer, so without a site there is no address to open.
        link.value = `${page ?? ""}${chosen}`;
        copied.textContent = "";
        length.textContent = page
          ? `The link contains all rules, after the # (${chosen.length} characters), which browsers never send to a server. It opens on that site.`
          : `This text contains all rules (${chosen.length} characters). To use it, others open Share in their studio and paste it under “Import rules”.`;
        cut.hidden = chosen.length <= LONG;
        unfit.textContent = site.value && !page ? "This is not the address of a site." : "";
        try {
          localStorage.setItem(SITE, page ? site.value : "");
        } catch {
          // The browser stores nothing, so the user has to type it again next time.
        }
      };
      site.addEventListener("input", aim);
      played.addEventListener("change", aim);
      aim();
      sent.replaceChildren(
        element("h3", {}, `Send ${ref} to others`),
        length,
        element("p", {}, playedThere(base, plays, why)),
        cut,
        link,
        plays ? element("label", { class: "st-label" }, played, ` Let a published book of ${base} play by them, too (adds ${fragment.length - shown.length} characters)`) : "",
        element("label", { class: "st-label" }, "For a link that opens in a published book, enter the address of its site ", site),
        unfit,
        element("div", { class: "st-buttons" }, button("Copy", copy, { class: "st-button st-button--main" }), copied, element("a", { class: "st-button", href: zip, download: "" }, "Download a zip file")));
      if (document.activeElement?.value !== undefined && document.activeElement.value === document.activeElement.defaultValue) link.focus();
    } catch (error) {
      sent.replaceChildren(element("p", { class: "st-refused" }, ...worded(error.message)));
    }
    sent.removeAttribute("aria-busy");
  }
}

/** Imports rules from the link that opened this page. */
export function take({ fragment, taken }) {
  const { section } = taking({ fragment, taken: (made) => { box.close(); taken(made); } });
  const box = dialog({ title: "This link contains rules", body: [section] });
}

function taking({ fragment = "", taken }) {
  const link = element("input", { class: "st-field", value: fragment, "aria-label": "Text or link to import", placeholder: "#rules=…", spellcheck: "false" });
  const file = element("input", { type: "file", class: "st-field", accept: ".zip,application/zip", "aria-label": "Zip file to import" });
  const folder = element("input", { class: "st-field", value: "imported", required: true, pattern: "[a-z0-9][a-z0-9\\-]*", spellcheck: "false" });
  const refused = element("p", { class: "st-refused", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    refused.textContent = "";
    try {
      const [zip] = file.files;
      const made = zip ? await upload(`/api/take?${new URLSearchParams({ folder: folder.value })}`, zip) : await post("/api/take", { fragment: `#${link.value.split("#").at(-1)}`, folder: folder.value });
      taken(made);
    } catch (error) {
      refuse(refused, error);
    }
  };
  const section = element("form", { onsubmit: send },
    element("h3", {}, "Import rules"),
    element("p", {}, "They are added to a new folder next to yours. Nothing is overwritten."),
    element("label", { class: "st-label" }, "Text or link ", link),
    element("label", { class: "st-label" }, "Or a zip file ", file),
    element("label", { class: "st-label" }, "New folder ", folder),
    refused,
    element("div", { class: "st-buttons" }, button("Import", null, { type: "submit" })));
  return { section };
}
