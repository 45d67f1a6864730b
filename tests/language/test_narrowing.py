"""What may be missing is only used where it is known to be there."""

from __future__ import annotations

import pytest

from tests.language.garden import probe, procedure
from tests.language.inline import checked


def codes(source: str) -> list[str]:
    return [fault.code.id for fault in checked(source)[1]]


@pytest.mark.parametrize(
    "expression",
    [
        "maybe.height if maybe else 0",
        "0 if not maybe else maybe.height",
        "maybe.height if maybe != none else 0",
        "0 if maybe == none else maybe.height",
        "0 if none == maybe else maybe.height",
        "maybe and maybe.height > 2",
        "sure and maybe and maybe.height > 2",
        "not maybe or maybe.height > 2",
        "not (maybe and maybe.height > 2)",
        "maybe == none or maybe.height > 2",
        "(maybe.height if sure else 1) if maybe and sure else 0",
        "0 if not maybe or not sure else maybe.height",
        "maybe.owner.score if maybe and maybe.owner else 0",
        "t.owner.friend.score if t.owner and t.owner.friend else 0",
        "(maybe or t).height",
        "(maybe or t) == t",
        "sum(x.owner.score for x in trees if x.owner)",
        "any(x.owner and x.owner.score > 2 for x in trees)",
        "count(x for x in trees if not x.owner)",
        "size.grows.price if size.grows else 0",
        "sizes[size].grows.price if sizes[size].grows else 0",
        "size.grows == sizes.large and size.grows.price > 2",
        "sum(x.height for x in trees if maybe and x == maybe) + (maybe.height if maybe else 0)",
        "maybe and (maybe and maybe.height > 2)",
        "all(x.owner for x in trees if x.owner)",
        "any(maybe for x in trees if maybe)",
        "sum(sum(x.owner.score for y in trees) for x in trees if x.owner)",
        # A list that is never empty has a first and a last element.
        "first(players).score",
        "last(q for q in players by q.score).score",
        "first(sizes).price",
        "last([t, t]).height",
        "first(trees + [t]).height",
        "first([t] if sure else [t, t]).height",
        "first(list(q for q in players by q.score)).score",
        "last(reach(q.friend for q in players)).score",
        "first(q.score for q in players) + 1",
        "100 / count(list(q for q in players by q.score))",
        "first(players) or p",
        "maybe or first([t]) or t",
        "(first(players) or p).score",
        "next(p).score + previous(p).score",
        "next(p, players).score + previous(p, players).score",
    ],
)
def test_a_question_asked_first_is_enough(expression: str) -> None:
    assert codes(probe(expression)) == []


@pytest.mark.parametrize(
    "expression",
    [
        "maybe.height",
        "maybe.height if sure else 0",
        "maybe.height if not maybe else 0",
        "0 if maybe else maybe.height",
        "0 if maybe and sure else maybe.height",
        "maybe or maybe.height > 2",
        "not maybe and maybe.height > 2",
        "maybe.height > 2 and maybe",
        "maybe.owner.score if maybe else 0",
        "maybe.owner.score if maybe.owner else 0",
        "t.owner.friend.score if t.owner else 0",
        "sum(x.owner.score for x in trees)",
        "sum(t.owner.score for x in trees if x.owner)",
        # The inner `x` is another one.
        "sum(sum(x.owner.score for x in trees) for x in trees if x.owner)",
        "(maybe or first(trees)).height",
        "maybe.height if (maybe or sure) else 0",
        "maybe.height if maybe == none else 0",
        "size.grows.price if sizes.small.grows else 0",
        "first(trees).height",
        "first(q for q in players if q.score > 2).score",
        "first(q.friend for q in players).score",
        "last(some).height",
        "first([t] if sure else some).height",
        "first(some + trees).height",
        "first(path(q.friend for q in players to p)).score",
        "previous(size).price",
        "next(t.owner).score",
    ],
)
def test_another_question_is_not(expression: str) -> None:
    assert set(codes(probe(expression))) == {"may-be-none"}


