"""Digests of the gameplay (for saves and locks), of what simulation results depend on, and of everything."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from rulewright.language.schema_shapes import ByForm, ListOf, MapOf, Record, Shape, Steps, find_inner_shape
from rulewright.ruleset.schema.canonical_form import choose_form
from rulewright.ruleset.schema.model import build_rules_shape, step_shape
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence

DIGITS = 16
"""The length of a digest in hexadecimal digits, which makes accidental collisions negligible."""


@dataclass(frozen=True, slots=True)
class RulesDigests:
    """The digests of merged rules: of the gameplay, of all that results of simulations depend on, and of everything."""

    gameplay: str
    counts: str
    everything: str


def compute_digests(manifest: Mapping, rules: Mapping) -> RulesDigests:
    """Return the digests of merged rules. The texts that they are digests of are only written once."""
    played = as_text(extract_gameplay(manifest, rules))
    return RulesDigests(digest_text(played), digest_counts(played, manifest, rules), digest_all(manifest, rules))


def extract_gameplay(manifest: Mapping, rules: Mapping) -> dict[str, Any]:
    """Return the gameplay of merged rules as plain data, without texts and looks.

    It is a dict with the `settings` of the manifest that affect play, and the `rules`, as `to_plain` returns them.
    """
    settings = {
        key: to_plain(manifest.get(key), None) for key in ("rounding", "players", "start", "payoff") if key in manifest
    }
    return {"settings": settings, "rules": to_plain(rules, build_rules_shape())}


def compute_digest(data: Any) -> str:
    """Return the digest of plain data, which is the same on every platform and Python version."""
    return digest_text(as_text(data))


def as_text(data: Any) -> str:
    """Return plain data as the canonical JSON text that is hashed."""
    return json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def digest_text(text: str) -> str:
    """Return the digest of the text from `as_text`."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:DIGITS]


def digest_counts(played: str, manifest: Mapping, rules: Mapping) -> str:
    """Return the digest of everything that results of simulations depend on.

    That is the gameplay, given as the text `played`, plus the measures, `evaluate` and the weights.
    """
    measures = _restore_oldest_names(rules.get("measures"), build_rules_shape().members["measures"].shape)
    measured = [to_plain(measures, None), to_plain(manifest.get("evaluate"), None)]
    if rules.get("weights") is not None:
        measured.append(to_plain(rules.get("weights"), None))
    # The gameplay is reused as text, because serializing it takes most of the time.
    return digest_text(f"[{played},{as_text(json.dumps(measured))}]")


def digest_all(manifest: Mapping, rules: Mapping) -> str:
    """Return the full SHA-256 digest of everything in merged rules, including texts, looks and order.

    Results derived from a ruleset are valid for any other with this digest. The gameplay digest is not enough for that:
    for example, it does not include measures.
    """
    text = json.dumps([to_plain(manifest, None), to_plain(rules, None)], separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _restore_oldest_names(node: Node | None, shape: Shape) -> Node | None:
    """Return a copy of `node` in which every key of a record has its oldest name."""
    if not isinstance(node, Mapping) or not isinstance(shape, MapOf | Record):
        return node
    entries = {}
    for key, entry in node.entries.items():
        inner = shape.inner if isinstance(shape, MapOf) else find_inner_shape(shape, key)
        member = shape.members.get(key) if isinstance(shape, Record) else None
        value = _restore_oldest_names(entry.value, inner)
        assert value is not None
        entries[member.formerly[0] if member is not None and member.formerly else key] = Entry(entry.key, value)
    return Mapping(entries, node.span)


def to_plain(node: Node | None, shape: Shape | None) -> Any:
    """Return a node of that schema as plain data, without texts and looks, ready for `compute_digest`.

    None for None. Scalars become strings with single spaces. A map becomes a list of pairs, sorted by key unless its
    order is a rule. Without a schema, a mapping becomes a dict with all its keys.
    """
    if isinstance(shape, ByForm) and node is not None:
        shape = choose_form(shape, node)
    match node:
        case None:
            return None
        case Scalar():
            # Whitespace in an expression has no meaning.
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
    results = {}
    for key, entry in node.entries.items():
        member = (shape.members.get(key) or shape.members.get("*")) if isinstance(shape, Record) else None
        if member is not None and member.shape.cosmetic:
            continue
        # A key keeps its oldest name in digests, so that a new name changes none.
        name = member.formerly[0] if member is not None and member.formerly else key
        results[name] = to_plain(entry.value, member.shape if member else None)
    return results
