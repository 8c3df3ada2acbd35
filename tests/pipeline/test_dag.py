"""The DAG as DVC runs it: complete, declared, minimal when a parameter changes, reproducible."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from code_changes import compare, stages_that_import
from declarations import leaves, parameters_read
from ruamel.yaml import YAML
from same_outs import differences, digests, renamed
from tiny import Pipeline, edit, run

from ecqg.closure import BESIDE
from ecqg.evaluation import headers
from ecqg.files import read_jsonl
from ecqg.microcosm.validity import Judge
from ecqg.microcosm.world import World
from ecqg.report.run_page import PLACE
from ecqg.tables import read_table, read_values

pytestmark = pytest.mark.pipeline
DENSE = ["dpr", "uncon", "mixed", "aug", "dpr_webq_like"]
SYSTEMS = ["tfidf", "bm25", *DENSE, "tfidf_reranked", "mixed_reranked"]
# One of each kind that might hang on chance, time, threads or company, and of each library; that
# all write the same in every run, the reference says.
DRAWING = [
    "entities",
    "lexical@bm25-main",
    "finetune@dpr",
    "retrieve@mixed-main",
    "heatmap",
]
COMMAND_LINE = tuple(
    f"ecqg.{name}"
    for name in (
        "cli",
        "commands",
        "closure",
        "digests",
        "__main__",
        "items",
        "pipeline",
        "signals",
        "space",
        "stage_commands",
    )
)
REFERENCE = Path(__file__).with_name("tiny_outs.csv")
JUDGING = {"judge", "explanation", "compare", "report"}
TEST_SETS = ["nq_like", "webq_like", "trivia_like", "uniform", "tail"]


@pytest.fixture(scope="module")
def lock(pipeline: Pipeline) -> dict[str, Any]:
    """The stages of dvc.lock: commands, files and parameters, all interpolated."""
    text = (pipeline.root / "dvc.lock").read_text(encoding="utf-8")
    return YAML(typ="safe").load(text)["stages"]  # type: ignore[no-any-return]


def module_of(definition: dict[str, Any]) -> str:
    return str(definition["cmd"].split()[1]).replace("-", "_")


def paths(definition: dict[str, Any], kind: str) -> list[str]:
    return [str(entry["path"]) for entry in definition.get(kind, [])]


def inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


@pytest.fixture(scope="module")
def users(lock: dict[str, Any]) -> dict[str, set[str]]:
    """Of each stage, the stages that depend on a file that it writes."""
    return {
        name: {
            other
            for other, wants in lock.items()
            for out in paths(writes, "outs")
            for dep in paths(wants, "deps")
            if inside(dep, out) or inside(out, dep)
        }
        for name, writes in lock.items()
    }


def descendants(users: dict[str, set[str]], stages: set[str]) -> set[str]:
    """`stages` and all that uses their outputs, through any number of stages."""
    found, todo = set(stages), set(stages)
    while todo:
        todo = set().union(*(users[name] for name in todo)) - found
        found |= todo
    return found


def accuracies(pipeline: Pipeline) -> dict[str, dict[str, dict[int, float]]]:
    """By system, test set or TESTSET_SUBSET, and k."""
    found: dict[str, dict[str, dict[int, float]]] = {}
    for row in read_table(pipeline.root / "data/judged/accuracy.csv", headers.ACCURACY):
        name = f"{row['test_set']}_{row['subset']}" if row["subset"] else row["test_set"]
        of_set = found.setdefault(row["system"], {}).setdefault(name, {})
        of_set[int(row["k"])] = float(row["accuracy"])
    return found


def test_every_system_has_accuracy_on_every_test_set(pipeline: Pipeline) -> None:
    found = accuracies(pipeline)
    for system in SYSTEMS:
        results = found[system]
        assert {*TEST_SETS, "biomed_like"} <= set(results)
        for row in results.values():
            assert 0 <= row[1] <= row[5] <= row[20] <= row[100] <= 100


def test_term_matching_finds_something_even_in_a_tiny_world(pipeline: Pipeline) -> None:
    assert accuracies(pipeline)["bm25"]["nq_like"][20] > 20


def test_attention_of_every_dual_encoder(pipeline: Pipeline) -> None:
    for system in DENSE:
        row = read_values(pipeline.root / f"results/attention/{system}.csv")
        assert 0 < row["entropy"] < 6
        assert row["first_sentence"] > 0 < row["later_sentences"]
    assert "| dpr_webq_like | " in (pipeline.root / "results/report.md").read_text()


def test_report_and_pictures_are_there(pipeline: Pipeline) -> None:
    report = (pipeline.root / "results/report.md").read_text()
    assert "Mixed" in report
    assert "stale" not in report and "Not measured" not in report
    for name in ("accuracy.png", "heatmap.png"):
        assert (pipeline.root / "plots" / name).read_bytes().startswith(b"\x89PNG")
    assert "<html" in (pipeline.root / "plots/heatmap.html").read_text()


def test_a_page_has_the_commit_and_the_times_of_the_run(
    pipeline: Pipeline, lock: dict[str, Any]
) -> None:
    page = (pipeline.root / "plots/run.html").read_text()
    assert run(pipeline.root, "git", "rev-parse", "HEAD~1").stdout.strip() in page
    assert {*lock} <= {*re.findall(r"<th scope=row>([^<]+)</th><td>0:0\d:\d\d</td>", page)}
    begin, place, rest = (pipeline.root / "plots/report.html").read_text().partition(PLACE)
    assert place and page.startswith(begin + place) and page.endswith(rest)


def test_all_plots_are_drawn_without_a_network(pipeline: Pipeline) -> None:
    run(pipeline.root, "ecqg", "plots-page")
    shown = json.loads(pipeline.dvc("plots", "show", "--json").stdout)
    assert "errors" not in shown
    assert len(shown["data"]) == 12
    assert list(shown["data"])[:2] == ["plots/accuracy.csv", "plots/entropy.csv"]
    for name, (plot,) in shown["data"].items():
        vega = plot["type"] == "vega"
        assert plot["content"]["data"]["values"] if vega else plot["url"], name
    pipeline.dvc("plots", "show")
    page = (pipeline.root / "dvc_plots/index.html").read_text(encoding="utf-8")
    assert page.count("vegaEmbed('#") == 11
    assert not re.search(r"<script[^>]+src", page)
    added = run(pipeline.root, "git", "status", "--porcelain", "dvc_plots", ".dvc").stdout
    assert added == ""  # what the commands write is ignored


def test_nothing_reruns_when_nothing_changed(pipeline: Pipeline) -> None:
    assert "Running stage" not in pipeline.dvc("repro").stdout


def test_dvc_repro_writes_the_same_bytes_again(pipeline: Pipeline) -> None:
    """Stages run by themselves and one by one do what they did side by side, forked."""
    lock = pipeline.root / "dvc.lock"
    before = lock.read_text(encoding="utf-8")
    printed = pipeline.dvc("repro", "--force", "--single-item", *DRAWING).stdout
    assert set(re.findall(r"Running stage '([^']+)'", printed)) == set(DRAWING)
    assert lock.read_text(encoding="utf-8") == before


def test_stages_open_only_what_they_declare(pipeline: Pipeline, lock: dict[str, Any]) -> None:
    # dvc hides nothing from a stage: params.yaml and the sources are open to all of them.
    shared = ("src", "params.yaml", ".cache", ".git", ".dvc", "pyproject.toml")
    wrong: set[str] = set()
    opened = set(pipeline.audit.read_text().splitlines())
    stages_seen = set()
    for line in opened:
        stage, mode, path = line.split("\t")
        if mode == "i":
            continue
        stages_seen.add(stage)
        definition = lock[stage]
        # A file that is written aside is renamed to an output: .NAME.PID.part.
        plain = "/".join(re.sub(r"^\.(.+)\.\d+\.part$", r"\1", part) for part in path.split("/"))
        allowed = [*paths(definition, "outs"), *shared]
        if mode == "r":
            allowed += paths(definition, "deps")
        if not any(inside(plain, folder) for folder in allowed):
            wrong.add(f"{stage} {'writes' if mode == 'w' else 'reads'} {path}")
    assert not wrong
    assert stages_seen == set(lock)


def test_outs_are_those_of_the_reference(pipeline: Pipeline) -> None:
    """On every processor. Where a change means to change them, it writes the reference anew:

    python tests/pipeline/same_outs.py --write tests/pipeline/tiny_outs.csv STUDY
    """
    changes = renamed(REFERENCE.with_name("renamed_outs.txt"))
    assert list(differences(digests(REFERENCE), pipeline.outs, changes)) == []


def test_stages_import_only_what_is_listed_as_their_code(
    pipeline: Pipeline, lock: dict[str, Any]
) -> None:
    listed = {
        file.stem: {row.split("\t")[0] for row in file.read_text().splitlines()}
        for file in (pipeline.root / "data/code").iterdir()
    }
    wrong, used = set[str](), set[str]()
    for line in pipeline.audit.read_text().splitlines():
        stage, mode, name = line.split("\t")
        base = pipeline.root / "src" / name.replace(".", "/")
        # The first stage depends on all code; the command line comes before any stage.
        if mode == "i" and stage != "check" and not name.startswith(COMMAND_LINE):
            file = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
            module = file.relative_to(pipeline.root / "src/ecqg").as_posix()
            used.add(module)
            if module not in listed[module_of(lock[stage])]:
                wrong.add(f"{stage} imports {name}")
        if mode == "r" and stage != "check" and Path(name).suffix in BESIDE:
            data = name.removeprefix("src/ecqg/")  # a template, or data, beside a module
            if data != name:
                used.add(data)
                if data not in listed[module_of(lock[stage])]:
                    wrong.add(f"{stage} reads {name}")
    assert not wrong
    assert {"corpus/lines.py", "encoder/trainer.py", "report/published.py"} <= used
    assert {"report/page.j2", "report/published.yaml", "attention/shading.j2"} <= used


@pytest.fixture
def sources(pipeline: Pipeline) -> Iterator[Path]:
    """The package in the clone."""
    yield pipeline.root / "src/ecqg"
    pipeline.restore()


def test_code_reruns_what_imports_it_and_words_rerun_nothing(
    pipeline: Pipeline, sources: Path
) -> None:
    def rerun() -> set[str]:
        return set(re.findall(r"Running stage '([^']+)'", pipeline.dvc("repro").stdout))

    module = sources / "report/published.py"
    text = module.read_text(encoding="utf-8")
    module.write_text(f"# Words.\n{text}", encoding="utf-8")
    assert rerun() == {"check"}
    module.write_text(f"{text}\nNEW = 1\n", encoding="utf-8")
    assert rerun() == {"check", "report"}


def test_dvc_names_the_stages_that_a_changed_module_takes_part_in(
    pipeline: Pipeline, sources: Path
) -> None:
    """A sample of what `python tests/pipeline/code_changes.py` does with all modules."""
    for name in ("corpus/__init__.py", "reading/squad_score.py"):
        assert stages_that_import(pipeline.root, sources / name), name
        assert compare(pipeline.root, sources / name) == (set(), set()), name


# Of entries: who reads them. Judging and pages read whole sections.
PAGES = {"examples", "premises", "report"}
INSIDE = {
    "collections.biomed_like.max_test_questions": {
        "collection@biomed_like", "judge", "compare", "headline", "report",
    },
    "gold_sets.webq_like.max_train_questions": {"gold@webq_like", "report"},
    "gold_sets.webq_like.collection": {"gold@webq_like", "negatives-gold@webq_like", "report"},
    "question_sets.conditioned.entities": {"select@conditioned", *PAGES},
    "question_sets.conditioned.questions": {"generate@conditioned", *PAGES},
    "question_sets.conditioned.filters": {"filter@conditioned", *PAGES},
    "question_sets.conditioned.wrong_passage": {"generate@conditioned", *PAGES},
    "pretrained.mixed.questions": {"training-sets", "pretrain@mixed", "premises", "report"},
    "systems.dense.aug.training": {
        "finetune@aug", "heatmap", "premises", "judge", "compare", "headline", "report",
    },
}  # fmt: skip


def value_at(tree: Any, leaf: str) -> Any:
    """The value of a dotted key; None where an entry leaves it out."""
    for part in filter(None, leaf.split(".")):
        tree = tree.get(part)
    return tree


def get(tree: Any, name: str) -> Any:
    """As dpath's for names without patterns."""
    for part in name.split("."):
        if not isinstance(tree, dict):
            raise KeyError(name)
        tree = tree[part]
    return tree


