"""Changes of procedures: steps that are new, gone, moved or say something else; and of special cases to steps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain

from rulewright.book.changes.change import ChangeLine, build_line, build_sentence_line
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.changes.sections.numbers import describe_parameters
from rulewright.book.changes.sections.texts import compare_texts
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import humanize
from rulewright.book.parts.step_sentences import StepWriter, format_title
from rulewright.book.style.rule_locations import is_listed
from rulewright.language.checked_steps import Block, Procedure, Step
from rulewright.language.lowering import find_result
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.queries.tree_difference import Difference
from rulewright.source.nodes import Mapping, Scalar


def lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of a procedure: its texts, parameters, results and names, and then its steps."""
    yield from compare_texts(pair, [d for d in group if not d.step])
    for difference in group:
        match difference.path[2:]:
            case ("given", *_):
                yield describe_parameters(
                    pair, difference, *(_given(side, identity) for side in (pair.before, pair.after))
                )
            case ("gives", name):
                before, after = (_gives(side, identity, name) for side in (pair.before, pair.after))
                label = f"What comes of it: {humanize(name)}"
                yield build_line(difference.what, label, before, after, covers=[difference.path])
            case ("names", *_):
                yield _called(pair, difference)
    yield from _Steps(pair, identity, [d for d in group if d.path[2] == "steps"]).lines()


