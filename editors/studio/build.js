// Puts what entry.js takes together in one file: `node build.js [FILE]`. The same versions make the same bytes everywhere.

import { build } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const into = process.argv[2] ?? here("../../site/studio/codemirror.js");

const made = await build({
  absWorkingDir: here("."),
  entryPoints: ["entry.js"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  write: false,
});

// Every licence asks that its text goes with the code.
const packages = [...new Set(Object.keys(made.metafile.inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean))].sort();
const licences = new Map();
for (const name of packages) {
  const folder = here(`node_modules/${name}/`);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const { version, license } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
  const text = file === undefined ? license : readFileSync(folder + file, "utf8").trim().replaceAll("*/", "* /");
  licences.set(text, [...(licences.get(text) ?? []), `${name} ${version}`]);
}
const told = [...licences].map(([text, names]) => `${names.join(", ")}:\n\n${text}`).join("\n\n----\n\n");
writeFileSync(into, `/* Made by editors/studio/build.js; not written by hand. It holds:\n\n${told}\n*/\n${made.outputFiles[0].text}`);
