"""Handlers for requests about a position or a file, answered from the last usable state of the rules."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rulewright.authoring.source_layout import format_source
from rulewright.lsp.features import call_hierarchy, definitions, outline, rename
from rulewright.lsp.features import semantic_tokens as marking
from rulewright.lsp.features.completion import complete
from rulewright.lsp.features.hover import describe_at
from rulewright.lsp.features.scope_names import find_signature
from rulewright.lsp.server.language_server import REFUSED, RulesServer
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.span import Span

_SYMBOLS = {
    "class": types.SymbolKind.Class,
    "struct": types.SymbolKind.Struct,
    "enum": types.SymbolKind.Enum,
    "variable": types.SymbolKind.Variable,
    "number": types.SymbolKind.Number,
    "function": types.SymbolKind.Function,
    "method": types.SymbolKind.Method,
    "word": types.SymbolKind.String,
    "rows": types.SymbolKind.EnumMember,
    "choices": types.SymbolKind.EnumMember,
    "step": types.SymbolKind.Event,
}
"""The LSP symbol kinds, by the sort of an entry or of a part of it."""

_OFFERS = {
    "key": types.CompletionItemKind.Property,
    "verb": types.CompletionItemKind.Keyword,
    "id": types.CompletionItemKind.Reference,
    "value": types.CompletionItemKind.EnumMember,
    "name": types.CompletionItemKind.Variable,
    "field": types.CompletionItemKind.Field,
    "function": types.CompletionItemKind.Function,
    "term": types.CompletionItemKind.Text,
    "edition": types.CompletionItemKind.Module,
    "type": types.CompletionItemKind.Class,
}


def register_answers(server: RulesServer) -> None:
    """Register the handlers of all requests with the server."""
    _register_places(server)
    _register_files(server)
    _register_typing(server)
    _register_renaming(server)
    _register_layout(server)
    _register_calls(server)


class _PositionParams(Protocol):
    """The parameters of a request about a position."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


def _at(ls: RulesServer, params: _PositionParams) -> tuple[Path, int, int] | None:
    path = ls.rules_file(params.text_document.uri)
    return None if path is None else (path, *ls.convert.place(path, params.position))


async def _find_place(ls: RulesServer, params: _PositionParams) -> tuple[Path, int, int] | None:
    """Return the position of a request, after waiting for the first check of the rules that read the file.

    Right after a file is opened, no rules are known yet, so an immediate answer would be empty.
    """
    path = ls.rules_file(params.text_document.uri)
    if path is not None and not ls.rules.list_good(path):
        await ls.known()
    return _at(ls, params)


