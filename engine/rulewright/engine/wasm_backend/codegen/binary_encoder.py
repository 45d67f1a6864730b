"""WebAssembly's binary format, as far as rules need it: numbers, functions, and modules that continue a module.

Source: WebAssembly Core Specification 2.0, chapter 5 (Binary Format).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

I32, I64 = 0x7F, 0x7E
"""The codes of the value types."""

NO_VALUE = 0x40
"""The code for a block without a result."""


def encode_unsigned(number: int) -> bytes:
    """Return a number of at least 0 in LEB128."""
    result = bytearray()
    while True:
        byte = number & 0x7F
        number >>= 7
        if not number:
            result.append(byte)
            return bytes(result)
        result.append(byte | 0x80)


def encode_signed(number: int) -> bytes:
    """Return a number in signed LEB128."""
    result = bytearray()
    while True:
        byte = number & 0x7F
        number >>= 7
        if (number == 0 and not byte & 0x40) or (number == -1 and byte & 0x40):
            result.append(byte)
            return bytes(result)
        result.append(byte | 0x80)


def encode_vector(parts: Sequence[bytes]) -> bytes:
    """Return encoded items after their number."""
    return encode_unsigned(len(parts)) + b"".join(parts)


def encode_name(text: str) -> bytes:
    """Return an encoded text after its length in bytes."""
    written = text.encode("utf-8")
    return encode_unsigned(len(written)) + written


@dataclass(frozen=True, slots=True)
class WasmSignature:
    """The parameter and result types of a function."""

    takes: tuple[int, ...]
    gives: tuple[int, ...]

    def encode(self) -> bytes:
        """Return the bytes of the signature in a module."""
        return (
            b"\x60"
            + encode_vector([bytes((kind,)) for kind in self.takes])
            + encode_vector([bytes((k,)) for k in self.gives])
        )


OPCODES = {
    "unreachable": 0x00,
    "else": 0x05,
    "end": 0x0B,
    "return": 0x0F,
    "drop": 0x1A,
    "select": 0x1B,
    "i32.eqz": 0x45,
    "i32.eq": 0x46,
    "i32.ne": 0x47,
    "i32.lt_s": 0x48,
    "i32.lt_u": 0x49,
    "i32.gt_s": 0x4A,
    "i32.gt_u": 0x4B,
    "i32.le_u": 0x4D,
    "i32.ge_u": 0x4F,
    "i64.eqz": 0x50,
    "i64.eq": 0x51,
    "i64.ne": 0x52,
    "i64.lt_s": 0x53,
    "i64.lt_u": 0x54,
    "i64.gt_s": 0x55,
    "i64.gt_u": 0x56,
    "i64.le_s": 0x57,
    "i64.ge_s": 0x59,
    "i64.ge_u": 0x5A,
    "i32.add": 0x6A,
    "i32.sub": 0x6B,
    "i32.mul": 0x6C,
    "i32.and": 0x71,
    "i32.or": 0x72,
    "i32.shl": 0x74,
    "i32.shr_u": 0x76,
    "i64.add": 0x7C,
    "i64.sub": 0x7D,
    "i64.mul": 0x7E,
    "i64.div_s": 0x7F,
    "i64.div_u": 0x80,
    "i64.rem_s": 0x81,
    "i64.and": 0x83,
    "i64.or": 0x84,
    "i64.shl": 0x86,
    "i64.shr_s": 0x87,
    "i64.shr_u": 0x88,
    "i32.wrap_i64": 0xA7,
    "i64.extend_i32_u": 0xAD,
    "i64.extend_i32_s": 0xAC,
}
"""The instructions without operands, by name."""


@dataclass(slots=True)
class WasmFunction:
    """A function under construction, with its instructions and locals. Parameters are the first locals."""

    name: str
    signature: WasmSignature
    code: bytearray = field(default_factory=bytearray)
    locals: list[int] = field(default_factory=list)
    depth: int = 0
    arms: list[int] = field(default_factory=lambda: [0])
    """The current arm of each open block. In one arm, earlier code always runs before later code."""
    _arms: int = 0

    def add_local(self, kind: int) -> int:
        """Return a new local."""
        self.locals.append(kind)
        return len(self.signature.takes) + len(self.locals) - 1

    def do(self, *names: str) -> None:
        """Append plain instructions, one after the other."""
        for each in names:
            self.code.append(OPCODES[each])

    def push_i32(self, number: int) -> None:
        """Push a constant of 32 bits."""
        self.code.append(0x41)
        self.code += encode_signed(number)

    def push_i64(self, number: int) -> None:
        """Push a constant of 64 bits."""
        self.code.append(0x42)
        self.code += encode_signed(number)

    def get(self, local: int) -> None:
        """Push the value of a local."""
        self.code.append(0x20)
        self.code += encode_unsigned(local)

    def set(self, local: int) -> None:
        """Store the top of the stack in a local."""
        self.code.append(0x21)
        self.code += encode_unsigned(local)

    def keep_in_local(self, local: int) -> None:
        """Store the top of the stack in a local, and leave it on the stack."""
        self.code.append(0x22)
        self.code += encode_unsigned(local)

    def load(self, offset: int = 0) -> None:
        """Load 64 bits from an address."""
        self.code += b"\x29\x03" + encode_unsigned(offset)

    def store(self, offset: int = 0) -> None:
        """Store 64 bits at an address."""
        self.code += b"\x37\x03" + encode_unsigned(offset)

    def load_32(self, offset: int = 0) -> None:
        """Load 32 bits from an address."""
        self.code += b"\x28\x02" + encode_unsigned(offset)

    def call(self, function: int) -> None:
        """Call a function by its index."""
        self.code.append(0x10)
        self.code += encode_unsigned(function)

    def call_indirect(self, signature: int) -> None:
        """Call the function at an index of the table, with a signature given by its index."""
        self.code.append(0x11)
        self.code += encode_unsigned(signature) + b"\x00"

    def block(self, kind: int = NO_VALUE) -> int:
        """Begin a block, and return its number for `leave`."""
        return self._open(0x02, kind)

    def loop(self, kind: int = NO_VALUE) -> int:
        """Begin a loop, and return its number, with which `leave` jumps to its beginning."""
        return self._open(0x03, kind)

    def begin_if(self, kind: int = NO_VALUE) -> int:
        """Begin a block that runs if the top of the stack is not 0."""
        return self._open(0x04, kind)

    def begin_else(self) -> None:
        """Begin the else branch of the block."""
        self.do("else")
        self._arms += 1
        self.arms[-1] = self._arms

    def end(self) -> None:
        """End a block, a loop or a condition."""
        self.depth -= 1
        self.arms.pop()
        self.do("end")

    def leave(self, block: int) -> None:
        """Go to the end of a block, or to the beginning of a loop."""
        self.code.append(0x0C)
        self.code += encode_unsigned(self.depth - block)

    def leave_if(self, block: int) -> None:
        """Leave the block if the top of the stack is not 0."""
        self.code.append(0x0D)
        self.code += encode_unsigned(self.depth - block)

    def _open(self, opcode: int, kind: int) -> int:
        """Begin a block, a loop or a condition, and return its depth for `leave`."""
        self.code += bytes((opcode, kind))
        self.depth += 1
        self._arms += 1
        self.arms.append(self._arms)
        return self.depth

    def encode(self) -> bytes:
        """Return the function's entry in the code section: its length, its locals, and its code with `end`."""
        runs: list[list[int]] = []
        for kind in self.locals:
            if runs and runs[-1][1] == kind:
                runs[-1][0] += 1
            else:
                runs.append([1, kind])
        body = (
            encode_vector([encode_unsigned(count) + bytes((kind,)) for count, kind in runs])
            + bytes(self.code)
            + b"\x0b"
        )
        return encode_unsigned(len(body)) + body