def mutated(value: Any) -> Any:
    """Another value; only DVC sees it, so it need not be a sensible one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list):
        return [*value, "x"]
    if isinstance(value, dict):
        return {**value, "x": "y"}
    return 1


@pytest.fixture
def restored_params(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(pipeline.root)
    yield pipeline.root / "params.yaml"
    pipeline.restore()


def test_a_parameter_reruns_exactly_what_depends_on_it(
    pipeline: Pipeline,
    lock: dict[str, Any],
    users: dict[str, set[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For every parameter: stages that read it (by the code) and what follows (by the files)."""
    import networkx
    from dvc.dependency import param
    from dvc.repo import Repo

    monkeypatch.chdir(pipeline.root)
    tree = changed = YAML(typ="safe").load(Path("params.yaml").read_text())
    # DVC would parse the file anew for each stage, and match all of its keys with each name.
    monkeypatch.setattr(param, "load_path", lambda *_arguments, **_options: changed)
    monkeypatch.setattr(param.dpath, "get", lambda tree, name, separator: get(tree, name))
    # These add stages: see below.
    shape = {leaf for leaf in leaves() if isinstance(value_at(tree, leaf), dict)}
    # `check` depends on the file as a whole, and writes for others what they had.
    read = {
        name: parameters_read(module_of(definition))
        for name, definition in lock.items()
        if name != "check"
    }
    of_terms = [name for name in lock if name.startswith("lexical@")]
    for name, system in ((n, n.split("@")[1].split("-")[0]) for n in of_terms):
        read[name] = {x for x in read[name] if not x.startswith(("bm25", "tfidf"))}
        read[name] |= {leaf for leaf in leaves() if leaf.startswith(f"{system}.")}
    with Repo(os.curdir) as repo:
        graph = repo.index.graph
        dependencies = {
            stage: [d for d in stage.deps if isinstance(d, param.ParamsDependency)]
            for stage in repo.index.stages
        }
        for leaf in sorted(set(leaves()) - shape | set(INSIDE)):
            changed = deepcopy(tree)
            *sections, last = leaf.split(".")
            value_at(changed, ".".join(sections))[last] = mutated(value_at(tree, leaf))
            direct = [s for s, found in dependencies.items() if any(d.status() for d in found)]
            rerun = {s for stage in direct for s in (stage, *networkx.ancestors(graph, stage))}
            readers = {n for n, found in read.items() if leaf in found}
            readers |= INSIDE.get(leaf, set())
            assert {s.addressing for s in direct} == readers, leaf
            assert {s.addressing for s in rerun} == descendants(users, readers), leaf


