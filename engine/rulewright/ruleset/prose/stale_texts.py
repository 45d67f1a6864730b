"""Find texts that were written for other rules: check their signatures and describe what has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from rulewright.ruleset import prose_diagnostics as codes
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.prose.layer_changes import find_layer_changes
from rulewright.ruleset.prose.text_signature import compute_signature
from rulewright.ruleset.sections.pages import Section
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Edit

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset


LONGEST = 300
"""The maximum length of a rule quoted in a warning; its first line is never cut."""

Describe = Callable[[str], Sequence[str]]
"""A function that returns the description of a rule by its path, as generated sentences, one per step."""


def lint_signature(section: Section, ruleset: Ruleset, diagnostics: Diagnostics, describe: Describe | None) -> None:
    """Report a text whose rules have changed since it was signed, or an unsigned text of a released edition.

    `describe` returns the current lines of a rule by its path, for the hint. It may be None.
    """
    paths = [path.text for path in section.explains]
    top = ruleset.resolved.layers[-1].name
    signature = compute_signature(section, ruleset)
    name = section.name
    newer = is_newer(section, ruleset)
    written = section.node.get("text") if newer else None
    span = section.span if written is None else written.span
    sign = f"reviewed: {signature}"
    # Other editions may extend the layer with the text or its signature, so the top layer gets a new one.
    if ruleset.resolved.find_layer(span if newer or section.reviewed is None else section.reviewed.span) != top:
        for key in reversed(section.path[1:]):
            sign = f"{key}: {{{sign}}}"
        sign = f"{section.path[0]}: {{{sign}}}` in a file of `{top}"
    if section.reviewed is None or newer:
        if ruleset.status == "released":
            hint = f"compare it with {_list(paths)}, then add `{sign}`"
            message = f"the text of `{name}` is not signed"
            diagnostics.add(codes.TEXT_UNREVIEWED, message, span, suggestion=hint)
    elif section.reviewed.text != signature:
        hint = f"compare it with {_list(paths)}. Change it if it is no longer true. Then sign it: write `{sign}`"
        if describe:
            hint += f", or `check --sign {ruleset.reference} {name}` shows the full text and signs it"
            hint += _now(section, ruleset, describe)
        message = f"the text of `{name}` may be out of date: its rules have changed since an author compared it"
        # Offer no edit, because an author must compare the text with the rules first.
        diagnostics.add(codes.TEXT_OUTDATED, message, section.reviewed.span, suggestion=hint)


def _now(section: Section, ruleset: Ruleset, describe: Describe) -> str:
    """Return the known changes of the rules, or else the first lines of the rules, as the end of a hint."""
    changes = find_layer_changes(section, ruleset)
    descriptions = {each.path: [] if each.is_removed else describe(each.path) for each in changes}
    heads = {each.path: f"{each.path} ({each.how})" for each in changes}
    if not changes:
        descriptions = {path.text: describe(path.text) for path in section.explains}
        heads = {path: path for path in descriptions}
    text = "".join(f"\n  {heads[path]}{': ' if lines else ''}{_first(lines)}" for path, lines in descriptions.items())
    return f". {'What changed' if changes else 'The rules now say'}:{text}"


def _first(lines: Sequence[str]) -> str:
    """Return the first lines of a rule, up to `LONGEST` characters but at least one line."""
    stripped = [line.strip() for line in lines]
    ends = accumulate(len(line) + 1 for line in stripped)
    count = max(1, sum(end <= LONGEST for end in ends))
    return " ".join([*stripped[:count], *(["…"] if count < len(stripped) else [])])


def is_signed(section: Section, ruleset: Ruleset) -> bool:
    """Return whether this text is signed for the current rules, or True if it explains none.

    A signature below the layer that wrote the text is that of another text. In the same layer, a change of the text
    keeps it, because it depends only on the rules.
    """
    if not section.explains:
        return True
    signed = section.reviewed is not None and section.reviewed.text == compute_signature(section, ruleset)
    return signed and not is_newer(section, ruleset)


def build_signing_edits(section: Section, ruleset: Ruleset) -> tuple[Edit, ...]:
    """Return the edits that sign a text in the top layer. Changes no file.

    Empty if the layer has no rules file, or if its text is no longer known.
    """
    path = (*section.path, "reviewed")
    edit = build_value_edit(ruleset.resolved.layers[-1], path, compute_signature(section, ruleset))
    return () if edit is None else (edit,)


def is_newer(section: Section, ruleset: Ruleset) -> bool:
    """Return whether a layer above that of the signature wrote the text, so that another text was signed.

    False if the text is missing or not signed.
    """
    written = section.node.get("text")
    if written is None or section.reviewed is None:
        return False
    order = [layer.name for layer in ruleset.resolved.layers]
    return order.index(ruleset.resolved.find_layer(written.span)) > order.index(
        ruleset.resolved.find_layer(section.reviewed.span)
    )


def _list(paths: list[str]) -> str:
    return ", ".join(f"`{path}`" for path in paths)