_TYPE, _FUNCTION, _TABLE, _MEMORY, _GLOBAL, _EXPORT, _ELEMENT, _CODE, _DATA = 1, 3, 4, 5, 6, 7, 9, 10, 11
_ORDER = (_TYPE, _FUNCTION, _TABLE, _MEMORY, _GLOBAL, _EXPORT, _ELEMENT, _CODE, _DATA)


class Module:
    """A module that extends another one. Its functions and data are appended to those of the other.

    Nothing in the other module moves, so its code is copied unchanged. The other module must not have imports.
    """

    def __init__(self, base: bytes) -> None:
        """Read the sections of a module, to which functions and data can then be added."""
        self._entries: dict[int, list[bytes]] = {}
        self._plain: dict[int, bytes] = {}
        at = 8
        while at < len(base):
            section = base[at]
            size, at = read_unsigned(base, at + 1)
            if section in (_TYPE, _FUNCTION, _CODE, _DATA) or section:
                self._plain[section] = base[at : at + size]
            at += size
        self.signatures: dict[WasmSignature, int] = {}
        for number, each in enumerate(_signatures(self._plain.get(_TYPE, b"\x00"))):
            self.signatures.setdefault(each, number)
        self._types = read_unsigned(self._plain[_TYPE], 0)[0]
        self._added_types: list[bytes] = []
        self._first, _ = read_unsigned(self._plain[_FUNCTION], 0)
        self.exports = _exports(self._plain[_EXPORT])
        self.globals = _constants(self._plain.get(_GLOBAL, b"\x00"))
        self.functions: list[WasmFunction] = []
        self._data: list[tuple[int, bytes]] = []
        self.table: dict[int, int] = {}

    @property
    def next_function(self) -> int:
        """The index of the next function to be added."""
        return self._first + len(self.functions)

    def add_signature(self, takes: Iterable[int], gives: Iterable[int]) -> int:
        """Return the index of a signature, which is added on first use."""
        wasm_signature = WasmSignature(tuple(takes), tuple(gives))
        if wasm_signature not in self.signatures:
            self.signatures[wasm_signature] = self._types + len(self._added_types)
            self._added_types.append(wasm_signature.encode())
        return self.signatures[wasm_signature]

    def add(self, function: WasmFunction) -> int:
        """Add a function to the module, and return its index."""
        self.functions.append(function)
        return self._first + len(self.functions) - 1

    def add_data(self, address: int, content: bytes) -> None:
        """Put bytes into memory."""
        self._data.append((address, content))

    def encode(self, *, exports: Mapping[str, int], pages: int) -> bytes:
        """Return the module as bytes.

        `exports` maps names to functions, and `pages` is the initial size of its memory.
        """
        plain = dict(self._plain)
        plain[_TYPE] = _longer(plain[_TYPE], self._added_types)
        types = [
            encode_unsigned(self.add_signature(each.signature.takes, each.signature.gives)) for each in self.functions
        ]
        plain[_TYPE] = _longer(self._plain[_TYPE], self._added_types)
        plain[_FUNCTION] = _longer(plain[_FUNCTION], types)
        plain[_CODE] = _longer(plain[_CODE], [each.encode() for each in self.functions])
        plain[_DATA] = _longer(plain.get(_DATA, b"\x00"), [_segment(*each) for each in self._data])
        plain[_TABLE] = encode_vector([b"\x70\x01" + encode_unsigned(16) * 2])
        plain[_ELEMENT] = encode_vector(
            [
                b"\x00\x41" + encode_signed(place) + b"\x0b" + encode_vector([encode_unsigned(index)])
                for place, index in self.table.items()
            ]
        )
        most = 32768
        plain[_MEMORY] = encode_vector([b"\x01" + encode_unsigned(pages) + encode_unsigned(most)])
        results = [encode_name("memory") + b"\x02\x00"]
        results += [encode_name(each) + b"\x00" + encode_unsigned(index) for each, index in exports.items()]
        plain[_EXPORT] = encode_vector(results)
        sections = [
            bytes((each,)) + encode_unsigned(len(plain[each])) + plain[each] for each in _ORDER if each in plain
        ]
        return b"\x00asm\x01\x00\x00\x00" + b"".join(sections)


