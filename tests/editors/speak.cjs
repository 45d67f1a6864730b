// Speaks with a language server by the library that VS Code does it with, and says as JSON what it was told.
"use strict";

const {spawn} = require("node:child_process");
const {createRequire} = require("node:module");
const {pathToFileURL} = require("node:url");
const {readFileSync} = require("node:fs");
const [, , extension, root, file, ...command] = process.argv;
const library = createRequire(createRequire(`${extension}/`).resolve("vscode-languageclient/node"));
const lsp = library("vscode-languageserver-protocol/node");

(async () => {
  const server = spawn(command[0], command.slice(1), {stdio: ["pipe", "pipe", "inherit"], cwd: root});
  const left = new Promise((resolve) => server.on("exit", resolve));
  const connection = lsp.createProtocolConnection(
    new lsp.StreamMessageReader(server.stdout),
    new lsp.StreamMessageWriter(server.stdin),
  );
  const diagnostics = {};
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, (each) => (diagnostics[each.uri] = each.diagnostics));
  connection.onRequest(lsp.RegistrationRequest.type, () => {});
  const checked = new Promise((resolve) => connection.onNotification("rulewright/checked", resolve));
  connection.listen();
  const uri = pathToFileURL(file).href;
  const told = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    workspaceFolders: [{uri: pathToFileURL(root).href, name: "rules"}],
    initializationOptions: {showsResults: true},
    capabilities: {
      general: {positionEncodings: ["utf-16"]},
      workspace: {applyEdit: true, workspaceFolders: true, didChangeWatchedFiles: {dynamicRegistration: true}},
      textDocument: {
        publishDiagnostics: {relatedInformation: true, codeDescriptionSupport: true, dataSupport: true},
        hover: {contentFormat: ["markdown"]},
        codeLens: {dynamicRegistration: true},
      },
      window: {showDocument: {support: true}, workDoneProgress: true},
    },
  });
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  const document = {uri, languageId: "yaml", version: 1, text: readFileSync(file, "utf8")};
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {textDocument: document});
  const {errors} = await checked;
  const lenses = await connection.sendRequest(lsp.CodeLensRequest.type, {textDocument: {uri}});
  const run = lenses.find((each) => each.command.title === "run");
  const result = await connection.sendRequest(lsp.ExecuteCommandRequest.type, run.command);
  await connection.sendRequest(lsp.ShutdownRequest.type);
  await connection.sendNotification(lsp.ExitNotification.type);
  console.log(JSON.stringify({can: told.capabilities, errors, diagnostics, result, code: await left}));
  connection.dispose();
})();
