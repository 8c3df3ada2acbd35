"""The kinds of file that ecqg reads: a small valid one of each, its reader, and what it says.

`said` reads bytes in a way of its own and lists what a reader must not lose; it is None where
nothing of the kind can be told. `found` lists the same of what the reader gave.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

Said = list[str] | None


@dataclass(frozen=True)
class Kind:
    """A kind of file: `make` writes a valid one (and what it needs) and names the file to damage.

    A reader with `whole` must give what it gave of the valid file, or refuse.
    """

    make: Callable[[Path], Path]
    read: Callable[[Path], Any]
    said: Callable[[bytes], Said] | None = None
    found: Callable[[Any], list[str]] = str.split
    whole: bool = False


TEXTS = [
    "The old mill was built in 1852 by Ada Löwe. It stands at the river Olt.",
    'Queen Mirabel sang "The Ship" in 1903. The song was lost. It was found in Varna.',
    "A castle on a hill\u2028holds 12 halls. The king slept in none of them.",
    "Plain words without a name. More plain words follow here.",
]
TITLES = ["Old mill", "Mirabel", "Castle", ""]
ASKED = [
    ("who built the old mill?", ["Ada Löwe", "Löwe"]),
    ("when did Mirabel sing?", ["1903"]),
    ("how many halls?", ["12"]),
    ('where was "The Ship" found?', ["Varna", "Варна"]),
]
KINDS: dict[str, Kind] = {}


def words(text: str) -> str:
    return " ".join(text.split())


def strict(data: bytes) -> Any:
    """JSON by Python's own reader; keys that stand twice are told from others."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in items:
            while key in made:
                key += "~"
            made[key] = value
        return made

    return json.loads(data.decode("utf-8-sig"), object_pairs_hook=pairs)


def lines(data: bytes) -> list[str]:
    text = data.decode("utf-8-sig")
    return text.removesuffix("\n").split("\n") if text else []


def text_file(name: str, content: str | bytes) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
        return path

    return make


def kind(name: str, content: str | bytes, read: Callable[[Path], Any], **told: Any) -> None:
    KINDS[name] = Kind(text_file(name, content), read, **told)


def unzipped(said: Callable[[bytes], Said]) -> Callable[[bytes], Said]:
    return lambda data: said(gzip.decompress(data))


# Passages, questions and what belongs to them -------------------------------------------------


def _passage_lines(data: bytes) -> Said:
    rows = [next(csv.reader([line], delimiter="\t"), []) for line in lines(data)[1:]]
    return [field for row in rows for field in row]


def _passages(path: Path) -> Any:
    from ecqg.corpus.passage_file import read_passage_file

    return list(read_passage_file(path))


def _tsv() -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(["id", "text", "title"])
    writer.writerows([f"p{i}", t, h] for i, (t, h) in enumerate(zip(TEXTS, TITLES, strict=True)))
    return out.getvalue()


def _fields(entries: Any) -> list[str]:
    return [field for entry in entries for field in entry]


kind("passages.tsv", _tsv(), _passages, said=_passage_lines, found=_fields)
kind("passages.tsv.gz", _tsv(), _passages, said=unzipped(_passage_lines), found=_fields)


def _qa(path: Path) -> Any:
    from ecqg.corpus.questions import read_questions

    return read_questions(path)


def _questions_of(found: Any) -> list[str]:
    return [question.text for question in found]


def _asked(data: bytes) -> Said:
    rows = [next(csv.reader([line], delimiter="\t"), []) for line in lines(data)]
    return [row[0].strip() for row in rows]


QA = "".join(f"{q}\t{json.dumps(a, ensure_ascii=False)}\n" for q, a in ASKED)
kind("test.qa.tsv", QA, _qa, said=_asked, found=_questions_of)


def _dpr_example(number: int) -> dict[str, Any]:
    contexts = [
        {"passage_id": f"p{i}", "title": TITLES[i], "text": TEXTS[i]} for i in range(len(TEXTS))
    ]
    question, answers = ASKED[number]
    return {
        "dataset": "nq",
        "question": question,
        "answers": answers,
        "positive_ctxs": [contexts[number]],
        "negative_ctxs": [],
        "hard_negative_ctxs": [contexts[number - 1] | {"score": 1.5}],
    }


DPR = json.dumps([_dpr_example(i) for i in range(len(ASKED))], indent=1, ensure_ascii=False)


def _dpr(path: Path) -> Any:
    from ecqg.corpus.dpr_examples import read_dpr_examples

    return list(read_dpr_examples(path))


def _dpr_said(data: bytes) -> Said:
    return [
        text
        for record in strict(data)
        for text in (
            record["question"],
            *record["answers"],
            *(context["text"] for context in record["positive_ctxs"]),
            *(context["text"] for context in record.get("hard_negative_ctxs", [])),
        )
    ]


def _dpr_found(examples: Any) -> list[str]:
    return [
        text
        for example in examples
        for text in (
            example.question,
            *example.answers,
            *(context.text for context in (*example.positives, *example.hard_negatives)),
        )
    ]


kind("train.dpr.json", DPR, _dpr, said=_dpr_said, found=_dpr_found)
kind("train.dpr.json.gz", DPR, _dpr, said=unzipped(_dpr_said), found=_dpr_found)


def _squad_json() -> str:
    qas = [
        {
            "id": f"q{i}",
            "question": question,
            "answers": [{"text": answers[0], "answer_start": TEXTS[at].index(answers[0])}],
            "is_impossible": False,
        }
        for i, ((question, answers), at) in enumerate(zip(ASKED, (0, 1, 2, 1), strict=True))
    ]
    none = {"id": "q9", "question": "what else?", "answers": [], "is_impossible": True}
    none["plausible_answers"] = [{"text": "Varna", "answer_start": TEXTS[1].index("Varna")}]
    by_text = [[qas[0]], [qas[1], qas[3], none], [qas[2]]]
    data = [
        {"title": TITLES[i], "paragraphs": [{"context": TEXTS[i], "qas": by_text[i]}]}
        for i in range(3)
    ]
    return json.dumps({"version": "v2.0", "data": data}, indent=1, ensure_ascii=False)


