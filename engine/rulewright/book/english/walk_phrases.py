"""English phrases for walks, such as the spaces within reach, the distance to a space, and the path to it."""

from __future__ import annotations

from rulewright.book.english.clauses import Say
from rulewright.book.english.phrase import Bond, Phrase, build, build_list
from rulewright.language.expressions import typed_ast as t


def value(say: Say, node: t.Travel) -> Phrase:
    """Return the phrase for a walk. A letter names the places on the way, because several clauses refer to them."""
    letter, inner = say.introducing(node.variable)
    name = say.style.name(letter)
    what = {
        "reach": "all that is reached from ",
        "ray": "all that lies beyond ",
        "groups": "the groups among ",
        "distance": "the number of steps from " if node.cost is None else "the cost of the way from ",
        "path": "the way from ",
    }[node.function]
    pieces: list[str | Phrase] = [what, say.inside(node.source)]
    if node.goal is not None:
        pieces += [" to ", say.inside(node.goal)]
    onward = "joining every {} to " if node.function == "groups" else "going on from every {} to "
    pieces += [f", {onward.format(name)}", inner.inside(node.onward)]
    if node.cost is not None:
        pieces += [", at a cost of ", inner.inside(node.cost), f" for every {name}"]
    if node.limit is not None:
        pieces += [", for ", say.inside(node.limit), " at most"]
    to = "" if node.function == "groups" else "to "
    ends = [
        build(words, inner.clause(condition), bond=Bond.OPEN)
        for words, condition in (
            (f"but only {to}every {name} for which ", node.condition),
            (f"up to every {name} for which ", node.until),
        )
        if condition is not None
    ]
    if any(each.items for each in ends[:-1]):
        return build(*pieces, build_list(", within these limits", ends), bond=Bond.OPEN)
    return build(*pieces, *(piece for each in ends for piece in (", ", each)), bond=Bond.OPEN)
