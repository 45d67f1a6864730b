"""The verbs of the command line, one module each: `HELP`, `EXAMPLE`, `configure(parser)` and `run(args)`.

Every start of the program imports all of these modules, so they import the floors they need inside `run`.
"""
