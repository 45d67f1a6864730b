// Exports a change as a folder of house rules for `rulewright check`, without anything that the edition already says.

import { script } from "../play/script.js";

const PLAIN = /^[a-z][a-z0-9_]*$/;
const key = (name) => (PLAIN.test(name) ? name : JSON.stringify(name));

/** Returns a folder name for the title of rules. */
export function folderOf(name) {
  return name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^[-0-9]+|-+$/g, "") || "house-rules";
}

/**
 * Returns the files of house rules, by name. `values` are parameters by path. Of the edition's data, `figures` has how each
 * is written, `examples` what each example reads, `samples` the samples that stop early, `stories` the example of each
 * story, and the others what shows these.
 */
export function houseRules({ name, reference, values, words: { figures, examples, samples, stories, answers, sections } }) {
  const folder = folderOf(name), tree = {};
  for (const [path, value] of Object.entries(values)) {
    const parts = [...path.split("."), ...(figures[path].full ? ["is"] : [])];
    let inner = tree;
    for (const part of parts.slice(0, -1)) inner = inner[part] ??= {};
    inner[parts.at(-1)] = /^-?\d+$/.test(value) ? Number(value) : value;
  }
  const gone = Object.entries(examples).filter(([, read]) => read.some((path) => values[path] !== undefined)).map(([id]) => id);
  const manifest = [
    "# House rules, tried out in the rulebook.",
    `ruleset: house/${folder}`,
    "version: 0.1.0",
    `extends: ${reference}`,
    `title: ${JSON.stringify(name)}`,
    "status: draft",
    "",
  ];
  const rules = [`# Only the differences from ${reference}; everything else is inherited.`, ...written(tree, "")];
  const untold = Object.entries(stories).filter(([, example]) => gone.includes(example)).map(([id]) => `stories.${id}`);
  const left = without(new Set([...gone.map((id) => `examples.${id}`), ...samples.map((id) => `samples.${id}`), ...untold]), answers, sections);
  if (Object.keys(left).length) rules.push("", "# Examples and samples that use the old numbers, and everything that shows them.", ...written(left, ""));
  return { [`${folder}/ruleset.yaml`]: manifest.join("\n"), [`${folder}/rules.yaml`]: [...rules, ""].join("\n") };
}

const GONE = { delete: true };

/** Returns the entries that leave out examples, the questions they answer, and the places that show them. */
function without(gone, answers, sections) {
  const found = {};
  const put = (path, value) => {
    let inner = found;
    for (const part of path.slice(0, -1)) inner = inner[part] ??= {};
    inner[path.at(-1)] = value;
  };
  for (const path of gone) put(path.split("."), GONE);
  for (const [question, proof] of Object.entries(answers)) {
    if ([].concat(proof).some((example) => gone.has(`examples.${example}`))) put(["faq", question], GONE);
  }
  for (const [page, section, show] of sections) {
    const kept = show.filter((path) => !gone.has(path));
    if (kept.length < show.length) put(["pages", page, "sections", section, "show"], kept.length ? kept : GONE);
  }
  return found;
}

function written(tree, indent) {
  return Object.entries(tree).flatMap(([name, inner]) =>
    inner === GONE ? [`${indent}${key(name)}: {delete: true}`] : inner !== null && typeof inner === "object" && !Array.isArray(inner) ? [`${indent}${key(name)}:`, ...written(inner, `${indent}  `)] : [`${indent}${key(name)}: ${JSON.stringify(inner)}`],
  );
}

/** The zip library is beside this script, and loaded only on demand. */
async function zipped(files) {
  const [own] = [...document.scripts].map(({ src }) => src).filter((src) => /\/assets\/what-if\.js$/.test(src));
  if (globalThis.fflate === undefined) await script(new URL("vendor/fflate.js", own).href, "the part that makes zip files");
  const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]));
  // The date is the first that a zip can have, because files have no date of their own.
  return new Blob([fflate.zipSync(bytes, { mtime: new Date(1980, 0, 1) })], { type: "application/zip" });
}

/** Downloads house rules as a zip. Rejects with an Error if it cannot be made. */
export async function handOver(files) {
  const link = document.createElement("a"), address = URL.createObjectURL(await zipped(files));
  Object.assign(link, { href: address, download: `${Object.keys(files)[0].split("/")[0]}.zip` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
