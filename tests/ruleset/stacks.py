"""Overlays stacked in a test: what each of two says, and what the edition that stacks them says itself."""

from __future__ import annotations

from pathlib import Path

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_edition
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.collector import Diagnostics
from tests.ruleset.bad_rulesets import BASE


def write(folder: Path, name: str, rules: str, *, manifest: str = "extends: my/base@1") -> None:
    """Write the edition `my/<name>`."""
    (folder / name).mkdir(parents=True, exist_ok=True)
    text = f"ruleset: my/{name}\nversion: 1.0.0\ntitle: Mine\n{manifest}\n"
    (folder / name / "ruleset.yaml").write_text(text)
    if rules:
        (folder / name / "rules.yaml").write_text(rules)


def write_stack(
    folder: Path, high: str, fog: str, table: str = "", *, overlays: str = "[my/high, my/fog]", over: str = ""
) -> None:
    """Write a base, two overlays made apart, and the edition that stacks them."""
    write(folder, "base", BASE, manifest="rounding: truncate\nplayers: 1..4")
    write(folder, "high", high)
    write(folder, "fog", fog, manifest=f"extends: my/base@1\n{over}")
    write(folder, "table", table, manifest=f"extends: my/base@1\noverlays: {overlays}")


def load(folder: Path, name: str = "my/table") -> tuple[Ruleset | None, Diagnostics]:
    """Return an edition, and what is wrong with it."""
    catalogue = Catalogue([folder])
    return load_edition(catalogue, catalogue.find(parse_reference(name)))


MEETINGS: dict[str, tuple[str, str]] = {
    "both_change": ("numbers: {goal: 50}\n", "numbers: {goal: 60}\n"),
    "both_change_alike": ("numbers: {goal: 50}\n", "numbers: {goal: 50}\n"),
    "both_add": (
        "tables: {sizes: {rows: {huge: {price: 9}}}}\n",
        "tables: {sizes: {rows: {huge: {after: large, price: 8, needs: [large]}}}}\n",
    ),
    "both_add_a_thing": ("numbers: {wage: 1}\n", "numbers: {wage: 2}\n"),
    "both_remove": (
        "tables: {sizes: {rows: {large: {delete: true}}}}\n",
        "tables: {sizes: {rows: {large: {delete: true}}}}\n",
    ),
    "both_replace": (
        "tables: {sizes: {rows: {large: {replace: true, price: 8}}}}\n",
        "tables: {sizes: {rows: {large: {price: 9}}}}\n",
    ),
    "both_move": (
        "tables: {sizes: {rows: {large: {before: middling}}}}\n",
        "tables: {sizes: {rows: {large: {before: small}}}}\n",
    ),
    "removed_below": (
        "tables: {sizes: {rows: {large: {delete: true}}}}\n",
        "tables: {sizes: {rows: {large: {price: 9}}}}\n",
    ),
    "removed_above": (
        "tables: {sizes: {rows: {large: {price: 9}}}}\n",
        "tables: {sizes: {rows: {large: {delete: true}}}}\n",
    ),
    "steps_in_a_removed_group": (
        "procedures: {tend: {steps: [{delete: good}]}}\n",
        "procedures: {tend: {steps: [{id: joy, gain: {score: 2}}]}}\n",
    ),
    "step_changed_two_ways": (
        "procedures: {tend: {steps: [{id: good, steps: [{id: joy, gain: {score: 2}}]}]}}\n",
        "procedures: {tend: {steps: [{id: joy, gain: {score: 3}}]}}\n",
    ),
    "both_add_a_step": (
        "procedures: {tend: {steps: [{after: look, id: new, set: {t.height: 3}}]}}\n",
        "procedures: {tend: {steps: [{before: prune, id: new, set: {t.height: 4}}]}}\n",
    ),
    "both_move_a_step": (
        "procedures: {tend: {steps: [{id: joy, after: look}]}}\n",
        "procedures: {tend: {steps: [{id: joy, after: loop}]}}\n",
    ),
    "moved_step_is_removed": (
        "procedures: {tend: {steps: [{id: joy, after: look}]}}\n",
        "procedures: {tend: {steps: [{delete: joy}]}}\n",
    ),
    "removed_step_is_moved": (
        "procedures: {tend: {steps: [{delete: joy}]}}\n",
        "procedures: {tend: {steps: [{id: joy, after: look}]}}\n",
    ),
    "moved_out_of_a_removed_group": (
        "procedures: {tend: {steps: [{delete: good}]}}\n",
        "procedures: {tend: {steps: [{id: joy, after: look}]}}\n",
    ),
    "beside_a_moved_step": (
        "procedures: {tend: {steps: [{id: joy, after: look}]}}\n",
        "procedures: {tend: {steps: [{after: joy, id: new, set: {t.height: 3}}]}}\n",
    ),
    "one_gap_for_two_steps": (
        "procedures: {tend: {steps: [{after: look, id: one, set: {t.height: 3}}]}}\n",
        "procedures: {tend: {steps: [{after: look, id: two, set: {t.height: 4}}]}}\n",
    ),
    "one_gap_for_two_rows": (
        "tables: {sizes: {rows: {huge: {after: large, price: 8}}}}\n",
        "tables: {sizes: {rows: {vast: {after: large, price: 9}}}}\n",
    ),
    "beside_what_is_removed": (
        "procedures: {tend: {steps: [{delete: joy}]}}\n",
        "procedures: {tend: {steps: [{after: joy, id: new, set: {t.height: 3}}]}}\n",
    ),
    "beside_what_is_removed_above": (
        "procedures: {tend: {steps: [{after: joy, id: new, set: {t.height: 3}}]}}\n",
        "procedures: {tend: {steps: [{delete: joy}]}}\n",
    ),
}
"""What two overlays say that cannot be laid one over the other without anybody's wish."""

SETTLED: dict[str, str] = {
    "both_change": "numbers: {goal: 60}\n",
    "both_change_alike": "numbers: {goal: 50}\n",
    "both_add": "tables: {sizes: {rows: {huge: {replace: true, price: 7}}}}\n",
    "both_add_a_thing": "numbers: {wage: {replace: true, is: 1}}\n",
    "both_remove": "tables: {sizes: {rows: {large: {delete: true}}}}\n",
    "both_replace": "tables: {sizes: {rows: {large: {replace: true, price: 9}}}}\n",
    "both_move": "tables: {sizes: {rows: {large: {before: small}}}}\n",
    "removed_below": "tables: {sizes: {rows: {large: {replace: true, price: 9}}}}\n",
    "removed_above": "tables: {sizes: {rows: {large: {delete: true}}}}\n",
    "steps_in_a_removed_group": "procedures: {tend: {steps: [{delete: good}]}}\n",
    "step_changed_two_ways": "procedures: {tend: {steps: [{id: joy, gain: {score: 3}}]}}\n",
    "both_add_a_step": "procedures: {tend: {steps: [{replace: new, set: {t.height: 5}}]}}\n",
    "both_move_a_step": "procedures: {tend: {steps: [{id: joy, after: loop}]}}\n",
    "moved_step_is_removed": "procedures: {tend: {steps: [{delete: joy}]}}\n",
    "one_gap_for_two_rows": "tables: {sizes: {rows: {vast: {after: large}}}}\n",
}
"""What the edition that stacks them may say to settle it."""
