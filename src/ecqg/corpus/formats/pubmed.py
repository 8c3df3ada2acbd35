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
from xml.etree import ElementTree

from ecqg.corpus.formats.abstracts import Abstract, plain
from ecqg.corpus.formats.records import ENCODING, mapping
from ecqg.corpus.json_array import read_array
from ecqg.corpus.lines import UTF_8, open_bytes, whole_gzip
from ecqg.errors import InputError

# PubMed counts in the tens of millions; a number far beyond is a mistake.
MOST = 10**9


def read_pubmed(paths: Sequence[Path]) -> Iterator[Abstract]:
    """Read the articles of XML files, also compressed, as a stream.

    Raises InputError naming the file, and the line or the article.
    """
    for path in paths:
        with open_bytes(path) as file, whole_gzip(path):
            found = False
            events = ElementTree.iterparse(file, events=("start", "end"))
            try:
                _, root = next(events)
                for event, element in events:
                    if event == "end" and element.tag == "MedlineCitation":
                        found = True
                        yield _abstract(element, path)
                        root.clear()  # else all of the file would stay in memory
            except ElementTree.ParseError as error:
                raise InputError(
                    f"not XML ({error})",
                    file=path,
                    line=error.position[0],
                    remedy="fetch the file again",
                ) from None
        if not found:
            raise InputError(
                "no article",
                file=path,
                remedy="take a file of PubMed's baseline, with MedlineCitation elements",
            )


def _abstract(citation: ElementTree.Element, path: Path) -> Abstract:
    pmid = _pmid(citation.findtext("PMID"), path)
    title = citation.find("Article/ArticleTitle")
    texts = citation.findall("Article/Abstract/AbstractText")
    sections = (plain("".join(text.itertext())) for text in texts)
    return Abstract(
        pmid,
        "" if title is None else plain("".join(title.itertext())),
        tuple(section for section in sections if section),
    )


def read_articles(paths: Sequence[Path], encoding: str = UTF_8) -> Iterator[Abstract]:
    """Read the articles of BioASQ task A as a stream. Raises InputError naming file and line."""
    for path in paths:
        records = read_array(path, "articles", encoding=encoding, recode=ENCODING)
        for number, (line, value) in enumerate(records):
            record = mapping(value, file=path, line=line, name=f"record {number}")
            pmid = _pmid(record.get("pmid"), path, line)
            title, text = record.get("title") or "", record.get("abstractText") or ""
            if not isinstance(title, str) or not isinstance(text, str):
                raise InputError(
                    f"article {pmid} has no text", file=path, line=line, remedy="mend the record"
                )
            yield Abstract(pmid, plain(title), (plain(text),))


def _pmid(value: object, path: Path, line: int | None = None) -> int:
    text = str(value or "").strip()
    if not (text.isascii() and text.isdigit() and 0 < int(text) < MOST):
        raise InputError(
            f"an article with the PMID {text!r}",
            file=path,
            line=line,
            remedy="each needs a number of its own",
        )
    return int(text)
