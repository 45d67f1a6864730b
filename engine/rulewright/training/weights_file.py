"""Learned weights as a readable rules file, and training progress as a file to resume from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.base.errors import RulewrightError
from rulewright.ruleset.pipeline import build_ruleset_from_layers
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.weights import WEIGHTS
from rulewright.source.files.atomic_write import lock_folders, write_text
from rulewright.source.files.safe_read import read_regular
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.training.learn_weights import NAME, TrainingReport, WeightSearch
from rulewright.training.position_features import Feature
from rulewright.training.training_match import Score

FORMAT = 1
MOST_BYTES = 16 * 1024 * 1024
_MOST_GAMES = 10**15

FILE = "weights.yaml"
"""The default name of the file in a ruleset's folder."""


def format_file(weight_search: WeightSearch, *, generations: int, proof: Score | None) -> str:
    """Return the text of a rules file with the learned weights and comments on how they were learned.

    `proof` is the score against bots with the ruleset's own formula, or None. Texts that the layers below already have
    are left out, so the ruleset of these layers is built.
    """
    ruleset = weight_search.ruleset
    lines = [
        f"# Learned by play: `rulewright train {ruleset.name}`, seed {weight_search.seed}, {generations} generations.",
        "# The features of a position for a player, with their weights, by which bots evaluate positions.",
    ]
    if proof is not None:
        decided = proof.wins + proof.losses
        share, (low, high) = proof.wins / max(1, decided), compute_wilson_interval(proof.wins, decided)
        lines.append(
            f"# Bots with these weights won {share:.1%} ({low:.1%} to {high:.1%}) of {decided:,} decisive games "
            f"against bots with `{ruleset.evaluate}`. Draws: {proof.draws:,}."
        )
    anchor = next((f.id for f in weight_search.features if f.id == ruleset.evaluate), None)
    if anchor is not None:
        lines.append(f"# Weights (`worth`) are on the scale of `{anchor}`, the rules' own formula.")
    below = _below(ruleset)
    lines += [f"{WEIGHTS.key}:", f"  {NAME}:"]
    if below.get("learned_for") != ruleset.digest:
        lines.append(f'    learned_for: "{ruleset.digest}"')
    terms = sorted(
        zip(weight_search.relevant, weight_search.best, strict=True), key=lambda each: -abs(each[0].spread * each[1])
    )
    written = [_term(relevant.feature, weight, below) for relevant, weight in terms]
    if any(written):
        lines += ["    terms:", *(line for each in written for line in each)]
    return "\n".join(lines) + "\n"


def _term(feature: Feature, weight: float, below: Mapping[str, str]) -> list[str]:
    """Return the YAML lines of a term, without the parts inherited unchanged from a layer below."""
    texts = {"is": feature.formula, "worth": _number(weight), "means": feature.means}
    new = {key: value for key, value in texts.items() if below.get(f"terms.{feature.id}.{key}") != value}
    lines = [f"        {key}: {value if key == 'worth' else _scalar(value)}" for key, value in new.items()]
    return [f"      {feature.id}:", *lines] if lines else []


def _below(ruleset: Ruleset) -> dict[str, str]:
    """Return the texts of the learned evaluation as the layers below the top have it, by dotted path within it.

    Builds the ruleset of these layers. Empty if there are none, if they have errors, or if they lack the evaluation.
    """
    layers = ruleset.resolved.layers[:-1]
    result = build_ruleset_from_layers([*layers]).value if layers else None
    results: dict[str, str] = {}

    def walk(node: Node | None, path: tuple[str, ...]) -> None:
        """Store the texts in a node by their dotted paths."""
        if isinstance(node, Scalar):
            results[".".join(path)] = node.text
        elif isinstance(node, MappingNode):
            for key, entry in node.entries.items():
                walk(entry.value, (*path, key))

    weights = None if result is None else result.resolved.rules.get(WEIGHTS.key)
    walk(weights.get(NAME) if isinstance(weights, MappingNode) else None, ())
    return results


