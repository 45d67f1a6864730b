"""From the files of an edition to a ruleset that is checked: the passes, in their order.

| pass           | from → to                                                     |
|----------------|---------------------------------------------------------------|
| `read_files`   | texts → documents → the layers of an edition                   |
| `lay_layers`   | layers → one resolved tree, with the history of its values     |
| `judge_shape`  | that tree → the tree without what has not the shape of a rule  |
| `build_rules`  | the tree → a `Ruleset`: declared, typed, checked               |

Two more make of it what is played, where somebody plays: `rulewright.ir.program.program_of` lowers a ruleset to
its program, `rulewright.engine.python_backend.compiler.compiled` makes a machine of that.

A pass takes a `Stage` and gives the next one; none changes what it was given. A stage holds what was made, everything
found on the way, and what is in doubt, so that a fault in one place takes away no answer about another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition, too_large
from rulewright.ruleset.layers.layer import Layer, Resolved
from rulewright.ruleset.layers.resolve_layers import is_stack, resolve
from rulewright.ruleset.recovery.blame import point_at_likenesses, point_at_removals
from rulewright.ruleset.recovery.override_blame import point_at_overrides
from rulewright.ruleset.recovery.tainted import Doubt, without_faults
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_builder import SectionError, build
from rulewright.ruleset.ruleset_diagnostics import OVERRIDE_WITHOUT_EFFECT
from rulewright.ruleset.schema.validator import validate
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics, TooManyErrors
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.safe_read import DEFAULT_LIMITS

MOST_ERRORS = 200
"""Errors of an edition that are told in one pass, beside those of single files."""

Made = TypeVar("Made", covariant=True)


@dataclass(frozen=True, slots=True)
class Stage(Generic[Made]):
    """What a pass made (None where nothing can be made), all that was found so far, and what that puts in doubt."""

    made: Made | None
    found: tuple[Diagnostic, ...] = ()
    doubt: Doubt = field(default_factory=Doubt)

    @property
    def sound(self) -> bool:
        """Whether no error was found."""
        return all(each.severity != "error" for each in self.found)

    def then(self, made: Any, found: Iterable[Diagnostic] = (), doubt: Doubt | None = None) -> Stage[Any]:
        """Return the stage after this one: what was found before stays found."""
        return Stage(made, (*self.found, *found), self.doubt if doubt is None else doubt)


def ruleset_of(catalogue: Catalogue, edition: Edition) -> Stage[Ruleset]:
    """Return an edition through all passes; no ruleset comes of one that is abstract, or could not even be merged."""
    return _through(read_files(catalogue, edition), lay_layers, judge_shape, build_rules)


def ruleset_of_layers(layers: Sequence[Layer]) -> Stage[Ruleset]:
    """Layers that were read already, or written nowhere, through the passes that follow."""
    return _through(Stage(tuple(layers)), lay_layers, judge_shape, build_rules)


def _through(stage: Stage[Any], *passes: Callable[[Stage[Any]], Stage[Any]]) -> Stage[Any]:
    for each in passes:
        if stage.made is None:
            return stage
        stage = each(stage)
    return stage


def read_files(catalogue: Catalogue, edition: Edition) -> Stage[tuple[Layer, ...]]:
    """Return the layers of an edition, the lowest first. What cannot be read of a file is left out, and in doubt."""
    try:
        chain = catalogue.chain(edition)
        if edition.follows is not None:
            catalogue.find(edition.follows)
    except DiagnosticError as error:
        return Stage(None, error.diagnostics)
    stacked = any(part.overlays for part in chain)
    layers: list[Layer] = []
    stage: Stage[tuple[Layer, ...]] = Stage(())
    hopeless, size = False, 0
    for part in chain:
        read = catalogue.layer(part)
        size += read.size
        if size > DEFAULT_LIMITS.edition:
            return Stage(None, (too_large(part, size),), stage.doubt)
        hopeless = hopeless or read.hopeless
        own = catalogue.written_for(part) if stacked else frozenset()
        files = tuple(file for _, file in read.files)
        layers.append(Layer(part.id, part.folder, part.manifest, files, own, part.over))
        stage = stage.then((), read.diagnostics, stage.doubt.losing(read.lost))
    # What merging would say of layers of which nothing is known is noise.
    return stage.then(None if hopeless else tuple(layers))


def lay_layers(stage: Stage[tuple[Layer, ...]]) -> Stage[Resolved]:
    """All layers as one tree. An abstract edition is whole only in the editions laid over it, where it is checked."""
    layers = stage.made or ()
    merging = Diagnostics()
    resolved = resolve(layers, merging)
    point_at_likenesses(merging, resolved)
    # Of overlays that know nothing of each other, what is wrong between them is told alone.
    contested = is_stack(layers) and bool(merging.errors)
    written = [file for layer in layers for file in layer.files]
    found = stage.doubt.sure(merging, written)
    doubt = stage.doubt.about([each for each in merging.errors if each.code is not OVERRIDE_WITHOUT_EFFECT], written)
    return stage.then(None if contested or _is_abstract(layers[-1]) else resolved, found, doubt)


def judge_shape(stage: Stage[Resolved]) -> Stage[Resolved]:
    """Return the tree as far as it has the shape of rules: an entry that has not is left out, and in doubt."""
    resolved = stage.made
    assert resolved is not None
    shapes = Diagnostics()
    if validate(resolved.rules, "rules", shapes, overlay=False):
        return stage
    point_at_likenesses(shapes, resolved)
    found = stage.doubt.sure(shapes, [resolved.rules])
    rules, lost = without_faults(resolved.rules, [fault.span for fault in shapes])
    whole = validate(rules, "rules", Diagnostics(), overlay=False)
    return stage.then(replace(resolved, rules=rules) if whole else None, found, stage.doubt.losing(lost))


def build_rules(stage: Stage[Resolved]) -> Stage[Ruleset]:
    """Return the ruleset.

    Of what was found before it is not asked again: only what does not follow from that is told.
    """
    resolved = stage.made
    assert resolved is not None
    checking = Diagnostics(stage.found if stage.sound else ())
    try:
        with checking.at_most(MOST_ERRORS):
            ruleset = build(resolved, checking, whole=stage.sound)
    except (TooManyErrors, SectionError):
        return Stage(None, tuple(checking), stage.doubt) if stage.sound else stage.then(None, checking)
    point_at_likenesses(checking, resolved)
    doubt = stage.doubt.missing(point_at_removals(checking, resolved))
    point_at_overrides(checking, resolved)
    if stage.sound:
        return Stage(ruleset, tuple(checking), doubt)
    found = doubt.sure(checking, [resolved.rules, resolved.manifest])
    return stage.then(ruleset, found, doubt.broken(checking.errors, resolved.rules))


def _is_abstract(layer: Layer) -> bool:
    status = layer.manifest.get("status")
    return status is not None and status.plain() == "abstract"
