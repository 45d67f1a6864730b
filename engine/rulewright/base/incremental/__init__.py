"""Incremental computation: results that are reused until something they read has changed.

A computation records what it reads while it runs (`reads`). Its result is stored with these reads and a digest of what
each of them had (`traces`). It is reused as long as all of them have the same digests, and computed again otherwise.
"""
