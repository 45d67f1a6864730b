"""Digests: of the gameplay, which saves and locks are bound to; of what counts come from; of all that was written."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rulewright.language.schema_shapes import ByForm, ListOf, MapOf, Record, Shape, Steps
from rulewright.ruleset.schema.canonical_form import choose_form
from rulewright.ruleset.schema.model import build_rules_shape, step_shape
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

DIGITS = 16
"""Hexadecimal digits of a digest: enough that no two rulesets a person meets share one."""


def extract_gameplay(manifest: Mapping, rules: Mapping) -> dict[str, Any]:
    """Return the gameplay of a resolved ruleset as plain data: everything but words and looks."""
    settings = {
        key: to_plain(manifest.get(key), None) for key in ("rounding", "players", "start", "payoff") if key in manifest
    }
    return {"settings": settings, "rules": to_plain(rules, build_rules_shape())}


def compute_digest(data: Any) -> str:
    """Return the digest of plain data: the same on every platform and Python version."""
    return digest_text(as_text(data))


def as_text(data: Any) -> str:
    """Return plain data as the text of which its digest is made."""
    return json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def digest_text(text: str) -> str:
    """Return the digest of plain data, of which `text` is `as_text`."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:DIGITS]


def digest_counts(played: str, manifest: Mapping, rules: Mapping) -> str:
    """Return the digest of what counts of games come from: the gameplay that is `played`, as text.

    What is measured, and how bots judge.
    """
    measured = [to_plain(rules.get("measures"), None), to_plain(manifest.get("evaluate"), None)]
    if rules.get("weights") is not None:
        measured.append(to_plain(rules.get("weights"), None))
    # As text, once for both digests: it is most of what there is to write.
    return digest_text(f"[{played},{as_text(json.dumps(measured))}]")


def digest_all(manifest: Mapping, rules: Mapping) -> str:
    """Return the digest of everything in a resolved ruleset, words, looks and order among it.

    What was worked out from one ruleset holds for every other with this digest. With that of the gameplay alone it does
    not: measures, for one, are reported of games and change none.
    """
    text = json.dumps([to_plain(manifest, None), to_plain(rules, None)], separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def to_plain(node: Node | None, shape: Shape | None) -> Any:
    """Return a node of that shape as plain data, without words and looks, ready for `digest`."""
    if isinstance(shape, ByForm) and node is not None:
        shape = choose_form(shape, node)
    match node:
        case None:
            return None
        case Scalar():
            # Blanks around and inside an expression are looks.
            return " ".join(node.text.split())
        case Sequence():
            if isinstance(shape, Steps):
                return [to_plain(item, step_shape(item)) for item in node.items]
            inner = shape.inner if isinstance(shape, ListOf) else None
            return [to_plain(item, inner) for item in node.items]
    if isinstance(shape, MapOf):
        pairs = [
            [key, None if shape.inner.cosmetic else to_plain(entry.value, shape.inner)]
            for key, entry in node.entries.items()
        ]
        return pairs if shape.ranked else sorted(pairs)
    found = {}
    for key, entry in node.entries.items():
        member = (shape.members.get(key) or shape.members.get("*")) if isinstance(shape, Record) else None
        if member is not None and member.shape.cosmetic:
            continue
        found[key] = to_plain(entry.value, member.shape if member else None)
    return found
