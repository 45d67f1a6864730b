"""Dice: notation to an immutable tree, and its folds: roll with a trace, exact distribution, bounds, text.

This package imports nothing itself, so a program loads only the modules it names: `parser.notation`, `ast`, `bounds`,
`sampling.roll_dice`, `exact.compute_distribution`, `simplify`, `format_notation`, `sampling.random_generator`.
"""
