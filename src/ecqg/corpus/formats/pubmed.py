"""PubMed's yearly baseline, pubmed24n0001.xml.gz and the like, and articles of BioASQ task A.

The elements of the XML are described by the National Library of Medicine at
www.nlm.nih.gov/bsd/licensee/elements_descriptions.html: a MedlineCitation has a PMID and an
Article with an ArticleTitle and an Abstract of one or more AbstractText, whose Label is no part
of the text. Abstracts in other languages (OtherAbstract) are not read. The training files of
BioASQ task A, from which AugDPR takes its passages (sec. 4.1), are {"articles": [{"pmid", "title",
"abstractText", ...}]}, described at participants-area.bioasq.org/datasets; some years' are in
latin-1, such as allMeSH_2020.json and allMeSH_2022.json, others in UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO
from xml.etree import ElementTree

from msgspec import Struct, field

from ecqg.corpus.formats.abstracts import Abstract, plain
from ecqg.corpus.formats.records import ENCODING, elements
from ecqg.corpus.lines import UTF_8, open_bytes, whole_gzip
from ecqg.errors import InputError

# PubMed counts in the tens of millions; a number far beyond is a mistake.
MOST = 10**9
LARGEST, DEEPEST = 100_000, 100  # an article has some hundred elements, in eight levels
MOST_TEXT = 100_000  # characters of an abstract; spaCy takes a second for them
LONGEST = 1 << 22  # bytes of text; of what is not complete expat reads all again with every block
BLOCK = 1 << 16


def read_pubmed(paths: Sequence[Path]) -> Iterator[Abstract]:
    """Read the articles of XML files, also compressed, as a stream.

    Raises InputError naming the file, and the line or the article.
    """
    for path in paths:
        with open_bytes(path) as file, whole_gzip(path):
            found = False
            try:
                for element in _citations(file, path):
                    found = True
                    yield _abstract(element, path)
            except ElementTree.ParseError as error:
                raise InputError(
                    f"not XML ({error})",
                    file=path,
                    line=error.position[0],
                    remedy="fetch the file again",
                ) from None
            except (LookupError, ValueError) as error:  # the XML names an encoding that expat lacks
                remedy = "save the file as UTF-8, and let its first line say so"
                raise InputError(f"not XML ({error})", file=path, line=1, remedy=remedy) from None
        if not found:
            raise InputError(
                "no article",
                file=path,
                remedy="take a file of PubMed's baseline, with MedlineCitation elements",
            )


def _citations(file: BinaryIO, path: Path) -> Iterator[ElementTree.Element]:
    """Each MedlineCitation; memory holds one child of the root at a time, within bounds."""
    parser: Any = ElementTree.XMLPullParser(("start", "end"))
    root: Any = None
    depth = elements = silent = 0
    while block := file.read(BLOCK):
        parser.feed(block)
        silent += len(block)
        for event, element in parser.read_events():
            silent = 0
            if event == "start":
                root = element if root is None else root
                depth += 1
                elements += 1
                continue
            depth -= 1
            if element.tag == "MedlineCitation":
                yield element
            if depth == 1:
                root.clear()  # else all of the file would stay in memory
                elements = 0
        if elements > LARGEST or depth > DEEPEST or silent > LONGEST:
            what = (
                f"an article of over {LARGEST:,} elements, {DEEPEST} one in another, or "
                f"{LONGEST:,} bytes without any"
            )
            raise InputError(what, file=path, remedy="take a file of PubMed's baseline")
    parser.close()


def _abstract(citation: ElementTree.Element, path: Path) -> Abstract:
    pmid = _pmid(citation.findtext("PMID"), path)
    title = citation.find("Article/ArticleTitle")
    texts = citation.findall("Article/Abstract/AbstractText")
    sections = (plain("".join(text.itertext())) for text in texts)
    return _bounded(
        Abstract(
            pmid,
            "" if title is None else plain("".join(title.itertext())),
            tuple(section for section in sections if section),
        ),
        path,
    )


def _bounded(article: Abstract, path: Path, line: int | None = None) -> Abstract:
    if sum(map(len, article.sections)) > MOST_TEXT:
        what = f"article {article.pmid} has an abstract of over {MOST_TEXT:,} characters"
        raise InputError(what, file=path, line=line, remedy="cut it or take it out")
    return article


class _Record(Struct):
    pmid: str | int = ""
    title: str | None = None
    text: str | None = field(name="abstractText", default=None)


def read_articles(paths: Sequence[Path], encoding: str = UTF_8) -> Iterator[Abstract]:
    """Read the articles of BioASQ task A as a stream. Raises InputError naming file and line."""
    for path in paths:
        records = elements(path, _Record, "articles", encoding=encoding, recode=ENCODING)
        for line, _, record in records:
            pmid, title, text = _pmid(record.pmid, path, line), record.title, record.text
            yield _bounded(Abstract(pmid, plain(title or ""), (plain(text or ""),)), path, line)


def _pmid(value: str | int | None, path: Path, line: int | None = None) -> int:
    text = "" if value is None else str(value).strip()
    if not (text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) < MOST):
        raise InputError(
            f"an article with the PMID {text[:40]!r}",
            file=path,
            line=line,
            remedy="each needs a number of its own",
        )
    return int(text)
