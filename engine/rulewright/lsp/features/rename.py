"""Rename: change a name everywhere, in every layer, in texts, and in examples.

The renamed rules are checked before the edits are offered. If they would have errors, the rename is refused with the
first one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rulewright.authoring.sign_texts import map_texts
from rulewright.base.errors import RulewrightError
from rulewright.language.expressions.untyped_ast import Aggregate
from rulewright.language.schema_shapes import Leaf, Shape
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.mentions.mention import Mention
from rulewright.lsp.features.mentions.mention import Path as RulePath
from rulewright.lsp.features.mentions.written_mentions import (
    group_by_procedure,
    iterate_translated_mentions,
    resolve_nouns,
)
from rulewright.lsp.features.symbol_at import Meaning, find_meaning, map_span
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.prose.stale_texts import is_signed
from rulewright.ruleset.prose.text_signature import compute_signature
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.json_schema import ID_PATTERN
from rulewright.ruleset.schema.model import build_rules_shape
from rulewright.ruleset.schema.schema_path import find_member
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, apply_edits
from rulewright.source.files.unsaved_texts import build_file_key, replace_files
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.span import Span
from rulewright.testing.check_edition import Part, iterate_checks


class RenameError(RulewrightError):
    """An error for a name that cannot be changed, or not to the requested one."""


def find_renamable(workspace: Workspace, path: Path, line: int, column: int) -> Meaning:
    """Return the name to rename at a position.

    Raises `RenameError` if there is no name that can be renamed, or if none is known because the rules have errors.
    """
    meaning = find_meaning(workspace, path, line, column)
    if meaning is None:
        error = _find_error(workspace, workspace.list_editions(path), path, line)
        hidden = f". If there is one, an error hides it, so fix the errors first: {error}" if error else ""
        raise RenameError(f"there is no name to rename here{hidden}")
    if meaning.mention.path[0] == "":
        raise RenameError(
            "the name of an edition cannot be renamed here: it is in its manifest, and other editions refer to it"
        )
    what, mentions = meaning.mention.path, meaning.good.mentions
    if not _is_declared(meaning.good, what):
        raise RenameError(f"`{what[-1]}` is not declared in any file of these rules")
    files = {each.span.file for each in mentions.by_path[what]}
    _refuse_shared_noun(what, [each for file in files for each in mentions.by_file[file]])
    return meaning


def _find_error(workspace: Workspace, editions: Iterable[Edition], path: Path, line: int) -> str | None:
    """Return the error nearest to a line as text, or None. It is of the first of the editions that has errors."""
    for edition in editions:
        errors = workspace.check_standing(edition).errors
        if errors:
            return _describe(min(errors, key=lambda each: (Path(each.span.file) != path, abs(each.span.line - line))))
    return None


def _describe(error: Diagnostic) -> str:
    return f"{error.message} (`{Path(error.span.file).name}`, line {error.span.line})"


def _refuse_shared_noun(what: RulePath, mentions: Sequence[Mention]) -> None:
    """Raise `RenameError` if a noun of the name is that of another name, too."""
    nouns = {each.span for each in mentions if each.path == what and each.form == "noun"}
    if any(each.span in nouns and each.path != what for each in mentions):
        raise RenameError(f"one noun under `names:` serves several names `{what[-1]}`, so rename each of them by hand")


def rename(workspace: Workspace, path: Path, line: int, column: int, name: str) -> tuple[Edit, ...]:
    """Return the edits that rename the name at a position. Empty if the name stays the same.

    With a term, also renames what takes its words from the term because of the same name, if possible. Texts that were
    signed stay signed, because their rules mean the same under the new name.
    Checks the rules with the edits, which runs examples. Raises `RenameError` if nothing there can be renamed, if the
    name is invalid or taken, or if the rules have errors or would have them.
    """
    result = find_renamable(workspace, path, line, column)
    what = result.mention.path
    if re.fullmatch(ID_PATTERN, name) is None:
        raise RenameError(
            f"`{name}` is not a valid name: use lowercase letters, digits and `_`, starting with a letter"
        )
    if name == what[-1]:
        return ()
    goods = _list_concerned(workspace, result)
    clash = next((good for good in goods if _is_declared(good, (*what[:-1], name))), None)
    if clash is not None:
        raise RenameError(f"`{name}` already exists in {clash.ruleset.reference}")
    if any(_is_captured(good, what, name) for good in goods):
        raise RenameError(f"`{name}` would clash with the variable of a `for` in an expression that uses `{what[-1]}`")
    outdated = [good.edition for good in goods if not workspace.is_current(good)]
    error = _find_error(workspace, outdated, path, line)
    if error is not None:
        raise RenameError(f"fix the errors first, because until then not all uses of the name can be found: {error}")
    alike = dict.fromkeys(each for good in goods for each in _list_alike(good, what))
    unsure = [edit for good in goods for edit in _unsure(good, what[-1], name)]
    text_edits = [edit for good in goods for edit in _show(good, what, name) if edit not in unsure]
    ways: list[tuple[Edit, ...]] = []
    for names in ([what, *alike], [what]):
        exact = [edit for good in goods for each in names for edit in _edits(workspace, good, each, name)]
        # Also try ambiguous mentions, and those in examples, which are only resolved at run time.
        sure = [edit for edit in exact if edit not in unsure]
        ways += [_each_once(way) for way in (exact, exact + text_edits, exact + unsure, sure, sure + text_edits)]
    faults = []
    for way in dict.fromkeys(ways):
        renamed = _check_renamed(workspace, goods, way)
        if not isinstance(renamed, Diagnostic):
            return (*way, *_sign_again(workspace, goods, renamed))
        faults.append(renamed)
    raise RenameError(f"the rules would no longer be valid: {_describe(faults[0])}")


def _list_alike(good: Good, what: RulePath) -> Iterator[RulePath]:
    """Yield the kinds, fields and state variables that take their words from a term because they have its name."""
    for path in good.mentions.by_path if what[0] == "terms" else ():
        is_field = path[0] == "kinds" and len(path) == 4
        is_whole = path[0] in ("kinds", "state") and len(path) == 2
        if path[-1] == what[-1] and (is_field or is_whole) and _is_declared(good, path):
            kind = good.ruleset.declarations.kinds.get(path[1]) if path[0] == "kinds" and is_whole else None
            if kind is None or not kind.term:
                yield path


def _each_once(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    results = {(each.span.file, each.span.line, each.span.column): each for each in reversed(edits)}
    return tuple(results[place] for place in sorted(results))


def _is_declared(good: Good, what: RulePath) -> bool:
    return any(each.declares for each in good.mentions.by_path.get(what, ()))


def _is_captured(good: Good, what: RulePath, name: str) -> bool:
    """Return whether an expression that mentions `what` has a variable `name`, which would hide the new name."""
    return any(
        isinstance(node, Aggregate) and node.variable == name
        for mention in good.mentions.by_path.get(what, ())
        for reading in good.mentions.readings.get(mention.span.file, ())
        if reading.scalar.span.contains(mention.span)
        for node, _ in reading.parts
    )


def _list_concerned(workspace: Workspace, meaning: Meaning) -> list[Good]:
    """Return every edition that reads a file in which the name is declared. Checks those that have changed."""
    files = {each.span.file for each in meaning.good.mentions.by_path[meaning.mention.path] if each.declares}
    known: dict[str, Good] = {meaning.good.edition.id: meaning.good}
    for file in sorted(files):
        for good in workspace.check_file(Path(file)):
            known.setdefault(good.edition.id, good)
    return list(known.values())


def _edits(workspace: Workspace, good: Good, what: RulePath, name: str) -> Iterator[Edit]:
    """Yield the edits of all known mentions of a name in the rules and in translations.

    Skips mentions in changed lines, and those that do not contain the name itself. Raises `RenameError` for a noun of a
    translation that serves several names.
    """
    old = what[-1]
    kind = good.ruleset.declarations.kinds.get(old) if what[0] == "kinds" and len(what) == 2 else None
    for mention in good.mentions.by_path.get(what, ()):
        span = map_span(workspace, good, mention.span)
        written = _read_span(workspace, span) if span is not None else None
        if span is not None and written == old:
            yield Edit(span, name)
        elif span is not None and kind is not None and written == kind.plural == f"{old}s":
            yield Edit(span, f"{name}s")
    # Translations use the same name. The workspace does not keep these files, so read them now.
    with workspace.read_unsaved():
        text = list(resolve_nouns(iterate_translated_mentions(good.ruleset), group_by_procedure(good.mentions.by_path)))
    _refuse_shared_noun(what, text)
    for mention in text:
        if mention.path == what and _read_span(workspace, mention.span) == old:
            yield Edit(mention.span, name)


def _unsure(good: Good, old: str, name: str) -> Iterator[Edit]:
    """Yield the edits of ambiguous mentions of the name."""
    for mentions in good.mentions.by_path.values():
        for mention in mentions:
            if not mention.sure and mention.path[-1] == old:
                yield Edit(mention.span, name)


def _read_span(workspace: Workspace, span: Span) -> str | None:
    """Return the current text at a span, or None if it is not on one line of the file."""
    text = workspace.texts.get_text(span.file)
    lines = text.split("\n") if text is not None else []
    if span.line != span.end_line or span.line > len(lines):
        return None
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]


def _show(good: Good, what: RulePath, name: str) -> Iterator[Edit]:
    """Yield the edits in sections without gameplay, such as examples, for keys and values but not for words.

    Mentions that certainly refer to another entry are skipped.
    """
    old = what[-1]
    kind = good.ruleset.declarations.kinds.get(old) if what[0] == "kinds" and len(what) == 2 else None
    # Only kinds have a plural derived from their name. Elsewhere, a name with an additional `s` is a different name.
    plural = kind is not None and kind.plural == f"{old}s"
    word = re.compile(rf"\b{re.escape(old)}({'s?' if plural else ''})\b")
    known = {
        (each.span.file, each.span.line, each.span.column)
        for mentions in good.mentions.by_path.values()
        for each in mentions
        if each.path[-1] == old and each.sure
    }
    for layer in good.ruleset.resolved.layers:
        for file in layer.files:
            for key, entry in file.entries.items():
                if key in load_sections() and not load_sections()[key].gameplay:
                    for edit in _loose(entry.value, find_member(build_rules_shape(), key), word, name):
                        if (edit.span.file, edit.span.line, edit.span.column) not in known:
                            yield edit


def _loose(node: Node, shape: Shape, word: re.Pattern[str], name: str) -> Iterator[Edit]:
    """Yield an edit for each match of the pattern `word` in keys and values, except in words. A plural stays one."""
    match node:
        case Scalar(text=text):
            words = isinstance(shape, Leaf) and shape.format in ("words", "label")
            if not words and node.raw:
                for result in word.finditer(text):
                    yield Edit(node.position(result.start(), len(result.group())), name + result[1])
        case MappingNode():
            for key, entry in node.entries.items():
                yield from _loose(entry.key, Shape(), word, name)
                yield from _loose(entry.value, find_member(shape, key), word, name)
        case _:
            for item in node.items:
                yield from _loose(item, Shape(), word, name)


def _sign_again(workspace: Workspace, goods: Sequence[Good], renamed: Mapping[str, Ruleset]) -> Iterator[Edit]:
    """Yield the edits of the signatures that were valid, each in the edition that wrote it, and that no longer are."""
    for good in goods:
        after = renamed.get(good.edition.id)
        texts = map_texts(after) if after is not None else {}
        for name, section in map_texts(good.ruleset).items():
            reviewed, text = section.reviewed, texts.get(name)
            if after is None or text is None or reviewed is None or not good.ruleset.resolved.is_own(reviewed.span):
                continue
            span = map_span(workspace, good, reviewed.span)
            if span is not None and is_signed(section, good.ruleset) and not is_signed(text, after):
                yield Edit(span, compute_signature(text, after))


def _check_renamed(
    workspace: Workspace, goods: Sequence[Good], edits: Sequence[Edit]
) -> Diagnostic | dict[str, Ruleset]:
    """Return the first error that the edits would introduce, or else the rulesets with the edits, by edition.

    Only errors with a code that the edition did not have before count. Examples run only in the first of `goods` and in
    the first edition checked. Raises `RenameError` if two edits overlap.
    """
    texts = dict(workspace.texts.list_unsaved())
    for file in {edit.span.file for edit in edits}:
        text = workspace.texts.get_text(file)
        try:
            texts[build_file_key(file)] = apply_edits(text or "", [edit for edit in edits if edit.span.file == file])
        except ValueError:
            raise RenameError("the name cannot be changed: two of the edits would overlap") from None
    trial = Workspace(workspace.folders)
    trial.texts.typed.update(texts)
    trial.texts.opened.update(workspace.texts.opened)
    names = {good.edition.id for good in goods}
    renamed: dict[str, Ruleset] = {}
    with replace_files(texts):
        catalogue = trial.get_catalogue()
        for place, edition in enumerate(each for each in catalogue.list_editions() if each.id in names):
            before = next(good for good in goods if good.edition.id == edition.id)
            known = {each.code.id for each in workspace.list_errors(before)}
            # Examples take long to run, and those of one edition are enough to find out whether they use the name.
            last: Part = "all" if before is goods[0] or place == 0 else "words"
            for part, checked in iterate_checks(catalogue, edition):
                new = next((each for each in checked.diagnostics.errors if each.code.id not in known), None)
                if new is not None:
                    return new
                if checked.ruleset is not None:
                    renamed[edition.id] = checked.ruleset
                if part == last:
                    break
    return renamed