def _squad(path: Path) -> Any:
    from ecqg.corpus.reading import read_reading

    return read_reading(path)


def _squad_said(data: bytes) -> Said:
    said = []
    for article in strict(data)["data"]:
        for paragraph in article["paragraphs"]:
            for qa in paragraph["qas"]:
                said.append(qa["question"])
                if qa.get("is_impossible") is not True:
                    said += [answer["text"] for answer in qa["answers"]]
    return said


def _squad_found(examples: Any) -> list[str]:
    return [t for e in examples for t in (e.question, *(answer.text for answer in e.answers))]


kind("squad-train.json", _squad_json(), _squad, said=_squad_said, found=_squad_found)


def _squad_paragraphs(path: Path) -> Any:
    """Also what becomes of them."""
    from ecqg.corpus import squad

    found = squad.read_paragraphs(path)
    return found, *map(list, (squad.entries_of(found), squad.examples_of(found)))


def _paragraphs_said(data: bytes) -> Said:
    paragraphs = [p for article in strict(data)["data"] for p in article["paragraphs"]]
    texts = [p["context"] for p in paragraphs] + [
        qa["question"] for p in paragraphs for qa in p["qas"]
    ]
    return [words(text) for text in texts]


kind(
    "squad-paragraphs.json",
    _squad_json(),
    _squad_paragraphs,
    said=_paragraphs_said,
    found=lambda read: [
        words(text)
        for p in read[0]
        for text in (p.text, *(question.text for question in p.questions))
    ],
)


def _train_facts(path: Path) -> Any:
    from ecqg.corpus.questions import read_train_facts

    return read_train_facts(path)


def _test_facts(path: Path) -> Any:
    from ecqg.corpus.questions import read_test_facts

    return read_test_facts(path, 4)


def _cells(data: bytes) -> Said:
    return [cell for line in lines(data) for cell in line.rstrip("\r").split("\t", 1)]


kind(
    "train.facts.tsv",
    "q0\tmill/built\nq1\tqueen/sang\nq2\tcastle/halls\n",
    _train_facts,
    said=_cells,
    found=lambda facts: [part for item in facts.items() for part in item],
)
kind(
    "test.facts.tsv",
    "a/b\nc/d\ne/f\ng/h\n",
    _test_facts,
    said=lambda data: [line.rstrip("\r") for line in lines(data)],
    found=list,
)


def _store(folder: Path) -> Path:
    from ecqg.corpus.passages import Passage, write_passages

    path = folder / "passages.arrow"
    starts = [(0, TEXTS[i].index(". ") + 2) for i in range(len(TEXTS))]
    write_passages(
        path, [Passage(i, f"p{i}", TITLES[i], TEXTS[i], starts[i]) for i in range(len(TEXTS))]
    )
    return path


def _judged(name: str, content: str) -> None:
    def make(folder: Path) -> Path:
        text_file("test.qa.tsv", QA)(folder)
        text_file("test.facts.tsv", "a/b\nc/d\ne/f\ng/h\n")(folder)
        _store(folder)
        return text_file(name, content)(folder)

    def read(path: Path) -> Any:
        from ecqg.corpus.passages import Passages
        from ecqg.corpus.qrels import judge

        return judge(path.parent, "test.qa.tsv", Passages(path.parent / "passages.arrow"))

    KINDS[name] = Kind(make, read)


FACTS = [{"key": "a/b", "passage_id": "p0"}, {"key": "c/d", "passage_id": "p1", "sentence": 0}]
_judged("facts.jsonl", "".join(json.dumps(fact) + "\n" for fact in FACTS))
_judged("test.qrels", "0 0 p0 1\n1 0 p1 2\n2 0 p2 1\n2 0 p3 0\n3 0 p1 1\n")


def _rows(name: str, content: str, said: Callable[[bytes], Said] | None) -> None:
    """Files of one's own: rows that are bad may be left out, but then they are told."""

    def read(path: Path) -> Any:
        from ecqg.corpus.formats.own import read_passages, read_queries
        from ecqg.corpus.formats.rows import BadRows

        bad = BadRows()
        found = [*(read_passages if "passages" in name else read_queries)(path, bad)]
        bad.settle()
        return found

    kind(name, content, read, said=said, found=lambda items: [words(item.text) for item in items])


def _own_csv(data: bytes) -> Said:
    rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
    return [words(row["text"]) for row in rows]


def _own_table() -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["title", "text", "id"])
    writer.writerows([h, t, f"p{i}"] for i, (t, h) in enumerate(zip(TEXTS, TITLES, strict=True)))
    return out.getvalue()


OWN = [{"_id": f"p{i}", "title": TITLES[i], "text": text} for i, text in enumerate(TEXTS)]
OWN_ASKED = [
    {"id": f"q{i}", "question": q, "answers": a, "relevant": {f"p{i}": i + 1}}
    for i, (q, a) in enumerate(ASKED)
]


def _own_lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _own_said(key: str) -> Callable[[bytes], Said]:
    def said(data: bytes) -> Said:
        records = [strict(line.encode()) for line in lines(data) if line.strip()]
        return [words(record.get(key) or record["title"]) for record in records]

    return said


_rows("own-passages.jsonl", _own_lines(OWN), _own_said("text"))
_rows("own-passages.csv", _own_table(), _own_csv)
_rows("own-questions.jsonl", _own_lines(OWN_ASKED), _own_said("question"))


