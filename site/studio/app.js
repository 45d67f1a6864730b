// The studio page: creates the desk and starts it.

import { get, Refused, Gone } from "./desk/api.js";
import { Desk } from "./desk/desk.js";
import { Drafts } from "./desk/drafts.js";
import { element } from "./desk/elements.js";
import { follow } from "./desk/scheme.js";

follow();

/** Loads the folder as soon as the server responds. */
async function folder() {
  for (;;) {
    try {
      return await get("/api/folder");
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      await new Promise((done) => setTimeout(done, 300));
    }
  }
}

try {
  const found = await folder();
  const desk = new Desk({ folder: found, drafts: await Drafts.open(found.uri ?? found.name) });
  await desk.begin();
} catch (error) {
  const words = error instanceof Refused && error.status === 401
    ? "This page has no access token, or an outdated one. Open the address that `rulewright studio` prints in the terminal."
    : error.message;
  document.getElementById("st-work").replaceChildren(element("p", { class: "st-refused", role: "alert" }, words));
  if (!(error instanceof Refused)) throw error;
}
