"""Strongly connected components of a graph.

Source: Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1 (1972).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def find_components(roots: Iterable[Node], onward: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """Return the components reachable from `roots`, each after all others that it leads to.

    `onward` returns the successors of a node and is called once for each. The same graph in the same order gives the
    same lists, in which the node that entered a component is last. The search is iterative, so the depth of the graph
    is not limited.
    """
    components: list[list[Node]] = []
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    for root in roots:
        if root in index:
            continue
        work = [(root, iter(onward(root)))]
        while work:
            node, rest = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            for target in rest:
                if target not in index:
                    work.append((target, iter(onward(target))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    components.append(_pop_component(stack, on_stack, node))
    return components


def _pop_component(stack: list[Node], on_stack: set[Node], last: Node) -> list[Node]:
    """Pop and return the nodes entered since `last`, which is the last of them."""
    component: list[Node] = []
    while not component or component[-1] != last:
        component.append(stack.pop())
        on_stack.discard(component[-1])
    return component
