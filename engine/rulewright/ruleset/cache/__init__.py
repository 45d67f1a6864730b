"""The user's cache of checked rulesets; safe to delete, and verified when it is read.

`cache_folder` reads and writes the files, `safe_unpickling` serializes objects without executing code from a file,
`fingerprint` computes keys, and `ruleset_cache` loads rulesets, unpacking rarely used parts on demand.
"""
