"""`after`: a condition in the state that a procedure would leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.language.builtin import Builtin
from rulewright.language.types import BOOLEAN, Type


def _result(types: Sequence[Type]) -> Type | str:
    return BOOLEAN


def _evaluate(*values: Any) -> Any:
    raise TypeError("`after` is evaluated by the machine that runs its procedure")


AFTER = Builtin(
    name="after",
    signature="after(procedure(…), condition)",
    means=(
        "True if the condition would be true right after the procedure. The procedure runs on a copy of the game, so "
        "nothing changes. It must not ask, roll, draw or finish the game."
    ),
    result=_result,
    evaluate=_evaluate,
    operation=lambda types, result: "after",
    looks_ahead=True,
)
