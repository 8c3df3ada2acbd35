"""Verdict, table, page and JSON of records that are made by hand."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from rich.console import Console

from ecqg.probe.page import page
from ecqg.probe.summary import table, verdict
from ecqg.report.terminal import show_tables
from fake_probe import model, probe


def test_a_verdict_rests_on_moved_sentences():
    assert verdict(model()) == (
        "mini overlooks what stands late: of 300 questions it ranks the right passage first for "
        "57 % where the answer's sentence opens it, for 46 % where it closes it (+11 points, 95 % "
        "interval +7 to +16)."
    )
    assert "mini does not show that it overlooks what stands late: " in verdict(model(low=-1.0))
    assert "mini overlooks what stands early: " in verdict(model(low=-9.0, high=-1.0))


def test_else_on_what_was_asked_and_else_on_attention():
    alone = replace(model(), found=None)
    assert verdict(alone).startswith("mini finds what it looks at least less often: it ranks the")
    assert "51 % of questions about its highest entity, for 40 % of those about its l" in verdict(
        alone
    )
    bare = replace(alone, asked=None)
    assert verdict(bare) == (
        "mini looks more at the first sentence than at later ones (1.36 and 0.90 times uniform); "
        "whether answers are lost takes questions with answers (--questions)."
    )
    for later, words in ((1.3, "looks about as much at"), (1.6, "less at the first sentence")):
        assert words in verdict(replace(model(later=later), found=None, asked=None))
    single = replace(model(later=float("nan")), found=None, asked=None)
    assert verdict(single).endswith("nothing stands late.")


def shown(*models):
    out = io.StringIO()
    show_tables([table(probe(*models))], Console(file=out, width=120))
    return out.getvalue() + "\n" + "".join(f"{verdict(one)}\n" for one in models)


@pytest.mark.parametrize("number", [1, 3])
def test_all_models_fit_a_screen(number):
    names = [f"all-MiniLM-L6-v{i}" for i in range(number)]
    text = shown(*(model(name) for name in names))
    table_lines, _ = text.rsplit("\n\n", 1)
    assert all(len(line) <= 120 for line in table_lines.splitlines())
    lines = sum(-(-len(line) // 120) or 1 for line in text.splitlines())
    assert lines <= 40
    for name in names:
        assert name in table_lines
    assert "\x1b" not in text


def test_cells():
    rows = {row.cells[0].strip(): row.cells[1:] for row in table(probe(model())).rows}
    assert rows["Pooling, token limit"] == ["mean, 256"]
    assert rows["Passages cut at the limit, %"] == ["12.5"]
    assert rows["Entropy of attention, % of its maximum"] == ["94.4"]
    assert rows["Highest / lowest entity, attention"] == ["3.08 / 0.47"]
    assert rows["Lowest in second half, % of passages"] == ["67"]
    assert rows["2 (20 questions)"] == ["1.30; 58.0 / 78.0"]
    assert rows["7 and later (7 questions)"] == ["0.80; 1.0 / 2.0"]
    assert rows["answer's sentence moved to the end (300)"] == ["45.7 / 77.0"]
    bare = {r.cells[0]: r.cells[1:] for r in table(probe(replace(model(), found=None))).rows}
    assert bare["  2"] == ["1.30"]
    assert rows["its lowest"] == ["40.1, 2"]


def test_json_is_json():
    figures = probe(model(later=float("nan"))).figures()
    text = json.dumps(figures, allow_nan=False)
    read = json.loads(text)
    (one,) = read["models"]
    assert one["look"]["means"]["later_sentences"] is None
    assert one["found"]["moved"]["difference"]["low"] == 7.0
    assert one["asked"]["examples"][0]["lowest_rank"] == 12
    assert "heat_maps" not in read


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag not in ("meta", "link", "br", "img", "p", "dt", "dd"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("p", "dt", "dd"):
            assert self.open.pop() == tag


def test_the_page_is_whole_and_holds_nothing_foreign():
    text = page(probe(model("a"), model("b")))
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    names = {tag for tag, _ in tags.seen}
    assert not names & {"script", "link", "img", "iframe"}
    assert not any({"src", "href", "onclick"} & attributes.keys() for _, attributes in tags.seen)
    assert not re.search(r"url\(|@import|https?:", text)
    assert text.count("&lt;script&gt;alert(1)") >= 5
    assert text.count("overlooks what stands late") == 2
    assert "prefers-color-scheme: dark" in text
    assert "<td class=n>45.7 / 77.0</td><td class=n>45.7 / 77.0</td>" in text


def test_a_page_without_questions():
    text = page(probe(replace(model(), found=None, asked=None)))
    assert "What is found" not in text
    assert "takes questions with answers" in text
