"""Run a procedure once with random results, or an example as written, and show each step."""

from __future__ import annotations

from rulewright.engine.narration.plain_names import Names
from rulewright.lsp.features.code_lens import LensResult, LensTarget, Work
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.scratch_run import describe_run, setup_of, try_setup
from rulewright.testing.procedure_run import RunStoppedError
from rulewright.testing.run_examples import run_example

PLACE = 10


def title(good: Good, section: str, id: str) -> str | None:
    """Return above procedures that can be begun, and above examples."""
    if section == "procedures":
        return "run" if setup_of(good.ruleset, id) is not None else None
    return "run" if section == "examples" and id in good.ruleset.examples else None


def begin(clicked: LensTarget) -> Work:
    """Return the work of the lens, which runs a procedure or an example.

    For a procedure, its result names the seed, so that the run can be repeated.
    """
    ruleset, id = clicked.good.ruleset, clicked.id

    def procedure() -> LensResult:
        """Run the procedure, and return what happened as a page of Markdown, even if it stops early."""
        setup, seed = setup_of(ruleset, id), clicked.seed
        assert setup is not None
        how = f"as in the example `{setup.example}`" if setup.example else f"`rulewright run {ruleset.reference} {id}`"
        head = [f"# {Names(ruleset).name_procedure(id)}", "", f"{ruleset.reference}, {how}, seed {seed}", ""]
        try:
            run = describe_run(try_setup(ruleset, setup, seed=seed))
        except RunStoppedError as stopped:
            run = describe_run(stopped)
        return LensResult(f"run {id}", "\n".join([*head, *run]) + "\n")

    def example() -> LensResult:
        """Run the example, and return what happened with its problems as a page of Markdown."""
        run = run_example(ruleset, ruleset.examples[id])
        head = [
            f"# {Names(ruleset).format_words(run.example.title)}",
            "",
            f"{ruleset.reference}, the example `{id}`",
            "",
        ]
        steps = describe_run(run.finished) if run.finished is not None else []
        expected = [
            f"- `{each.expression}` {'is' if each.holds else 'should be'} {each.expected}"
            + ("" if each.holds else f" but is {each.actual}")
            for each in run.expectations
        ]
        wrong = [f"**{each.message}**" for each in run.problems.errors]
        return LensResult(f"run {id}", "\n".join([*head, *steps, "", *expected, "", *wrong]).rstrip() + "\n")

    return procedure if clicked.section == "procedures" else example
