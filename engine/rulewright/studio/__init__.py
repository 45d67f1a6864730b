"""Where designers write: what an editor may say about rules, and the doors by which editors come in."""
