"""Readers of published passage files, as streams; each raises InputError naming file and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, tee
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from xml.etree import ElementTree

from msgspec import Struct, field

from ecqg.corpus.cutting import pack_sentences
from ecqg.corpus.formats.questions import ENCODING, NUMBERED
from ecqg.corpus.lines import UTF_8, WHOLE, numbered_lines, open_bytes
from ecqg.corpus.passage_file import Entry
from ecqg.corpus.records import elements
from ecqg.corpus.sentences import split_sentences
from ecqg.errors import InputError

ARTICLE = "write 1 and the title, then 2, 3, ... and a sentence each"
# PubMed counts in the tens of millions; a number far beyond is a mistake.
MOST = 10**9
LARGEST, DEEPEST = 100_000, 100  # an article has some hundred elements, in eight levels
MOST_TEXT = 100_000  # characters of an abstract; spaCy takes a second for them
LONGEST = 1 << 22  # bytes of text; of what is not complete expat reads all again with every block
BLOCK = 1 << 16


def read_wiki_movies(paths: Sequence[Path]) -> Iterator[Entry]:
    """Passages of up to 120 words, of whole sentences, of the articles of WikiMovies.

    knowledge_source/wiki.txt (see `ecqg.corpus.formats.questions`) has them as numbered lines, the
    first one the title. Ids are NUMBER-PART, both from 1.
    """
    article, title, sentences = 0, "", list[str]()
    for path in paths:
        started = False  # a file begins with an article of its own
        for number, line in numbered_lines(path):
            if not line.strip():
                continue
            match = NUMBERED.fullmatch(line)
            if match is None or not (started or match[1] == "1"):
                raise InputError("no numbered line", file=path, line=number, remedy=ARTICLE)
            text = " ".join(match[2].split())
            if match[1] == "1":
                yield from _passages(article, title, sentences)
                article, title, sentences, started = article + 1, text, [], True
            else:
                sentences.append(text)
    yield from _passages(article, title, sentences)


def _passages(
    article: int, title: str, parts: Sequence[str], starts: Iterable[int] = ()
) -> Iterator[Entry]:
    """Passages ARTICLE-1, ARTICLE-2, ... of whole sentences, which begin at `starts` and parts."""
    begins = accumulate((len(part) + 1 for part in parts[:-1]), initial=0)
    text = " ".join(parts)
    spans = pack_sentences(text, sorted({*begins, *starts}))
    for number, (start, end) in enumerate(spans, 1):
        yield Entry(f"{article}-{number}", text[start:end], title)


class Abstract(NamedTuple):
    """An abstract; its sections are parts of the text, one where it is not structured."""

    pmid: int
    title: str
    sections: tuple[str, ...]


def abstract_passages(abstracts: Iterable[Abstract]) -> Iterator[Entry]:
    """Passages PMID-1, PMID-2, ... of a stream of abstracts, of up to 120 words (AugDPR sec. 3.1).

    They are cut between sentences, which begin where the segmenter of `ecqg.corpus.sentences` says,
    and where sections do. Articles without an abstract have none; of several with the same PMID the
    first counts.
    """
    worded = (abstract for abstract in _first(abstracts) if any(abstract.sections))
    # The two ends of the tee are some zones of the segmenter apart.
    stream, ahead = tee(worded)
    found = split_sentences(" ".join(abstract.sections) for abstract in ahead)
    for abstract, starts in zip(stream, found, strict=True):
        yield from _passages(*abstract, starts)


def _first(abstracts: Iterable[Abstract]) -> Iterator[Abstract]:
    """Abstracts less those whose PMID came before; a bit for each PMID, 5 MB for all of PubMed."""
    seen = bytearray()
    for abstract in abstracts:
        place, bit = divmod(abstract.pmid, 8)
        if place >= len(seen):
            seen.extend(bytes(place + 1 - len(seen)))
        if not seen[place] >> bit & 1:
            seen[place] |= 1 << bit
            yield abstract


def read_pubmed(paths: Sequence[Path]) -> Iterator[Abstract]:
    """Read the articles of PubMed's yearly baseline, pubmed24n0001.xml.gz and the like.

    The elements of the XML are described by the National Library of Medicine at
    www.nlm.nih.gov/bsd/licensee/elements_descriptions.html: a MedlineCitation has a PMID and an
    Article with an ArticleTitle and an Abstract of one or more AbstractText, whose Label is no part
    of the text. Abstracts in other languages (OtherAbstract) are not read. An InputError may name
    the article instead of the line.
    """
    for path in paths:
        with open_bytes(path) as file:
            found = False
            try:
                for element in _citations(file, path):
                    found = True
                    yield _abstract(element, path)
            except ElementTree.ParseError as error:
                what, line = f"not XML ({error})", error.position[0]
                raise InputError(what, file=path, line=line, remedy=WHOLE) from None
            except (LookupError, ValueError) as error:  # the XML names an encoding that expat lacks
                remedy = "save the file as UTF-8, and let its first line say so"
                raise InputError(f"not XML ({error})", file=path, line=1, remedy=remedy) from None
        if not found:
            remedy = "take a file of PubMed's baseline, with MedlineCitation elements"
            raise InputError("no article", file=path, remedy=remedy)


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
    title = citation.find("Article/ArticleTitle")
    texts = citation.findall("Article/Abstract/AbstractText")
    sections = ["".join(text.itertext()) for text in texts]
    plain = "" if title is None else "".join(title.itertext())
    return _checked(citation.findtext("PMID"), plain, sections, path)


class _Article(Struct):
    pmid: str | int = ""
    title: str | None = None
    text: str | None = field(name="abstractText", default=None)


def read_bioasq_articles(paths: Sequence[Path], encoding: str = UTF_8) -> Iterator[Abstract]:
    """Read the articles of BioASQ task A, from which AugDPR takes its passages (sec. 3.1).

    {"articles": [{"pmid", "title", "abstractText", ...}]}, described at
    participants-area.bioasq.org/datasets; some years' are in latin-1, such as allMeSH_2020.json and
    allMeSH_2022.json, others in UTF-8.
    """
    for path in paths:
        records = elements(path, _Article, "articles", encoding=encoding, recode=ENCODING)
        for line, _, record in records:
            yield _checked(record.pmid, record.title or "", [record.text or ""], path, line)


def _checked(
    number: str | int | None, title: str, sections: list[str], path: Path, line: int | None = None
) -> Abstract:
    """An abstract, its white space in single spaces and its empty sections gone."""
    wrong = partial(InputError, file=path, line=line)
    text = "" if number is None else str(number).strip()
    if not (text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) < MOST):
        what = f"an article with the PMID {text[:40]!r}"
        raise wrong(what, remedy="each needs a number of its own")
    plain = tuple(filter(None, (" ".join(section.split()) for section in sections)))
    if sum(map(len, plain)) > MOST_TEXT:
        what = f"article {int(text)} has an abstract of over {MOST_TEXT:,} characters"
        raise wrong(what, remedy="cut it or take it out")
    return Abstract(int(text), " ".join(title.split()), plain)
