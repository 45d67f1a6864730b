"""Steps within steps are said within each other: a reader of the page finds the nesting that was written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import assume, given, settings

from rulewright import Ruleset
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.text_style import UnlinkedStyle
from tests.breadth import times
from tests.engine.random_rules import GARDEN, rulesets
from tests.language.inline import checked

Tree = tuple[str, list[Any], list[Any]]
"""A step: what it does, the steps inside it by block, and what is done instead in each of its special cases."""

SAYS = {
    "let": r"\b(note|is|are|start with)\b",
    "roll": r"\broll",
    "draw": r"\b(draws?|choose .* at random)\b",
    "choose": r"\bchooses",
    "create": r"\b(add|place) a new ",
    "remove": r"\bremove ",
    "do": r"\b(follow|apply) ",
    "stop": r"\b(skip the rest of |stop\b)",
    "finish": r"the game ends",
    "gain": r"\bgains? ",
    "pay": r"\bpays? ",
    "put": r"\b(put|shuffle) ",
    "reshuffle": r"\bshuffle ",
    "show": r"\b(reveal|show) ",
}
"""A word or two by which readers know what a step does; `set` has many, and none of its own."""
INSIDE = ("if", "for_each", "repeat", "steps")


@dataclass
class Item:
    """An item of a list of steps: words, and lists of steps between them."""

    parts: list[str | list[Item]] = field(default_factory=lambda: [""])

    def add(self, words: str) -> None:
        if not isinstance(self.parts[-1], str):
            self.parts.append("")
        self.parts[-1] = f"{self.parts[-1]}{words}"


class Only(list[Item]):
    """The only step of a block, which stands within the sentence of the step around it."""


class Page(HTMLParser):
    """What a page shows of steps: lists with numbers, single steps within sentences, and the words in them.

    Nothing else is looked at.
    """

    def __init__(self) -> None:
        super().__init__()
        self.top = Item()
        self.open = [self.top]
        self.lists: list[list[Item]] = []
        self.kinds: list[str] = []
        self.spans: list[bool] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "span":
            self.spans.append(("class", "rw-only") in attrs)
            if self.spans[-1]:
                item = Item()
                self.open[-1].parts.append(Only([item]))
                self.open.append(item)
            return
        if tag in ("ol", "ul"):
            self.kinds.append(tag)
        if tag == "ol":
            self.lists.append([])
            self.open[-1].parts.append(self.lists[-1])
        elif tag == "li" and self.kinds[-1] == "ol":
            self.lists[-1].append(Item())
            self.open.append(self.lists[-1][-1])
        else:
            self.open[-1].add(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "span" and self.spans.pop():
            self.open.pop()
        if tag == "li" and self.kinds[-1] == "ol":
            self.open.pop()
        if tag in ("ol", "ul"):
            self.kinds.pop()
        if tag == "ol":
            self.lists.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].add(data)


def read(item: Item) -> Tree:
    """Return what one item says, in the words of `written`."""
    blocks: list[list[Tree]] = []
    special: list[list[Tree]] = []
    sentence, told_special, beginning, left = "", False, True, list[Tree]()
    for part in item.parts:
        if isinstance(part, str):
            sentence = " ".join(part.split())
            if beginning:
                kind, beginning = kind_of(sentence, any(isinstance(each, list) for each in item.parts)), False
            elif "Special case." not in sentence:
                assert sentence in ("Otherwise:", "Otherwise,", "", ":") or left, sentence
            told = sentence.count("Special case.")
            told_special = told_special or told > 0
            # Those that leave the step out have nothing below them; the last of the words may have.
            special += [[] for _ in range(told)]
            continue
        steps = [read(each) for each in part]
        if isinstance(part, Only) and steps[0][0].startswith("until "):
            left = steps
            continue
        if told_special:
            assert sentence.endswith(" Instead," if isinstance(part, Only) else " Do this instead:"), sentence
            special[-1] = steps
        else:
            assert not blocks or sentence == f"Otherwise{',' if isinstance(part, Only) else ':'}", sentence
            blocks.append([*steps, *left])
    return kind, blocks, special


def kind_of(text: str, lists: bool) -> str:
    """Return what a sentence does, by its words alone; the sentence itself where nothing stands inside it."""
    sentence = text.split("Special case.")[0].strip()
    if not lists or (not sentence.endswith(":") and "Special case." in text):
        return sentence
    if re.search(r"(?i)\beach .*(in turn|, one at a time)\b", sentence):
        return "for_each"
    if re.search(r"\b[Dd]o this (at most|up to|once|twice|.* times)|[Rr]epeat (this|these steps)\b", sentence):
        return "repeat"
    return "steps" if sentence.startswith("Do this") else "if"


def agree(read_: Tree, written_: Tree, where: str) -> None:
    """Hold what was read against what was written, and say at which step they part."""
    (said, blocks, special), (kind, inside, instead) = read_, written_
    if kind == "repeat" and blocks and blocks[0] and blocks[0][-1][0].startswith("until "):
        # The sentence of the loop says when it ends, in place of the step that ends it.
        stops = [step for step in inside[0] if step[0] == "stop"]
        assert len(stops) == 1, f"{where}: {len(stops)} steps may end the loop"
        blocks, inside = [blocks[0][:-1]], [[step for step in inside[0] if step is not stops[0]]]
    if kind in INSIDE:
        assert said == kind, f"{where}: {said!r} says no {kind}"
    elif kind in SAYS:
        assert re.search(SAYS[kind], said, re.IGNORECASE), f"{where}: {said!r} says no {kind}"
    assert len(blocks) == len(inside), f"{where}: {len(blocks)} blocks, not {len(inside)}"
    assert len(special) == len(instead), f"{where}: {len(special)} special cases, not {len(instead)}"
    for place, (found, expected) in enumerate(zip([*blocks, *special], [*inside, *instead], strict=True)):
        agree_all(found, expected, f"{where}/{place}")


def agree_all(actual: list[Tree], expected: list[Tree], where: str) -> None:
    assert len(actual) == len(expected), f"{where}: {len(actual)} steps, not {len(expected)}"
    for place, pair in enumerate(zip(actual, expected, strict=True), start=1):
        agree(*pair, f"{where}.{place}")


def written(steps: list[dict[str, Any]], exceptions: dict[str, list[dict[str, Any]]]) -> Iterator[Tree]:
    """Yield what the rules say, from their own text."""
    for step in steps:
        verb = next(each for each in (*INSIDE, *SAYS, "set") if each in step)
        inside = step["repeat"] if verb == "repeat" else step
        blocks = [inside[key] for key in ("then", "else", "steps") if key in inside]
        special = [list(written(each.get("instead", []), exceptions)) for each in exceptions.get(step["id"], [])]
        # Some steps under one condition are said as one block of a choice is.
        kind = "if" if verb == "steps" and "when" in step else verb
        yield kind, [list(written(block, exceptions)) for block in blocks], special


def compare(source: str, ruleset: Ruleset, change: Callable[[str], str] = lambda page: page) -> None:
    """Read every procedure of a ruleset back; `change` is made to its page before."""
    rules = json.loads(source)
    exceptions: dict[str, list[dict[str, Any]]] = {}
    for each in rules.get("exceptions", {}).values():
        exceptions.setdefault(each["to"].partition(".")[2], []).append(each)
    for name, procedure in rules["procedures"].items():
        page = Page()
        page.feed(change(StepWriter(ruleset.procedures[name], UnlinkedStyle(ruleset)).all()))
        (listed,) = [part for part in page.top.parts if isinstance(part, list)]
        agree_all([read(item) for item in listed], list(written(procedure["steps"], exceptions)), name)


@settings(max_examples=times(15, 400))
@given(rulesets())
def test_a_reader_finds_the_nesting(source: str) -> None:
    ruleset, diagnostics = checked(source, shapes=False)
    assume(ruleset is not None and not diagnostics.errors)
    assert ruleset is not None
    compare(source, ruleset)


NESTED = [
    {
        "id": "loop",
        "repeat": {
            "at_most": "2",
            "steps": [
                {
                    "id": "choice",
                    "if": "storm",
                    "then": [
                        {"id": "one", "pay": {"who": "p", "score": "1"}},
                        {"id": "more", "set": {"storm": "false"}},
                    ],
                    "else": [{"id": "two", "gain": {"who": "p", "score": "1"}}],
                },
                {"id": "three", "set": {"storm": "true"}},
            ],
        },
    },
    {"id": "four", "stop": True},
]
BREAKS: dict[str, Callable[[str], str]] = {
    "no Otherwise": lambda page: page.replace(" Otherwise,", ""),
    "an only step not told apart": lambda page: page.replace('<span class="rw-only"', "<span"),
    "inside as beside": lambda page: page.replace(':<ol class="rw-steps"><li', ":</li><li").replace(
        "</ol></li>", "</li>"
    ),
    "beside as inside": lambda page: page.replace("</ol></li><li", "<li").replace(
        "</li></ol>", "</li></ol></li></ol>", 1
    ),
    "a step lost": lambda page: re.sub(r'<li id="main.three">.*?</li>', "", page),
    "steps changed about": lambda page: page.replace("pays", "P").replace("gains", "pays").replace("P", "gains"),
}


@pytest.mark.parametrize("broken", BREAKS)
def test_a_page_that_is_put_together_wrongly_is_told(broken: str) -> None:
    source = json.dumps({**GARDEN, "procedures": {"main": {"given": {"p": "player"}, "steps": NESTED}}})
    ruleset, diagnostics = checked(source, shapes=False)
    assert ruleset is not None
    assert not diagnostics.errors
    compare(source, ruleset)
    with pytest.raises((AssertionError, IndexError)):
        compare(source, ruleset, BREAKS[broken])
