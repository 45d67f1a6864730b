// The Start dialog: from an empty folder, an edition, an example or a recipe from the cookbook.

import { get, post } from "../desk/api.js";
import { button, element, refuse, roving, waiting } from "../desk/elements.js";
import { dialog } from "./dialog.js";

/** Asks for a starting point and creates it. `begun({ref, open})` is called with the result. `chosen` is how the id of the
 * starting point begins that is selected at first. */
export async function start({ folder, begun, chosen = null }) {
  let from = null;
  const filter = element("input", { class: "st-field", type: "search", "aria-label": "Search starting points", placeholder: "Search editions, examples and recipes…", autofocus: true, spellcheck: "false" });
  const name = element("input", { class: "st-field", required: true, pattern: "[a-z0-9][a-z0-9\\-]*", title: "Lowercase letters, digits and hyphens", value: "my-rules", spellcheck: "false" });
  const title = element("input", { class: "st-field", value: "My Rules" });
  const refused = element("p", { class: "st-refused", role: "alert" });
  const make = button("Start", null, { type: "submit", class: "st-button st-button--main" });
  const list = element("div", { class: "st-starts", role: "listbox", "aria-label": "Starting points", "aria-busy": "true" }, element("p", { class: "st-label" }, "Loading…"));
  let sections = [];
  const all = () => [...list.querySelectorAll("[role=option]")];
  const visible = () => all().filter((option) => !option.hidden);
  const choose = (option) => {
    from = option?.start ?? null;
    for (const other of all()) {
      other.setAttribute("aria-selected", String(other === option));
      other.tabIndex = other === option ? 0 : -1;
    }
    make.disabled = from === null;
  };
  roving(list, visible, { onmove: choose });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    name.focus();
    name.select();
  });
  // A search selects the first match, or nothing if there is none.
  const look = () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    for (const option of all()) {
      const told = `${option.start.id} ${option.textContent}`.toLowerCase();
      option.hidden = !words.every((word) => told.includes(word));
    }
    for (const section of sections) section.hidden = !section.querySelector("[role=option]:not([hidden])");
    choose((filter.value ? null : visible().find((option) => chosen !== null && option.start.id.startsWith(chosen))) ?? visible()[0]);
  };
  filter.addEventListener("input", look);
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    list.querySelector("[tabindex='0']")?.focus();
  });
  const taken = new Set(folder.rulesets.map((each) => each.folder).concat(folder.files.map(({ path }) => path.split("/")[0])));
  const free = (wanted) => {
    let found = wanted;
    for (let count = 2; taken.has(found); count++) found = `${wanted}-${count}`;
    return found;
  };
  name.value = free(name.value);
  // The folder is named after the title until the user names it.
  let named = false;
  name.addEventListener("input", () => (named = true));
  title.addEventListener("input", () => {
    const wanted = title.value.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-$/g, "");
    if (!named && wanted) name.value = free(wanted);
  });
  const send = async (event) => {
    event.preventDefault();
    if (from === null) {
      refused.textContent = "Choose a starting point first.";
      return;
    }
    make.disabled = true;
    refused.textContent = "";
    const waits = waiting(`“${title.value}” is being created…`);
    refused.before(waits);
    try {
      const made = await post("/api/start", { id: from.id, folder: name.value, title: title.value });
      box.close();
      begun(made);
    } catch (error) {
      refuse(refused, error);
      make.disabled = false;
      waits.remove();
    }
  };
  const form = element("form", { class: "st-start__form", onsubmit: send }, filter, list,
    element("div", { class: "st-start__names" }, element("label", { class: "st-label" }, "Title ", title), element("label", { class: "st-label" }, "Folder ", name)),
    refused, element("div", { class: "st-buttons" }, make));
  // The list takes a moment to load. Text typed before then is searched for afterwards.
  const box = dialog({ title: "What do you want to start from?", body: [form], kind: "st-dialog--start" });
  make.disabled = true;
  const draw = ({ groups, whole }) => {
    sections = groups.map((group) => element("div", { class: "st-starts__group", role: "group", "aria-label": group.title },
      element("p", { class: "st-label", "aria-hidden": "true" }, group.title), ...group.starts.map((each) => {
        const option = element("div", { class: "st-start", role: "option", tabindex: -1, "aria-selected": "false", "data-id": each.id, onclick: () => choose(option) },
          element("span", { class: "st-start__title" }, each.title), each.words ? element("span", { class: "st-start__words" }, each.words) : null);
        option.start = each;
        return option;
      })));
    const keep = from?.id ?? null;
    const focused = list.contains(document.activeElement);
    list.replaceChildren(...sections, ...(whole ? [] : [element("p", { class: "st-label" }, "Loading examples…")]));
    list.setAttribute("aria-busy", String(!whole));
    look();
    const same = visible().find((option) => option.start.id === keep);
    if (same) choose(same);
    if (focused) list.querySelector("[tabindex='0']")?.focus();
  };
  const found = await get("/api/starts");
  draw(found);
  // Examples take longest to load. An earlier selection is kept.
  if (!found.whole) get("/api/starts", { wait: 1 }).then((all) => box.element.isConnected && draw(all)).catch((error) => refuse(refused, error));
  return box;
}
