"""The static site: built with MkDocs, checked, and swapped in atomically."""
