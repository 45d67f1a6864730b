"""Solver for any game, by retrograde analysis or, with hidden information, counterfactual regret minimization.

Solutions stay in memory with the ruleset. Those of games without hidden information are also in the user's cache
folder.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.ai.solving.cfr import Regret
from rulewright.ai.solving.game_tree import COURSES, build_information_key, build_tree, extend_past, view_of
from rulewright.ai.solving.policy_array import PolicyArray
from rulewright.ai.solving.position_graph import SIZE, PositionGraph
from rulewright.ai.solving.retrograde import Perfect
from rulewright.ai.solving.solution import POSITIONS, Solution, UnsolvedError, build_too_large
from rulewright.ai.solving.solution_cache import keep, load_solution
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import State
from rulewright.engine.state.machine import adopt_state
from rulewright.language.declarations import GAME_KIND
from rulewright.ruleset.ruleset import Ruleset

Chances = tuple[float, ...]
"""The probability of each option."""


class Solver:
    """A solver for the games of one ruleset, which remembers its solutions."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.machine = compile_ruleset(ruleset)
        self.open = analyze_sight(ruleset).everything
        self._solved: dict[tuple[int, tuple[tuple[str, str], ...]], Solution | UnsolvedError] = {}
        self._further: dict[bytes, int] = {}
        self._reader: dict[int, PositionGraph] = {}

    def find_solution(
        self, players: int, options: Mapping[str, str] | None = None, *, most: int = POSITIONS
    ) -> Solution:
        """Return the solution of the game from its start, solving it if necessary.

        The solution is remembered and, without hidden information, stored in the user's cache folder. Raises
        `UnsolvedError` if the game has more than `most` positions or cannot be solved, and `RulesFault` if the rules
        fail.
        """
        options = {**self._defaults(), **(options or {})}
        key = (players, tuple(sorted(options.items())))
        solution = self._solved.get(key)
        if solution is None and self.open:
            solution = load_solution(self.ruleset, players, options, SIZE)
        if solution is None or (isinstance(solution, UnsolvedError) and most > solution.most):
            try:
                solution = self._solve(players, options, most)
                keep(self.ruleset, options, solution)
            except UnsolvedError as error:
                solution = error
        self._solved[key] = solution
        if isinstance(solution, UnsolvedError):
            raise solution
        if solution.positions > most:
            raise build_too_large(self.ruleset.title, f"more than {most:,} positions", most)
        return solution

    def list_choices(self, state: State, past: bytes = b"", *, most: int = POSITIONS) -> Chances:
        """Return the probability of each option at a decision. Without hidden information, one of them is 1.

        `past` is the player's history of views and choices, as `extend_past` returns it. If it is missing or does not
        occur in the game, any history with the same view counts. Raises `UnsolvedError` as `find_solution` does, and if
        no game from a regular start reaches this position.
        """
        places = self.machine.layout.places
        options = {name: str(state.objects[0][places[GAME_KIND, f"options.{name}"]]) for name in self._defaults()}
        solution = self.find_solution(len(state.live[1]), options, most=most)
        count = len(state.options)
        if self.open:
            choice = self._choose_options(solution, adopt_state(state, self.machine), most)
            return tuple(float(index == choice) for index in range(count))
        view = view_of(state)
        choices = solution.choices.get(build_information_key(past, view), solution.choices.get(view))
        if not isinstance(choices, tuple) or len(choices) != count:
            raise UnsolvedError(f"no game of {self.ruleset.title} reaches this position, so it has no solution")
        return choices

    def extend_past(self, state: State, past: bytes, option: int) -> bytes:
        """Return the acting player's history after an option, empty without hidden information."""
        return b"" if self.open else extend_past(build_information_key(past, view_of(state)), option)

    def _choose_options(self, solution: Solution, state: State, most: int) -> int:
        """Return the index of the best option in a state without hidden information.

        A state that the solution lacks is solved from there, and that result is remembered. Raises `UnsolvedError` if
        this is not possible.
        """
        players = solution.players
        if players not in self._reader:
            self._reader[players] = self._graph(players, most=0)
        key = self._reader[players].build_key(state.clone())
        options = solution.choices.get(key, self._further.get(key))
        if options is None:
            # A player missed a win, or the game had another start, so solve the game from this position.
            graph = self._graph(players, most=most)
            graph.follow(state)
            perfect = Perfect(graph, players)
            self._further |= {key: perfect.choices[number] for key, number in graph.known.items()}
            options = self._further[key]
        assert isinstance(options, int)
        return options

    def _graph(self, players: int, *, most: int) -> PositionGraph:
        return PositionGraph(self.machine, first_new=len(self.machine.empty(players).objects), most=most)

    def _defaults(self) -> dict[str, str]:
        return {name: option.default for name, option in self.ruleset.declarations.options.items()}

    def _solve(self, players: int, options: Mapping[str, str], most: int) -> Solution:
        """Return the solution of the game from its start, without storing it.

        Raises `UnsolvedError` without a `start`, if the game is too large, or if it has hidden information and is not a
        zero-sum game for two players.
        """
        ruleset = self.ruleset
        if ruleset.start is None:
            raise UnsolvedError(f"{ruleset.reference} has no `start:`, so there is no game to solve")
        start = self.machine.new_game(players, options=options)
        if self.open:
            graph = self._graph(players, most=most)
            begun = graph.follow(start)
            perfect = Perfect(graph, players)
            wins, draws = perfect.compute_results(begun)
            choices = PolicyArray.from_mapping(
                {key: perfect.choices[number] for key, number in graph.known.items()}, SIZE
            )
            return Solution(players, len(graph), perfect.compute_value(begun), wins, draws, 0.0, choices)
        if players != 2:
            raise UnsolvedError(
                f"{ruleset.title} has hidden information and {players} players: "
                "perfect play can be computed only for two"
            )
        tree = build_tree(start, most=min(most, COURSES))
        regret = Regret(tree)
        value = regret.compute_value(tree.payoffs)
        wins = tuple(regret.compute_value([float(seat in won) for won in tree.won]) for seat in range(players))
        draws = regret.compute_value([float(not tree.leads[place] and not won) for place, won in enumerate(tree.won)])
        mixed: dict[bytes, Chances] = {}
        for sight, shares in zip(tree.sights, regret.average, strict=True):
            mixed[sight.key] = tuple(shares)
            mixed.setdefault(sight.view, tuple(shares))
        return Solution(players, len(tree.at), (value, -value), wins, draws, regret.gain, mixed)


def get_solver(ruleset: Ruleset) -> Solver:
    """Return the solver of a ruleset, which is created once."""
    return ruleset.get_or_make(Solver)
