"""Read the translation files of an edition and its lower layers, and build the translated ruleset."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import Any, TypeVar, TypeVarTuple

from rulewright.base.lazy import compute_once, lazy_property, make_once
from rulewright.language.declarations import GAME_KIND
from rulewright.ruleset.editions.edition import list_words_files
from rulewright.ruleset.layers.layer import Layer, ResolvedRules
from rulewright.ruleset.layers.merge_log import is_same
from rulewright.ruleset.prose.book_language import ENGLISH, Language, load_languages
from rulewright.ruleset.ruleset import TEXT_LANGUAGE, Ruleset
from rulewright.ruleset.ruleset_builder import build
from rulewright.ruleset.schema.canonical_form import expand_short_forms
from rulewright.ruleset.schema.digest import compute_digests
from rulewright.ruleset.schema.older_spellings import read_language, rename_older_keys, report_older_keys
from rulewright.ruleset.schema.translation_schema import COMPLETE, EDITION, OPTIONS, REVIEWED, build_words_shape
from rulewright.ruleset.schema.validator import validate
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.translation.source_texts import Path, find_options, iterate_leaves, list_source_texts
from rulewright.ruleset.translation.translation_diagnostics import UNKNOWN_LANGUAGE
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Entry, Node, Scalar, Sequence
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.span import Span
from rulewright.source.yaml.yaml_reader import read_file

T = TypeVar("T")
Keys = TypeVarTuple("Keys")


@dataclass(frozen=True, slots=True, eq=False)
class WordsFile:
    """A translation file of a layer, as `written` and as `node` with its short forms expanded."""

    layer: Layer
    path: File
    written: MappingNode
    node: MappingNode


@dataclass(frozen=True, slots=True, eq=False)
class TranslatedText:
    """A translated text: one scalar, or the lines of a list; and its file."""

    lines: tuple[Scalar, ...]
    file: WordsFile
    is_list: bool

    @property
    def span(self) -> Span:
        """The position of the text."""
        return self.lines[0].span if self.lines else self.file.node.span


@dataclass(frozen=True, eq=False)
class Translation:
    """An edition in another language.

    `files` are those of its layers, lowest first. `texts` has the translated texts by path. The top layer's text
    counts. `reviewed` has the signature of each entry, and `complete` the paths that the edition promises to
    translate in full.
    """

    original: Ruleset
    language: Language
    files: tuple[WordsFile, ...]
    texts: Mapping[Path, TranslatedText]
    reviewed: Mapping[str, Scalar]
    complete: tuple[Scalar, ...]
    _made: dict[Any, Any] = field(init=False, default_factory=dict, repr=False)

    def get_or_make(self, make: Callable[[Translation, *Keys], T], *which: *Keys) -> T:
        """Return `make(self, *which)`, computed once for each `make` and `which`, as `Ruleset.get_or_make` does."""
        return make_once(self._made, (make, *which), lambda: make(self, *which))

    @property
    def own_file(self) -> WordsFile | None:
        """The file of the edition itself, or None if it has none."""
        top = self.original.resolved.layers[-1]
        return next((file for file in self.files if file.layer is top), None)

    @lazy_property
    def ruleset(self) -> Ruleset:
        """Return the edition with its texts replaced.

        Built on first use. Its gameplay and digest are the original's.
        """
        return _replace_texts(self.original, self.language, self.texts)

    def list_paths(self) -> Collection[Path]:
        """Return the paths of all texts that a translation needs, in the order of the rules."""
        return list_source_texts(self.original).keys()

    def list_heading_terms(self, table: str) -> list[str]:
        """Return the terms that the headings of a table's columns show. Raises `KeyError` for an unknown table."""
        declared = self.original.declarations
        return [
            term.id
            for name in declared.tables[table].columns
            for term in declared.terms.values()
            if name in (term.id, term.plural.casefold().replace(" ", "_"))
        ]

    def has(self, paths: Iterable[Path]) -> bool:
        """Return whether all of these texts are translated. Paths without a text are ignored."""
        texts = list_source_texts(self.original)
        return all(path in self.texts for path in paths if path in texts)


def read_translations(ruleset: Ruleset, diagnostics: Diagnostics) -> list[Translation]:
    """Return the translation into each language for which the edition itself has a file, in the order of file names.

    Each includes the files of lower layers. Errors, such as an unknown language, go to `diagnostics`, and a language
    with errors is left out. Reads the files in every call.
    """
    translations = []
    tags = list_words_files(ruleset.resolved.layers[-1].folder, diagnostics)
    for tag, path in tags.items():
        translation = read_translation(ruleset, tag, diagnostics, Span.for_file(str(path)))
        if translation is not None:
            translations.append(translation)
    return translations


