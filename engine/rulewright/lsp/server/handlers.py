"""Handlers for requests about a position or a file, answered from the last usable state of the rules."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.lsp.features import outline
from rulewright.lsp.features import semantic_tokens as marking
from rulewright.lsp.server.json_rpc import Json, RequestError
from rulewright.lsp.server.language_server import RulesServer
from rulewright.lsp.server.parameter_shapes import AT_POSITION, IN_FILE, IN_RANGE
from rulewright.lsp.server.protocol_types import build_data, build_markdown, build_position
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.span import Span

if TYPE_CHECKING:
    from rulewright.lsp.features.call_hierarchy import CallNode

_PROPERTY, _METHOD = 7, 6

_SYMBOLS = {
    "class": 5,
    "struct": 23,
    "enum": 10,
    "variable": 13,
    "number": 16,
    "function": 12,
    "method": _METHOD,
    "word": 15,
    "rows": 22,
    "choices": 22,
    "step": 24,
}
"""The LSP symbol kinds, by the sort of an entry or of a part of it."""

_OFFERS = {
    "key": 10,
    "verb": 14,
    "id": 18,
    "value": 20,
    "name": 6,
    "field": 5,
    "function": 3,
    "term": 1,
    "edition": 9,
    "type": 7,
}
"""The LSP kinds of completions, by the sort of what is offered."""

_READ, _WRITE = 2, 3
"""The LSP kinds of highlights."""

_CALL = {"item": {"uri": str, "name": str}}


def register_answers(server: RulesServer) -> None:
    """Register the handlers of all requests with the server."""
    _register_places(server)
    _register_files(server)
    _register_typing(server)
    _register_renaming(server)
    _register_layout(server)
    _register_calls(server)


def _at(ls: RulesServer, params: Json) -> tuple[Path, int, int] | None:
    path = ls.rules_file(params["textDocument"]["uri"])
    return None if path is None else (path, *ls.convert.place(path, params["position"]))


async def _find_place(ls: RulesServer, params: Json) -> tuple[Path, int, int] | None:
    """Return the position of a request, after waiting for the first check of the rules that read the file.

    Right after a file is opened, no rules are known yet, so an immediate answer would be empty.
    """
    path = ls.rules_file(params["textDocument"]["uri"])
    if path is not None and not ls.rules.list_good(path):
        await ls.known()
    return _at(ls, params)


def _register_places(server: RulesServer) -> None:
    """Register requests about a position: hover, definition, references and highlights."""

    @server.handle("textDocument/hover", AT_POSITION, hoverProvider=True)
    async def on_hover(ls: RulesServer, params: Json) -> Json | None:
        at = await _find_place(ls, params)
        from rulewright.lsp.features.hover import describe_at

        result = describe_at(ls.rules, *at) if at is not None else None
        if result is None:
            return None
        return {"contents": build_markdown(result.text), "range": ls.convert.range(result.span)}

    @server.handle("textDocument/definition", AT_POSITION, definitionProvider=True)
    async def on_definition(ls: RulesServer, params: Json) -> list[Json]:
        from rulewright.lsp.features import definitions

        at = await _find_place(ls, params)
        return (
            [ls.convert.location(each) for each in definitions.find_definitions(ls.rules, *at)]
            if at is not None
            else []
        )

    @server.handle(
        "textDocument/references", {**AT_POSITION, "context": {"includeDeclaration": bool}}, referencesProvider=True
    )
    async def on_references(ls: RulesServer, params: Json) -> list[Json]:
        from rulewright.lsp.features import definitions

        at = await _find_place(ls, params)
        result = definitions.find_references(ls.rules, *at) if at is not None else []
        with_declaration = params["context"]["includeDeclaration"]
        return [ls.convert.location(each.span) for each in result if with_declaration or not each.declares]

    @server.handle("textDocument/documentHighlight", AT_POSITION, documentHighlightProvider=True)
    async def on_highlight(ls: RulesServer, params: Json) -> list[Json]:
        """Return the uses of the name at a position within its file. Empty if there is no name."""
        from rulewright.lsp.features import definitions

        at = await _find_place(ls, params)
        if at is None:
            return []
        own = build_file_key(at[0])
        return [
            {"range": ls.convert.range(each.span), "kind": _WRITE if each.declares else _READ}
            for each in definitions.find_references(ls.rules, *at)
            if build_file_key(each.span.file) == own
        ]


def _register_files(server: RulesServer) -> None:
    """Register requests about whole files: outline, search for symbols, folds, semantic tokens and inlay hints."""

    @server.handle("textDocument/documentSymbol", IN_FILE, documentSymbolProvider=True)
    def symbols(ls: RulesServer, params: Json) -> list[Json]:
        path = ls.rules_file(params["textDocument"]["uri"])
        return [_symbol(ls, each) for each in outline.build_outline(ls.rules, path)] if path is not None else []

    @server.handle("workspace/symbol", {"query": str}, workspaceSymbolProvider={"resolveProvider": False})
    def everything(ls: RulesServer, params: Json) -> list[Json]:
        return [
            build_data(
                location=ls.convert.location(each.key),
                name=each.name,
                kind=_kind(each.sort),
                containerName=each.detail,
            )
            for each in outline.search_symbols(ls.rules, params["query"])
        ]

    @server.handle("textDocument/foldingRange", IN_FILE, foldingRangeProvider=True)
    def folds(ls: RulesServer, params: Json) -> list[Json]:
        path = ls.rules_file(params["textDocument"]["uri"])
        return [
            build_data(startLine=first - 1, endLine=last - 1, kind="comment" if comment else None)
            for first, last, comment in (outline.list_folds(ls.rules, path) if path is not None else ())
        ]

    legend = {"tokenTypes": list(marking.SORTS), "tokenModifiers": ["declaration"]}
    tokens = {"legend": legend, "full": True}

    @server.handle("textDocument/semanticTokens/full", IN_FILE, semanticTokensProvider=tokens)
    def colours(ls: RulesServer, params: Json) -> Json:
        path = ls.rules_file(params["textDocument"]["uri"])
        return {"data": list(_tokens(ls, path)) if path is not None else []}

    @server.handle("textDocument/inlayHint", IN_RANGE, inlayHintProvider={"resolveProvider": False})
    def hints(ls: RulesServer, params: Json) -> list[Json]:
        """Return the inlay hints of a range of a file. Empty outside of rules files."""
        path = ls.rules_file(params["textDocument"]["uri"])
        if path is None:
            return []
        span = ls.convert.span(path, params["range"])
        lines = ls.convert.lines(path)
        inlay_hints = []
        for each in marking.list_hints(ls.rules, path, span.line, span.end_line):
            at = build_position(lines.position(each.line, each.column))
            hint = {"position": at, "label": each.text, "tooltip": build_markdown(each.more), "paddingLeft": True}
            inlay_hints.append(hint)
        return inlay_hints


def _symbol(ls: RulesServer, symbol: outline.Symbol) -> Json:
    return build_data(
        name=symbol.name or "…",  # editors reject a symbol without a name
        kind=_kind(symbol.sort),
        range=ls.convert.range(symbol.span),
        selectionRange=ls.convert.range(symbol.key),
        detail=symbol.detail or None,
        children=[_symbol(ls, each) for each in symbol.inside] or None,
    )


def _kind(sort: str) -> int:
    return _SYMBOLS.get(sort, _PROPERTY)


def _tokens(ls: RulesServer, path: Path) -> Iterator[int]:
    """Yield five numbers for each token, as LSP encodes them.

    These are its line and column relative to the token before, its length, its type, and whether it declares.
    """
    lines, encoded = ls.convert.lines(path), (0, 0)
    for mark in marking.list_tokens(ls.rules, path):
        result = lines.find_range(mark.span)
        line, start = result.start.line, result.start.character
        length = result.end.character - start
        if length <= 0:
            continue
        yield from (line - encoded[0], start - encoded[1] if line == encoded[0] else start, length)
        yield from (marking.SORTS.index(mark.sort), int(mark.declares))
        encoded = line, start


def _register_typing(server: RulesServer) -> None:
    triggers = {"triggerCharacters": ["{", ".", " ", "[", "(", "/", "@"]}

    @server.handle("textDocument/completion", AT_POSITION, completionProvider=triggers)
    def on_completion(ls: RulesServer, params: Json) -> Json:
        at = _at(ls, params)
        from rulewright.lsp.features.completion import complete

        result = complete(ls.rules, *at) if at is not None else []
        items = []
        for each in result:
            span = each.span or Span.for_file("")
            items.append(
                build_data(
                    label=each.label,
                    kind=_OFFERS[each.sort],
                    detail=", ".join(filter(None, (f"“{each.words}”" if each.words else "", each.detail))) or None,
                    documentation=build_markdown(each.more) if each.more else None,
                    sortText=f"{max(each.rank, 0):02}{each.label}",
                    filterText=f"{each.label} {each.words}".rstrip(),
                    textEdit={"range": ls.convert.range(span), "newText": each.text},
                )
            )
        return {"isIncomplete": False, "items": items}

    @server.handle("textDocument/signatureHelp", AT_POSITION, signatureHelpProvider={"triggerCharacters": ["(", ","]})
    def on_signature_help(ls: RulesServer, params: Json) -> Json | None:
        at = _at(ls, params)
        from rulewright.lsp.features.scope_names import find_signature

        result = find_signature(ls.rules, *at) if at is not None else None
        if result is None:
            return None
        signature = {
            "label": result.signature,
            "documentation": build_markdown(result.means),
            "parameters": [{"label": each} for each in result.parameters],
        }
        last = max(0, len(result.parameters) - 1)
        return {"signatures": [signature], "activeSignature": 0, "activeParameter": min(result.active, last)}


def _register_renaming(server: RulesServer) -> None:
    @server.handle("textDocument/prepareRename", AT_POSITION)
    async def prepared(ls: RulesServer, params: Json) -> Json | None:
        """Return the name at a position, or None outside of rules files.

        Raises `RequestError` if it cannot be renamed.
        """
        at = await _find_place(ls, params)
        if at is None:
            return None
        from rulewright.lsp.features import rename

        try:
            result = rename.find_renamable(ls.rules, *at)
        except rename.RenameError as error:
            raise RequestError(str(error)) from None
        return {"range": ls.convert.range(result.span), "placeholder": result.mention.path[-1]}

    @server.handle("textDocument/rename", {**AT_POSITION, "newName": str}, renameProvider={"prepareProvider": True})
    async def on_rename(ls: RulesServer, params: Json) -> Json | None:
        """Return the edits that rename the name at a position, or None outside of rules files.

        Raises `RequestError` if it cannot be renamed, or if a file that uses it cannot be written.
        """
        at = await _find_place(ls, params)
        if at is None:
            return None
        from rulewright.lsp.features import rename

        try:
            edits = rename.rename(ls.rules, *at, params["newName"])
        except rename.RenameError as error:
            raise RequestError(str(error)) from None
        locked = next((each.span.file for each in edits if not os.access(each.span.file, os.W_OK)), None)
        if locked is not None and build_file_key(locked) not in ls.rules.texts.typed:
            raise RequestError(f"`{locked}` uses the name too and cannot be written")
        return ls.convert.edits(edits)


def _register_layout(server: RulesServer) -> None:
    @server.handle("textDocument/formatting", IN_FILE, documentFormattingProvider=True)
    def on_format(ls: RulesServer, params: Json) -> list[Json]:
        """Return one edit that replaces the whole text by its formatted form. Empty if nothing changes."""
        path = ls.rules_file(params["textDocument"]["uri"])
        text = ls.rules.texts.get_text(path) if path is not None else None
        from rulewright.authoring.source_layout import format_source

        result = format_source(text) if text is not None else None
        if path is None or text is None or result is None or result == text:
            return []
        lines = ls.convert.lines(path)
        end = lines.position(len(lines), len(lines.get_line(len(lines))) + 1)
        whole = {"start": {"line": 0, "character": 0}, "end": build_position(end)}
        return [{"range": whole, "newText": result}]


def _register_calls(server: RulesServer) -> None:
    def item(ls: RulesServer, call_node: CallNode) -> Json:
        return build_data(
            name=call_node.id,
            kind=_METHOD,
            uri=ls.convert.uri(call_node.key.file),
            range=ls.convert.range(call_node.span),
            selectionRange=ls.convert.range(call_node.key),
            detail=call_node.title,
        )

    @server.handle("textDocument/prepareCallHierarchy", AT_POSITION, callHierarchyProvider=True)
    def prepared(ls: RulesServer, params: Json) -> list[Json] | None:
        from rulewright.lsp.features import call_hierarchy

        at = _at(ls, params)
        result = call_hierarchy.find_procedure_at(ls.rules, *at) if at is not None else None
        return [item(ls, result)] if result is not None else None

    @server.handle("callHierarchy/incomingCalls", _CALL)
    def on_incoming_calls(ls: RulesServer, params: Json) -> list[Json]:
        from rulewright.lsp.features import call_hierarchy

        path = ls.rules_file(params["item"]["uri"])
        calls = call_hierarchy.list_incoming_calls(ls.rules, path, params["item"]["name"]) if path is not None else ()
        return [
            {"from": item(ls, each.other), "fromRanges": _ranges(ls, each.other.key.file, each.places)}
            for each in calls
        ]

    @server.handle("callHierarchy/outgoingCalls", _CALL)
    def on_outgoing_calls(ls: RulesServer, params: Json) -> list[Json]:
        from rulewright.lsp.features import call_hierarchy

        path = ls.rules_file(params["item"]["uri"])
        calls = call_hierarchy.list_outgoing_calls(ls.rules, path, params["item"]["name"]) if path is not None else ()
        return [{"to": item(ls, each.other), "fromRanges": _ranges(ls, str(path), each.places)} for each in calls]


def _ranges(ls: RulesServer, file: str, places: Iterable[Span]) -> list[Json]:
    """Return the LSP ranges of the spans in one file."""
    own = build_file_key(file)
    return [ls.convert.range(each) for each in places if build_file_key(each.file) == own]
