"""Dice: notation to an immutable tree, and its folds: roll with a trace, exact distribution, bounds, text.

Nothing is imported here, so that a program pays only for the module it names: `rulewright.dice.parse`,
`rulewright.dice.tree`, `rulewright.dice.roll`, `rulewright.dice.distribution`, `rulewright.dice.bounds`,
`rulewright.dice.condense`, `rulewright.dice.text`, `rulewright.dice.generator`.
"""