def whole(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield the lines for a procedure on only one side: its purpose, if it has one, and each outermost step.

    A step includes its inner steps.
    """
    procedure = side.ruleset.procedures[identity]
    covers = [difference.path]
    if "means" in procedure.words:
        yield build_sentence_line(difference.what, side.render_words(procedure.words["means"]), covers=covers)
    heads = Heads(side, procedure)
    for step, owner in heads.inside.items():
        if not owner:
            inner = _below(heads, step)
            yield build_sentence_line(
                difference.what, f"Step {heads.numbers[step]}: {heads.head(step, inner)}", covers=covers
            )


def _below(heads: Heads, step: str) -> set[str]:
    return {other.id for block in heads.changes[step].blocks for other in block.walk()}


def _given(side: Side, identity: str) -> dict[str, str]:
    return {name: side.type(kind) for name, kind in side.ruleset.procedures[identity].parameters.items()}


def _gives(side: Side, identity: str, name: str) -> str:
    given = side.ruleset.procedures[identity].gives
    return side.english.value(given[name]) if name in given else ""


def _called(pair: RulesetPair, difference: Difference) -> ChangeLine:
    """Return the change of the noun for a name in the procedure."""
    before, after = (
        ", ".join(side.render_words(entry.value) for entry in node.entries.values())
        if isinstance(node, Mapping)
        else side.render_words(node)
        for side, node in ((pair.before, difference.before), (pair.after, difference.after))
    )
    sentences = {
        "added": f"Something in it is called “{after}”.",
        "removed": f"Nothing in it is called “{before}” any more.",
    }
    sentence = sentences.get(difference.what, f"Something in it is called “{after}” instead of “{before}”.")
    return ChangeLine("changed", "What something in it is called", before, after, sentence, True, (difference.path,))


def compare_cells(
    pair: RulesetPair, identity: str, group: list[Difference], title: str, column: str
) -> Iterator[ChangeLine]:
    """Yield the differences of a row's steps, which may be missing on one side. `title` is the title of the row.

    `identity` is the id of their procedure, `column` the title of their column, and `group` has the differences of the
    cell.
    """
    there = [side for side in (pair.before, pair.after) if identity in side.ruleset.procedures]
    if len(there) == 2:
        yield from _Steps(pair, identity, group, title).lines()
        return
    for side in there:
        text = describe_row_steps(side, identity)
        what, old, new = ("added", "", text) if side is pair.after else ("removed", text, "")
        yield build_line(what, f"{title}, {column}", old, new, covers=[difference.path for difference in group])


def describe_row_steps(side: Side, identity: str) -> str:
    """Return the steps of a row on one line. `identity` is the id of their procedure."""
    heads = Heads(side, side.ruleset.procedures[identity])
    return heads.whole(heads.procedure.body)


class _Steps:
    """The steps of one procedure on both sides, matched by id. `title` is the title of their row, if any."""

    def __init__(self, pair: RulesetPair, identity: str, group: list[Difference], title: str = "") -> None:
        self.group = group
        self.title = title
        self.pair = pair
        self.before, self.after = (Heads(s, s.ruleset.procedures[identity]) for s in (pair.before, pair.after))
        self.new = [step for step in self.after.changes if step not in self.before.changes]
        self.gone = [step for step in self.before.changes if step not in self.after.changes]
        self.common_steps = [step for step in self.after.changes if step in self.before.changes]

    def lines(self) -> Iterator[ChangeLine]:
        """Yield the lines of added and changed steps in their new order, then of removed steps, then of moved ones."""
        if not self.group:
            return
        for step in self.after.changes:
            if step not in self.before.changes:
                yield from self._whole("added", step, self.after, self.new)
            else:
                yield from self._changed(step)
        for step in self.gone:
            yield from self._whole("removed", step, self.before, self.gone)
        yield from self._moved()

    def _whole(self, what: str, step: str, heads: Heads, all_of_them: list[str]) -> Iterator[ChangeLine]:
        """Yield the line of an added or removed step, which includes the inner steps among `all_of_them`.

        Yields nothing if its outer step is among `all_of_them` too.
        """
        if heads.inside[step] in all_of_them:
            return
        text = heads.head(step, all_of_them)
        label = self._label(heads.numbers[step], "former step" if what == "removed" else "step")
        before, after = (text, "") if what == "removed" else ("", text)
        covers = [d.path for d in self.group if d.step == step and d.what == what]
        covers += [d.path for d in self.group if d.step in all_of_them and d.step in _below(heads, step)]
        yield build_line(what, label, before, after, covers=covers)

    def _changed(self, step: str) -> Iterator[ChangeLine]:
        """Yield the line of a step that both sides have, or nothing if at most its place differs."""
        results = [d for d in self.group if d.step == step and not self._is_place(d)]
        if not results:
            return
        words = all(d.words for d in results)
        covers = [d.path for d in results]
        before, after = (
            side.render(partial(heads.head, step, generated=not words))
            for side, heads in ((self.pair.before, self.before), (self.pair.after, self.after))
        )
        label = self._label(self.after.numbers[step])
        if before.text == after.text and words and any("costs" in d.path for d in results):
            yield build_sentence_line(
                "changed", "What its options cost is shown in another way.", label=label, covers=covers, words=True
            )
        else:
            yield build_line("changed", label, before, after, covers=covers, words=words)

    def _label(self, number: str, noun: str = "step") -> str:
        return f"{self.title}, {noun} {number}" if self.title else f"{noun.capitalize()} {number}"

    def _is_place(self, difference: Difference) -> bool:
        """Return whether a difference is about positions: a step added or removed in a place, or another order."""
        whole = difference.what in ("added", "removed") and difference.path[-1] == difference.step
        return whole or difference.what == "moved"

    def _moved(self) -> Iterator[ChangeLine]:
        """Yield the lines of steps that have moved into another step, or whose order has changed."""
        for step in self.common_steps:
            inside = self.after.inside[step]
            if inside == self.before.inside[step]:
                continue
            covers = [d.path for d in self.group if d.step == step and self._is_place(d)]
            yield self._elsewhere(step, covers)
        for difference in self.group:
            if difference.what == "moved":
                yield from self._reordered(difference)

    def _reordered(self, difference: Difference) -> Iterator[ChangeLine]:
        """Yield the lines of the fewest common steps whose moves explain a changed order."""
        owner = difference.step
        now = [s for s in self.common_steps if self.after.inside[s] == owner == self.before.inside[s]]
        was = [s for s in self.before.changes if s in now]
        stayed = _longest_rising([was.index(step) for step in now])
        for step in now:
            if was.index(step) not in stayed:
                yield self._elsewhere(step, [difference.path])

    def _elsewhere(self, step: str, covers: list[Path]) -> ChangeLine:
        """Return the line of a moved step, with its old and its new number."""
        was, now = self.before.numbers[step], self.after.numbers[step]
        # The inner steps moved with the step, and often distinguish it from others.
        text = self.after.head(step, [inner for inner in _below(self.after, step) if inner in self.common_steps])
        sentence = f"{self._label(was)} moved, and is step {now} now: {text}"
        return ChangeLine(
            "moved",
            self._label(now),
            f"As step {was}: {text}",
            f"As step {now}: {text}",
            sentence,
            False,
            tuple(covers),
        )


def _longest_rising(numbers: list[int]) -> set[int]:
    """Return the items of a longest increasing subsequence of `numbers`, which are those that need not be moved."""
    longest: list[int] = []
    ending_at: dict[int, list[int]] = {}
    for number in numbers:
        best: list[int] = []
        for last, run in ending_at.items():
            if last < number and len(run) > len(best):
                best = run
        ending_at[number] = [*best, number]
        if len(best) >= len(longest):
            longest = ending_at[number]
    return set(longest)


class Heads(StepWriter):
    """A writer of steps without their inner steps, or with some of them.

    `numbers` are the step numbers of the book: `3.2` is the second step inside the third, and the steps of `else` come
    after those of `then`. `inside` is the enclosing step of each, empty for the steps of the procedure itself.
    """

    joins = False

    def __init__(self, side: Side, procedure: Procedure) -> None:
        super().__init__(procedure, side.style)
        self.numbers: dict[str, str] = {}
        self.inside: dict[str, str] = {}
        self.changes: dict[str, Step] = {}
        self._listed: Collection[str] = ()
        self._number(list_own_steps(self.procedure.body), "", "")

    def head(self, identity: str, listed: Collection[str] = (), *, generated: bool = False) -> str:
        """Return the text of a step on one line, with those of its inner steps whose ids are in `listed`.

        With `generated`, the rules' own text of the step is ignored.
        """
        step = self.changes[identity]
        if generated and "text" in step.words:
            step = replace(step, words={key: words for key, words in step.words.items() if key != "text"})
        self._listed = listed
        return capitalize(" ".join(self.sentence(step).split()))

    def whole(self, block: Block) -> str:
        """Return every step of a block."""
        self._listed = [step.id for step in block.walk()]
        return " ".join(self.block(block).split())

    def block(self, block: Block) -> str:
        """Return those steps of a block that are shown."""
        steps = tuple(step for step in block.steps if step.id in self._listed and is_listed(step))
        return super().block(Block(steps, block.owner)) if steps else ""

    def _number(self, steps: Iterable[Step], before: str, owner: str) -> None:
        """Record the number and the outer step of each of `steps` and of their inner steps.

        `before` comes first in the numbers, and `owner` is the id of the outer step.
        """
        for place, step in enumerate(steps, start=1):
            self.numbers[step.id] = f"{before}{place}"
            self.inside[step.id] = owner
            self.changes[step.id] = step
            self._number(chain.from_iterable(map(list_own_steps, step.blocks)), f"{before}{place}.", step.id)


def list_own_steps(block: Block) -> Iterator[Step]:
    """Return the steps of a block that were written there, without the special cases before them."""
    return (step for step in block.steps if is_listed(step))


def compare_exception(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of an exception: its texts, its step, its condition, and its replacement.

    Yields nothing for an empty `identity`, which stands for the order of all exceptions.
    """
    if not identity:
        return
    yield from compare_texts(pair, group)
    for keys, label, of in (
        (("to",), "An exception to", _belongs_to),
        (("when",), "It applies if", _applies),
        (("instead",), "Instead", _instead),
    ):
        covers = [difference.path for difference in group if difference.path[2] in keys]
        if covers:
            before, after = of(pair.before, identity), of(pair.after, identity)
            yield build_line("changed", label, before, after, covers=covers)


def whole_exception(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield one line for an exception on only one side: the exception in words, with its step and its condition."""
    node = side.find_node("exceptions", identity)
    place = _belongs_to(side, identity)
    applies = f" It applies if {_applies(side, identity)}." if _find(side, identity) else ""
    sentence = f"{side.render_words(node.get('means'))} It belongs to “{place}”.{applies}"
    yield build_sentence_line(difference.what, sentence, covers=[difference.path])


def _belongs_to(side: Side, identity: str) -> str:
    """Return the title of the procedure that an exception belongs to, and the number of its step, if it has one.

    An unknown procedure is named by its id.
    """
    to = side.find_node("exceptions", identity).get("to")
    procedure, _, step = (to.text if isinstance(to, Scalar) else "").rpartition(".")
    if procedure not in side.ruleset.procedures:
        return procedure
    heads = Heads(side, side.ruleset.procedures[procedure])
    title = side.render_words(format_title(heads.procedure))
    return f"{title}, step {heads.numbers[step]}" if step in heads.numbers else title


def _applies(side: Side, identity: str) -> str:
    result = _find(side, identity)
    value = find_result(result[1]) if result else None
    return side.english.condition(value) if value is not None else "it does"


def _instead(side: Side, identity: str) -> str:
    """Return in words the steps of an exception, or `nothing` if it has none."""
    result = _find(side, identity)
    steps = {step.id: step for step in result[0].iterate_steps()} if result else {}
    group = steps.get(f"{identity}.instead")
    if result is None or group is None:
        return "nothing"
    return Heads(side, result[0]).whole(group.blocks[0])


def _find(side: Side, identity: str) -> tuple[Procedure, Step] | None:
    """Return the procedure of an exception and the step that tests it, or None if either does not exist."""
    to = side.find_node("exceptions", identity).get("to")
    procedure = side.ruleset.procedures.get(to.text.rpartition(".")[0]) if isinstance(to, Scalar) else None
    if procedure is None:
        return None
    return next(((procedure, step) for step in procedure.iterate_steps() if step.id == identity), None)


TELLERS = {"procedures": Teller(lines, whole), "exceptions": Teller(compare_exception, whole_exception)}
