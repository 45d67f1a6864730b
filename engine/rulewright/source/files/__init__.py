"""File access, with limits on reading and with atomic writing."""
