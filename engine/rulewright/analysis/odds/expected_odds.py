"""The check of the odds that examples claim (`expect_odds`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rulewright.analysis.odds.end_expressions import AnswerOdds
from rulewright.analysis.odds.procedure_odds import ProcedureOdds, ProcedureSetting, compute_procedure_odds
from rulewright.base.errors import RulewrightError
from rulewright.engine import engine_diagnostics
from rulewright.engine.state.faults import RulesFault
from rulewright.language.types import Boolean, Choice, Integer, Row, present
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Claim, Example
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.yaml.core_schema import parse_whole_number

MOST_BRANCHES = 50_000
"""The maximum number of branches of an example: about a second of work in every check of the rules."""

MOST_SHOWN = 12

YES = "yes"


@dataclass(frozen=True, slots=True)
class ExampleOdds:
    """The odds of an example (None if they could not be computed) and the problems with its claims."""

    odds: ProcedureOdds | None
    problems: Diagnostics
    branches: int = 0
    """The number of branches followed, or the limit if it was exceeded."""

    def answer(self, claim: Claim) -> AnswerOdds | None:
        """Return the answer that a claim is about, or None without odds."""
        answers = () if self.odds is None else self.odds.answers
        return next((each for each in answers if each.question.written == claim.expression.text), None)


def weigh(ruleset: Ruleset, example: Example, *, most: int = MOST_BRANCHES) -> ExampleOdds:
    """Compute the odds of an example and check its claims against them.

    The computation follows at most `most` branches, and never more than `MOST_BRANCHES`. The result collects failed
    claims, invalid expressions and rules that fail in play as `problems`. Only a `RulesFault` without a diagnostic is
    raised.
    """
    problems, most = Diagnostics(), min(most, MOST_BRANCHES)
    setting = ProcedureSetting(
        example.given, example.policy, [str(c) for c in example.choose], example.players, example.options
    )
    expressions = list(dict.fromkeys(claim.expression.text for claim in example.claims))
    try:
        odds = compute_procedure_odds(
            ruleset, example.of, expressions, setting=setting, most=min(most, MOST_BRANCHES), sampling=False
        )
    except DiagnosticError as error:
        problems.extend(error.diagnostics)
        return ExampleOdds(None, problems)
    except RulesFault as error:
        if error.diagnostic is None:
            raise
        problems.extend((error.diagnostic,))
        return ExampleOdds(None, problems)
    except RulewrightError as error:
        hint = "start from a smaller position, or settle decisions by `policy:` or `choose:`"
        problems.add(
            engine_diagnostics.BAD_EXAMPLE,
            f"`{example.id}`: {error}",
            example.span,
            suggestion=hint,
            examples=(example.id,),
        )
        return ExampleOdds(None, problems, most)
    weighed = ExampleOdds(odds, problems, odds.branches)
    for claim in example.claims:
        answer = weighed.answer(claim)
        assert answer is not None
        _hold(ruleset, example, claim, answer, problems)
    return weighed


def find_chance(claim: Claim, answer: AnswerOdds) -> Fraction | None:
    """Return the computed value of a claim: the mean or the probability of its answer.

    None if the claim is about a mean and the answer has none.
    """
    if claim.of_mean:
        return answer.mean
    return answer.chances.get(claim.answer or YES, Fraction(0))


def _hold(ruleset: Ruleset, example: Example, claim: Claim, answer: AnswerOdds, problems: Diagnostics) -> None:
    """Report in `problems` if a claim is not true of `answer`, or if what it is about never occurs."""
    value = find_chance(claim, answer)
    result = claim.answer or YES
    if value is None or not (claim.of_mean or result in answer.chances or _may_come(ruleset, result, answer)):
        hint = suggest_name(result, answer.chances) or f"the answers are {', '.join(list(answer.chances)[:MOST_SHOWN])}"
        no_mean = "a mean: it is not a number, or does not always have a value"
        what = no_mean if claim.of_mean else f"the answer `{result}`"
        message = f"`{example.id}`: `{claim.expression.text}` never has {what}"
        problems.add(engine_diagnostics.EXAMPLE_FAILED, message, claim.span, suggestion=hint, examples=(example.id,))
    elif not claim.holds_for(value):
        expression = claim.expression.text
        if claim.of_mean:
            what = f"the mean of `{expression}` should be {claim.text} but is {float(value):.6g}"
        else:
            which = f"`{claim.answer}` as `{expression}`" if claim.answer else f"`{expression}`"
            what = f"the chance of {which} should be {claim.text} but is {format_chance(value)}"
        problems.add(
            engine_diagnostics.EXAMPLE_FAILED,
            f"`{example.id}`: {what}",
            claim.span,
            suggestion=format_distribution(answer.chances),
            examples=(example.id,),
        )


def _may_come(ruleset: Ruleset, expected: str, answer: AnswerOdds) -> bool:
    """Return whether an answer that never occurred is a possible value of the question, with probability 0."""
    match present(answer.question.type):
        case Boolean():
            return expected in (YES, "no")
        case Integer():
            return parse_whole_number(expected.removeprefix("-")) is not None
        case Row(table=table):
            return expected in ruleset.declarations.tables[table].rows
        case Choice(ids=ids):
            return expected in ids
    return False


def format_distribution(chances: Mapping[str, Fraction]) -> str:
    """Return the odds as text: a heading, and a line for each of the first `MOST_SHOWN` answers.

    If there are more answers, a last line has their number.
    """
    lines = [f"  {each}: {format_chance(chance)}" for each, chance in list(chances.items())[:MOST_SHOWN]]
    more = len(chances) - len(lines)
    return "\n".join(["the odds are:", *lines, *([f"  … and {more} more"] if more > 0 else [])])


def format_chance(chance: Fraction) -> str:
    """Return a probability as a percentage with four significant digits."""
    return f"{float(chance * 100):.4g} %"
