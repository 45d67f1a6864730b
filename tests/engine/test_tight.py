"""Programs in fewer letters do what they did."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from rulewright.export.js_minify import minify

TRICKY = {
    "division and patterns": """
const a = 8, b = 2; // a note / with strokes
return [a / b / 2, /[/"]\\/x/g.test('["/x'), (a) / b, "a / b"];""",
    "a pattern behind a word": 'const f = (x) => { return /^\\s*a b$/ .test(x); };\nreturn [f(" a b"), typeof /x y/];',
    "templates": """
const n = { a: 1 };
return `x  ${ n.a + `in  ${ [1,  2].map((x) => { return x; }).join( ' , ' ) }` }  y // no note`;""",
    "signs": "let i = 1, j = 2;\nreturn [i + +j, i - -j, i++ + ++j, i-- - --j, - -i];",
    "lines that end statements": """
let a = 1
let b = a
++b
const f = function () { return 3 }
const g = [f(), b]
return g""",
    "a line of its own": "let a = 2\nconst b = { a,\n  c: [\n    1,\n    2, // two\n  ],\n}\nreturn [b.c.length, a]",
    "classes": """
class A {
  #x = 1;
  static y = 2;
  get z() { return this.#x }
  async *w() {}
  *v() { yield this.#x; yield* [2, 3]; }
}
return [new A().z, A.y, ...new A().v()];""",
    "marks in texts": "return ['  //  ', \"/* ' */\", ' ; , { ', '\\'  \\\\', \"é ×  ✓\"];",
    "words that touch": """
const o = { in: 1 }; const k = 'in' in o; for (const x of [1]) { if (x) void 0; else throw 1 }
return k instanceof Object || typeof k;""",
    "notes": "/** what\n * it is */ const a = /* one */ 1; // two\n/* three\n */ return a /* four */ + 1;",
}


def outcome(*programs: str) -> list[Any]:
    """Return what each of these comes to in Node."""
    program = shutil.which("node")
    if program is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    told = f"console.log(JSON.stringify({json.dumps(programs)}.map((each) => new Function(each)())))"
    done = subprocess.run([program, "-e", told], capture_output=True, text=True, check=True)
    found: list[Any] = json.loads(done.stdout)
    return found


def test_a_program_in_fewer_letters_does_the_same() -> None:
    wanted = outcome(*TRICKY.values())
    found = outcome(*map(minify, TRICKY.values()))
    assert dict(zip(TRICKY, found, strict=True)) == dict(zip(TRICKY, wanted, strict=True))
    assert all(len(minify(each)) < len(each) for each in TRICKY.values())


def test_it_goes_no_further_than_blanks_and_notes() -> None:
    assert minify("const  a = [ 1,\n  2 ]; // x\n\n  go( a )\n  on()\n") == "const a=[1,2];go(a)\non()\n"
    assert minify("/* nothing */\n") == ""
