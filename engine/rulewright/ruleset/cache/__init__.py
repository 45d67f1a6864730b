"""The cache of loaded rulesets in the user's folder: safe to delete, and never trusted blindly.

`folder` finds and keeps the files, `safe_unpickling` turns objects into bytes and back and never runs what a file says,
`fingerprint` says what a file holds for, and `stored` is a ruleset whose rarer parts are unpacked when first asked for.
"""
