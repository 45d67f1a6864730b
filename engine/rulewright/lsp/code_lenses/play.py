"""Play a procedure from here, from scratch or from an example. The user makes the decisions."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.decision import build_decision
from rulewright.engine.game.script import Script
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.game_state import State
from rulewright.language.checked_steps import Step
from rulewright.lsp.features.code_lens import Ask, LensResult, LensTarget, Work
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.scratch_run import RunSetup, as_in, describe_run, setup_of, try_setup
from rulewright.testing.procedure_run import Moment, RunStoppedError

PLACE = 30

MOST_EVENTS = 3
"""The number of recent events shown with a question."""


class _LeftError(RulewrightError):
    """The user cancelled the question."""


class _ChoiceScript(Script):
    """A script that leaves dice to chance, and asks for every choice."""

    def __init__(self, ask: Ask, seed: int) -> None:
        super().__init__(generator=Generator(seed, "run"))
        self.ask = ask
        self.moments: Sequence[Moment] = ()

    @property
    def listens(self) -> bool:
        return True

    def observe(self, moments: Sequence[Moment]) -> None:
        self.moments = tuple(moments)

    def _choice(self, ids: Sequence[str], state: State, step: Step, names: Names) -> int:
        """Ask the player, and return the index of the chosen option. Raises `_LeftError` if the player leaves."""
        decision = build_decision(state)
        text = [moment.event.text for moment in self.moments if moment.event.text][-MOST_EVENTS:]
        question = " · ".join([*text, f"Player {decision.player}: {decision.ask}"])
        answer = self.ask(question, [option.label for option in decision.options])
        if answer is None:
            raise _LeftError("the game was left")
        return answer


def title(good: Good, section: str, id: str) -> str | None:
    """Return above the game itself, and above examples of procedures."""
    if section == "procedures":
        return "play" if id == good.ruleset.start and setup_of(good.ruleset, id) is not None else None
    return "play from here" if section == "examples" and as_in(good.ruleset, id) is not None else None


def begin(clicked: LensTarget) -> Work:
    """Return the work of the lens.

    The run starts as in the example, rolls dice at random, and asks for every choice.
    """
    ruleset, id = clicked.good.ruleset, clicked.id

    def work() -> LensResult:
        """Play the procedure, and return what happened as a page of Markdown, even if it stops early."""
        setup: RunSetup | None = as_in(ruleset, id) if clicked.section == "examples" else setup_of(ruleset, id)
        assert setup is not None
        seed = clicked.seed
        script = _ChoiceScript(clicked.ask, seed)
        head = [f"# {Names(ruleset).name_procedure(setup.procedure)}", "", f"{ruleset.reference}, seed {seed}", ""]
        try:
            run = describe_run(try_setup(ruleset, setup, script=script))
        except RunStoppedError as stopped:
            run = describe_run(stopped)
        except _LeftError as left:
            run = [*(f"- {each.event.text}" for each in script.moments if each.event.text), "", f"*{left}*"]
        return LensResult(f"play {id}", "\n".join([*head, *run]) + "\n")

    return work
