// CodeMirror's language client on the page's WebSocket. Reconnects when the server restarts.

import { findReferences, hoverTooltips, LSPClient, LSPPlugin, purify, serverCompletionSource, signatureHelp, Workspace, EditorState, ViewPlugin } from "../codemirror.js";
import { counted, say } from "./elements.js";

const PAUSES = [100, 200, 400, 800, 1500];
const SOON = 30; // milliseconds to wait for more keys before sending a change
const PATIENCE = 30_000; // milliseconds, because the first response may take as long as loading the largest edition

/** The open files of this window, as the client expects them. */
class Files extends Workspace {
  files = [];

  syncFiles() {
    const changed = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      if (plugin === null || plugin.unsyncedChanges.empty) continue;
      changed.push({ file, prevDoc: file.doc, changes: plugin.unsyncedChanges });
      file.doc = file.view.state.doc;
      file.version++;
      plugin.clear();
    }
    return changed;
  }

  openFile(uri, languageId, view) {
    const file = { uri, languageId, version: 0, doc: view.state.doc, view, getView: () => view };
    this.files.push(file);
    this.client.didOpen(file);
  }

  closeFile(uri) {
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }

  /** After connecting, sends the current state of all files. */
  connected() {
    for (const file of this.files) {
      file.doc = file.view.state.doc;
      file.version++;
      LSPPlugin.get(file.view)?.clear();
      this.client.didOpen(file);
    }
  }

  async requestFile(uri) {
    await this.client.desk.open(uri);
    return this.getFile(uri);
  }

  displayFile(uri) {
    return this.client.desk.show(uri);
  }
}

export class Language {
  #tries = 0;
  #socket = null;
  #soon = 0;

  /** `desk` opens and shows files by URI. `apply` applies edits that the server requests. */
  constructor({ news, root, desk, apply }) {
    Object.assign(this, { news, apply });
    this.client = new LSPClient({
      rootUri: root,
      timeout: PATIENCE,
      workspace: (client) => new Files(client),
      sanitizeHTML: (html) => purify.sanitize(html, { FORBID_ATTR: ["style"], FORBID_TAGS: ["img", "form", "input", "style"] }),
      unhandledNotification: (client, method, params) => news.tell(method, params),
    });
    this.client.desk = desk;
    this.#connect();
  }

  /** Returns the editor extensions that use the server for a document. */
  extensions(doc) {
    if (!doc.uri) return [];
    const tell = () => {
      clearTimeout(this.#soon);
      this.#soon = setTimeout(() => this.client.sync(), SOON);
    };
    return [
      this.client.plugin(doc.uri, "yaml"),
      EditorState.languageData.of(() => [{ autocomplete: serverCompletionSource }]),
      hoverTooltips({ hoverTime: 350 }),
      signatureHelp(),
      ViewPlugin.define(() => ({ update: (update) => update.docChanged && tell() })),
    ];
  }

  /** Yields the versions that the server must have before it knows all text. */
  *versions() {
    for (const { uri, version, view } of this.client.workspace.files) {
      yield [uri, LSPPlugin.get(view)?.unsyncedChanges.empty === false ? null : version];
    }
  }

  /** Asks about a position in the current document. Returns null if the server does not support the request. */
  async ask(method, doc, more = {}) {
    this.client.sync();
    return this.client.request(method, { textDocument: { uri: doc.uri }, ...more });
  }

  /** Returns what the server says about the word at the cursor, in Markdown, or "". */
  async hover(doc) {
    const position = LSPPlugin.get(doc.view)?.toPosition(doc.view.state.selection.main.head);
    const found = position ? await this.ask("textDocument/hover", doc, { position }).catch(() => null) : null;
    return found?.contents?.value ?? "";
  }

  /** Lists all uses of the name at the cursor below the text. */
  async uses(doc) {
    const { view } = doc;
    const position = LSPPlugin.get(view).toPosition(view.state.selection.main.head);
    const found = (await this.ask("textDocument/references", doc, { position, context: { includeDeclaration: true } })) ?? [];
    // The list shows only files that are already open when it is requested.
    for (const uri of new Set(found.map((each) => each.uri))) await this.client.workspace.requestFile(uri);
    if (found.length) findReferences(view);
    say(found.length ? `Listed ${counted(found.length, "use")} of this name below the text.` : "There is no name at the cursor.");
  }

  /** Renders Markdown to nodes. If no file is open, there is no renderer, and the text is returned as written. */
  render(markdown) {
    const [file] = this.client.workspace.files;
    const plugin = file && LSPPlugin.get(file.view);
    if (!plugin) return [markdown];
    const made = document.createElement("template");
    made.innerHTML = plugin.docToHTML(markdown, "markdown");
    return [...made.content.childNodes];
  }

  get here() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #connect() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/lsp`);
    const handlers = new Set();
    const transport = {
      send: (message) => socket.readyState === WebSocket.OPEN && socket.send(message),
      subscribe: (handler) => handlers.add(handler),
      unsubscribe: (handler) => handlers.delete(handler),
    };
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.client.connect(transport);
      this.client.initializing.then(() => this.news.tell("language", true), () => {});
    };
    socket.onmessage = ({ data }) => this.#asked(data, socket) || handlers.forEach((handler) => handler(data));
    socket.onclose = () => {
      if (this.client.connected) {
        this.client.initializing.catch(() => {});
        this.client.disconnect();
        this.client.transport = null; // refuse new requests immediately, instead of sending them to the next server
        this.news.tell("language", false);
      }
      setTimeout(() => this.#connect(), PAUSES[Math.min(this.#tries++, PAUSES.length - 1)]);
    };
  }

  /** Handles the only request that servers send, which is to apply edits. */
  #asked(data, socket) {
    const message = JSON.parse(data);
    if (message.method !== "workspace/applyEdit" || !("id" in message)) return false;
    const answer = (result) => socket.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
    this.apply(message.params.edit).then(() => answer({ applied: true }), ({ message: failureReason }) => answer({ applied: false, failureReason }));
    return true;
  }
}
