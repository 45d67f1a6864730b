"""The user's cache of checked rulesets; safe to delete, and verified when it is read.

All caches read and write through `storage`, which is a folder (`cache_folder`) unless a program provides its own.
`safe_unpickling` serializes objects without executing code from a file, `fingerprint` computes keys, and
`ruleset_cache` loads rulesets, unpacking rarely used parts on demand.

Within a process, `clean_checks` skips checks that found nothing in all that they have read (`tracked_ruleset`), if that
has the same content now (`content_digest`).
"""