def read_translation(ruleset: Ruleset, tag: str, diagnostics: Diagnostics, span: Span) -> Translation | None:
    """Return the translation into a language, which may have no file of the edition, or no file at all.

    None after errors. An unknown language is reported at `span`.
    """
    if tag == ENGLISH.tag or tag not in load_languages():
        known = [each for each in load_languages() if each != ENGLISH.tag]
        message = (
            "the rules themselves are in English"
            if tag == ENGLISH.tag
            else f"the book does not support the language `{tag}`"
        )
        hint = suggest_name(tag, known) or f"the book supports {', '.join(f'`{each}`' for each in known)}"
        diagnostics.add(UNKNOWN_LANGUAGE, message, span, suggestion=hint)
        return None
    before = len(diagnostics.errors)
    files = tuple(_files(ruleset, tag, diagnostics))
    return _translation(ruleset, load_languages()[tag], files) if len(diagnostics.errors) == before else None


def _files(ruleset: Ruleset, tag: str, diagnostics: Diagnostics) -> Iterable[WordsFile]:
    """Yield the translation files of the layers, lowest first. Invalid ones are reported and left out."""
    for layer in ruleset.resolved.layers:
        path = list_words_files(layer.folder, Diagnostics()).get(tag)
        if path is None:
            continue
        try:
            node = read_file(path)
        except DiagnosticError as error:
            diagnostics.extend(error.diagnostics)
            continue
        if isinstance(node, MappingNode) and read_language(layer.manifest) == 0:
            node, older = rename_older_keys(node, "words")
            diagnostics.extend(report_older_keys(older))
        if validate(node, "words", diagnostics, overlay=False) and isinstance(node, MappingNode):
            whole = expand_short_forms(node, build_words_shape())
            assert isinstance(whole, MappingNode)
            yield WordsFile(layer, path, node, whole)


def _translation(ruleset: Ruleset, language: Language, files: tuple[WordsFile, ...]) -> Translation:
    """Return the translation in these files. Texts and signatures of later files override those of earlier ones.

    Only the file of the edition itself says what must be complete.
    """
    top = ruleset.resolved.layers[-1]
    texts: dict[Path, TranslatedText] = {}
    reviewed: dict[str, Scalar] = {}
    for file in files:
        for key, member in build_words_shape().members.items():
            node = file.node.get(key)
            if node is None or key in (COMPLETE, REVIEWED):
                continue
            for path, lines in iterate_leaves(node, member.shape, (key,)):
                if key == EDITION and not _is_own_text(path[1], file.layer, ruleset):
                    continue
                texts[path] = TranslatedText(lines, file, isinstance(_at(file.node, path), Sequence))
        signed = file.node.get(REVIEWED)
        for name, entry in signed.entries.items() if isinstance(signed, MappingNode) else ():
            if isinstance(entry.value, Scalar) and (name != EDITION or file.layer is top):
                reviewed[name] = entry.value
    promised = files[-1].node.get(COMPLETE) if files and files[-1].layer is top else None
    complete = (
        tuple(item for item in promised.items if isinstance(item, Scalar)) if isinstance(promised, Sequence) else ()
    )
    return Translation(ruleset, language, files, texts, reviewed, complete)


def _is_own_text(key: str, layer: Layer, ruleset: Ruleset) -> bool:
    """Return whether the manifest of the edition has the text of a layer's manifest, which editions do not inherit."""
    theirs, own = layer.manifest.get(key), ruleset.resolved.layers[-1].manifest.get(key)
    return theirs is own or (theirs is not None and own is not None and is_same(theirs, own))


def _at(node: Node, path: Path) -> Node | None:
    result: Node | None = node
    for key in path:
        result = result.get(key) if isinstance(result, MappingNode) else None
    return result


def _replace_texts(ruleset: Ruleset, language: Language, texts: Mapping[Path, TranslatedText]) -> Ruleset:
    """Return the ruleset built again with its texts replaced by translations, and with its language set.

    Translations of texts that do not exist are ignored. Raises `AssertionError` if the gameplay digest changes.
    """
    there = list_source_texts(ruleset)
    # Languages have different grammatical forms, so a translation may add some.
    current = {path: text for path, text in texts.items() if path in there or is_form(path, ruleset)}
    manifest, rules = ruleset.resolved.manifest, ruleset.resolved.rules
    of_edition = {path[1:]: text for path, text in current.items() if path[0] == EDITION}
    spaces = {path: text for path, text in current.items() if path not in there and _is_space(path, ruleset)}
    others = {path: text for path, text in current.items() if path[0] != EDITION and path not in spaces}
    manifest = _lay_over(manifest, of_edition)
    tag = Scalar(TEXT_LANGUAGE, TEXT_LANGUAGE, manifest.span)
    marked = {**manifest.entries, TEXT_LANGUAGE: Entry(tag, Scalar(language.tag, language.tag, manifest.span))}
    below = ruleset.resolved
    manifest, rules = MappingNode(marked, manifest.span), _lay_over(rules, others)
    result = build(ResolvedRules(manifest, _lay_over(rules, spaces), below.layers, below.history), Diagnostics())
    if spaces:
        # Rows of a board are gameplay, but not the titles of spaces that the rules do not mention.
        everything = result.digest_of_all
        digests = compute_once(lambda: replace(compute_digests(manifest, rules), everything=everything))
        result = replace(result, digests=digests)
    assert result.digest == ruleset.digest, "translated texts must not affect the gameplay"
    return result


