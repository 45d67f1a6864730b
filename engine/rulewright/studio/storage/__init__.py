"""The files of a folder as several people write them: by version, with their history, never one over another's."""
