// VS Code extension for board game rules: starts `rulewright lsp`, and shows the results of its commands.
"use strict";

const vscode = require("vscode");
const {LanguageClient} = require("vscode-languageclient/node");

const SCHEME = "rulewright";

/** Read-only result pages of commands, by name. Dropped when closed. */
class Results {
  constructor() {
    this.pages = new Map();
    this.changed = new vscode.EventEmitter();
    this.onDidChange = this.changed.event;
  }

  provideTextDocumentContent(uri) {
    return this.pages.get(uri.toString()) ?? "";
  }

  async show({title, text}) {
    const uri = vscode.Uri.from({scheme: SCHEME, path: `/${title}.md`});
    this.pages.set(uri.toString(), text);
    this.changed.fire(uri);
    await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
  }

  forget(document) {
    this.pages.delete(document.uri.toString());
  }
}

let client;

function started(results) {
  const settings = vscode.workspace.getConfiguration("rulewright");
  const [command, ...args] = settings.get("command");
  const docs = settings.get("docs");
  const server = {command, args: docs ? [...args, "--docs", docs] : args};
  return new LanguageClient("rulewright", "Rulewright", server, {
    documentSelector: [{scheme: "file", language: "yaml"}],
    // The result of a command is in its response. Show it here instead of opening files of the server.
    initializationOptions: {showsResults: true},
    middleware: {
      executeCommand: async (name, given, next) => {
        const result = await vscode.window.withProgress(
          {location: vscode.ProgressLocation.Window, title: "Rulewright"},
          () => next(name, given),
        );
        if (result?.text) await results.show(result);
        return result;
      },
    },
  });
}

async function start(results) {
  client = started(results);
  try {
    await client.start();
  } catch (error) {
    const [command] = vscode.workspace.getConfiguration("rulewright").get("command");
    const settings = "Open settings";
    const answer = await vscode.window.showErrorMessage(
      `Rulewright: \`${command}\` cannot be started (${error.message ?? error}). ` +
        "Install Rulewright with the extra `studio`, or set the path in `rulewright.command`.",
      settings,
    );
    if (answer === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "rulewright.command");
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.needsStop()) await running.stop();
}

async function activate(context) {
  const results = new Results();
  const again = async () => {
    await stop();
    await start(results);
  };
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, results),
    vscode.workspace.onDidCloseTextDocument((document) => results.forget(document)),
    vscode.commands.registerCommand("rulewright.restart", again),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["rulewright.command", "rulewright.docs"].some((each) => change.affectsConfiguration(each))) void again();
    }),
  );
  await start(results);
}

module.exports = {activate, deactivate: stop};