def _scalar(value: str) -> str:
    written = yaml.safe_dump(value, width=100_000, allow_unicode=True, default_style=None)
    return written.removesuffix("\n").removesuffix("...").strip()


def _number(value: float) -> str:
    return f"{value:.10f}".rstrip("0").rstrip(".") or "0"


def refuse_other_rules(path: Path) -> None:
    """Raise `RulewrightError` if a file contains other data than learned weights, which would be lost.

    A missing file is valid. A file that cannot be read or parsed is not.
    """
    try:
        data = yaml.safe_load(read_regular(path, MOST_BYTES).decode("utf-8"))
    except FileNotFoundError:
        return
    except (OSError, ValueError, yaml.YAMLError):
        data = None
    inner = data.get(WEIGHTS.key) if isinstance(data, dict) and set(data) == {WEIGHTS.key} else None
    if not isinstance(inner, dict) or set(inner) != {NAME}:
        raise RulewrightError(
            f"{path} contains more than `{WEIGHTS.key}: {NAME}:`, which would be lost: name another file with --output"
        )


def find_progress_file(path: Path) -> Path:
    """Return the path of the progress file for the weights file `path`."""
    return path.with_name(path.name + ".progress")


def keep(weight_search: WeightSearch, path: Path) -> None:
    """Save the training progress, unless the file has more generations of the same training.

    Raises `OSError`, and `RulewrightError` as `go_on` does. The file is then unchanged.
    """
    progress = {"generations": weight_search.report.generations, "checks": weight_search.report.checks}
    text = json.dumps({"rulewright training": FORMAT, "settings": weight_search.settings, "told": progress}) + "\n"
    with lock_folders(Path(os.path.realpath(path)).parent):
        there = _read_number(path, weight_search)
        if there is None or len(there.generations) <= len(weight_search.report.generations):
            write_text(path, text)


def go_on(weight_search: WeightSearch, path: Path) -> int:
    """Load the training progress that `keep` saved, and return its number of generations, 0 without a file.

    Replaces `weight_search.report`. Raises `RulewrightError` for a damaged file, or one with other rules or settings.
    """
    number = _read_number(path, weight_search)
    if number is None:
        return 0
    weight_search.report = number
    return len(number.generations)


def _read_number(path: Path, weight_search: WeightSearch) -> TrainingReport | None:
    """Return the match results in a progress file, or None if there is no file.

    Raises `RulewrightError` for a damaged file, or one with other rules or settings.
    """
    try:
        data = json.loads(read_regular(path, MOST_BYTES).decode("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise RulewrightError(
            f"{path} has no training run to continue: remove it, or start over with --anew"
        ) from error
    settings = json.loads(json.dumps(weight_search.settings))
    if not isinstance(data, dict) or data.get("rulewright training") != FORMAT or data.get("settings") != settings:
        raise RulewrightError(
            f"{path} has a training run with other rules or settings: repeat its settings, or start over with --anew"
        )
    report = _read_report(data.get("told"), weight_search.size)
    if report is None:
        raise RulewrightError(f"{path} has no training run to continue: remove it, or start over with --anew")
    return report


def _read_report(data: Any, size: int) -> TrainingReport | None:
    """Return the match results in the data, or None if the data is invalid.

    `size` is the number of candidates that each generation must have.
    """
    if not isinstance(data, dict):
        return None
    generations, checks = data.get("generations"), data.get("checks")
    if not isinstance(generations, list) or not isinstance(checks, list):
        return None
    sound = all(
        isinstance(each, list)
        and len(each) == size
        and all(isinstance(share, float) and 0 <= share <= 1 for share in each)
        for each in generations
    ) and all(isinstance(each, list) and len(each) == 3 and all(map(_is_count, each)) for each in checks)
    return TrainingReport(generations, [(each[0], each[1], each[2]) for each in checks]) if sound else None


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST_GAMES
