"""Compare the time of the exact odds of a battle of twenty against twenty with that of 20,000 simulated battles.

Both answer the same question: how often do attackers win who keep all twenty units and a hero together, fight to the
end, and otherwise choose at random? The exact answer follows every branch, with empty caches. The simulation plays
battles on the compiled machine that rolls immediately, as `simulate` does, and must agree within five standard errors.
With 20,000 battles, the simulated answer has an error of a third of a percentage point. The exact answer has none.
"""

from __future__ import annotations

import argparse
from math import sqrt
from random import Random
from statistics import median
from time import perf_counter

from _environments import ensure
from _report import Ratio, report

ensure("rulewright")

from rulewright import Ruleset, load_ruleset  # noqa: E402
from rulewright.analysis.odds.procedure_odds import ProcedureSetting, compute_procedure_odds  # noqa: E402
from rulewright.analysis.odds.threshold_rolls import merge_comparison  # noqa: E402
from rulewright.dice.sampling import pools  # noqa: E402
from rulewright.dice.sampling.random_generator import Generator  # noqa: E402
from rulewright.engine.python_backend.compiler import PythonMachine  # noqa: E402
from rulewright.engine.state.game_state import DECISION, list_outcomes  # noqa: E402
from rulewright.source.diagnostics.collector import Diagnostics  # noqa: E402
from rulewright.source.nodes import Mapping  # noqa: E402
from rulewright.source.yaml.yaml_reader import read_text  # noqa: E402
from rulewright.testing.starting_position import PositionBuilder  # noqa: E402

TARGET = 1.0
GIVEN = "attacker: {player: 1, heroes: [{}], units: 20}\ndefender: {units: 20}\n"
POLICIES = ["random", "size=most", "stay=take:fight"]


def given() -> Mapping:
    """Return the two sides."""
    node = read_text(GIVEN, "benchmark")
    assert isinstance(node, Mapping)
    return node


def exact(ruleset: Ruleset) -> tuple[float, float]:
    """Return the exact probability that the attackers win, and the seconds to compute it."""
    for cached in (list_outcomes, merge_comparison):
        cached.cache_clear()
    for cached in vars(pools).values():
        getattr(cached, "cache_clear", lambda: None)()
    start = perf_counter()
    odds = compute_procedure_odds(
        ruleset, "battle", ["won"], setting=ProcedureSetting(given=given(), policies=POLICIES)
    )
    duration = perf_counter() - start
    assert odds.exact
    return float(odds.answers[0].chances["yes"]), duration


def simulated(ruleset: Ruleset, machine: PythonMachine, battles: int, seed: int) -> tuple[float, float]:
    """Return the share of simulated battles that the attackers win, and the seconds to play them."""
    diagnostics = Diagnostics()
    position = PositionBuilder(machine, given(), diagnostics)
    start, arguments = position.set_up("battle", None, {}, ruleset.procedures["battle"].span)
    diagnostics.raise_if_errors()
    generator, random, won = Generator(seed, "benchmark"), Random(seed), 0
    begun = perf_counter()
    for _ in range(battles):
        state = start.clone()
        state.generator = generator
        machine.begin(state, "battle", arguments)
        while state.mode == DECISION:
            step = ruleset.steps[state.frame[0]].id
            options = state.options
            if step == "stay":
                state.apply(options.index("fight"))
            elif step == "size":
                state.apply(options.index(max(options)))
            else:
                state.apply(random.randrange(len(options)))
        won += bool(state.given[0])
    return won / battles, perf_counter() - begun


def main() -> int:
    """Compute and simulate alternately. Compare the answers and the median times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="runs of each (default: %(default)s)")
    parser.add_argument("--battles", type=int, default=20_000, help="battles a run plays (default: %(default)s)")
    args = parser.parse_args()

    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    machine = PythonMachine(ruleset, sampling=True)
    exact(ruleset)  # compiles the rules, which both need once
    ours, theirs = [], []
    for run in range(args.runs):
        chance, duration = exact(ruleset)
        ours.append(duration)
        share, duration = simulated(ruleset, machine, args.battles, run)
        theirs.append(duration)
        error = sqrt(max(chance * (1 - chance), 1e-9) / args.battles)
        assert abs(share - chance) <= max(5 * error, 5 / args.battles), (share, chance)
    print(f"exact odds           median {1_000 * median(ours):8.1f} ms   won {chance:.4%}")
    print(f"{args.battles:,} simulated     median {1_000 * median(theirs):8.1f} ms   won {share:.4%}")
    ratio = median(ours) / median(theirs)
    what = f"the time for the exact odds of a battle of 20 against 20, compared with {args.battles:,} simulated battles"
    return report([Ratio(what, ratio, at_most=TARGET)])


if __name__ == "__main__":
    raise SystemExit(main())