def test_judging_and_filtering_anew_load_no_torch(
    pipeline: Pipeline, lock: dict[str, Any], restored_params: Path, tmp_path: Path
) -> None:
    """Where torch cannot be imported, other intervals and cut-offs are judged all the same.

    A threshold that keeps the same questions reruns filters and premises, which judge nothing.
    """
    broken = tmp_path / "torch"
    broken.mkdir()
    (broken / "__init__.py").write_text("raise ImportError('a stage that judges loads torch')\n")
    changes = {
        "evaluation.bootstrap_samples": 60,
        "evaluation.ks": [1, 2, 5, 10, 20, 100],
        "filter.reader_threshold": 1e-9,
    }
    edit(restored_params, changes)
    started = ran(run(pipeline.root, "ecqg", "repro", first_on_path=tmp_path).stderr)
    filters = {name for name in lock if name.startswith("filter@")}
    # The first reads all parameters and writes the same again.
    assert started == {"check", *filters, "premises", *JUDGING}
    lines = pipeline.dvc("metrics", "diff", "--md").stdout
    assert len(lines) <= 14_000
    assert len(lines.splitlines()) - 2 <= 60
    assert "metrics" not in run(pipeline.root, "git", "status", "--short").stdout
    shown = run(pipeline.root, "ecqg", "table").stdout
    assert "stale" not in shown