def _beir(name: str) -> None:
    """A split's judgements, and the queries that they are of."""
    files = {
        "queries.jsonl": _own_lines(
            [{"_id": f"q{i}", "text": q} for i, (q, _) in enumerate(ASKED)]
        ),
        "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq0\tp0\t2\nq1\tp1\t1\nq3\tp1\t-1\n",
    }

    def make(folder: Path) -> Path:
        for other, text in files.items():
            text_file(other, text)(folder)
        return folder / name

    def read(path: Path) -> Any:
        from ecqg.corpus.formats.own import Beir, Ids
        from ecqg.corpus.formats.rows import BadRows

        folder = path.parent if name == "queries.jsonl" else path.parent.parent
        known, bad = Ids(), BadRows()
        for i in range(len(TEXTS)):
            known.add(f"p{i}")
        found = [*Beir(folder).read_queries("test", bad, known)]
        bad.settle()
        return [(asked.id, asked.text, asked.relevant) for asked in found]

    KINDS[name] = Kind(make, read)


_beir("queries.jsonl")
_beir("qrels/test.tsv")


def _probed(path: Path) -> Any:
    from ecqg.corpus.formats.own import Ids
    from ecqg.corpus.formats.rows import BadRows
    from ecqg.probe.rows import entries

    bad = BadRows()
    found = list(entries(path, bad, Ids()))
    bad.settle()
    return found


def _given_judgements(path: Path) -> Any:
    from ecqg.corpus.formats.own import Ids
    from ecqg.corpus.formats.rows import BadRows
    from ecqg.corpus.qrels import read_qrels

    known = Ids()
    for i in range(len(TEXTS)):
        known.add(f"p{i}")
    bad = BadRows()
    found = read_qrels(path, bad, {str(i) for i in range(len(ASKED))}, known)
    bad.settle()
    return found


kind("probed.tsv", _tsv(), _probed, said=_passage_lines, found=_fields)
kind("given.qrels", "0 0 p0 1\n1 0 p1 2\n2 0 p2 1\n2 0 p3 0\n3 0 p1 1\n", _given_judgements)
kind("given.tsv", "query-id\tcorpus-id\tscore\n0\tp0\t2\n1\tp1\t1\n", _given_judgements)


def _question_ids(path: Path) -> Any:
    from ecqg.corpus.questions import read_ids

    return read_ids(path, 3)


kind(
    "test.ids.txt",
    "q0\nq1\nq2\n",
    _question_ids,
    said=lambda data: [line.rstrip("\r") for line in lines(data)],
    found=list,
)

LABELS = [["total", "no_answer_overlap", "no_question_overlap"], ["total", "answer_overlap"], []]
LABELLED = "".join(json.dumps({"id": i, "labels": x}) + "\n" for i, x in enumerate(LABELS))


def _annotations(path: Path) -> Any:
    from ecqg.corpus.overlap import read_annotations

    return read_annotations(path, 3)


def _published_annotations(path: Path) -> Any:
    from ecqg.corpus.formats.importer import whole_annotations

    return whole_annotations(path, 3)


def _subsets_said(data: bytes) -> Said:
    names = ("no_answer_overlap", "no_question_overlap")
    records = [strict(line.encode()) for line in lines(data)]
    return [f"{n} {r['id']}" for r in records for n in names if n in r["labels"]]


kind(
    "test.overlap.jsonl",
    LABELLED,
    _annotations,
    said=_subsets_said,
    found=lambda subsets: [f"{name} {i}" for name, ids in subsets.items() for i in ids],
)
kind(
    "nq-annotations.jsonl",
    LABELLED,
    _published_annotations,
    said=lambda data: [str(strict(line.encode())["id"]) for line in lines(data)],
    found=lambda records: [str(record["id"]) for record in records],
)


# Published formats ----------------------------------------------------------------------------


def published(
    name: str,
    form: str,
    content: str | bytes,
    said: Callable[[bytes], Said] | None,
    encoding: str = "",
) -> None:
    def read(path: Path) -> Any:
        from ecqg.corpus.formats import importer, questions

        if form == "wikimovies":
            known = questions.read_entities(path.parent / "entities.txt")
            return list(questions.read_wiki_movies(path.parent / "questions.txt", known))
        told = {"encoding": encoding} if encoding else {}
        readers: Any = importer.QUESTIONS | importer.PASSAGES
        return list(readers[form]([path], **told))

    def make(folder: Path) -> Path:
        for beside, text in (("questions.txt", MOVIES), ("entities.txt", ENTITIES)):
            text_file(beside, text)(folder)
        return text_file(name, content)(folder)

    def found(items: Any) -> list[str]:
        return [words(item.text) for item in items]

    KINDS[name] = Kind(make, read, said=said, found=found)


def _json_lines(key: str) -> Callable[[bytes], Said]:
    return lambda data: [words(strict(line.encode())[key]) for line in lines(data)]


def _json_array(list_key: str, key: str, codec: str = "utf-8-sig") -> Callable[[bytes], Said]:
    def said(data: bytes) -> Said:
        tree = strict(data.decode(codec).encode())
        records = tree[list_key] if list_key else tree
        return [
            words(record[key]) for record in records if record.get("type", "factoid") == "factoid"
        ]

    return said


