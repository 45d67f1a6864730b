"""The printed book: the whole book, a quick reference, a player aid, cards and boards."""
