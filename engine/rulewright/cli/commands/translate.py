"""The `rulewright translate` command, which exchanges texts with translators' tools."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.cli.shared_options import add_rules_option, load, refuse_changes

if TYPE_CHECKING:
    from rulewright.authoring.translations.update_translation import TranslationUpdate

HELP = "export the texts of a ruleset as a PO file, or read their translations from one"
TASKS = "Translate rules in Poedit, Weblate, OmegaT or another translation tool."
EXAMPLE = """\
rulewright translate pig/classic@1.0 de
rulewright translate house/my-house-rules de --rules my-house-rules --output de.po
rulewright translate house/my-house-rules de de.po --rules my-house-rules --write"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument(
        "reference", metavar="REF", help="the ruleset to translate; --write changes only its own translation file"
    )
    parser.add_argument("language", metavar="LANGUAGE", help="the tag of the language, such as de")
    parser.add_argument("po", nargs="?", metavar="FILE", help="PO file with translations (default: export the texts)")
    parser.add_argument("--output", metavar="FILE", type=Path, help="file for the export (default: standard output)")
    parser.add_argument(
        "--write", action="store_true", help="write the translations to the rules (default: only show the changes)"
    )
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Export a PO file, or show what one changes in the translation, and write that with `--write`.

    Returns 1 if the PO file has errors. Raises `RulewrightError` for an unknown ruleset or language, and for a file
    that cannot be read.
    """
    from rulewright.authoring.translations.read_po import read_po
    from rulewright.authoring.translations.update_translation import plan_translation
    from rulewright.authoring.translations.write_po import format_po
    from rulewright.ruleset.translation.translation import read_translation
    from rulewright.source.diagnostics.collector import Diagnostics
    from rulewright.source.files.atomic_write import replace_texts, write_text
    from rulewright.source.span import Span

    if args.po is None and args.write:
        args.parser.error("--write needs a FILE with translations")
    if args.po is not None and args.output is not None:
        args.parser.error("--output is for the export, which reads no FILE")
    ruleset, diagnostics = load(args), Diagnostics()
    translation = read_translation(ruleset, args.language, diagnostics, Span.for_file("<language>"))
    diagnostics.raise_if_errors()
    assert translation is not None
    if args.po is None:
        text = format_po(translation)
        if args.output is None:
            sys.stdout.write(text)
        else:
            write_text(args.output, text)
            print(f"wrote {args.output}")
        return 0
    update = plan_translation(translation, read_po(args.po))
    is_written = bool(args.write and update.text)
    if is_written and update.text is not None:
        refuse_changes([update.file.parent.parent])
        update.file.parent.mkdir(exist_ok=True)
        replace_texts({update.file: update.text})
    _report(update, is_written=is_written)
    return int(update.has_errors)


def _report(update: TranslationUpdate, *, is_written: bool) -> None:
    """Print the changes with the faults of the PO file, and whether they are written."""
    import difflib

    from rulewright.source.diagnostics.formats import text as text_format

    if update.diagnostics:
        print(text_format.render(update.diagnostics).rstrip(), file=sys.stderr)
    if update.has_errors:
        print("nothing was written, because the file has errors")
        return
    if update.text is not None:
        before, after = update.text
        name = str(update.file)
        lines = difflib.unified_diff((before or "").splitlines(), after.splitlines(), name, name, lineterm="", n=2)
        print("\n".join(lines))
    totals = {"added": len(update.added), "changed": len(update.changed)}
    print(", ".join(f"{count:,} {reason}" for reason, count in (totals | update.counts).items() if count) or "no texts")
    if update.signed:
        print(f"signed: {', '.join(update.signed)}")
    if is_written:
        print(f"wrote {update.file}")
    elif update.text is not None:
        print("nothing has been written yet; add --write to write the changes")