NQ = "".join(json.dumps({"question": q, "answer": a}, ensure_ascii=False) + "\n" for q, a in ASKED)
published("nq.jsonl", "nq-open", NQ, _json_lines("question"))
PYTHON_QA = "".join(f"{q}\t{a!r}\n" for q, a in ASKED)
published(
    "nq-test.qa.csv", "dpr-qa", PYTHON_QA, lambda data: [words(q) for q in _asked(data) or []]
)
WEBQ = [
    {
        "url": "http://x/y",
        "targetValue": "(list " + " ".join(f'(description "{a}")' for a in answers) + ")",
        "utterance": question,
    }
    for question, answers in ASKED
]
published(
    "webquestions.json",
    "webquestions",
    json.dumps(WEBQ, indent=1, ensure_ascii=False),
    _json_array("", "utterance"),
)
TRIVIA = [
    {"Question": q, "QuestionId": f"tc_{i}", "Answer": {"Aliases": a, "Value": a[0]}}
    for i, (q, a) in enumerate(ASKED)
]
published(
    "triviaqa.json",
    "triviaqa",
    json.dumps({"Version": 1.0, "Data": TRIVIA, "Domain": "x"}, indent=1, ensure_ascii=False),
    _json_array("Data", "Question"),
)
MOVIES = "1 what does Tobe Hooper appear in?\tBody Bags, Me, Myself & Irene\n1 who?\tX, Y\n"
ENTITIES = "Body Bags\nMe, Myself & Irene\nTobe Hooper\nX\n"


def _movie_lines(data: bytes) -> Said:
    return [words(line.partition("\t")[0].partition(" ")[2]) for line in lines(data)]


published("questions.txt", "wikimovies", MOVIES, _movie_lines)
published("entities.txt", "wikimovies", ENTITIES, None)
WIKI = "1 Body Bags\n2 A film of 1993.\n3 It has three parts.\n\n1 Kismet\n2 A film of 1943.\n"


def _wiki_lines(data: bytes) -> Said:
    parts: list[list[str]] = []
    for line in lines(data):
        if line.strip():
            number, _, text = line.partition(" ")
            if number == "1":
                parts.append([])
            else:
                parts[-1].append(words(text))
    return [word for part in parts for word in " ".join(part).split()]


published("wiki.txt", "wikimovies-wiki", WIKI, _wiki_lines)
KINDS["wiki.txt"] = Kind(
    KINDS["wiki.txt"].make,
    KINDS["wiki.txt"].read,
    _wiki_lines,
    lambda items: [word for item in items for word in item.text.split()],
)
BIO = [
    {"id": f"5{i}", "type": "factoid", "body": q, "exact_answer": [a], "documents": ["http://x"]}
    for i, (q, a) in enumerate(ASKED)
]
BIO.append({"id": "99", "type": "yesno", "body": "is it?", "exact_answer": "yes"})
published(
    "bioasq.json",
    "bioasq",
    json.dumps({"questions": BIO}, indent=1, ensure_ascii=False),
    _json_array("questions", "body"),
    "utf-8-sig",
)
ARTICLES = [
    {"pmid": str(1000 + i), "title": TITLES[i], "abstractText": TEXTS[i].replace("\u2028", " ")}
    for i in range(3)
]


def _articles_said(data: bytes) -> Said:
    texts: dict[int, str] = {}
    for record in strict(data.decode("latin-1").encode())["articles"]:
        texts.setdefault(int(record["pmid"]), record.get("abstractText") or "")
    return [word for text in texts.values() for word in text.split()]


def _abstract_words(entries: Any) -> list[str]:
    return [word for entry in entries for word in entry.text.split()]


published(
    "allMeSH.json",
    "bioasq-articles",
    json.dumps({"articles": ARTICLES}, indent=1, ensure_ascii=False).encode("latin-1"),
    None,
    "latin-1",
)
XML = (
    "<?xml version='1.0' encoding='utf-8'?>\n<PubmedArticleSet>"
    + "".join(
        f"<PubmedArticle><MedlineCitation><PMID Version='1'>{1000 + i}</PMID><Article>"
        f"<ArticleTitle>{TITLES[i]}</ArticleTitle><Abstract><AbstractText Label='A'>{TEXTS[i]}"
        "</AbstractText><AbstractText>More <i>words</i>.</AbstractText></Abstract></Article>"
        "</MedlineCitation></PubmedArticle>\n"
        for i in range(3)
    )
    + "</PubmedArticleSet>\n"
)


def _xml_said(data: bytes) -> Said:
    said = []
    seen = set()
    for citation in ET.fromstring(data).iter("MedlineCitation"):
        pmid = int(citation.findtext("PMID") or "")
        if pmid not in seen:
            seen.add(pmid)
            texts = citation.findall("Article/Abstract/AbstractText")
            said += [word for text in texts for word in "".join(text.itertext()).split()]
    return said


for _name, _form, _content, _said in (
    ("allMeSH.json", "", "", _articles_said),
    ("pubmed.xml", "pubmed", XML, _xml_said),
    ("pubmed.xml.gz", "pubmed", XML, unzipped(_xml_said)),
):
    if _form:
        published(_name, _form, _content, None)
    KINDS[_name] = Kind(KINDS[_name].make, KINDS[_name].read, _said, _abstract_words)


# What stages write for each other -------------------------------------------------------------

RUN = "".join(
    f"{q} Q0 p{p} {rank} {9 - rank}.5 bm25\n" for q in range(3) for rank, p in ((1, q), (2, q + 1))
)


def _run(path: Path) -> Any:
    from ecqg.evaluation.runs import read_run

    return list(read_run(path, {f"p{i}": i for i in range(4)}))


kind(
    "nq_like.trec",
    RUN,
    _run,
    said=lambda data: [f"{line.split()[0]} {line.split()[2]}" for line in lines(data)],
    found=lambda rankings: [f"{r.question_id} {p}" for r in rankings for p in r.passage_ids],
)


def _csv_said(data: bytes) -> Said:
    return [row[0] for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))][1:]


def _per_query(path: Path) -> Any:
    from ecqg.evaluation.topk import read_per_query

    return read_per_query(path)


PER_QUERY = 'id,question,rank\n0,who built it?,1\n1,"when, and ""why""?",0\n2,how many?,12\n'
kind("per_query.csv", PER_QUERY, _per_query, said=_csv_said, found=lambda ranks: list(ranks.ids))


