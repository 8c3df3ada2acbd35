"""Random damage to a file's bytes, and hostile words put into it."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from typing import Any

LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "%s"><!ENTITY c "%s">]>' % (
    b"&a;" * 1000,
    b"&b;" * 1000,
)
TOKENS = [
    *(b"\x00", b"\x07", b"\x1b[31m", b"\x7f", b"\r", b"\n", b"\t", b" ", b'"', b"'", b"\\", b","),
    *(b"\xff", b"\xed\xa0\x80", b"\xc3", b"\xef\xbb\xbf", "\u202e".encode(), "\u2028".encode()),
    *(b"\xe9", "\U0001f600".encode(), "٣".encode(), "\u00a0".encode(), b"\xfe\xff"),
    *(b'"\\ud800"', b"\\ud800", b"\\udc00\\ud800", b"\\u0000", b'"\\x41"'),
    *(b"null", b"true", b"false", b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1", b"0", b"1_0"),
    *(b"0.5", b"1852", b"2147483648", b"18446744073709551616", b"9" * 5000, b"-" + b"9" * 400),
    *(b"[", b"]", b"{", b"}", b"[]", b"{}", b'[["total"]]', b"[" * 300, b'{"a":' * 300),
    *(b"[" * 100_000, b'{"a":' * 100_000, b"," * 3000, b"\t" * 50, b"(" * 5000, b")" * 5000),
    *(b"&x [", b"*x", b"&a [x]\nb: [*a, *a]", b"!!int abc", b"2001-99-99", b".inf", b".nan"),
    *(b"!!python/name:os.system", b"---\n", b"...\n", b"? [", b"<<: ", b"#", b"%", b": ", b"- "),
    *(b"&lt;", b"&x;", b"<!--", b"]]>", b"<a>" * 5000, LAUGHS, b"<?xml version='1.0'?>"),
    *(b"encoding='xyz'", b"encoding='utf-7'", b"encoding='utf-16'", b"xmlns='y'"),
    *(b"A" * 200_000, b" " * 20_000, b"\n" * 2000, b"0 Q0 p1 1 1.0 t\n", b"id\ttext\ttitle\n"),
    *(b"descr", b"|O", b"<f8", b"'fortran_order': True", b"../../x", b"http://x/y", b"../x"),
]
WHOLE = [
    *(b"", b"\n", b"\x00", b"[", b"]", b"[]", b"{}", b"null", b'""', b"1", b"[[]]", b"[null]"),
    *(
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 5000,
        b"\xff\xfe",
        b'{"questions": []}',
        b"\x1f\x8b",
    ),
    *(b'{"data": []}', b'{"Data": []}', b'{"articles": []}', b"a: &x [1]\nb: *x\n", b"[" * 3000),
    *(b"<a/>", b"ARROW1\x00\x00", b"\x93NUMPY\x01\x00", b"\n" * 5000, b"," * 3000, b'"' * 999),
]
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1, 1.5, 10**30, 2**31, -(2**63), float("nan"), float("inf"), ""),
    *("false", "x", "\x1b[2J", "\u202eevil", "a\nb", "a\tb", [], [[]], {}, [None], [1], {"a": 1}),
    *([["total"]], "\ud800", "ü" * 5000, [0] * 2000, {"": ""}, "0", "1e5", [True], ["", ""]),
]


def mutate(data: bytes, rng: random.Random, *, compressed: bool = False) -> bytes:
    """`data` after one to three mutations; of a gzip file also those of what it holds."""
    if compressed:
        kind = rng.random()
        if kind < 0.1:
            return gzip.compress(bytes([rng.choice(b"0[\n<")]) * rng.choice([10**6, 3 * 10**8]), 1)
        if kind < 0.6:
            return gzip.compress(mutate(gzip.decompress(data), rng), 1)
    if rng.random() < 0.04:
        return rng.choice(WHOLE)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        data = rng.choice(MUTATIONS)(data, rng)
    return data


def _span(data: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + int(2 ** rng.uniform(0, 8)))


def _flip(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data or b"\x00")
    for _ in range(rng.choice([1, 1, 2, 8])):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _byte(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data or b"\x00")
    changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _drop(data: bytes, rng: random.Random) -> bytes:
    start, end = _span(data, rng)
    return data[:start] + data[end:]


def _double(data: bytes, rng: random.Random) -> bytes:
    start, end = _span(data, rng)
    times = rng.choice([2, 2, 2, 3, 1000])
    return data[:start] + data[start:end] * times + data[end:]


def _swap(data: bytes, rng: random.Random) -> bytes:
    (a, b), (c, d) = sorted([_span(data, rng), _span(data, rng)])
    b = min(b, c)
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _blank(data: bytes, rng: random.Random) -> bytes:
    start, end = _span(data, rng)
    return data[:start] + rng.choice([b"\x00", b"\xff", b" "]) * (end - start) + data[end:]


def _insert(data: bytes, rng: random.Random) -> bytes:
    marks = [i for i, c in enumerate(data[:100_000]) if c in b'\t\n ,:[]{}"<>=()']
    place = rng.choice(marks) if marks and rng.random() < 0.7 else rng.randrange(len(data) + 1)
    place += rng.randrange(2)
    return data[:place] + rng.choice(TOKENS) + data[place:]


def _replace(data: bytes, rng: random.Random) -> bytes:
    """A word by a hostile one."""
    start, end = _span(data, rng)
    while start > 0 and data[start - 1 : start].isalnum():
        start -= 1
    end = max(start, min(end, start + 1))
    while end < len(data) and data[end : end + 1].isalnum():
        end += 1
    return data[:start] + rng.choice(TOKENS) + data[end:]


def _lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    place = rng.randrange(len(lines))
    which = rng.randrange(4)
    if which == 0:
        lines.insert(rng.randrange(len(lines) + 1), lines[place])
    elif which == 1:
        del lines[place]
    elif which == 2:
        lines[place] = lines[place].rstrip(b"\r\n")
    else:
        other = rng.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
    return b"".join(lines)


def _recode(data: bytes, rng: random.Random) -> bytes:
    try:
        return data.decode().encode(rng.choice(["latin-1", "utf-16", "utf-16-le", "utf-8-sig"]))
    except UnicodeError:
        return data[::-1]


def _value(data: bytes, rng: random.Random) -> bytes:
    """A value of JSON, or of a line of it, by one of another type."""
    lines = [data]
    place = 0
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        lines = data.splitlines(keepends=True) or [b""]
        place = rng.randrange(len(lines))
        try:
            tree = json.loads(lines[place])
        except (ValueError, RecursionError):
            return _replace(data, rng)
    holders: list[tuple[Any, Any]] = []
    rest = [tree]
    while rest and len(holders) < 2000:
        node = rest.pop()
        if isinstance(node, dict | list):
            items = node.items() if isinstance(node, dict) else enumerate(node)
            holders += [(node, key) for key, _ in items]
            rest += node.values() if isinstance(node, dict) else node
    if not holders:
        return _replace(data, rng)
    node, key = rng.choice(holders)
    if isinstance(node, dict) and rng.random() < 0.2:
        del node[key]
    else:
        node[key] = rng.choice(VALUES)
    plain = rng.random() < 0.5
    try:
        lines[place] = json.dumps(tree, ensure_ascii=plain).encode() + b"\n"
    except UnicodeError:
        lines[place] = json.dumps(tree).encode() + b"\n"
    return b"".join(lines)


MUTATIONS: list[Callable[[bytes, random.Random], bytes]] = [
    *(_flip, _byte, _cut, _drop, _double, _swap, _blank, _insert, _insert, _replace, _replace),
    *(_lines, _recode, _value, _value, _value),
]
