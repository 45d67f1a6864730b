// Loads the extension with an editor that only takes notes, and says as JSON what it asked that editor for.
"use strict";

const Module = require("node:module");
const [, , extension, settings] = process.argv;
const {command, fails} = JSON.parse(settings);
const notes = {clients: [], errors: [], shown: [], registered: [], ran: []};

const configuration = {get: (key) => ({command, docs: "https://example.org"})[key]};
class EventEmitter {
  event = () => {};
  fire() {}
}
const vscode = {
  EventEmitter,
  ProgressLocation: {Window: 10},
  Uri: {from: ({scheme, path}) => ({scheme, path, toString: () => `${scheme}:${path}`})},
  commands: {
    registerCommand: (name, run) => (notes.registered.push(name), (vscode.run = run), {}),
    executeCommand: async (name, given) => void notes.ran.push([name, String(given)]),
  },
  window: {
    showErrorMessage: async (message) => void notes.errors.push(message),
    withProgress: (_, work) => work(),
  },
  workspace: {
    getConfiguration: () => configuration,
    onDidChangeConfiguration: () => ({}),
    onDidCloseTextDocument: (forget) => ((vscode.close = forget), {}),
    registerTextDocumentContentProvider: (scheme, provider) => ((vscode.pages = provider), notes.registered.push(scheme), {}),
  },
};
class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, {server, options, running: false});
    notes.clients.push({id, name, server, selector: options.documentSelector, wishes: options.initializationOptions});
    vscode.client = this;
  }
  async start() {
    if (fails) throw new Error(fails);
    this.running = true;
  }
  needsStop() {
    return this.running;
  }
  async stop() {
    this.running = false;
    notes.stopped = (notes.stopped ?? 0) + 1;
  }
}
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? {LanguageClient} : load(name, ...rest);

(async () => {
  const loaded = require(extension);
  const context = {subscriptions: []};
  await loaded.activate(context);
  notes.subscriptions = context.subscriptions.length;
  const result = {title: "run game", text: "# A game"};
  notes.result = await vscode.client.options.middleware.executeCommand("rulewright.run", [], async () => result);
  const uri = vscode.Uri.from({scheme: "rulewright", path: "/run game.md"});
  notes.page = vscode.pages.provideTextDocumentContent(uri);
  vscode.close({uri});
  notes.afterwards = vscode.pages.provideTextDocumentContent(uri);
  await vscode.client.options.middleware.executeCommand("rulewright.record", [], async () => null);
  await vscode.run();
  await loaded.deactivate();
  console.log(JSON.stringify(notes));
})();
