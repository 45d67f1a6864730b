"""The verbs behind which others write rules: they serve until whoever writes is done."""
