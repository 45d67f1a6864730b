"""Rulesets written in a test: text of rules files → what checking them yields."""

from __future__ import annotations

from pathlib import Path

from rulewright.ruleset.layers.resolve_layers import Layer, resolve
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_builder import build
from rulewright.ruleset.schema.validator import validate
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import text
from rulewright.source.nodes import Mapping
from rulewright.source.yaml.yaml_reader import read_text

MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Inline, rounding: truncate, players: 1..4}"


def layer(
    source: str, *, name: str = "base", manifest: str = MANIFEST, overlay: bool = False, shapes: bool = True
) -> Layer | Diagnostics:
    """Return one layer whose only file is `source`, or what is wrong with its shape (unless `shapes` is false)."""
    diagnostics = Diagnostics()
    rules = read_text(source, f"rules/{name}/rules.yaml")
    top = read_text(manifest, f"rules/{name}/ruleset.yaml")
    if shapes and not validate(rules, "rules", diagnostics, overlay=overlay):
        return diagnostics
    assert isinstance(rules, Mapping)
    assert isinstance(top, Mapping)
    return Layer(f"test/{name}@1.0.0", Path("rules") / name, top, (rules,))


def checked(
    source: str, *overlays: str, manifest: str = MANIFEST, shapes: bool = True
) -> tuple[Ruleset | None, Diagnostics]:
    """Return the ruleset of a layer and those laid over it, and everything found; None where it could not be built."""
    diagnostics = Diagnostics()
    layers = []
    for place, written in enumerate((source, *overlays)):
        name = "base" if place == 0 else f"upper{place}"
        new_layer = layer(written, name=name, manifest=manifest, overlay=place > 0, shapes=shapes)
        if isinstance(new_layer, Diagnostics):
            return None, new_layer
        layers.append(new_layer)
    resolved = resolve(layers, diagnostics)
    if diagnostics.errors or (shapes and not validate(resolved.rules, "rules", diagnostics, overlay=False)):
        return None, diagnostics
    return build(resolved, diagnostics), diagnostics


def sound(source: str, *overlays: str, manifest: str = MANIFEST) -> Ruleset:
    """Return the ruleset, which must have no errors."""
    ruleset, diagnostics = checked(source, *overlays, manifest=manifest)
    assert not diagnostics.errors, text.render(diagnostics)
    assert ruleset is not None
    return ruleset
