"""The requests of clients, each answered by one function of `lsp/features/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.lsp.server.handlers import register_answers
from rulewright.lsp.server.json_rpc import Json
from rulewright.lsp.server.language_server import RulesServer
from rulewright.lsp.server.parameter_shapes import (
    CHANGED,
    DOCUMENT,
    FOLDERS,
    IN_FILE,
    IN_RANGE,
    INITIALIZE,
    OPENED,
    Maybe,
)
from rulewright.lsp.server.protocol_types import build_data
from rulewright.lsp.server.server_commands import register_commands

if TYPE_CHECKING:
    from rulewright.lsp.features.available_actions import CodeAction

_FULL_TEXTS = 1
"""The kind of synchronization in which each change has the whole text."""

_FIX_ALL = "source.fixAll"
_KINDS = ("quickfix", "refactor", "source", _FIX_ALL)


def register(server: RulesServer) -> None:
    """Register the handlers of all requests, notifications and commands with the server."""
    _register_texts(server)
    _register_actions(server)
    register_answers(server)
    register_commands(server)


def _register_texts(server: RulesServer) -> None:
    @server.handle("initialize", INITIALIZE)
    def begin(ls: RulesServer, params: Json) -> Json:
        return ls.begin(params)

    @server.handle("initialized")
    def on_initialized(ls: RulesServer, params: Json) -> None:
        ls.watch()

    @server.handle("shutdown")
    def leaving(ls: RulesServer, params: None) -> None:
        ls.leaving = True
        ls.shut_down()

    # Rules files are small, and full texts, unlike incremental changes, cannot get out of sync with the client.
    sync = {"openClose": True, "change": _FULL_TEXTS, "save": True}

    @server.handle("textDocument/didOpen", OPENED, textDocumentSync=sync)
    def on_open(ls: RulesServer, params: Json) -> None:
        document = params["textDocument"]
        ls.take(document["uri"], document["text"], document["version"])

    @server.handle("textDocument/didChange", CHANGED)
    def on_change(ls: RulesServer, params: Json) -> None:
        document = params["textDocument"]
        for change in params["contentChanges"][-1:]:
            ls.take(document["uri"], change["text"], document.get("version"))

    @server.handle("textDocument/didSave", IN_FILE)
    def on_save(ls: RulesServer, params: Json) -> None:
        ls.check()

    @server.handle("textDocument/didClose", IN_FILE)
    def on_close(ls: RulesServer, params: Json) -> None:
        ls.close(params["textDocument"]["uri"])

    folders = {"workspaceFolders": {"supported": True, "changeNotifications": True}}

    @server.handle("workspace/didChangeWorkspaceFolders", FOLDERS, workspace=folders)
    def on_folders_changed(ls: RulesServer, params: Json) -> None:
        added, removed = ([each["uri"] for each in params["event"].get(key) or ()] for key in ("added", "removed"))
        ls.moved(added, removed)

    @server.handle("workspace/didChangeWatchedFiles", {"changes": [DOCUMENT]})
    def on_files_changed(ls: RulesServer, params: Json) -> None:
        ls.changed([each["uri"] for each in params["changes"]])


def _register_actions(server: RulesServer) -> None:
    shape = {**IN_RANGE, "context": {"only": Maybe([str])}}

    @server.handle("textDocument/codeAction", shape, codeActionProvider={"codeActionKinds": [*_KINDS]})
    async def actions(ls: RulesServer, params: Json) -> list[Json]:
        """Return the actions for a range, of the kinds that the client wants, after waiting for the check.

        Includes the action that applies all fixes. Empty outside of rules files.
        """
        from rulewright.authoring.verify_fix import find_foreign_file
        from rulewright.lsp.code_actions import list_actions as offered
        from rulewright.lsp.features.available_actions import build_fix_all

        # Fixes depend on diagnostics, which are outdated during typing, so wait for the check.
        await ls.known()
        path = ls.rules_file(params["textDocument"]["uri"])
        if path is None:
            return []
        result = ls.found_in(path)
        actions_ = [
            build_data(
                title=_format_title(each.title),
                kind=each.kind,
                diagnostics=[ls.convert.diagnostic(each.resolves)] if each.resolves else None,
                isPreferred=each.preferred,
                edit=ls.convert.edits(each.edits) if each.edits else None,
                command=_command(each, params["textDocument"]["uri"]),
                data={name: text for name in ("value", "select") if (text := getattr(each, name))} or None,
            )
            for each in offered(ls.rules, path, ls.convert.span(path, params["range"]), result)
        ]
        own = ls.rules.list_own_folders()
        fixable = [each for each in result if find_foreign_file(each, own) is None]
        everything = build_fix_all(fixable, ls.rules.texts.get_text)
        if everything is not None:
            edit = ls.convert.edits(everything.edits)
            actions_.append({"title": everything.title, "kind": _FIX_ALL, "edit": edit})
        kinds = params["context"].get("only")
        return [each for each in actions_ if not kinds or any(_is(each.get("kind") or "", kind) for kind in kinds)]


def _format_title(title: str) -> str:
    """Return the first line of a title, with a capital letter unless it begins with code."""
    first = title.split("\n")[0].removesuffix(":")
    return first[:1].upper() + first[1:]


def _command(action: CodeAction, uri: str) -> Json | None:
    """Return the command of an action that is computed on demand, or None for other actions."""
    if not action.command:
        return None
    return {"title": action.title, "command": action.command, "arguments": [uri, *action.arguments]}


def _is(kind: str, expected: str) -> bool:
    """Return whether a kind of action equals the expected kind or is a subkind of it."""
    return f"{kind}.".startswith(f"{expected}.") or not expected
