"""The observation and action spaces of a setting for Gymnasium, common to all environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from rulewright.integrations.numeric_game import GameSetting


def action_space(setting: GameSetting) -> spaces.Discrete:
    """Return the space of all action numbers. The mask in the observation marks the legal ones."""
    return spaces.Discrete(setting.actions.count)


def observation_space(setting: GameSetting) -> spaces.Dict:
    """Return the space of a player's `observation`, `action_mask` and, if the setting has them, `option_features`."""
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(-np.inf, np.inf, (setting.eyes.size,), np.float32),
        "action_mask": spaces.Box(0, 1, (setting.actions.count,), np.int8),
    }
    if setting.features is not None:
        shape = (setting.features.rows, setting.features.width)
        parts["option_features"] = spaces.Box(-np.inf, np.inf, shape, np.float32)
    return spaces.Dict(parts)
