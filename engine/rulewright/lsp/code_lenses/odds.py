"""The odds of a procedure, of a roll table, or of a number that is dice."""

from __future__ import annotations

from rulewright.analysis.odds.end_expressions import AnswerOdds
from rulewright.analysis.odds.procedure_odds import ProcedureSetting, compute_procedure_odds
from rulewright.base.number_format import format_percent, number
from rulewright.dice.ast import Roll
from rulewright.engine.narration.plain_names import Names
from rulewright.lsp.features import odds_hover
from rulewright.lsp.features.code_lens import LensResult, LensTarget, Work
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.scratch_run import RunSetup, setup_of

PLACE = 20

MOST_BRANCHES = 50_000
"""The maximum number of branches while the user waits. Beyond it, the odds are sampled."""

MOST_STOPS = 100_000
"""The maximum number of pause points in all sampled runs, about a second of work."""

PRECISION = 0.02


def title(good: Good, section: str, id: str) -> str | None:
    """Return the title for an entry with odds that can be computed, or None. The start procedure has none."""
    declared = good.ruleset.declarations
    if section == "procedures":
        return "odds" if setup_of(good.ruleset, id) is not None and id != good.ruleset.start else None
    if section == "tables":
        return "odds" if id in declared.tables and declared.tables[id].roll is not None else None
    if section == "numbers":
        return "odds" if id in declared.numbers and isinstance(declared.numbers[id].value, Roll) else None
    return None


def begin(clicked: LensTarget) -> Work:
    """Return the work of the lens. Odds are exact if they are quick to compute, and sampled otherwise."""
    ruleset, id = clicked.good.ruleset, clicked.id

    def work() -> LensResult:
        """Compute the odds, and return them as a page of Markdown."""
        head = [f"# `{id}`", "", ruleset.reference, ""]
        if clicked.section == "procedures":
            setup = setup_of(ruleset, id)
            assert setup is not None
            head[0] = f"# {Names(ruleset).name_procedure(id)}"
            head[2] += f", as in the example `{setup.example}`" if setup.example else ""
            table = _procedure(clicked.good, setup)
        elif clicked.section == "tables":
            table = odds_hover.describe_table(ruleset.declarations.tables[id])
        else:
            value = ruleset.declarations.numbers[id].value
            table = odds_hover.describe_roll(value) if isinstance(value, Roll) else []
        return LensResult(f"odds of {id}", "\n".join([*head, *table]) + "\n")

    return work


def _procedure(good: Good, setup: RunSetup) -> list[str]:
    """Return the odds of a procedure as lines of Markdown, with a note if they are sampled."""
    setting = ProcedureSetting(setup.given, (), (), setup.players, setup.options)
    procedure_odds = compute_procedure_odds(
        good.ruleset, setup.procedure, setting=setting, most=MOST_BRANCHES, precision=PRECISION, stops=MOST_STOPS
    )
    lines = []
    if not procedure_odds.exact:
        lines += [f"*sampled in {procedure_odds.samples:,} runs: {procedure_odds.too_large}*", ""]
    for answer in procedure_odds.answers:
        lines += [f"## `{answer.question.written}`", "", *_answer(answer), ""]
    return lines or ["The procedure returns no value and does not change what a player has."]


def _answer(answer: AnswerOdds) -> list[str]:
    mean = [f"on average {number(answer.mean)}", ""] if answer.mean is not None and answer.question.counts else []
    rows = [f"| {answer.words[each]} | {format_percent(chance)} |" for each, chance in answer.chances.items()]
    return [*mean, "| answer | chance |", "|---|---:|", *rows]