FORMULAS = """\
  owned: {given: {x: tree}, is: x.owner != none and x.height > 2}
  wild: {given: {x: tree}, is: not owned(x)}
  free: {given: {x: tree}, is: not x.owner}
  here: {given: {x: optional tree}, is: x and x.height > 2}
  either: {given: {x: tree, y: tree}, is: x.owner and y.owner}
  whose: {given: {x: tree}, is: x.owner}
  some_owned: {given: {x: tree}, is: any(x.owner for x in trees)}
  deep: {given: {x: tree}, is: not wild(x)}
"""


@pytest.mark.parametrize(
    ("expression", "fault"),
    [
        ("t.owner.score if owned(t) else 0", ""),
        ("0 if wild(t) else t.owner.score", ""),
        ("0 if free(t) else t.owner.score", ""),
        ("maybe.height if here(maybe) else 0", ""),
        ("sum(x.owner.score for x in trees if owned(x))", ""),
        ("sum(y.owner.score for y in trees if owned(y))", ""),
        ("t.owner.score if either(t, first([t])) else 0", ""),
        ("t.owner.score if whose(t) else 0", ""),
        ("whose(t).score if whose(t) else 0", ""),
        ("whose(t).score if t.owner else 0", ""),
        ("t.owner.score if owned(t) and sure else 0", ""),
        ("0 if owned(t) else t.owner.score", "may-be-none"),
        ("t.owner.score if wild(t) else 0", "may-be-none"),
        ("t.owner.score if owned(t) or sure else 0", "may-be-none"),
        ("sum(t.owner.score for x in trees if owned(x))", "may-be-none"),
        ("sum(x.owner.score for x in trees if owned(t))", "may-be-none"),
        ("sum(x.owner.score for x in trees if some_owned(x))", "may-be-none"),
        ("whose(t).score if owned(maybe or t) else 0", "may-be-none"),
        # The formula is too deep inside others.
        ("t.owner.score if deep(t) else 0", "may-be-none"),
    ],
)
def test_what_a_called_formula_proves_is_known(expression: str, fault: str) -> None:
    assert set(codes(probe(expression) + FORMULAS)) == ({fault} if fault else set())


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ("- {id: ask, if: owned(t), then: [{id: use, gain: {who: t.owner, score: 1}}]}", ""),
        ("- {id: end, stop: true, when: not owned(t)}\n- {id: use, gain: {who: t.owner, score: 1}}", ""),
        ("- {id: use, gain: {who: t.owner, score: 1}, when: whose(t)}", ""),
        (
            "- {id: ask, if: owned(t), then: [{id: x, set: {t.owner: none}}, "
            "{id: use, gain: {who: t.owner, score: 1}}]}",
            "may-be-none",
        ),
    ],
)
def test_steps_count_on_what_a_formula_proves(steps: str, fault: str) -> None:
    assert set(codes(procedure(steps, more=f"formulas:\n{FORMULAS}"))) == ({fault} if fault else set())


