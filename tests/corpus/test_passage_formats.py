"""Readers of public passage files, on small files in their formats."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from ecqg.corpus.formats.passages import (
    Abstract,
    abstract_passages,
    read_bioasq_articles,
    read_pubmed,
    read_wiki_movies,
)
from ecqg.errors import InputError

ARTICLE = """<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">
<PMID Version="1">{pmid}</PMID>
<Article PubModel="Print"><ArticleTitle>{title}</ArticleTitle>{abstract}</Article>
<CommentsCorrectionsList><CommentsCorrections><PMID>99</PMID></CommentsCorrections>
</CommentsCorrectionsList>
<OtherAbstract Language="fre"><AbstractText>Un texte.</AbstractText></OtherAbstract>
</MedlineCitation><PubmedData><ArticleIdList/></PubmedData></PubmedArticle>
"""
HEAD = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2024//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_240101.dtd">
<PubmedArticleSet>
"""
STRUCTURED = """<Abstract>
<AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND">Synthetic background about
 <i>GENE1</i> &amp; H<sub>2</sub>O</AbstractText>
<AbstractText Label="RESULTS">Marker Q-17 rose.</AbstractText>
<CopyrightInformation>Copyright</CopyrightInformation></Abstract>"""


def article(pmid: object, title: str = "A title.", abstract: str = "") -> str:
    return ARTICLE.format(pmid=pmid, title=title, abstract=abstract)


def pubmed(path: Path, *articles: str) -> Path:
    text = HEAD + "".join(articles) + "</PubmedArticleSet>\n"
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("name", ["pubmed24n0001.xml", "pubmed24n0001.xml.gz"])
def test_pubmed_articles(tmp_path: Path, name: str) -> None:
    plain = "<Abstract><AbstractText>One. Two.</AbstractText></Abstract>"
    path = pubmed(
        tmp_path / name,
        article(11, "Marker Q-17 and <i>GENE1</i>.", STRUCTURED),
        article(12),
        article(13, "", plain),
    )
    assert list(read_pubmed([path])) == [
        Abstract(
            11,
            "Marker Q-17 and GENE1.",
            ("Synthetic background about GENE1 & H2O", "Marker Q-17 rose."),
        ),
        Abstract(12, "A title.", ()),
        Abstract(13, "", ("One. Two.",)),
    ]


def test_malformed_pubmed(tmp_path: Path) -> None:
    path = tmp_path / "p.xml"
    for text, message in (
        (HEAD + article(1) + "</Pubmed>", r"p\.xml:\d+: not XML \(mismatched tag"),
        (HEAD + article(1), r"p\.xml:\d+: not XML \(no element found"),
        ("", r"p\.xml:1: not XML"),
        (HEAD + article("x") + "</PubmedArticleSet>", r"p\.xml: an article with the PMID 'x'"),
        (HEAD + article(10**12) + "</PubmedArticleSet>", r"p\.xml: an article with the PMID '10"),
        (HEAD + "</PubmedArticleSet>", r"p\.xml: no article"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            list(read_pubmed([path]))
    packed = pubmed(tmp_path / "p.xml.gz", *(article(i) for i in range(1, 500)))
    packed.write_bytes(packed.read_bytes()[:-30])
    with pytest.raises(InputError, match=r"p\.xml\.gz: not a whole gzip file"):
        list(read_pubmed([packed]))


@pytest.mark.slow
def test_pubmed_is_never_in_memory_as_a_whole(tmp_path: Path) -> None:
    text = "word " * 400
    abstract = f"<Abstract><AbstractText>{text}</AbstractText></Abstract>"
    path = pubmed(tmp_path / "p.xml", *(article(i, "T", abstract) for i in range(1, 2001)))
    assert path.stat().st_size > 4_000_000
    tracemalloc.start()
    count = sum(1 for _ in read_pubmed([path]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 2000
    assert peak < 1_000_000


def test_articles_of_bioasq_task_a(tmp_path: Path) -> None:
    path = tmp_path / "allMeSH_2020.json"
    records = [
        {"abstractText": "One.\nTwo.", "journal": "J", "meshMajor": [], "pmid": "7", "title": "T"},
        {"abstractText": None, "pmid": 8, "title": None, "year": None},
    ]
    lines = ",\n".join(json.dumps(record) for record in records)
    path.write_text('{"articles":[\n' + lines + "\n]}", encoding="utf-8")
    assert list(read_bioasq_articles([path])) == [
        Abstract(7, "T", ("One. Two.",)),
        Abstract(8, "", ()),
    ]
    for record, message in (
        ('{"title": "T"}', "an article with the PMID ''"),
        ('{"pmid": "7", "title": 3}', r"record 0: expected str \| null, got int at title"),
        ("7", "record 0: expected object, got int"),
    ):
        path.write_text('{"articles":[\n' + record + "\n]}", encoding="utf-8")
        with pytest.raises(InputError, match=rf"2020\.json:2: {message}"):
            list(read_bioasq_articles([path]))


def test_abstracts_become_passages_of_whole_sentences() -> None:
    sentence = "The patients of the second group were treated with a low dose of it for two weeks."
    assert len(sentence.split()) == 17

    def stream() -> Iterator[Abstract]:
        yield Abstract(5, "Title", (" ".join([sentence] * 9),))
        yield Abstract(3, "No abstract", ())
        yield Abstract(3, "Late", ("lower case heading", "and a section that continues it"))
        yield Abstract(5, "Another version", ("It is not read.",))
        yield Abstract(20_000_000, "Far", ("Dr. Smith saw it.",))

    found = list(abstract_passages(stream()))
    assert [(entry.id, len(entry.text.split()), entry.title) for entry in found] == [
        ("5-1", 119, "Title"),
        ("5-2", 34, "Title"),
        ("20000000-1", 4, "Far"),
    ]
    assert found[0].text == " ".join([sentence] * 7)


def test_sections_are_boundaries_even_without_a_full_stop() -> None:
    words = [" ".join(f"word{i}" for i in range(n)) for n in (60, 55, 20)]
    found = list(abstract_passages([Abstract(1, "T", tuple(words))]))
    assert [entry.text for entry in found] == [f"{words[0]} {words[1]}", words[2]]


def test_wiki_movies_articles(tmp_path: Path) -> None:
    path = tmp_path / "wiki.txt"
    long = " ".join(["word"] * 70) + "."
    path.write_text(
        "1 Illuminata (film)\n2 Illuminata is a 1998  romantic comedy film.\n"
        f"3 The cinematographer was Harris Savides.\n\n"
        f"1 Long\n2 {long}\n3 {long}\n4 End.\n\n1 Stub\n",
        encoding="utf-8",
    )
    entries = list(read_wiki_movies([path, path]))
    assert [tuple(entry) for entry in entries[:3]] == [
        (
            "1-1",
            "Illuminata is a 1998 romantic comedy film. The cinematographer was Harris Savides.",
            "Illuminata (film)",
        ),
        ("2-1", long, "Long"),
        ("2-2", f"{long} End.", "Long"),
    ]
    assert [entry.id for entry in entries[3:]] == ["4-1", "5-1", "5-2"]
    for text, line in (("2 no title\n", 1), ("1 T\nno number\n", 2)):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=rf"wiki\.txt:{line}: no numbered line"):
            list(read_wiki_movies([path]))
