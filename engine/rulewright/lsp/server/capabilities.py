"""The requests of clients, each answered by one function of `lsp/features/`."""

from __future__ import annotations

from lsprotocol import types

from rulewright.authoring.verify_fix import find_foreign_file
from rulewright.lsp.code_actions import list_actions as offered
from rulewright.lsp.features.available_actions import CodeAction, build_fix_all
from rulewright.lsp.server.handlers import register_answers
from rulewright.lsp.server.language_server import RulesServer
from rulewright.lsp.server.server_commands import register_commands


def register(server: RulesServer) -> None:
    """Register the handlers of all requests, notifications and commands with the server."""
    _register_texts(server)
    _register_actions(server)
    register_answers(server)
    register_commands(server)


def _register_texts(server: RulesServer) -> None:
    @server.feature(types.INITIALIZE)
    def begin(ls: RulesServer, params: types.InitializeParams) -> None:
        ls.begin(params)

    @server.feature(types.INITIALIZED)
    def on_initialized(ls: RulesServer, params: types.InitializedParams) -> None:
        ls.watch()

    @server.feature(types.SHUTDOWN)
    def leaving(ls: RulesServer, params: None) -> None:
        ls.leaving = True

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def on_open(ls: RulesServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.take(params.text_document.uri, params.text_document.text, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def on_change(ls: RulesServer, params: types.DidChangeTextDocumentParams) -> None:
        text = ls.workspace.get_text_document(params.text_document.uri).source
        ls.take(params.text_document.uri, text, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def on_save(ls: RulesServer, params: types.DidSaveTextDocumentParams) -> None:
        ls.check()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def on_close(ls: RulesServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.close(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def on_folders_changed(ls: RulesServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.moved()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def on_files_changed(ls: RulesServer, params: types.DidChangeWatchedFilesParams) -> None:
        ls.changed([each.uri for each in params.changes])


def _register_actions(server: RulesServer) -> None:
    known = types.CodeActionKind
    kinds = [known.QuickFix, known.Refactor, known.Source, known.SourceFixAll]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    async def actions(ls: RulesServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Return the actions for a range, of the kinds that the client wants, after waiting for the check.

        Includes the action that applies all fixes. Empty outside of rules files.
        """
        # Fixes depend on diagnostics, which are outdated during typing, so wait for the check.
        await ls.known()
        path = ls.rules_file(params.text_document.uri)
        if path is None:
            return []
        result = ls.found_in(path)
        actions_ = [
            types.CodeAction(
                title=_format_title(each.title),
                kind=each.kind,
                diagnostics=[ls.convert.diagnostic(each.resolves)] if each.resolves else None,
                is_preferred=each.preferred,
                edit=ls.convert.edits(each.edits) if each.edits else None,
                command=_command(each, params.text_document.uri),
                data={name: text for name in ("value", "select") if (text := getattr(each, name))} or None,
            )
            for each in offered(ls.rules, path, ls.convert.span(path, params.range), result)
        ]
        own = ls.rules.list_own_folders()
        fixable = [each for each in result if find_foreign_file(each, own) is None]
        everything = build_fix_all(fixable, ls.rules.texts.get_text)
        if everything is not None:
            edit = ls.convert.edits(everything.edits)
            actions_.append(types.CodeAction(everything.title, kind=types.CodeActionKind.SourceFixAll, edit=edit))
        kinds = params.context.only
        return [each for each in actions_ if not kinds or any(_is(each.kind, kind) for kind in kinds)]


def _format_title(title: str) -> str:
    """Return the first line of a title, with a capital letter unless it begins with code."""
    first = title.split("\n")[0].removesuffix(":")
    return first[:1].upper() + first[1:]


def _command(action: CodeAction, uri: str) -> types.Command | None:
    """Return the command of an action that is computed on demand, or None for other actions."""
    return types.Command(action.title, action.command, None, [uri, *action.arguments]) if action.command else None


def _is(kind: types.CodeActionKind | str | None, expected: types.CodeActionKind | str) -> bool:
    """Return whether a kind of action equals the expected kind or is a subkind of it."""
    own, requested = (getattr(each, "value", each) or "" for each in (kind, expected))
    return f"{own}.".startswith(f"{requested}.") or not requested
