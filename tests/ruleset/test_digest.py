"""The digest of a ruleset's gameplay: it counts every rule, and no word for readers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.language.schema_shapes import Leaf, ListOf, MapOf, Member, Record, Shape, Steps
from rulewright.ruleset.schema import model
from rulewright.ruleset.schema.model import build_rules_shape, step_shape
from tests.language.inline import MANIFEST, sound
from tests.ruleset.bad_rulesets import BASE
from tests.ruleset.test_merge import merged


def digest(*sources: str, manifest: str = MANIFEST) -> str:
    return sound(*sources, manifest=manifest).digest


def raw_digest(rules: Any) -> str:
    """Return the digest of rules that need not be sound."""
    from rulewright.ruleset.schema.digest import compute_digest as of
    from rulewright.ruleset.schema.digest import extract_gameplay

    resolved, _ = merged(json.dumps(rules))
    return of(extract_gameplay(resolved.manifest, resolved.rules))


BEFORE = digest(BASE)

WORDS = [
    "numbers: {goal: {means: How much is enough.}}",
    "numbers: {start: {means: Something else.}}",
    "tables: {weather: {title: Sky, about: What falls.}}",
    "tables: {weather: {rows: {rain: {title: A shower}}}}",
    "kinds: {tree: {means: Tall., label: 'tree {self.height}'}}",
    "kinds: {tree: {fields: {height: {means: How tall.}}}}",
    "options: {mode: {title: Mode, means: How., choices: {calm: Quiet}}}",
    "procedures: {tend: {title: Tending, means: Done daily.}}",
    "procedures: {tend: {steps: [{id: look, title: Look up, text: The sky.}]}}",
    "terms: {tree: Tree}",
    "examples: {e: {title: E, value: 1 + 1, expect: 2}}",
    "rulings: {r: {about: procedures.tend, question: Q, source: S, ruling: R, because: B}}",
    "faq: {q: {question: Q, answer: A, about: procedures.tend, example: e}}",
    "measures: {m: {is: count(players)}}",
    "samples: {s: {title: S, seed: 3}}",
    "stories: {s: {title: S, example: e}}",
    "setups: {s: {title: S, until: tend.look}}",
    "expect_play: {e: {draws: at most 3 %}}",
    "overviews: {o: {title: O, rows: {size: sizes}, values: {twice: size.price * 2}}}",
    "board: {sizes: {title: Sizes}}",
    "pages: {p: {title: P, letter: P, sections: {s: {title: S}}}}",
]


@pytest.mark.parametrize("overlay", WORDS)
def test_words_and_looks_count_for_nothing(overlay: str) -> None:
    assert digest(BASE, overlay + "\n") == BEFORE


def test_the_words_of_a_question_count_for_nothing() -> None:
    asked = (
        BASE + "  rest: {given: {p: player}, steps: [{id: x, choose: {who: p, from: [calm, wild], or_none: true}}]}\n"
    )
    assert digest(asked, "procedures: {rest: {steps: [{id: x, ask: Well?, none: Neither}]}}\n") == digest(asked)


@pytest.mark.parametrize(
    "manifest",
    [
        MANIFEST.replace("Inline", "Another title"),
        MANIFEST.replace("1.0.0", "1.0.1"),
        MANIFEST.replace("title:", "about: Words, title:"),
        MANIFEST.replace("title:", "status: draft, title:"),
    ],
)
def test_what_an_edition_is_called_counts_for_nothing(manifest: str) -> None:
    assert digest(BASE, manifest=manifest) == BEFORE


LOOKS = [
    (", ", ",   "),
    ("\n", "\n# a comment\n"),
    ("t.height + 1", "t.height  +  1"),
    ("{goal: 100", "{goal: {is: 100}"),
    ("{rain: 1-2", "{rain: {on: 1-2}"),
    ("height: int", "height: {type: int}"),
    ("needs: [small]", 'needs: ["small"]'),
    ("columns: {price: int, needs: list of sizes}", "columns: {needs: list of sizes, price: int}"),
]


@pytest.mark.parametrize(("written", "otherwise"), LOOKS)
def test_how_a_rule_is_written_counts_for_nothing(written: str, otherwise: str) -> None:
    assert written in BASE
    assert digest(BASE.replace(written, otherwise)) == BEFORE


def test_the_order_of_declarations_counts_for_nothing() -> None:
    sections: dict[str, list[str]] = {}
    name = ""
    for line in BASE.splitlines():
        if not line.startswith(" "):
            name = line.partition(":")[0]
        sections.setdefault(name, []).append(line)
    turned = "\n".join("\n".join(lines) for lines in reversed(sections.values())) + "\n"
    assert digest(turned) == BEFORE
    more = "  rest: {given: {p: player}, steps: [{id: x, gain: {who: p, score: 1}}]}\n"
    first = BASE.replace("procedures:\n", "procedures:\n" + more)
    assert digest(first) == digest(BASE + more) != BEFORE


RULES_THAT_COUNT = [
    "numbers: {goal: 99}",
    "numbers: {more: 1}",
    "numbers: {start: {delete: true}}",
    "dice: {dX: 1..3}",
    "tables: {weather: {rows: {rain: 1-3, sun: 4-6}}}",
    "tables: {sizes: {rows: {large: {price: 8}}}}",
    "tables: {sizes: {rows: {middling: {needs: [large]}}}}",
    "tables: {sizes: {rows: {huge: {price: 9}}}}",
    "tables: {sizes: {rows: {small: {after: large}}}}",
    "kinds: {tree: {fields: {height: count}}}",
    "kinds: {tree: {fields: {height: {default: 1}}}}",
    "kinds: {tree: {fields: {age: int}}}",
    "kinds: {tree: {fields: {height: {after: owner}}}}",
    "kinds: {tree: {derived: {tall: self.height > 3}}}",
    "state: {turn: int}",
    "options: {mode: {default: wild}}",
    "options: {mode: {may_change: vote}}",
    "options: {mode: {choices: {mad: Mad}}}",
    "decks: {seeds: sizes}",
    "formulas: {twice: {given: {n: int}, is: n * 2}}",
    "procedures: {tend: {steps: [{id: joy, gain: {score: 2}}]}}",
    "procedures: {tend: {steps: [{id: joy, when: t.height > 2}]}}",
    "procedures: {tend: {steps: [{delete: joy}]}}",
    "procedures: {tend: {steps: [{after: look, id: new, set: {t.height: 0}}]}}",
    "procedures: {tend: {gives: {n: t.height}}}",
    "procedures: {tend: {given: {n: int}}}",
    "exceptions: {e: {to: tend.joy, when: t.height > 3, means: M}}",
]


@pytest.mark.parametrize("overlay", RULES_THAT_COUNT)
def test_every_rule_counts(overlay: str) -> None:
    assert digest(BASE, overlay + "\n") != BEFORE


@pytest.mark.parametrize(("key", "value"), [("rounding", "down"), ("players", "2..4"), ("start", "begin")])
def test_the_settings_of_the_manifest_count(key: str, value: str) -> None:
    base = BASE + "  begin: {steps: []}\n"
    manifest = MANIFEST.replace("}", ", start: begin}") if key != "start" else MANIFEST
    other = {
        "rounding": manifest.replace("truncate", "down"),
        "players": manifest.replace("1..4", "2..4"),
        "start": manifest.replace("}", ", start: begin}"),
    }[key]
    assert digest(base, manifest=manifest) != digest(base, manifest=other)
    assert value in other


def test_the_order_of_special_cases_counts() -> None:
    cases = [f"e{n}: {{to: tend.joy, when: t.height > {n}, means: M}}" for n in (1, 2)]
    there, back = (BASE + f"exceptions: {{{', '.join(order)}}}\n" for order in (cases, cases[::-1]))
    assert digest(there) != digest(back)


# -- the whole model ----------------------------------------------------------------------------------


def filled(shape: Shape, mark: str, depth: int = 0) -> Any:
    """Return something of a shape, with `mark` in every scalar."""
    match shape:
        case Record(members=members):
            return {
                key: filled(member.shape, mark, depth + 1)
                for key, member in members.items()
                if key != "*" and (depth < 5 or not isinstance(member.shape, Steps))
            }
        case MapOf(inner=inner):
            return {"a": filled(inner, mark, depth + 1), "b": filled(inner, mark, depth + 1)}
        case ListOf(inner=inner):
            return [filled(inner, mark, depth + 1)]
        case Steps():
            return [filled(_without_steps(step_shape()), mark, depth + 1)]
    return f"{mark}"


def _without_steps(shape: Record) -> Record:
    return Record(members={key: member for key, member in shape.members.items() if not isinstance(member.shape, Steps)})


def scalars(shape: Shape, path: tuple[Any, ...] = (), *, cosmetic: bool = False) -> list[tuple[tuple[Any, ...], bool]]:
    """Return the path to every scalar that `filled` makes, and whether it is words or looks."""
    cosmetic = cosmetic or shape.cosmetic
    match shape:
        case Record(members=members):
            return [
                found
                for key, member in members.items()
                if key != "*" and not isinstance(member.shape, Steps)
                for found in scalars(member.shape, (*path, key), cosmetic=cosmetic)
            ]
        case MapOf(inner=inner):
            return [found for key in "ab" for found in scalars(inner, (*path, key), cosmetic=cosmetic)]
        case ListOf(inner=inner):
            return scalars(inner, (*path, 0), cosmetic=cosmetic)
    return [(path, cosmetic)]


WHOLE = filled(build_rules_shape(), "x")
WHOLE_DIGEST = raw_digest(WHOLE)
EVERY = scalars(build_rules_shape())


def put(node: Any, path: tuple[Any, ...], value: Any) -> Any:
    head, *rest = path
    inner = value if not rest else put(node[head], tuple(rest), value)
    if isinstance(node, list):
        return [inner]
    return {**node, head: inner}


@given(st.sampled_from(EVERY))
def test_a_scalar_counts_exactly_where_the_model_says_it_is_no_looks(case: tuple[tuple[Any, ...], bool]) -> None:
    path, cosmetic = case
    changed = put(WHOLE, path, "other")
    assert (raw_digest(changed) == WHOLE_DIGEST) == cosmetic


def test_no_rule_is_called_words_by_mistake() -> None:
    """What is marked as words or looks, besides words as such, is listed here, so that nobody adds to it unawares."""
    marked = set()

    def visit(shape: Shape, path: str) -> None:
        if shape.cosmetic and not (isinstance(shape, Leaf) and shape.format == "words"):
            marked.add(path)
            return
        match shape:
            case Record(members=members):
                for key, member in members.items():
                    visit(member.shape, f"{path}.{key}")
            case MapOf(inner=inner) | ListOf(inner=inner):
                visit(inner, f"{path}.*")

    visit(build_rules_shape(), "")
    visit(step_shape(), "step")
    assert marked == {
        *(
            ".terms",
            ".examples",
            ".samples",
            ".stories",
            ".setups",
            ".overviews",
            ".rulings",
            ".faq",
            ".pages",
            ".measures",
        ),
        *(".expect_play", ".weights", ".board"),
        *(".kinds.*.term", ".kinds.*.label", ".kinds.*.side", ".kinds.*.wording", ".kinds.*.fields.*.wording"),
        *(".state.*.wording", ".formulas.*.wording", ".procedures.*.wording", "step.choose.costs"),
        *(".state.*.log", ".kinds.*.log", ".kinds.*.fields.*.log", "step.log"),
        *(".formulas.*.names", ".procedures.*.names", ".tables.*.names", ".whenever.*.names"),
        *(".records.*.names", ".records.*.label", ".records.*.wording", ".tables.*.headings"),
        *(".tables.*.row_title", ".tables.*.rows.*.reviewed", "step.say"),
        *(f".{section}.*.internal" for section in ("tables", "procedures", "whenever", "formulas", "numbers")),
    }
    assert isinstance(model.MANIFEST, Record)
    looks = {
        key for key, member in model.MANIFEST.members.items() if isinstance(member, Member) and member.shape.cosmetic
    }
    assert looks <= {
        "language",
        "title",
        "about",
        "for",
        "takes",
        "position",
        "date",
        "follows",
        "status",
        "locked",
        "evaluate",
        "simulations",
    }
