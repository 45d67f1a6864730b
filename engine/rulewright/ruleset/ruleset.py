"""The loaded ruleset: merged, checked and immutable."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from rulewright.base.lazy import make_once
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import Declarations, OptionDeclaration
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar

if TYPE_CHECKING:
    # Not imported at run time, because a cached ruleset needs none of the modules that read these sections.
    from rulewright.language.checked_steps import Procedure
    from rulewright.ruleset.layers.layer import ResolvedRules
    from rulewright.ruleset.schema.digest import RulesDigests
    from rulewright.ruleset.sections.board import DisplayLayout
    from rulewright.ruleset.sections.examples import Example
    from rulewright.ruleset.sections.expect_play import Expectation
    from rulewright.ruleset.sections.faq import FaqQuestion
    from rulewright.ruleset.sections.measures import Measure
    from rulewright.ruleset.sections.overviews import Overview
    from rulewright.ruleset.sections.pages import Page
    from rulewright.ruleset.sections.rulings import Ruling
    from rulewright.ruleset.sections.samples import Sample
    from rulewright.ruleset.sections.setups import Setup
    from rulewright.ruleset.sections.stories import Story
    from rulewright.ruleset.sections.weights import Weights

T = TypeVar("T")

TEXT_LANGUAGE = "text_language"
"""The setting with the language tag of a translation. No manifest has it; the translation sets it."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Ruleset:
    """One version of an edition, merged and checked.

    Immutable. Copies are the same object, and equality is identity.

    Attributes:
        reference: `<game>/<edition>@<version>`.
        digests: A function that computes the digests of the rules. It is called only if one is read.
        players: The minimum and maximum number of players.
        start: The procedure that a whole game runs, or None if there is none.
        payoff: The formula for a player's payoff, or None if games are just won or lost.
        evaluate: The formula by which bots evaluate a player's position, or None.
        simulations: The settings that simulations use, by option.
        steps: All steps of all procedures by number.
        sections: What each section was read into. `declarations` holds what the language declares.
        warnings: The diagnostics, none of which are errors.
    """

    reference: str
    title: str
    about: str
    version: str
    status: str
    digests: Callable[[], RulesDigests]
    players: tuple[int, int]
    start: str | None
    payoff: str | None
    evaluate: str | None
    simulations: Mapping[str, str]
    declarations: Declarations
    steps: Mapping[int, Step]
    sections: Mapping[str, Mapping[str, Any]]
    resolved: ResolvedRules
    warnings: Diagnostics
    _made: dict[Any, Any] = field(init=False, default_factory=dict, repr=False)

    @property
    def is_tracked(self) -> bool:
        """Whether it notes what is read of it."""
        return False

    def format_players(self) -> str:
        """Return the allowed numbers of players in words, such as `2 to 4 players`."""
        fewest, most = self.players
        if fewest == most:
            return "1 player" if most == 1 else f"{most} players"
        return f"{fewest} to {most} players"

    def get_or_make(self, make: Callable[[Ruleset], T], *which: Hashable) -> T:
        """Return `make(self)`, computed once for each `make` and `which` and cached for the ruleset's lifetime.

        Thread-safe. Use this in place of a weak dictionary: the value may refer to the ruleset without keeping it
        alive. `which` distinguishes several values of one function.
        """
        return make_once(self._made, (make, *which), lambda: make(self))

    def get_part(self, make: Callable[[Ruleset], T], part: Hashable) -> T:
        """Return `get_or_make(make)` for a caller that depends only on a part of it.

        The value must have `parts`, a mapping. A part is named by its key there, even if it is missing.
        """
        return self.get_or_make(make)

    @property
    def digest(self) -> str:
        """The digest of the gameplay."""
        return self.digests().gameplay

    @property
    def digest_of_counts(self) -> str:
        """The digest of all that results of simulations depend on: gameplay, measures and `evaluate`."""
        return self.digests().counts

    @property
    def digest_of_all(self) -> str:
        """The digest of all rules and texts."""
        return self.digests().everything

    @property
    def procedures(self) -> Mapping[str, Procedure]:
        """The checked procedures by id."""
        return self.sections["procedures"]

    @property
    def options(self) -> Mapping[str, OptionDeclaration]:
        """The settings of a game by name, each with its `default` and `choices`."""
        return self.declarations.options

    @property
    def measures(self) -> Mapping[str, Measure]:
        """The measures that simulations report, by id."""
        return self.sections["measures"]

    @property
    def weights(self) -> Mapping[str, Weights]:
        """The learned weights for evaluating positions, by id."""
        return self.sections["weights"]

    @property
    def expectations(self) -> Mapping[str, Expectation]:
        """The balance targets that simulated games must reach, by id."""
        return self.sections["expect_play"]

    @property
    def examples(self) -> Mapping[str, Example]:
        """The executable examples by id."""
        return self.get_or_make(_resolve_examples)

    @property
    def samples(self) -> Mapping[str, Sample]:
        """The sample games by id."""
        return self.sections["samples"]

    @property
    def stories(self) -> Mapping[str, Story]:
        """The comic strips by id."""
        return self.sections["stories"]

    @property
    def setups(self) -> Mapping[str, Setup]:
        """The pictures of boards at the start, by id."""
        return self.sections["setups"]

    @property
    def overviews(self) -> Mapping[str, Overview]:
        """The overviews by id, with their computed values."""
        return self.sections["overviews"]

    @property
    def layouts(self) -> Mapping[str, DisplayLayout]:
        """The layouts of the board on the play page, by id."""
        return self.sections["board"]

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """The rulings by id."""
        return self.sections["rulings"]

    @property
    def faq(self) -> Mapping[str, FaqQuestion]:
        """The frequently asked questions by id."""
        return self.sections["faq"]

    @property
    def pages(self) -> Mapping[str, Page]:
        """The pages of the rulebook by id, in their order."""
        return self.sections["pages"]

    @property
    def date(self) -> str:
        """The date of the edition, or empty if the manifest gives none."""
        return self._read_setting("date")

    @property
    def audience(self) -> str:
        """The intended audience, or empty if the manifest gives none."""
        return self._read_setting("for")

    @property
    def takes(self) -> str:
        """The playing time, or empty if the manifest gives none."""
        return self._read_setting("takes")

    @property
    def language(self) -> str:
        """The language tag of the texts: `en`, or that of the translation."""
        return self._read_setting(TEXT_LANGUAGE) or "en"

    def _read_setting(self, key: str) -> str:
        node = self.resolved.manifest.get(key)
        return node.text if isinstance(node, Scalar) else ""

    @property
    def name(self) -> str:
        """The reference without its version."""
        return self.reference.partition("@")[0]

    def __copy__(self) -> Ruleset:
        return self  # it is immutable

    def __deepcopy__(self, memo: dict[int, Any]) -> Ruleset:
        return self

    def __repr__(self) -> str:
        return f"load_ruleset({self.reference!r})"


def _resolve_examples(ruleset: Ruleset) -> Mapping[str, Example]:
    """Return the examples, with the id of the formula in place of the column of a table that an example computes."""
    examples: Mapping[str, Example] = ruleset.sections["examples"]
    ids = {name: ruleset.declarations.find_formula(each.of) for name, each in examples.items()}
    return {name: each if each.of == ids[name] else replace(each, of=ids[name]) for name, each in examples.items()}
