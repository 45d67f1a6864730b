"""Authoring: new games, schemas, fixes, signatures, releases; what the command line and the studio share."""
