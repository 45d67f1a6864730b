// The language server behind the page's WebSocket, by CodeMirror's client; looked for again when it is gone.

import { hoverTooltips, LSPClient, LSPPlugin, purify, serverCompletionSource, signatureHelp, Workspace, EditorState, ViewPlugin } from "../codemirror.js";

const PAUSES = [100, 200, 400, 800, 1500];
const SOON = 30; // milliseconds after a key in which others are waited for, before the server is told
const PATIENCE = 30_000; // milliseconds: the first answer may wait for the largest edition to be read

/** The files that are open in this window, as the client asks for them. */
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

  /** A server that has just come knows nothing: it is told of all as it now is. */
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

  /** `desk` opens and shows files by their URI; `apply` makes the changes that the server asks for. */
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

  /** What the editor of a document asks the server for. */
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

  /** The versions that the server must know of before it knows all that is typed. */
  *versions() {
    for (const { uri, version, view } of this.client.workspace.files) {
      yield [uri, LSPPlugin.get(view)?.unsyncedChanges.empty === false ? null : version];
    }
  }

  /** Ask of a place in a document, as it now is; null where the server does not know of such questions. */
  async ask(method, doc, more = {}) {
    this.client.sync();
    return this.client.request(method, { textDocument: { uri: doc.uri }, ...more });
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
        this.client.transport = null; // what is asked meanwhile is refused at once, and not sent to the next server
        this.news.tell("language", false);
      }
      setTimeout(() => this.#connect(), PAUSES[Math.min(this.#tries++, PAUSES.length - 1)]);
    };
  }

  /** The one thing that servers ask of us: to make changes. */
  #asked(data, socket) {
    const message = JSON.parse(data);
    if (message.method !== "workspace/applyEdit" || !("id" in message)) return false;
    const answer = (applied) => socket.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { applied } }));
    this.apply(message.params.edit).then(() => answer(true), () => answer(false));
    return true;
  }
}