def _register_places(server: RulesServer) -> None:
    """Register requests about a position: hover, definition, references and highlights."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(ls: RulesServer, params: types.HoverParams) -> types.Hover | None:
        at = await _find_place(ls, params)
        result = describe_at(ls.rules, *at) if at is not None else None
        if result is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, result.text), ls.convert.range(result.span))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(ls: RulesServer, params: types.DefinitionParams) -> list[types.Location]:
        at = await _find_place(ls, params)
        return (
            [ls.convert.location(each) for each in definitions.find_definitions(ls.rules, *at)]
            if at is not None
            else []
        )

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def on_references(ls: RulesServer, params: types.ReferenceParams) -> list[types.Location]:
        at = await _find_place(ls, params)
        result = definitions.find_references(ls.rules, *at) if at is not None else []
        with_declaration = params.context.include_declaration
        return [ls.convert.location(each.span) for each in result if with_declaration or not each.declares]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def on_highlight(ls: RulesServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        """Return the uses of the name at a position within its file. Empty if there is no name."""
        at = await _find_place(ls, params)
        if at is None:
            return []
        own = build_file_key(at[0])
        return [
            types.DocumentHighlight(
                ls.convert.range(each.span),
                types.DocumentHighlightKind.Write if each.declares else types.DocumentHighlightKind.Read,
            )
            for each in definitions.find_references(ls.rules, *at)
            if build_file_key(each.span.file) == own
        ]


def _register_files(server: RulesServer) -> None:
    """Register requests about whole files: outline, search for symbols, folds, semantic tokens and inlay hints."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: RulesServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        path = ls.rules_file(params.text_document.uri)
        return [_symbol(ls, each) for each in outline.build_outline(ls.rules, path)] if path is not None else []

    @server.feature(types.WORKSPACE_SYMBOL)
    def everything(ls: RulesServer, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
        return [
            types.SymbolInformation(ls.convert.location(each.key), each.name, _kind(each.sort), None, None, each.detail)
            for each in outline.search_symbols(ls.rules, params.query)
        ]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(ls: RulesServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        path = ls.rules_file(params.text_document.uri)
        return [
            types.FoldingRange(first - 1, last - 1, kind=types.FoldingRangeKind.Comment if comment else None)
            for first, last, comment in (outline.list_folds(ls.rules, path) if path is not None else ())
        ]

    legend = types.SemanticTokensLegend(list(marking.SORTS), ["declaration"])

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def colours(ls: RulesServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
        path = ls.rules_file(params.text_document.uri)
        return types.SemanticTokens(list(_tokens(ls, path)) if path is not None else [])

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(ls: RulesServer, params: types.InlayHintParams) -> list[types.InlayHint]:
        """Return the inlay hints of a range of a file. Empty outside of rules files."""
        path = ls.rules_file(params.text_document.uri)
        if path is None:
            return []
        span = ls.convert.span(path, params.range)
        lines = ls.convert.lines(path)
        inlay_hints = []
        for each in marking.list_hints(ls.rules, path, span.line, span.end_line):
            at = lines.position(each.line, each.column)
            more = types.MarkupContent(types.MarkupKind.Markdown, each.more)
            where = types.Position(at.line, at.character)
            inlay_hints.append(types.InlayHint(where, each.text, tooltip=more, padding_left=True))
        return inlay_hints


def _symbol(ls: RulesServer, symbol: outline.Symbol) -> types.DocumentSymbol:
    whole, key = ls.convert.range(symbol.span), ls.convert.range(symbol.key)
    inside = [_symbol(ls, each) for each in symbol.inside]
    name = symbol.name or "…"  # editors reject a symbol without a name
    return types.DocumentSymbol(name, _kind(symbol.sort), whole, key, symbol.detail or None, children=inside or None)


def _kind(sort: str) -> types.SymbolKind:
    return _SYMBOLS.get(sort, types.SymbolKind.Property)


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
    options = types.CompletionOptions(trigger_characters=["{", ".", " ", "[", "(", "/", "@"])

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    def on_completion(ls: RulesServer, params: types.CompletionParams) -> types.CompletionList:
        at = _at(ls, params)
        result = complete(ls.rules, *at) if at is not None else []
        items = []
        for each in result:
            span = each.span or Span.for_file("")
            more = types.MarkupContent(types.MarkupKind.Markdown, each.more) if each.more else None
            items.append(
                types.CompletionItem(
                    label=each.label,
                    kind=_OFFERS[each.sort],
                    detail=", ".join(filter(None, (f"“{each.words}”" if each.words else "", each.detail))) or None,
                    documentation=more,
                    sort_text=f"{max(each.rank, 0):02}{each.label}",
                    filter_text=f"{each.label} {each.words}".rstrip(),
                    text_edit=types.TextEdit(ls.convert.range(span), each.text),
                )
            )
        return types.CompletionList(is_incomplete=False, items=items)

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
    def on_signature_help(ls: RulesServer, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        at = _at(ls, params)
        result = find_signature(ls.rules, *at) if at is not None else None
        if result is None:
            return None
        parameters = [types.ParameterInformation(each) for each in result.parameters]
        means = types.MarkupContent(types.MarkupKind.Markdown, result.means)
        signature_information = types.SignatureInformation(result.signature, means, parameters)
        last = max(0, len(parameters) - 1)
        return types.SignatureHelp([signature_information], 0, min(result.active, last))


def _register_renaming(server: RulesServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepared(ls: RulesServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        """Return the name at a position, or None outside of rules files.

        Raises `JsonRpcException` if it cannot be renamed.
        """
        at = await _find_place(ls, params)
        if at is None:
            return None
        try:
            result = rename.find_renamable(ls.rules, *at)
        except rename.RenameError as error:
            raise JsonRpcException(str(error), REFUSED) from None
        return types.PrepareRenamePlaceholder(ls.convert.range(result.span), result.mention.path[-1])

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def on_rename(ls: RulesServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
        """Return the edits that rename the name at a position, or None outside of rules files.

        Raises `JsonRpcException` if it cannot be renamed, or if a file that uses it cannot be written.
        """
        at = await _find_place(ls, params)
        if at is None:
            return None
        try:
            edits = rename.rename(ls.rules, *at, params.new_name)
        except rename.RenameError as error:
            raise JsonRpcException(str(error), REFUSED) from None
        locked = next((each.span.file for each in edits if not os.access(each.span.file, os.W_OK)), None)
        if locked is not None and build_file_key(locked) not in ls.rules.texts.typed:
            raise JsonRpcException(f"`{locked}` uses the name too and cannot be written", REFUSED)
        return ls.convert.edits(edits)


def _register_layout(server: RulesServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def on_format(ls: RulesServer, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        """Return one edit that replaces the whole text by its formatted form. Empty if nothing changes."""
        path = ls.rules_file(params.text_document.uri)
        text = ls.rules.texts.get_text(path) if path is not None else None
        result = format_source(text) if text is not None else None
        if path is None or text is None or result is None or result == text:
            return []
        lines = ls.convert.lines(path)
        end = lines.position(len(lines), len(lines.get_line(len(lines))) + 1)
        whole = types.Range(types.Position(0, 0), types.Position(end.line, end.character))
        return [types.TextEdit(whole, result)]


def _register_calls(server: RulesServer) -> None:
    def item(ls: RulesServer, call_node: call_hierarchy.CallNode) -> types.CallHierarchyItem:
        uri, whole, key = (
            ls.convert.uri(call_node.key.file),
            ls.convert.range(call_node.span),
            ls.convert.range(call_node.key),
        )
        return types.CallHierarchyItem(call_node.id, types.SymbolKind.Method, uri, whole, key, detail=call_node.title)

    @server.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepared(ls: RulesServer, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem] | None:
        at = _at(ls, params)
        result = call_hierarchy.find_procedure_at(ls.rules, *at) if at is not None else None
        return [item(ls, result)] if result is not None else None

    @server.feature(types.CALL_HIERARCHY_INCOMING_CALLS)
    def on_incoming_calls(
        ls: RulesServer, params: types.CallHierarchyIncomingCallsParams
    ) -> list[types.CallHierarchyIncomingCall]:
        path = ls.rules_file(params.item.uri)
        return [
            types.CallHierarchyIncomingCall(item(ls, each.other), _ranges(ls, each.other.key.file, each.places))
            for each in (
                call_hierarchy.list_incoming_calls(ls.rules, path, params.item.name) if path is not None else ()
            )
        ]

    @server.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)
    def on_outgoing_calls(
        ls: RulesServer, params: types.CallHierarchyOutgoingCallsParams
    ) -> list[types.CallHierarchyOutgoingCall]:
        path = ls.rules_file(params.item.uri)
        return [
            types.CallHierarchyOutgoingCall(item(ls, each.other), _ranges(ls, str(path), each.places))
            for each in (
                call_hierarchy.list_outgoing_calls(ls.rules, path, params.item.name) if path is not None else ()
            )
        ]


def _ranges(ls: RulesServer, file: str, places: Iterable[Span]) -> list[types.Range]:
    """Return the LSP ranges of the spans in one file."""
    own = build_file_key(file)
    return [ls.convert.range(each) for each in places if build_file_key(each.file) == own]
