"""A loaded ruleset: what the machine plays and every reader reads."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from rulewright.base.lazy import make_once
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import Declarations
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar

if TYPE_CHECKING:
    # What reads these is of no use to a game that comes from the cache.
    from rulewright.language.checked_steps import Procedure
    from rulewright.ruleset.layers.layer import ResolvedRules
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


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Ruleset:
    """One version of one edition, resolved and checked.

    `reference` is `<game>/<edition>@<version>`, `digest` that of its gameplay, `digest_of_counts` that of
    all that counts of games come from (measures and the judgement of bots besides), `digest_of_all` that of all that
    was written, `players` the fewest and most who may play, `start` the procedure a whole game carries out, `payoff`
    the formula that says what a game was worth to a player where it is more than won or lost, `evaluate` the formula
    by which bots judge how well a player stands, `sections` what each section of the rules was read into (what the
    language declares is in `declarations`), `warnings` what checking it found that is no error.
    """

    reference: str
    title: str
    about: str
    version: str
    status: str
    digest: str
    digest_of_counts: str
    digest_of_all: str
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

    def get_or_make(self, make: Callable[[Ruleset], T], *which: Hashable) -> T:
        """Return what `make` makes of the ruleset.

        The same whenever and in whatever thread it is asked for, and gone when the ruleset is.

        It may refer to the ruleset, which what is kept beside a ruleset in a table of weak references may not: that
        would keep it for ever. `which` tells apart what one function makes of it.
        """
        return make_once(self._made, (make, *which), lambda: make(self))

    @property
    def procedures(self) -> Mapping[str, Procedure]:
        """The procedures, checked."""
        return self.sections["procedures"]

    @property
    def measures(self) -> Mapping[str, Measure]:
        """The figures simulations report."""
        return self.sections["measures"]

    @property
    def weights(self) -> Mapping[str, Weights]:
        """The ways to judge a position that were learned in play."""
        return self.sections["weights"]

    @property
    def expectations(self) -> Mapping[str, Expectation]:
        """What play between bots should come to."""
        return self.sections["expect_play"]

    @property
    def examples(self) -> Mapping[str, Example]:
        """The executable examples."""
        return self.sections["examples"]

    @property
    def samples(self) -> Mapping[str, Sample]:
        """The samples of play."""
        return self.sections["samples"]

    @property
    def stories(self) -> Mapping[str, Story]:
        """The picture stories."""
        return self.sections["stories"]

    @property
    def setups(self) -> Mapping[str, Setup]:
        """The tables that are shown set up."""
        return self.sections["setups"]

    @property
    def overviews(self) -> Mapping[str, Overview]:
        """The overviews, worked out."""
        return self.sections["overviews"]

    @property
    def layouts(self) -> Mapping[str, DisplayLayout]:
        """How the game is laid out where it is played in a page."""
        return self.sections["board"]

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """The rulings."""
        return self.sections["rulings"]

    @property
    def faq(self) -> Mapping[str, FaqQuestion]:
        """The questions that players ask."""
        return self.sections["faq"]

    @property
    def pages(self) -> Mapping[str, Page]:
        """The pages of the rulebook, in its order."""
        return self.sections["pages"]

    @property
    def date(self) -> str:
        """When the edition was written; empty where its manifest does not say."""
        return self._settled("date")

    @property
    def audience(self) -> str:
        """For whom the edition is; empty where its manifest does not say."""
        return self._settled("for")

    @property
    def takes(self) -> str:
        """How long people play it; empty where its manifest does not say."""
        return self._settled("takes")

    @property
    def language(self) -> str:
        """The tag of the language that its words are in: `en`, but where they were replaced by others."""
        return self._settled("language") or "en"

    def _settled(self, key: str) -> str:
        node = self.resolved.manifest.get(key)
        return node.text if isinstance(node, Scalar) else ""

    @property
    def name(self) -> str:
        """The reference without its version."""
        return self.reference.partition("@")[0]

    def __copy__(self) -> Ruleset:
        return self  # nothing of it ever changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Ruleset:
        return self

    def __repr__(self) -> str:
        return f"load_ruleset({self.reference!r})"