def _per_passage(path: Path) -> Any:
    from ecqg.attention.per_passage import read_per_passage

    return read_per_passage(path)


PER_PASSAGE = (
    "id,row,tokens,entropy,first_sentence,later_sentences,highest_first_half,lowest_second_half\n"
    "p0,0,12,2.25,1.5,0.5,1,0\np1,1,9,2.5,1.0,,,\np2,2,30,3.125,0.75,1.25,0,1\n"
)
kind(
    "per_passage.csv",
    PER_PASSAGE,
    _per_passage,
    said=_csv_said,
    found=lambda measured: list(measured["id"]),
)


def _entity_scores(path: Path) -> Any:
    from ecqg.analysis.entity_scores import read_scores

    return read_scores(path)


ENTITY_SCORES = (
    "id,row,place,attention,gradient,left_out,score,rank\n"
    "0.1,0,0.25,0.1,0.2,nan,11.5,1\n0.2,0,0.75,0.05,0.1,0.3,10.5,3\n"
)
kind(
    "entity_scores.csv",
    ENTITY_SCORES,
    _entity_scores,
    said=_csv_said,
    found=lambda scores: [score.id for score in scores],
)


def _accuracy(path: Path) -> Any:
    from ecqg.evaluation.headers import ACCURACY
    from ecqg.tables import number, read_frame

    whole = {"k": int, "questions": int}
    return read_frame(path, ACCURACY, {**whole, "accuracy": float, "low": number, "high": number})


ACCURACY = (
    "system,collection,test_set,subset,k,questions,accuracy,low,high\n"
    "dpr,main,nq_like,,1,600,53.6667,49.6667,57.6667\n"
    "mixed,main,nq_like,no_answer_overlap,5,221,90.0452,,\n"
)
kind("accuracy.csv", ACCURACY, _accuracy, said=_csv_said, found=lambda rows: list(rows.system))


def _premises(path: Path) -> Any:
    from ecqg.analysis.premises import HEADER
    from ecqg.tables import number, read_frame

    return read_frame(path, HEADER, dict.fromkeys(("here", "low", "high"), number))


PREMISES = (
    "premise,about,unit,published,source,here,low,high,met\n"
    'gold coverage,,%,below 0.3,"SIGIR sec. 3.1, of NQ",56.68,,10,no\n'
    "right answers,late,%,,,,,,\n"
)
kind("premises.csv", PREMISES, _premises, said=_csv_said, found=lambda rows: list(rows.premise))


def _values(path: Path) -> Any:
    from ecqg.tables import read_values

    return read_values(path)


VALUES = 'name,value\nentropy,4.09\nvariants/text/entropy,3.5\nnote,"""as, said"""\n'
kind("mixed.csv", VALUES, _values)

RECALLS = {"nq_like": {"recall@1": 87.5, "recall@10": 90.25}, "tail": {"recall@1": 100.0}}


def _recalls(path: Path) -> Any:
    from ecqg.stages.judge import _recalls as read

    return read(path)


def _recalls_of(tree: Any) -> list[str]:
    return [f"{name} {k} {float(v)}" for name, recalls in tree.items() for k, v in recalls.items()]


kind(
    "index-recall.json",
    json.dumps(RECALLS),
    _recalls,
    said=lambda data: _recalls_of(strict(data)),
    found=_recalls_of,
)

GENERATED = [
    {
        "id": f"{i}-0",
        "passage_id": f"p{i}",
        "row": i,
        "entity": None,
        "start": None,
        "question": ASKED[i][0],
        "answer": ASKED[i][1][0],
    }
    for i in range(3)
]


