// Builds the committed scripts: the studio's editor, the page scripts, and the export module.
// `node build.js [FOLDER]` writes them below FOLDER (default: the checkout). The same package versions give the same bytes
// on every machine.

import { build, transform } from "esbuild";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = process.argv[2] ?? root;
const MADE = "Made by editors/studio/build.js; not written by hand.";
const EXPORT = "engine/rulewright/export/js", ASSETS = "site/assets";
const COMMON = { absWorkingDir: root, bundle: true, target: "es2022", charset: "utf8", legalComments: "none", write: false };
// Names are not shortened, so that stack traces in a browser are readable, except in the page of games, which is large.
const SHORT = { minifyWhitespace: true, minifySyntax: true };

const bundle = async (entry, options) => (await build({ ...COMMON, ...options, entryPoints: [entry] })).outputFiles[0].text;
const script = (entry, options = SHORT) => bundle(entry, { ...options, format: "iife" });

/** Returns a function without free names that returns the exports of `entry`. Its source text can start a worker. */
async function engine(name, entry) {
  const text = await bundle(entry, { ...SHORT, format: "iife", globalName: "exported" });
  return `function ${name}() {\n${text}return exported;\n}\n`;
}

/** Returns scripts for the head of a page, followed by a program, all with short local names. */
async function headed(names, entry) {
  const short = { ...SHORT, minifyIdentifiers: true };
  const head = names.map((name) => readFileSync(join(root, ASSETS, name), "utf8"));
  const texts = await Promise.all(head.map(async (text) => (await transform(text, { ...short, charset: "utf8" })).code));
  return [...texts, await script(entry, short)].join(";\n");
}

/** Returns the editor with the licences of all its packages, which require their text to be included. */
async function editor() {
  const made = await build({ ...COMMON, absWorkingDir: join(root, "editors/studio"), entryPoints: ["entry.js"], minify: true, format: "esm", metafile: true });
  const names = Object.keys(made.metafile.inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const licences = new Map();
  for (const name of [...new Set(names.filter(Boolean))].sort()) {
    const home = join(root, "editors/studio/node_modules", name);
    const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each));
    const { version, license } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    const text = file === undefined ? license : readFileSync(join(home, file), "utf8").trim().replaceAll("*/", "* /");
    licences.set(text, [...(licences.get(text) ?? []), `${name} ${version}`]);
  }
  const listed = [...licences].map(([text, packages]) => `${packages.join(", ")}:\n\n${text}`).join("\n\n----\n\n");
  return `/* ${MADE} It holds:\n\n${listed}\n*/\n${made.outputFiles[0].text}`;
}

const made = (text) => `/* ${MADE} */\n${text}`;
const SCRIPTS = {
  "site/studio/codemirror.js": editor,
  [`${EXPORT}/built/rules.js`]: async () => made(await bundle(`${EXPORT}/rules.js`, { format: "esm" })),
  [`${ASSETS}/built/engine.js`]: async () => made(await engine("rulewrightEngine", `${EXPORT}/page_entry.js`)),
  [`${ASSETS}/built/what-if.js`]: async () =>
    made((await engine("rulewrightTrying", `${EXPORT}/figures/trial_entry.js`)) + (await script(`${ASSETS}/what-if/app.js`))),
  [`${ASSETS}/built/play.js`]: async () => made(await headed(["say.js", "search.js", "access.js"], `${ASSETS}/play/app.js`)),
  [`${ASSETS}/built/again.js`]: async () => made(await script(`${ASSETS}/play/again.js`)),
  [`${ASSETS}/built/told.js`]: async () => made(await script(`${ASSETS}/play/examples/telling.js`)),
  [`${ASSETS}/built/roller.js`]: async () => made(await script(`${ASSETS}/roller/roller.js`)),
  [`${ASSETS}/built/shared.js`]: async () => made(await script(`${ASSETS}/shared/app.js`)),
  [`${ASSETS}/built/shared-play.js`]: async () => made(await script(`${ASSETS}/shared/play.js`)),
};

for (const [path, write] of Object.entries(SCRIPTS)) {
  const into = join(folder, path);
  mkdirSync(dirname(into), { recursive: true });
  writeFileSync(into, await write());
}
