"""The user's cache of checked rulesets; safe to delete, and verified when it is read.

`cache_folder` reads and writes the files, `safe_unpickling` serializes objects without executing code from a file,
`fingerprint` computes keys, and `ruleset_cache` loads rulesets, unpacking rarely used parts on demand.

Within a process, `clean_checks` skips checks that found nothing in all that they have read (`tracked_ruleset`), if that
has the same content now (`content_digest`).
"""