def ran(output: str) -> set[str]:
    """The stages that a run started."""
    return set(re.findall(r"Running stage '([^']+)'", output))


JOINT = {"check", "training-sets", "premises", "judge", "compare", "headline", "report"}
JOINT |= {"examples", "heatmap"}


def test_systems_and_question_sets_are_entries_of_params(
    pipeline: Pipeline, lock: dict[str, Any], restored_params: Path, tmp_path: Path
) -> None:
    """Controls, other shares, a filter less and a retriever of others: only their own stages."""
    folder = tmp_path / "exported"
    run(pipeline.root, "ecqg", "export-model", "mixed", "--format", "dpr", "--output", str(folder))
    tree = YAML(typ="safe").load(restored_params.read_text())
    conditioned = tree["question_sets"]["conditioned"]
    sets = {kind: {**conditioned, "entities": kind} for kind in ("highest", "random")}
    sets["late"] = {**conditioned, "entities": "last_sentence", "filters": ["reader"]}
    perfect = {**conditioned, "generator": "world", "questions": 2, "filters": []}
    sets["noisy"] = {**perfect, "wrong_passage": 0.2}
    shares = {
        "controls": {"unconditioned": 0.1, "highest": 0.2, "random": 0.3, "late": 0.4},
        "world": {"noisy": 1.0},
    }
    pretrained = {name: {"start": "init", "questions": of} for name, of in shares.items()}
    public = {half: str(folder / f"{half}_encoder") for half in ("question", "passage")}
    dense = {name: {"start": name, "gold": "main"} for name in pretrained}
    dense["others"] = {"start": "others", "gold": "main", "training": {"epochs": 0}}
    edit(
        restored_params,
        {
            "collections": {"main": tree["collections"]["main"]},
            "question_sets": {**tree["question_sets"], **sets},
            "pretrained": {**tree["pretrained"], **pretrained},
            "public": {"others": {"source": "folder", **public}},
            "systems.dense": {**tree["systems"]["dense"], **dense},
        },
    )
    started = ran(run(pipeline.root, "ecqg", "repro").stderr)
    assert {stage for stage in started if stage in lock} <= JOINT
    per_set = {f"{s}@{n}" for s in ("select", "generate", "read", "score", "filter") for n in sets}
    per_encoder = {f"{s}@{n}" for s in ("negatives-synthetic", "pretrain") for n in pretrained}
    per_system = {f"{stage}@{name}" for stage in ("finetune", "attention") for name in dense} | {
        f"{stage}@{name}-main" for stage in ("encode", "retrieve", "evaluate") for name in dense
    }
    assert started - JOINT == per_set | per_encoder | per_system | {"public@others"}
    found = accuracies(pipeline)
    assert found["others"] == found["mixed"]
    assert {*dense} <= set(found)
    asked = {
        name: {
            (record["row"], record["entity"])
            for record in read_jsonl(pipeline.root / f"data/selected/{name}.jsonl")
        }
        for name in ("conditioned", *sets)
        if name != "noisy"
    }
    assert all(asked.values())
    assert len({frozenset(entities) for entities in asked.values()}) == len(asked)
    made = read_values(pipeline.root / "results/training_sets.csv")
    assert made["controls"]["late"] == round(0.4 * made["controls"]["examples"])
    assert made["world"]["examples"] == 43  # pretrain.examples: there are enough perfect ones
    world = World(1, 200, tree["microcosm"]["families"])
    noisy = list(read_jsonl(pipeline.root / "data/filtered/noisy.jsonl"))
    verdicts = [Judge(world).verdict(r["row"], r["question"], r["answer"]) for r in noisy]
    assert len(noisy) > 150
    assert sum(v.right for v in verdicts) / len(noisy) == pytest.approx(0.8, abs=0.07)
    metrics = json.loads(pipeline.dvc("metrics", "show", "--json").stdout)[""]["data"]
    assert {f"metrics/{name}.json" for name in dense} <= set(metrics)
    report = (pipeline.root / "results/report.md").read_text()
    assert "controls" in report and "Not measured" not in report
    a_public_retriever_selects_and_scores(pipeline, restored_params)


