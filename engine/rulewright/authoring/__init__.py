"""Create, fix, format, sign and release rules, shared by the command line and the studio."""
