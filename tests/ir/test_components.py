"""What leads to itself, together: beside asking of every two nodes whether each reaches the other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulewright.ir.strongly_connected import find_components

GRAPHS = st.integers(1, 9).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size - 1), max_size=4), min_size=size, max_size=size)
)


def reached(graph: list[list[int]], root: int) -> set[int]:
    """Return all that a node leads to, itself too."""
    members, waiting = {root}, [root]
    while waiting:
        further = set(graph[waiting.pop()]) - members
        members |= further
        waiting += further
    return members


@given(GRAPHS)
def test_two_are_together_where_each_leads_to_the_other(graph: list[list[int]]) -> None:
    components = find_components(range(len(graph)), graph.__getitem__)
    assert sorted(node for group in components for node in group) == list(range(len(graph)))
    place = {node: number for number, group in enumerate(components) for node in group}
    for one in place:
        for other in reached(graph, one):
            assert place[other] <= place[one], "each comes after what it leads to"
            assert (place[one] == place[other]) == (one in reached(graph, other))


@given(GRAPHS)
def test_only_what_is_reached_from_the_roots_is_told(graph: list[list[int]]) -> None:
    components = find_components([0], graph.__getitem__)
    assert {node for group in components for node in group} == reached(graph, 0)
    assert components[-1][-1] == 0, "the root was entered first"


def test_a_graph_may_be_deep() -> None:
    deep = 100_000
    round_and_round = find_components([0], lambda node: [(node + 1) % deep])
    assert [len(group) for group in round_and_round] == [deep]
    assert find_components([0], lambda node: [node + 1] if node < deep else [])[:2] == [[deep], [deep - 1]]