def a_public_retriever_selects_and_scores(pipeline: Pipeline, params: Path) -> None:
    """Mixed-DPR as others would load it: what it attends to is what Mixed-DPR attends to.

    Its own stages up to its accuracy and attention have just been run.
    """
    edit(
        params,
        {
            "systems.reranked": ["others", "mixed"],
            "analysis.systems": ["others", "mixed"],
            "select.system": "others",
        },
    )
    targets = [
        "filter@conditioned", "evaluate-reranked@others-main", "overlap@others",
        "entity-scores@others",
    ]  # fmt: skip
    started = ran(run(pipeline.root, "ecqg", "repro", *targets).stderr)
    assert {"entity-attention", "select@conditioned", *targets} <= started
    assert not any(name.startswith(("pretrain", "train-")) for name in started)
    # What the new questions would train is not the matter here.
    pipeline.dvc("repro", "--single-item", "explanation", "heatmap", "examples")
    explained = read_values(pipeline.root / "results/analysis/explanation.csv")
    assert list(explained) == ["others", "mixed"]
    for which in ("highest", "lowest"):
        scores = [explained["mixed"][of][which]["score"] for of in ("extremes", "same_questions")]
        assert scores[1] == pytest.approx(scores[0], rel=1e-3)
    page = (pipeline.root / "plots/heatmap.html").read_text()
    assert page.index(">others ") < page.index(">Mixed-DPR ")
    examples = (pipeline.root / "results/examples.md").read_text()
    assert "| filter | others | Mixed-DPR |" in examples
    mixed, measured, dpr = (
        {k: v for k, v in read_values(file).items() if isinstance(v, float)}
        for file in (
            pipeline.root / f"results/attention/{name}.csv" for name in ("mixed", "others", "dpr")
        )
    )
    assert measured == pytest.approx(mixed, rel=1e-4)
    assert measured != pytest.approx(dpr, rel=1e-4)