def _jsonl(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _ids(key: str) -> Callable[[bytes], Said]:
    return lambda data: [str(strict(line.encode())[key]) for line in lines(data)]


def _generated(path: Path) -> Any:
    from ecqg.synthesis.records import read_generated

    return list(read_generated(path, {f"p{i}": i for i in range(3)}))


kind(
    "generated.jsonl",
    _jsonl(GENERATED),
    _generated,
    said=_ids("id"),
    found=lambda records: [record["id"] for record in records],
)


def _filtered(path: Path) -> Any:
    from ecqg.synthesis.records import FILTERED, read_generated

    return list(read_generated(path, {f"p{i}": i for i in range(3)}, FILTERED))


kind(
    "filtered.jsonl",
    _jsonl([{**record, "reader_answer": "x"} for record in GENERATED]),
    _filtered,
    said=_ids("id"),
    found=lambda records: [record["id"] for record in records],
)


def _aligned(name: str, records: list[dict[str, Any]]) -> None:
    def read(path: Path) -> Any:
        from ecqg.synthesis import records as forms

        folder = path.parent
        fields: Any = {
            folder / "generated.jsonl": forms.GENERATED,
            folder / "read.jsonl": forms.READ,
            folder / "scored.jsonl": forms.SCORED,
        }
        return list(forms.read_aligned(fields))

    def make(folder: Path) -> Path:
        for other, content in (("generated", GENERATED), ("read", READ), ("scored", SCORED)):
            text_file(f"{other}.jsonl", _jsonl(content))(folder)
        return folder / name

    KINDS[name] = Kind(make, read, _ids("id"), lambda rows: [row[0]["id"] for row in rows])


READ = [
    {"id": f"{i}-0", "answer": "x", "start": 3, "confidence": 0.5, "null_margin": -1.25}
    for i in range(3)
]
SCORED = [{"id": f"{i}-0", "score": 10.5 + i} for i in range(3)]
_aligned("read.jsonl", READ)
_aligned("scored.jsonl", SCORED)


def _selected(path: Path) -> Any:
    from ecqg.questions.generation import read_selected

    return read_selected(path)


def _prompts(data: bytes) -> Said:
    """Each once, though a passage may be selected by several lines."""
    records = [strict(line.encode()) for line in lines(data)]
    places = [f"{r['start']} {r['end']}" if "entity" in r else "" for r in records]
    return list({f"{r['row']} {place}" for r, place in zip(records, places, strict=True)})


def _prompts_found(prompts: Any) -> list[str]:
    return [f"{p.row} {p.entity[0]} {p.entity[1]}" if p.entity else f"{p.row} " for p in prompts]


SELECTED = [{"row": i, "start": 2, "end": 5, "entity": "mill"} for i in range(3)]
for _name, _records in (
    ("selected.jsonl", SELECTED),
    ("selected-passages.jsonl", [{"passage_id": f"p{i}", "row": i} for i in range(3)]),
):
    kind(_name, _jsonl(_records), _selected, said=_prompts, found=_prompts_found)


def _world(path: Path) -> Any:
    from ecqg.questions.world import read_settings

    return read_settings(path.parent)


kind(
    "world.json",
    '{"world_seed": 1, "passages": 200, "families": ["person"], "sentence_bias": [40, 2.5]}\n',
    _world,
    said=lambda data: strict(data)["families"],
    found=lambda settings: settings.families,
)


def _gold_entities(path: Path) -> Any:
    from ecqg.corpus.examples import Example
    from ecqg.questions.gold import _read_entities

    return _read_entities(path, [Example("", q, tuple(a), (0,)) for q, a in ASKED])


kind(
    "gold-entities.jsonl",
    _jsonl([{"question": q, "entities": [{"a": 1}["a"] and "Ada", "Olt"]} for q, _ in ASKED]),
    _gold_entities,
    said=lambda data: [e for line in lines(data) for e in strict(line.encode())["entities"]],
    found=lambda found: [entity for entities in found for entity in entities],
)


EXAMPLES = [
    {
        "id": f"q{i}",
        "question": question,
        "answers": answers,
        "positives": [i],
        "negatives": [3 - i][:i],
    }
    for i, (question, answers) in enumerate(ASKED)
]


def _examples(path: Path) -> Any:
    from ecqg.corpus.examples import read_examples
    from ecqg.corpus.passages import Passages

    return list(read_examples(path, Passages(path.parent / "passages.arrow")))


def _examples_make(folder: Path) -> Path:
    _store(folder)
    return text_file("train.jsonl", _jsonl(EXAMPLES))(folder)


def _examples_said(data: bytes) -> Said:
    return [
        f"{key} {value}"
        for line in lines(data)
        for key, value in strict(line.encode()).items()
        if key in EXAMPLES[0]
    ]


KINDS["train.jsonl"] = Kind(
    _examples_make,
    _examples,
    _examples_said,
    lambda found: [
        f"{key} {list(value) if isinstance(value, tuple) else value}"
        for example in found
        for key, value in asdict(example).items()
    ],
)


def _subsets(path: Path) -> Any:
    from ecqg.evaluation.test_sets import read_test_sets

    return list(read_test_sets(path.parent, path))


SUBSETS = {"no_answer_overlap": ["0", "2"]}


def _subsets_make(folder: Path) -> Path:
    text_file("questions/nq.qa.tsv", QA)(folder)
    return text_file("subsets.json", json.dumps({"nq": SUBSETS}))(folder)


def _subsets_of(data: bytes) -> Said:
    return [f"nq_{name} {i}" for name, ids in strict(data)["nq"].items() for i in ids]


KINDS["subsets.json"] = Kind(
    _subsets_make,
    _subsets,
    _subsets_of,
    lambda sets: [
        f"{name} {place}"
        for found in sets
        for name, members in found.members.items()
        for place in np.flatnonzero(members)
        if name != found.name
    ],
)


def _known(path: Path) -> Any:
    from ecqg.corpus.collection import read_annotations

    return read_annotations(path.parent, ["nq", "webq"])


def _known_of(tree: Any) -> list[str]:
    return [
        f"{name} {part} {key} {value}"
        for name in ("nq", "webq")
        for part, known in tree[name].items()
        for key, value in (known or {}).items()
    ]


ANNOTATIONS = {
    "nq": {"subsets": SUBSETS, "facts": None},
    "webq": {"subsets": None, "facts": {"0": "mill/built", "1": "queen/sang"}},
}
kind(
    "annotations.json",
    json.dumps(ANNOTATIONS, indent=2),
    _known,
    said=lambda data: _known_of(strict(data)),
    found=_known_of,
)


# Binary files ---------------------------------------------------------------------------------


def _read_store(path: Path) -> Any:
    from ecqg.corpus.passages import Passages

    found = Passages(path)
    rows = found.rows_by_id()
    return [(rows[p.id], p, p.sentences(), p.sentence_at(5)) for p in found], found[-1]


KINDS["passages.arrow"] = Kind(_store, _read_store, whole=True)


def _entities_file(folder: Path) -> Path:
    from ecqg.attention.entities import Entity, write_entities

    mentions = [Entity(i // 2, 4 * (i % 2), 4 * (i % 2) + 3, "ORG", "abc") for i in range(6)]
    write_entities(folder / "entities.arrow", mentions)
    return folder / "entities.arrow"


def _read_entities_file(path: Path) -> Any:
    from ecqg.attention.entities import Entities

    found = Entities(path)
    rows = range(4)
    return list(map(found.of, rows)), list(map(found.span, rows)), list(found.passages())


KINDS["entities.arrow"] = Kind(_entities_file, _read_entities_file, whole=True)


def _entity_attention(folder: Path) -> Path:
    from ecqg.attention.aggregate import Aggregated
    from ecqg.attention.entities import write_entity_attention

    _entities_file(folder)
    sums = np.array([0.5, 0.25], np.float32)
    blocks = [Aggregated(sums, np.array([1, 2], np.int16))] * 3
    write_entity_attention(folder / "entity_attention.arrow", blocks)
    return folder / "entity_attention.arrow"


def _read_entity_attention(path: Path) -> Any:
    from ecqg.attention.entities import Entities, EntityAttentionFile

    found = EntityAttentionFile(Entities(path.parent / "entities.arrow"), path)
    return [found.mentions(row) for row in range(3)]


KINDS["entity_attention.arrow"] = Kind(_entity_attention, _read_entity_attention, whole=True)


def _vectors(folder: Path) -> Path:
    np.save(folder / "dpr.npy", np.arange(24, dtype=np.float32).reshape(4, 6))
    return folder / "dpr.npy"


def _read_vectors(path: Path) -> Any:
    from ecqg.encoder.vector_file import read_vectors

    return read_vectors(path, "ecqg encode").copy()


def _npy_said(data: bytes) -> Said:
    vectors = np.load(io.BytesIO(data))
    return [*map(str, vectors.shape), *map(str, vectors.ravel())]


KINDS["vectors.npy"] = Kind(
    _vectors,
    _read_vectors,
    _npy_said,
    lambda vectors: [*map(str, vectors.shape), *map(str, vectors.ravel())],
)


def _vector_scratch(name: str) -> None:
    def make(folder: Path) -> Path:
        from ecqg.encoder.vector_file import VectorFile

        file = VectorFile(folder / "kept", 4, 6, "fp16")
        file.write(np.arange(2), np.ones((2, 6), np.float32))
        file.save()
        return folder / "kept" / name

    def read(path: Path) -> Any:
        from ecqg.encoder.vector_file import VectorFile

        file = VectorFile(path.parent, 4, 6, "fp16")
        rest = np.array([row for row in range(4) if file.lacks(np.array([row]))])
        file.write(rest, np.ones((len(rest), 6), np.float32))
        file.save()
        return np.load(path.parent / "vectors.npy").tolist()

    KINDS[f"kept-{name}"] = Kind(make, read, whole=True)


_vector_scratch("vectors.npy")
_vector_scratch("done.npy")


def _columns(name: str) -> None:
    from_types = {"ids": np.int32, "offsets": np.int64}

    def make(folder: Path) -> Path:
        from ecqg.columns import Columns

        columns = Columns(folder / "columns", from_types)
        for _ in range(2):
            columns.append(ids=np.arange(7, dtype=np.int32), offsets=np.arange(3))
        return folder / "columns" / name

    def read(path: Path) -> Any:
        from ecqg.columns import Columns

        columns = Columns(path.parent, from_types)
        return [columns.read(each).tolist() for each in from_types]

    KINDS[f"columns-{name}"] = Kind(make, read, whole=True)


_columns("counts.json")
_columns("ids")


def _shards(folder: Path) -> Path:
    from ecqg.shards import map_blocks

    list(map_blocks(folder / "kept", range(5), lambda n: [n, float("inf"), "x" * n]))
    return next((folder / "kept").glob("*.jsonl"))


def _read_shards(path: Path) -> Any:
    from ecqg.shards import map_blocks

    return list(map_blocks(path.parent, range(5), lambda n: [n, float("inf"), "x" * n]))


KINDS["shards.jsonl"] = Kind(_shards, _read_shards, whole=True)


def _often() -> None:
    """Whatever is written now and then is written at once."""
    from ecqg import pace

    pace.SECONDS, pace.SHARE = 0.0, 0


def _build_index(folder: Path) -> Any:
    from ecqg.search.building import build
    from ecqg.search.library import faiss

    vectors = np.random.default_rng(1).standard_normal((300, 8), np.float32)
    return faiss.serialize_index(build(vectors, "IVF4,Flat", 1, folder)).tobytes()


def _index(folder: Path) -> Path:
    _often()
    _build_index(folder / "kept")
    return next((folder / "kept").iterdir())


KINDS["kept-index.faiss"] = Kind(_index, lambda path: _build_index(path.parent), whole=True)


def _trained() -> Any:
    import torch

    from ecqg.training.checkpoint import State
    from ecqg.training.loop import build_optimizer, linear_schedule
    from ecqg.training.losslog import LossLog, StepLosses

    torch.manual_seed(1)
    model = torch.nn.Linear(4, 3)
    optimizer = build_optimizer(model, 0.1)
    return State(model, optimizer, linear_schedule(optimizer, 9, 0.5), StepLosses(LossLog()))


def _checkpoint(folder: Path) -> Path:
    import torch

    from ecqg.training.checkpoint import Checkpoint

    _often()
    state = _trained()
    state.model(torch.ones(2, 4)).sum().backward()
    state.optimizer.step()
    Checkpoint(folder / "kept").save_if_due(state, 1)
    return next((folder / "kept").iterdir())


def _read_checkpoint(path: Path) -> Any:
    from ecqg.training.checkpoint import Checkpoint

    state = _trained()
    step = Checkpoint(path.parent).restore(state)
    return step, state.model.state_dict(), state.optimizer.state_dict()


KINDS["checkpoint.safetensors"] = Kind(_checkpoint, _read_checkpoint, whole=True)


def _digests(folder: Path) -> Path:
    from ecqg import digests

    digests.FOLDER = folder / "digests"
    text_file("a", "b")(folder)
    digests.SETTLED = -(10**18)
    digests.remembered(digests.content_digest, [folder / "a"])
    return folder / "digests" / "content_digest.json"


def _read_digests(path: Path) -> Any:
    from ecqg import digests

    digests.FOLDER = path.parent
    digests.SETTLED = -(10**18)
    return len(digests.remembered(digests.content_digest, [path.parent.parent / "a"]))


KINDS["digests.json"] = Kind(_digests, _read_digests, whole=True)


# Parameters and models ------------------------------------------------------------------------


def _params(folder: Path) -> Path:
    from ecqg.profiles import FOLDER

    return text_file("params.yaml", (FOLDER / "microcosm.yaml").read_bytes())(folder)


def _read_params(path: Path) -> Any:
    from ecqg.params import load_params

    return load_params(path)


KINDS["params.yaml"] = Kind(_params, _read_params)


def _claims(folder: Path) -> Path:
    claims = Path(__file__).parents[2] / "claims.yaml"
    return text_file("claims.yaml", claims.read_bytes()[:2000].rpartition(b"\n- ")[0])(folder)


def _read_claims(path: Path) -> Any:
    from ecqg.params import load_params
    from ecqg.profiles import FOLDER
    from ecqg.report.claims import read_claims
    from ecqg.stages.report import study

    return read_claims([study(load_params(FOLDER / "microcosm.yaml"))], path)


KINDS["claims.yaml"] = Kind(_claims, _read_claims)


def _seed_rows(folder: Path) -> Path:
    from ecqg.report.seeds import COLUMNS

    cells = ("", "main", "nq_like", "", "accuracy", 1)
    rows = [["dpr", *cells, s, 50 + s, *[""] * 7] for s in (1, 2, 3)]
    table = "".join(",".join(map(str, row)) + "\n" for row in [COLUMNS, *rows])
    return text_file("seeds.csv", table)(folder)


def _read_seeds(path: Path) -> Any:
    from ecqg.report.verdict import read_seeds

    return read_seeds([1, 2, 3], path)


KINDS["seeds.csv"] = Kind(_seed_rows, _read_seeds)


def _seed_parameters(folder: Path) -> Path:
    from ecqg.report.seeds import write_parameters

    tree = {"generate": {"top_k": 10}, "filters": ["reader", "hard"]}
    write_parameters({seed: tree | {"seed": seed} for seed in (1, 2, 3)}, folder / "seeds.json")
    return folder / "seeds.json"


def _read_seed_parameters(path: Path) -> Any:
    from ecqg.report.verdict import check_parameters

    tree = {"generate": {"top_k": 10}, "filters": ["reader", "hard"]}
    return check_parameters(tree, path.with_suffix(".csv"))


KINDS["seeds.json"] = Kind(_seed_parameters, _read_seed_parameters)


def _git(folder: Path, *arguments: str) -> None:
    name = ["-c", "user.name=t", "-c", "user.email=t@t", "-C", str(folder)]
    subprocess.run(["git", *name, *arguments], check=True, capture_output=True)


def _revision(name: str) -> None:
    """A file of a commit."""

    def make(folder: Path) -> Path:
        metrics = {"nq_like": {"top1": 50.5, "top5": 80}, "entropy": 4.09}
        text_file("metrics/dpr.json", json.dumps(metrics))(folder)
        text_file("params.yaml", "seed: 1\nfilter: {hard_cut: 0.5, filters: [reader]}\n")(folder)
        _git(folder, "init", "--quiet", "--template=")
        return folder / name

    def read(path: Path) -> Any:
        from ecqg.report.compare import as_markdown, compare

        folder = next(parent for parent in path.parents if (parent / ".git").is_dir())
        _git(folder, "add", "--all", "--force")
        _git(folder, "commit", "--quiet", "--message", "x")
        os.chdir(folder)
        found = compare("HEAD", "workspace", {})
        return as_markdown(found, 1.0), [change.metric for change in found.changes]

    KINDS[f"revision-{Path(name).name}"] = Kind(make, read)


_revision("metrics/dpr.json")
_revision("params.yaml")


def _family(folder: Path) -> Path:
    example = Path(__file__).parents[2] / "families/lighthouse.yaml"
    return text_file("lighthouse.yaml", example.read_bytes())(folder)


def _read_family(path: Path) -> Any:
    """Every article on its things, with all that can be asked."""
    from random import Random

    from ecqg.microcosm import families
    from ecqg.microcosm.families.articles import REGISTERS
    from ecqg.microcosm.questions import Asker, askables
    from ecqg.microcosm.realise import write_article
    from ecqg.microcosm.world import World

    families.OWN = path.parent
    world, rng = World(1, 1000, ("person", path.stem)), Random(1)
    asker = Asker(world)
    for ordinal in range(min(world.count(path.stem), 20)):
        article = write_article(world, world.index(path.stem, ordinal))
        for ask in askables(article):
            for register in REGISTERS:
                asker.write(register, ask, rng)
    return 1


KINDS["family.yaml"] = Kind(_family, _read_family)
SENTENCES = "the river flows past town bridge old mill king built castle hill queen song ship"


def _encoder_files(folder: Path) -> Path:
    """An encoder, a reader, a re-ranker and a generator, of a few weights each."""
    import torch
    from transformers import BertConfig, BertModel

    from ecqg.training.weights import save_model
    from ecqg.training.wordpiece import train_tokenizer

    tokenizer = train_tokenizer([SENTENCES] * 3, 120)
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    save_model(folder / "encoder", BertModel(config, add_pooling_layer=False), tokenizer)
    return folder / "encoder"


def _encoder(name: str) -> None:
    def read(path: Path) -> Any:
        import torch

        from ecqg.encoder.text_encoder import load_text_encoder

        encoder, tokenizer = load_text_encoder(path.parent)
        held = tokenizer("the old mill", return_tensors="pt")
        with torch.no_grad():
            encoder.backbone(**held)
        return 1

    KINDS[f"encoder-{name}"] = Kind(lambda folder: _encoder_files(folder) / name, read)


for _file in ("config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"):
    _encoder(_file)


def kinds() -> Iterator[str]:
    yield from KINDS
