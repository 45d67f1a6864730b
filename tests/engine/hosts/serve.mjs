// Plays the games that it is asked for, a job on each line, and answers each with what was told of it.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

import { told } from "./told.mjs";

globalThis.crypto ??= (await import("node:crypto")).webcrypto; // Node 18 has it there alone
const loaded = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const { folder, ...job } = JSON.parse(line);
  if (!loaded.has(folder)) {
    const { load } = await import(pathToFileURL(`${folder}/rules.js`));
    loaded.set(folder, await load());
  }
  console.log(JSON.stringify(await told(loaded.get(folder), job)));
}
