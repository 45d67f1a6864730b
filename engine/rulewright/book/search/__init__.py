"""Search: the index of a book, synonyms, previews of links."""