STEPS = {
    "when": "- {id: use, set: {maybe.height: 1}, when: maybe}",
    "when_of_a_group": "- id: group\n  when: maybe\n  steps:\n    - {id: use, set: {maybe.height: 1}}",
    "if": "- {id: ask, if: maybe, then: [{id: use, set: {maybe.height: 1}}]}",
    "else": "- {id: ask, if: not maybe, then: [], else: [{id: use, set: {maybe.height: 1}}]}",
    "stopped_otherwise": "- {id: end, stop: true, when: not maybe}\n- {id: use, set: {maybe.height: 1}}",
    "stopped_in_a_group": (
        "- {id: group, when: not maybe, steps: [{id: end, stop: true}]}\n- {id: use, set: {maybe.height: 1}}"
    ),
    "stopped_by_if": "- {id: ask, if: not maybe, then: [{id: end, stop: true}]}\n- {id: use, set: {maybe.height: 1}}",
    "finished_otherwise": (
        "- {id: end, finish: {winners: []}, when: maybe == none}\n- {id: use, set: {maybe.height: 1}}"
    ),
    "while": (
        "- {id: x, let: maybe}\n"
        "- id: loop\n  repeat:\n    while: x\n    at_most: 9\n    steps:\n"
        "      - {id: use, set: {x.height: 1}}\n      - {id: on, set: {x: none}}"
    ),
    "until": (
        "- {id: x, let: maybe}\n"
        "- id: loop\n  repeat:\n    until: not x\n    at_most: 9\n    steps:\n      - {id: use, set: {x.height: 1}}"
    ),
    "unchanged_in_a_loop": (
        "- id: group\n  when: t.owner\n  steps:\n"
        "    - {id: loop, for_each: x, in: trees, steps: [{id: use, gain: {who: t.owner, score: 1}}]}\n"
        "    - {id: use_after, gain: {who: t.owner, score: 1}}"
    ),
    "changed_after": (
        "- id: group\n  when: t.owner\n  steps:\n"
        "    - {id: use, gain: {who: t.owner, score: 1}}\n    - {id: change, set: {t.owner: none}}"
    ),
    "each_branch_from_the_start": (
        "- id: group\n  when: t.owner\n  steps:\n    - id: ask\n      if: storm\n"
        "      then: [{id: change, set: {t.owner: none}}]\n      else: [{id: use, gain: {who: t.owner, score: 1}}]"
    ),
    "another_field": (
        "- id: group\n  when: t.owner\n  steps:\n"
        "    - {id: change, set: {t.height: 3}}\n    - {id: use, gain: {who: t.owner, score: 1}}"
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_steps_count_on_what_was_asked(name: str) -> None:
    assert codes(procedure(STEPS[name])) == []


FORGOTTEN = {
    "not_asked": "- {id: use, set: {maybe.height: 1}}",
    "asked_the_other_way": "- {id: use, set: {maybe.height: 1}, when: not maybe}",
    "after_the_group": "- {id: group, when: maybe, steps: []}\n- {id: use, set: {maybe.height: 1}}",
    "stopped_where_it_is": "- {id: end, stop: true, when: maybe}\n- {id: use, set: {maybe.height: 1}}",
    "set": (
        "- id: group\n  when: t.owner\n  steps:\n"
        "    - {id: change, set: {t.owner: none}}\n    - {id: use, gain: {who: t.owner, score: 1}}"
    ),
    "set_of_another": (
        "- id: group\n  when: t.owner\n  steps:\n"
        "    - {id: change, set: {t.owner: p.friend}}\n    - {id: use, gain: {who: t.owner, score: 1}}"
    ),
    "local_set_in_a_block": (
        "- {id: x, let: maybe}\n- id: group\n  when: x\n  steps:\n"
        "    - {id: inner, if: storm, then: [{id: change, set: {x: none}}]}\n    - {id: use, set: {x.height: 1}}"
    ),
    "set_in_one_branch": (
        "- id: group\n  when: t.owner\n  steps:\n"
        "    - {id: ask, if: storm, then: [], else: [{id: change, set: {t.owner: none}}]}\n"
        "    - {id: use, gain: {who: t.owner, score: 1}}"
    ),
    "set_in_a_loop_before": (
        "- id: group\n  when: t.owner\n  steps:\n    - id: loop\n      for_each: x\n      in: trees\n      steps:\n"
        "        - {id: use, gain: {who: t.owner, score: 1}}\n        - {id: change, set: {t.owner: none}}"
    ),
    "set_in_a_loop_after": (
        "- id: group\n  when: t.owner\n  steps:\n"
        "    - {id: loop, for_each: x, in: trees, steps: [{id: change, set: {x.owner: none}}]}\n"
        "    - {id: use, gain: {who: t.owner, score: 1}}"
    ),
    "set_deep_in_a_loop": (
        "- {id: x, let: maybe}\n- id: group\n  when: x\n  steps:\n    - id: loop\n      repeat:\n        at_most: 3\n"
        "        steps:\n          - {id: use, set: {x.height: 1}}\n"
        "          - {id: ask, if: storm, then: [{id: inner, steps: [{id: change, set: {x: none}}]}]}"
    ),
    "done_elsewhere": (
        "- id: group\n  when: t.owner\n  steps:\n"
        "    - {id: other, do: rob, with: {t: t}}\n    - {id: use, gain: {who: t.owner, score: 1}}"
    ),
    "bound_by_a_step_that_may_be_passed_over": "- {id: x, let: t, when: storm}\n- {id: use, set: {x.height: 1}}",
}
ROB = "  rob:\n    given: {t: tree}\n    steps: [{id: taken, set: {t.owner: none}}]\n"


@pytest.mark.parametrize("name", FORGOTTEN)
def test_what_a_step_changes_is_asked_again(name: str) -> None:
    assert codes(procedure(FORGOTTEN[name], before=ROB)) == ["may-be-none"]


@pytest.mark.parametrize(
    ("instead", "sound"),
    [("[]", True), ("[{id: change, set: {t.owner: none}}]", False), ("[{id: other, set: {storm: true}}]", True)],
)
def test_a_special_case_may_change_what_was_known(instead: str, sound: bool) -> None:
    steps = (
        "- id: group\n  when: t.owner\n  steps:\n"
        "    - {id: plain, gain: {who: t.owner, score: 1}}\n    - {id: use, gain: {who: t.owner, score: 1}}"
    )
    special = f"exceptions:\n  rare: {{to: main.plain, when: storm, instead: {instead}, means: Rare.}}\n"
    assert codes(procedure(steps, more=special)) == ([] if sound else ["may-be-none"])


def test_what_a_special_case_asks_is_known_in_its_place() -> None:
    special = (
        "exceptions:\n  rare: {to: main.plain, when: maybe, instead: [{id: x, set: {maybe.height: 1}}], means: M}\n"
    )
    assert codes(procedure("- {id: plain, set: {storm: true}}", more=special)) == []


def test_what_comes_after_a_stop_may_be_missing_in_the_end() -> None:
    steps = "- {id: end, stop: true, when: storm}\n- {id: found, let: t}"
    gives = "    gives: {found: found.height}\n"
    source = procedure(steps).replace("    steps:\n", gives + "    steps:\n", 1)
    assert codes(source) == ["may-be-none"]
    assert codes(source.replace("found.height", "found.height if found else 0")) == []
    assert codes(source.replace("- {id: end, stop: true, when: storm}", "- {id: end, set: {storm: true}}")) == []


def test_what_a_stop_taught_does_not_hold_in_the_end() -> None:
    steps = "- {id: end, stop: true, when: not maybe}"
    source = procedure(steps).replace("    steps:\n", "    gives: {h: maybe.height}\n    steps:\n", 1)
    assert codes(source) == ["may-be-none"]


@pytest.mark.parametrize(
    "expression",
    [
        "9 / n if n > 0 else 0",
        "9 % n if n != 0 else 0",
        "0 if n == 0 else 9 / n",
        "0 if n <= 0 else 9 / n",
        "9 / n if 1 <= n else 0",
        "9 / n if n < 0 else 0",
        "9 / n if n == 3 else 0",
        "9 / n if not (n < 1 or sure) else 0",
        "n > 0 and 9 / n > 2",
        "n == 0 or 9 / n > 2",
        "9 / t.height if sure and t.height >= 1 else 0",
        "9 / count(trees) if count(trees) > 0 else 0",
        "sum(9 / x.height for x in trees if x.height > 0)",
        "9 / (n - 1) if n - 1 > 0 else 0",
        "9 / twice(n) if twice(n) != 0 else 0",
        "sum(9 / n for x in trees) if n > 0 else 0",
        "9 / count(players)",
    ],
)
def test_what_is_not_zero_may_be_divided_by(expression: str) -> None:
    assert codes(probe(expression)) == []


@pytest.mark.parametrize(
    "expression",
    [
        "9 / n",
        "9 / n if n >= 0 else 0",
        "9 / n if n <= 0 else 0",
        "9 / n if n == 0 else 0",
        "9 / n if n != 1 else 0",
        "0 if n > 0 else 9 / n",
        "9 / n > 2 and n > 0",
        "9 / n if n > 0 or sure else 0",
        "9 / t.height if n > 0 else 0",
        "9 / n if n > -1 else 0",
        # The inner `n` is another one.
        "sum(9 / n for n in [0, 1]) if n > 0 else 0",
        "sum(9 / max(n, 0) for n in [0, 1]) if max(n, 0) > 0 else 0",
        "9 / (n - 1) if n - 2 > 0 else 0",
        "9 / count(q for q in players if q != p)",
        "9 / count(trees)",
    ],
)
def test_what_may_be_zero_may_not(expression: str) -> None:
    assert set(codes(probe(expression))) == {"division-by-zero"}


def test_steps_divide_by_what_was_asked_until_it_may_have_changed() -> None:
    text = "- id: group\n  when: t.height > 0\n  steps:\n"
    use = "    - {id: use, let: 9 / t.height}"
    assert codes(procedure(f"{text}{use}")) == []
    assert codes(procedure(f"- {{id: end, stop: true, when: t.height <= 0}}\n{use[4:]}")) == []
    assert codes(procedure(f"{text}    - {{id: change, set: {{t.height: n}}}}\n{use}".replace("n}", "0}"))) == [
        "division-by-zero"
    ]
    # What is worked out is known again within one expression alone.
    assert codes(procedure("- {id: use, let: 9 / count(trees), when: count(trees) > 0}")) == ["division-by-zero"]


@pytest.mark.parametrize(
    "change",
    [
        "{id: paid, pay: {who: p, score: 1}}",
        "{id: gained, gain: {who: p, score: n}}",
        "{id: each, for_each: q, in: players, steps: [{id: paid, pay: {who: q, score: 1}}]}",
        "{id: some, if: storm, then: [{id: paid, pay: {who: p, score: 1}}]}",
    ],
)
def test_what_is_gained_or_paid_may_be_zero_then(change: str) -> None:
    steps = f"- {{id: n, let: 2}}\n- id: group\n  when: p.score > 0\n  steps:\n    - {change}\n"
    assert codes(procedure(f"{steps}    - {{id: use, let: 9 / p.score}}")) == ["division-by-zero"]
    text = "- id: group\n  when: p.score > 0\n  steps:\n    - {id: use, let: 9 / p.score}"
    assert codes(procedure(text)) == []


SPELLS = """\
tables:
  spells:
    columns: {effect: {steps: {given: {t: tree}}}}
    rows:
      rain: {effect: [{id: grown, set: {t.height: 9}}]}
      frost: {effect: [{id: cut, do: rob, with: {t: t}}]}
"""
WATER = ROB + "  water:\n    given: {t: tree}\n    steps: [{id: grown, set: {t.height: 5}}]\n"
GROUP = (
    "- id: group\n  when: t.owner\n  steps:\n    - {id: call, CALL}\n    - {id: use, gain: {who: t.owner, score: 1}}"
)


def faults(call: str, more: str = "") -> list[str]:
    """Return the messages about steps in which a call stands between a test and a use."""
    source = procedure(GROUP.replace("CALL", call), before=WATER, more=more)
    return [each.message for each in checked(source.replace("tables:\n", SPELLS, 1))[1]]


@pytest.mark.parametrize(
    "call",
    [
        "do: water, with: {t: t}",
        "do: spells.rain.effect, with: {t: t}",
        "for_each: x, in: trees, steps: [{id: inner, do: water, with: {t: x}}]",
        "if: storm, then: [{id: inner, do: water, with: {t: t}}]",
        "choose: {who: p, one_of: trees}",
    ],
)
def test_a_call_leaves_what_it_cannot_change_tested(call: str) -> None:
    assert faults(call) == []


@pytest.mark.parametrize(
    ("call", "step"),
    [
        ("do: rob, with: {t: t}", "`call` runs `rob`, which may change `owner`"),
        ("do: spells.frost.effect, with: {t: t}", "`call` runs `spells.frost.effect`, which may change `owner`"),
        (
            "for_each: spell, in: spells, steps: [{id: inner, do: spell.effect, with: {t: t}}]",
            "`inner` runs `spells.effect`, which may change `owner`",
        ),
        ("if: storm, then: [{id: inner, do: rob, with: {t: t}}]", "`inner` runs `rob`, which may change `owner`"),
        ("set: {t.owner: p.friend}", "`call` may change `owner`"),
        ("if: storm, then: [{id: inner, set: {t.owner: none}}]", "`inner` may change `owner`"),
    ],
)
def test_a_message_names_the_step_that_has_undone_a_test(call: str, step: str) -> None:
    assert faults(call) == [f"`who` must not be none, but this may be: it was tested, but {step}"]


def test_a_trigger_undoes_only_tests_of_what_it_may_change() -> None:
    trigger = "whenever: {{felled: {{changes: tree.height, then: [{{id: x, set: {{{0}}}}}], means: M}}}}\n"
    assert faults("set: {t.height: 1}", trigger.format("storm: true")) == []
    undone = "`call` runs `felled`, which may change `owner`"
    for call in ("set: {t.height: 1}", "do: water, with: {t: t}"):
        (message,) = faults(call, trigger.format("tree.owner: none"))
        assert message.endswith(undone if call.startswith("set") else undone.replace("felled", "water"))


def test_a_message_names_no_step_if_the_test_would_not_be_true_here() -> None:
    after = GROUP.replace("CALL", "do: rob, with: {t: t}").replace("    - {id: use", "- {id: use")
    (fault,) = checked(procedure(after, before=ROB))[1]
    assert fault.message == "`who` must not be none, but this may be"


def test_a_message_about_a_divisor_names_the_step_that_has_undone_a_test() -> None:
    steps = "- id: group\n  when: t.height > 0\n  steps:\n    - {id: call, do: water, with: {t: t}}\n"
    (fault,) = checked(procedure(f"{steps}    - {{id: use, let: 9 / t.height}}", before=WATER))[1]
    assert "it was tested, but `call` runs `water`, which may change `height`" in fault.message


PICKS = "tables: {hats: {rows: {cap: {}, top: {}}}, ways: {rows: {north: {}, south: {}}}}\n"
PICKS += "records: {spot: {parts: {hat: hats, way: ways}}}\n"
PICKS += "kinds: {player: {fields: {plan: optional hats, held: {type: list of hats, default: [cap]}, \n"
PICKS += "  best: {type: hats, default: cap},   worn: map of hats to optional ways}}}\n"


def picks(steps: str) -> list[str]:
    lines = "".join(f"      {line}\n" for line in steps.strip("\n").split("\n"))
    return codes(f"{PICKS}procedures:\n  main:\n    given: {{p: player, s: spot}}\n    steps:\n{lines}")


@pytest.mark.parametrize("key", ["s.hat", "p.best", "hats.cap"])
def test_a_value_of_a_map_is_known_by_a_key_that_is_a_path(key: str) -> None:
    group = f"- id: group\n  when: p.worn[{key}]\n  steps:\n"
    use = f"    - {{id: use, set: {{p.best: p.best}}, when: 'p.worn[{key}].rank > 1'}}"
    assert picks(group + use) == []
    changed = f"    - {{id: off, set: {{'p.worn[{key}]': none}}}}\n"
    assert picks(group + changed + use) == ["may-be-none"]


def test_a_value_of_a_map_is_unknown_after_a_change_of_its_key() -> None:
    group = "- id: group\n  when: p.worn[p.best]\n  steps:\n    - {id: other, set: {p.best: hats.top}}\n"
    assert picks(group + "    - {id: use, let: 'p.worn[p.best].rank'}") == ["may-be-none"]
    loop = (
        "- {id: h, let: hats.cap}\n- id: group\n  when: p.worn[h]\n  steps:\n    - id: loop\n      repeat:\n"
        "        at_most: 3\n        steps:\n          - {id: use, let: 'p.worn[h].rank'}\n"
        "          - {id: other, set: {h: hats.top}}"
    )
    assert picks(loop) == ["may-be-none"]


def test_those_who_are_asked_are_known_to_fit_the_condition() -> None:
    choice = "- {{id: pick, choose: {{who: 'list(q for q in players if {})', as: one, some_of: one.held - one.plan}}}}"
    assert picks(choice.format("q.plan")) == []
    assert picks(choice.format("q != p and q.plan")) == []
    assert picks(choice.format("q != p or q.plan")) == ["may-be-none"]
    assert picks(choice.format("p.plan")) == ["may-be-none"]


@pytest.mark.parametrize("operator", ["+", "-"])
def test_a_list_that_may_be_none_is_neither_added_nor_removed(operator: str) -> None:
    picked = "- {id: pick, choose: {who: 'list(q for q in players if q != p)', as: one, some_of: one.held}}\n"
    step = f"{picked}- {{id: use, set: {{p.held: 'p.held {operator} pick[p]'}}}}"
    assert picks(step) == ["may-be-none"]
    assert picks(step.replace("use, set", "use, when: 'pick[p]', set")) == []
