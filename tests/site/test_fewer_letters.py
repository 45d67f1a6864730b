"""Programs that are sent in fewer letters do what they did."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from rulewright.play.export.bundle import without_idle

TRICKY = {
    "division": "const a = 8, b = 2; // a note / with strokes\nreturn [a / b / 2, (a) / b, 'a / b'];",
    "patterns": "const f = (x) => { return /^\\s*a b$/ .test(x); };\nreturn [f(' a b'), /[/\"]\\/x/g.test('[\"/x')];",
    "templates": "const n = { a: 1 };\nreturn `x  ${ [1,  2].map((x) => { return x; }).join( ' , ' ) }  y // no note`;",
    "templates in templates": "const n = 1;\nreturn `{${[n].map((x) => `\"${x}\":  ${ x }`).join(', ')}}`;",
    "signs": "let i = 1, j = 2;\nreturn [i + +j, i - -j, i++ + ++j, i-- - --j, - -i];",
    "lines that end statements": "let a = 1\nlet b = a\n++b\nconst f = function () { return 3 }\nreturn [f(), b]",
    "lists over lines": "let a = 2\nconst b = { a,\n  c: [\n    1,\n    2, // two\n  ],\n}\nreturn [b.c.length, a]",
    "classes": "class A {\n  #x = 1;\n  static y = 2;\n  get z() { return this.#x }\n}\nreturn [new A().z, A.y];",
    "generators": "function* v() { yield 1; yield* [2, 3]; }\nreturn [...v()];",
    "marks in texts": "return ['  //  ', '/* \\' */', ' ; , { ', '\\'  \\\\', 'é ×  ✓'];",
    "words that touch": "const k = 'in' in { in: 1 }; if (k) void 0; else throw 1\nreturn typeof k;",
    "notes": "/** what\n * it is */ const a = /* one */ 1; // two\n/* three\n */ return a /* four */ + 1;",
}


def outcome(programs: list[str]) -> list[Any]:
    """What each of these comes to in Node."""
    program = shutil.which("node")
    if program is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    told = f"console.log(JSON.stringify({json.dumps(programs)}.map((each) => eval(each))))"
    done = subprocess.run([program, "-e", told], capture_output=True, text=True, check=True)
    found: list[Any] = json.loads(done.stdout)
    return found


def test_a_program_in_fewer_letters_does_the_same() -> None:
    programs = [f"(() => {{\n  {each}\n}})()" for each in TRICKY.values()]
    shorter = [without_idle(each) for each in programs]
    assert dict(zip(TRICKY, outcome(shorter), strict=True)) == dict(zip(TRICKY, outcome(programs), strict=True))
    assert all(len(short) < len(long) for short, long in zip(shorter, programs, strict=True))
