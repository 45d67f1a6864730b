"""Features of an editor, as functions of a workspace that know no protocol."""
