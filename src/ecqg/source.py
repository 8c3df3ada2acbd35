"""What the text of a module does, apart from what it says."""

from __future__ import annotations

import hashlib
import io
import tokenize
from contextlib import suppress
from pathlib import Path

LAYOUT = (tokenize.NL, tokenize.INDENT, tokenize.DEDENT)


def code_digest(module: Path) -> str:
    """32 hexadecimal digits of what a file does; of all its text where that is no Python."""
    text = module.read_text(encoding="utf-8")
    if module.suffix != ".py":
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    # Another module may be half edited while a stage starts that does not import it.
    with suppress(tokenize.TokenError, SyntaxError):
        text = effective(text)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def effective(text: str) -> str:
    """A module's text without comments, strings that are statements of their own, blank lines and
    blanks at the end of lines. The same under every version of Python.
    """
    rows = text.split("\n")
    cut: list[tuple[tuple[int, int], tuple[int, int]]] = []
    literal: set[int] = set()  # rows that end inside of a string that stays
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            cut.append((token.start, token.end))
        elif token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            if statement and all(part.type == tokenize.STRING for part in statement):
                cut.append((statement[0].start, statement[-1].end))
            else:
                for part in statement:
                    literal.update(range(part.start[0], part.end[0]))
            statement = []
        elif token.type not in LAYOUT:
            statement.append(token)
    for (first, start), (last, end) in sorted(cut, reverse=True):
        rows[first - 1 : last] = [rows[first - 1][:start] + rows[last - 1][end:]] + [""] * (
            last - first
        )
    kept = (row if number in literal else row.rstrip() for number, row in enumerate(rows, 1))
    return "".join(f"{row}\n" for number, row in enumerate(kept, 1) if row or number in literal)