def test_a_collection_adds_its_own_stages_and_no_training(
    pipeline: Pipeline, lock: dict[str, Any], restored_params: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "far"
    folder.mkdir()
    passages = ["Ada Lovelace wrote about the engine.", "Grace Hopper wrote a compiler in 1952."]
    (folder / "passages.tsv").write_text(
        "id\ttext\ttitle\n" + "".join(f"{i}\t{t}\tComputing\n" for i, t in enumerate(passages, 1))
    )
    (folder / "test.qa.tsv").write_text('who wrote a compiler\t["Grace Hopper"]\n')
    tree = YAML(typ="safe").load(restored_params.read_text())
    far = {"folder": str(folder), "test_sets": {"compilers": "test.qa.tsv"}}
    main = tree["collections"]["main"]
    edit(restored_params, {"collections": {"main": main, "far": far}})
    started = ran(run(pipeline.root, "ecqg", "repro").stderr)
    first_stages = ("tfidf", "mixed")
    own = (
        {f"{stage}@far" for stage in ("collection", "subsets", "coverage", "vocabulary")}
        | {f"{s}@{name}-far" for s in ("encode", "retrieve", "evaluate") for name in DENSE}
        | {f"{s}@{name}-far" for s in ("lexical", "evaluate-lexical") for name in ("tfidf", "bm25")}
        | {f"{s}@{name}-far" for s in ("rerank", "evaluate-reranked") for name in first_stages}
    )
    assert own <= started
    assert started - own <= {"check", "judge", "compare", "headline", "report"}
    assert accuracies(pipeline)["bm25"]["compilers"][1] == 100.0
    headline = json.loads((pipeline.root / "metrics/bm25.json").read_text())
    assert headline["compilers"]["top1"] == 100.0 and "biomed_like" not in headline
    assert "biomed_like" not in (pipeline.root / "results/report.md").read_text()


def test_metrics_are_a_table_of_systems(pipeline: Pipeline) -> None:
    shown = json.loads(pipeline.dvc("metrics", "show", "--json").stdout)[""]["data"]
    duals = ["dpr", "uncon", "mixed", "aug"]
    assert shown.pop("metrics/numerics.json")["data"]["portable"] in (0, 1)
    assert set(shown) == {f"metrics/{name}.json" for name in ("tfidf", "bm25", *duals)}
    keys = {name: set(found["data"]) for name, found in shown.items()}
    measures = {"entropy", "first_sentence", "later_sentences"}
    assert keys["metrics/bm25.json"] == {*TEST_SETS, "biomed_like"}
    assert all(keys[f"metrics/{name}.json"] == {*TEST_SETS, "biomed_like", *measures}
               for name in duals)  # fmt: skip
    lines = pipeline.dvc("metrics", "show").stdout.splitlines()
    assert len(lines) == 8
    assert max(map(len, lines)) <= 400
