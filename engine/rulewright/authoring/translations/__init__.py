"""Exchange the texts of a translation with translators' tools, as PO files."""