def read_unsigned(data: bytes, at: int) -> tuple[int, int]:
    """Return a LEB128 number and the position after it."""
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return result, at


def _read_signed(data: bytes, at: int) -> tuple[int, int]:
    """Return a signed LEB128 number and the position after it."""
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return result - (1 << shift) if byte & 0x40 else result, at


def _longer(section: bytes, more: Sequence[bytes]) -> bytes:
    count, at = read_unsigned(section, 0)
    return encode_unsigned(count + len(more)) + section[at:] + b"".join(more)


def _segment(address: int, content: bytes) -> bytes:
    return b"\x00\x41" + encode_signed(address) + b"\x0b" + encode_unsigned(len(content)) + content


def _signatures(section: bytes) -> Iterable[WasmSignature]:
    """Yield the signatures of a type section, in order."""
    count, at = read_unsigned(section, 0)
    for _ in range(count):
        takes, at = read_unsigned(section, at + 1)
        given = tuple(section[at : at + takes])
        gives, at = read_unsigned(section, at + takes)
        yield WasmSignature(given, tuple(section[at : at + gives]))
        at += gives


def _exports(section: bytes) -> dict[str, int]:
    """Return the indices of the exports of a section by name."""
    results = {}
    count, at = read_unsigned(section, 0)
    for _ in range(count):
        size, at = read_unsigned(section, at)
        text = section[at : at + size].decode("utf-8")
        index, at = read_unsigned(section, at + size + 1)
        results[text] = index
    return results


def _constants(section: bytes) -> list[int]:
    """Return the initial values of the globals of a section."""
    results = []
    count, at = read_unsigned(section, 0)
    for _ in range(count):
        value, at = _read_signed(section, at + 3)
        results.append(value)
        at += 1
    return results