def is_form(path: Path, ruleset: Ruleset) -> bool:
    """Return whether a language may add or omit the text at a path.

    These are grammatical forms, synonyms, column headings, and titles of the spaces that a board's shape generates.
    False if the rules have no such term, table, column or space.
    """
    if len(path) == 4 and path[::2] == ("terms", "forms"):
        return path[1] in ruleset.declarations.terms
    if _is_noun(path, ruleset):
        return True
    if len(path) == 4 and path[::2] == ("tables", "headings"):
        table = ruleset.declarations.tables.get(path[1])
        return table is not None and path[3] in table.columns
    if _is_space(path, ruleset):
        return True
    return len(path) == 3 and path[::2] == ("terms", "also") and path[1] in ruleset.declarations.terms


_NOUNS = ("wording", "unit")


def _is_noun(path: Path, ruleset: Ruleset) -> bool:
    """Return whether a path is that of a noun for sentences, which English makes from an id or a term."""
    declared = ruleset.declarations
    match path:
        case (section, identity, "names" | "wording" as key, *_) if _has_key(section, key):
            entries = ruleset.resolved.rules.get(section)
            return isinstance(entries, MappingNode) and identity in entries
        case ("tables", table, "columns", column, "wording" | "names", *_) if table in declared.tables:
            return column in declared.tables[table].formulas
        case ("state", identity, "unit", *_):
            return identity in declared.kinds[GAME_KIND].fields
        case ("kinds", kind, "fields" | "derived", name, key, *_) if key in _NOUNS and kind in declared.kinds:
            return name in declared.kinds[kind].fields or name in declared.kinds[kind].derived
    return False


def _has_key(section: str, key: str) -> bool:
    """Return whether the entries of a section may have a key. False for what is no section."""
    known = load_sections().get(section)
    return known is not None and key in known.entry.members


def _is_space(path: Path, ruleset: Ruleset) -> bool:
    """Return whether a path is that of the title of a space of a board."""
    if len(path) != 5 or path[::2] != ("tables", "rows", "title"):
        return False
    board = ruleset.declarations.tables.get(path[1])
    return board is not None and board.has_places and path[3] in board.rows


def _lay_over(node: MappingNode, texts: Mapping[Path, TranslatedText]) -> MappingNode:
    """Return a copy of a mapping with texts merged over it, each at its path relative to the mapping.

    Missing mappings are added. A text below a value that is not a mapping is ignored.
    """
    below: dict[str, dict[Path, TranslatedText]] = {}
    for path, text in texts.items():
        below.setdefault(path[0], {})[path[1:]] = text
    changed = dict(node.entries)
    for key, inner in below.items():
        there = node.entries.get(key)
        leaf = inner.get(())
        if leaf is not None:
            name = there.key if there is not None else Scalar(key, key, leaf.span)
            changed[key] = Entry(name, Sequence(leaf.lines, leaf.span) if leaf.is_list else leaf.lines[0])
        elif there is not None and isinstance(there.value, Sequence):
            changed[key] = Entry(there.key, _lay_over_steps(there.value, inner))
        elif there is None or isinstance(there.value, MappingNode | Scalar):
            # A phrase may be a clause in one language and a noun in another.
            span = next(iter(inner.values())).span
            known = there is not None and isinstance(there.value, MappingNode)
            value = there.value if there is not None and known else MappingNode({}, span)
            assert isinstance(value, MappingNode)
            changed[key] = Entry(there.key if there is not None else Scalar(key, key, span), _lay_over(value, inner))
    return MappingNode(changed, node.span)


def _lay_over_steps(node: Sequence, texts: Mapping[Path, TranslatedText]) -> Sequence:
    """Return a copy of a list of steps with texts merged over it. Each path begins with the id of a step."""
    return Sequence(tuple(_lay_over_step(item, texts) for item in node.items), node.span)


def _lay_over_step(node: Node, texts: Mapping[Path, TranslatedText]) -> Node:
    if isinstance(node, Sequence):
        return _lay_over_steps(node, texts)
    if not isinstance(node, MappingNode):
        return node
    changed = {key: Entry(entry.key, _lay_over_step(entry.value, texts)) for key, entry in node.entries.items()}
    identity = node.get("id")
    own = {path[1:]: text for path, text in texts.items() if isinstance(identity, Scalar) and path[0] == identity.text}
    copied = MappingNode(changed, node.span)
    labels = {path[1]: text for path, text in own.items() if path[0] == OPTIONS and len(path) == 2}
    if labels and find_options(copied) is not None:
        into: dict[Path, TranslatedText] = {
            ("choose", "from", option, "label"): text for option, text in labels.items()
        }
        copied = _lay_over(copied, into)
    return _lay_over(copied, {path: text for path, text in own.items() if len(path) == 1})
