"""`ecqg plan`: what a run will take, by hand for a few stages, and on a finished tiny run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from declarations import ROOT
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from tiny import Pipeline, edit, run

from ecqg.closure import write_listings
from ecqg.errors import InputError
from ecqg.params import Params, load_params
from ecqg.planning import space as space_of
from ecqg.planning.costs import COSTS, WORK
from ecqg.planning.plan import (
    Cost,
    Machine,
    Planned,
    Reference,
    plan,
    read_gpu,
    read_reference,
    seconds,
    space,
    split,
    wall,
)
from ecqg.planning.sizes import Assumed, Shape, sizes_of
from ecqg.questions import generation, generator

DVC = YAML(typ="safe").load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"
SAME = {"model": 1e9, "text": 1e4}
MEASURED = Reference("by hand", SAME, {"encode": Cost(2.0, 1e-9), "report": Cost(3.0)})


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)  # nothing was generated here
    Path("weights").symlink_to(ROOT / "weights")
    return load_params(PROFILE)


def test_every_stage_was_measured() -> None:
    known = read_reference().stages
    optional = {"distractors", "public"}  # of which the default has none
    assert {split(name)[0] for name in DVC} - optional <= known.keys()
    assert COSTS.keys() <= {split(name)[0] for name in DVC}


def test_sizes_of_the_default_are_those_of_its_parameters(params: Params) -> None:
    sizes = sizes_of(params)
    assert sizes.passages == {"main": 15000, "movies_like": 2000, "biomed_like": 2000}
    assert sizes.questions == {"main": 10000, "movies_like": 400, "biomed_like": 400}
    assert sizes.gold == {"main": 2000}
    asked = params.question_sets["unconditioned"]
    assert sizes.generated["unconditioned"] == asked.passages * asked.questions
    assert sizes.examples["mixed"] == params.pretrain.examples
    config = json.loads((ROOT / "weights/encoder/config.json").read_text(encoding="utf-8"))
    layers, hidden = config["num_hidden_layers"], config["hidden_size"]
    feed = config["intermediate_size"]
    assert sizes.encoder == (layers, hidden, feed, config["vocab_size"])
    assert sizes.encoder.of_token() == layers * (4 * hidden**2 + 2 * hidden * feed)


def test_files_that_are_there_are_counted(params: Params) -> None:
    folder = Path("data/raw/microcosm")
    folder.mkdir(parents=True)
    (folder / "passages.tsv").write_text("id\ttext\ttitle\n" + "1\tx\ty\n" * 7)
    assert sizes_of(params).passages["main"] == 7


def test_a_stage_takes_its_share_of_what_was_measured(params: Params) -> None:
    sizes, here = sizes_of(params), Machine(SAME, 2)
    took, kind = seconds("encode@dpr-main", params, sizes, MEASURED, here)
    tokens = 15000 * sizes.tokens * sizes.encoder.of_token()
    assert kind == "model" and took == pytest.approx(2 + 1e-9 * tokens)
    half = Machine({"model": 5e8, "text": 1e4}, 2)
    slower, _ = seconds("encode@dpr-main", params, sizes, MEASURED, half)
    assert slower - 2 == pytest.approx(2 * (took - 2))
    assert seconds("report", params, sizes, MEASURED, here) == (3.0, "text")
    spread, _ = seconds("encode@dpr-main", params, sizes, MEASURED, replace(here, nodes=4))
    assert spread - 2 == pytest.approx((took - 2) / 4)


def test_a_world_that_asks_about_itself_runs_no_model(params: Params) -> None:
    asked = replace(params.question_sets["conditioned"], generator="world")
    perfect = replace(params, question_sets={**params.question_sets, "perfect": asked})
    sizes, here = sizes_of(perfect), Machine(SAME, 2)
    measured = Reference("by hand", SAME, {"generate": Cost(2.0, 1e-9)})
    assert seconds("generate@perfect", perfect, sizes, measured, here)[0] == 2
    assert seconds("generate@conditioned", perfect, sizes, measured, here)[0] > 20


def test_space_by_hand(params: Params) -> None:
    sizes = sizes_of(params)
    encode = Cost(2.0, memory=500.0, held=100.0, disk=4.0)
    finetune = Cost(2.0, memory=900.0, held=800.0, disk=4.0)
    reference = Reference("by hand", SAME, {"encode": encode, "finetune": finetune})
    base = Shape(12, 768, 3072, 30522)
    large = replace(sizes, encoder=base, passages={"main": 1_000_000})
    memory, disk = space("encode@dpr-main", params, large, reference)
    weights = 12 * (4 * 768**2 + 2 * 768 * 3072) + 30522 * 768
    assert memory == pytest.approx(400 + 4 * weights / 2**20)
    assert disk == pytest.approx(1_000_000 * 768 * 4 / 2**20)
    memory, _ = space("finetune@dpr", params, large, reference)
    of = params.finetune
    each = (1 + of.hard_negatives) * sizes.tokens + 16
    kept = of.batch_size // of.accumulation * each * 12 * 768 * 68
    assert memory == pytest.approx(100 + (2 * 16 * weights + kept) / 2**20)
    assert space("report", params, large, reference)[0] == 200  # what any process takes


def test_the_plan_knows_how_many_questions_are_drawn_and_trained_on_side_by_side(
    params: Params,
) -> None:
    assert (space_of.ON_CPU, space_of.ON_GPU) == (generation.SEQUENCES_ON_CPU, generation.SEQUENCES)
    assert space_of.PAIRS_ON_CPU == generator.ON_CPU
    bart = Shape(12, 768, 3072, 50265)
    sizes = replace(sizes_of(params), generator=bart, tokens=105.0)
    reference = Reference("by hand", SAME, {"generate": Cost(2.0, memory=300.0)})
    on_gpu, _ = space("generate@conditioned", params, sizes, reference, 1)
    # Keys and values of six layers, 130 tokens and 768 units, twice while they are copied.
    cached = 1024 * 2 * 2 * 6 * 130 * 768 * 4
    assert on_gpu == pytest.approx(300 + (4 * bart.weights() + cached) / 2**20)
    on_cpu, _ = space("generate@conditioned", params, sizes, reference)
    assert on_gpu - on_cpu == pytest.approx(cached * (1 - 96 / 1024) / 2**20)


def test_what_is_not_here_yet_can_be_assumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    paper = load_params(PROFILE.with_name("paper.yaml"))
    with pytest.raises(InputError, match="say how many --passages there are"):
        sizes_of(paper)
    sizes = sizes_of(paper, Assumed(21_000_000, 3_610, 58_880))
    assert sizes.passages == {"main": 21_000_000}
    assert sizes.questions == {"main": 4 * 3_610}
    assert sizes.gold == {"main": 58_880}
    assert sizes.encoder == Shape(12, 768, 3072, 30522)


@pytest.mark.parametrize("form", ["squad-{}.json", "{}.dpr.json"])
def test_questions_of_ones_own_data_are_counted(params: Params, tmp_path: Path, form: str) -> None:
    (tmp_path / "passages.tsv").write_text("id\ttext\ttitle\n1\ta\tA\n2\tb\tB\n")
    for name, count in (("train", 5), ("dev", 2)):
        # Of which one lies across the end of the first block that is read.
        rows = [{"text": "x" * 524_262, "question": "Who?"} for _ in range(count)]
        (tmp_path / form.format(name)).write_text(json.dumps(rows))
    folder = str(tmp_path)
    main = replace(params.collections["main"], folder=folder, test_sets={})
    own = replace(
        params,
        source="folder",
        collections={"main": main},
        gold_sets={"main": replace(params.gold_sets["main"], folder=folder)},
        reading_sets={"main": replace(params.reading_sets["main"], folder=folder)},
    )
    sizes = sizes_of(own)
    assert (sizes.passages, sizes.gold, sizes.dev) == ({"main": 2}, {"main": 5}, 2)
    assert sizes.reading == {"main": 5}


@dataclass
class Stage:
    addressing: str
    is_changed: bool
    deps: tuple[str, ...] = ()

    def changed(self) -> bool:
        return self.is_changed


@pytest.mark.slow
def test_what_needs_a_stage_that_is_to_be_done_is_to_be_done(params: Params) -> None:
    stages = [
        (Stage("acquire", False), []),
        (Stage("collection@main", True), ["acquire"]),
        (Stage("encode@dpr-main", False), ["collection@main"]),
        (Stage("gold@main", False), ["acquire"]),
    ]
    planned = plan(stages, params, Machine(SAME, 2))
    assert {one.name: one.done for one in planned} == {
        "acquire": True,
        "collection@main": False,
        "encode@dpr-main": False,
        "gold@main": True,
    }


@pytest.mark.slow
def test_a_stage_with_other_code_is_to_be_done_and_no_other(params: Params) -> None:
    write_listings()
    Path("data/code/encode.txt").write_text("encoder/encode.py\t0\n")
    stages = [
        (Stage("check", True), []),
        (Stage("acquire", False, ("data/code/acquire.txt",)), ["check"]),
        (Stage("encode@dpr-main", False, ("data/code/encode.txt",)), ["check", "acquire"]),
    ]
    planned = plan(stages, params, Machine(SAME, 2))
    assert [one.done for one in planned] == [False, True, False]


def chain(*stages: tuple[str, float, Iterable[str]]) -> list[Planned]:
    return [
        Planned(name, False, took, "text", 10 * took, needs=list(needs))
        for name, took, needs in stages
    ]


def test_two_at_a_time_by_hand() -> None:
    planned = chain(("a", 3, ()), ("b", 5, ()), ("c", 4, ("a",)), ("d", 1, ("b", "c")))
    assert wall(planned, Machine(SAME, 1)) == (13, 50)
    assert wall(planned, Machine(SAME, 2)) == (8, 90)  # a, c and d, beside b
    done = [replace(planned[0], done=True), *planned[1:]]
    assert wall(done, Machine(SAME, 2)) == (6, 90)


def test_stages_that_share_a_gpu_wait_for_it() -> None:
    both = [replace(one, kind="model") for one in chain(("a", 5, ()), ("b", 4, ()))]
    assert wall(both, Machine(SAME, 2, gpus=2)) == (5, 90)
    assert wall(both, Machine(SAME, 2, gpus=1)) == (9, 90)
    assert wall(both, Machine(SAME, 2, gpus=1, nodes=2)) == (5, 90)


def test_gpus_that_stages_leave_free_share_a_map(params: Params) -> None:
    sizes = sizes_of(params)
    products = 15000 * sizes.tokens * sizes.encoder.of_token()
    for jobs, share in ((8, 1), (2, 4)):
        here = Machine(SAME, jobs, gpus=8)
        took, _ = seconds("encode@dpr-main", params, sizes, MEASURED, here)
        assert took == pytest.approx(2 + products / read_gpu().rates["encode"]["fp32"] / share)


def test_a_gpu_has_a_rate_for_every_stage_of_models_and_precision(params: Params) -> None:
    groups = {group for group, (kind, _) in COSTS.items() if kind == "model"}
    assert groups == WORK.keys()
    for precision in ("fp32", "bf16"):
        sections = {
            name: replace(getattr(params, name), precision=precision)
            for name in ("encoder", "generator", "reader", "reranker")
        }
        for group in groups:
            assert read_gpu().rate(group, replace(params, **sections)) > 0


@pytest.mark.slow
@given(
    times=st.lists(st.floats(0.1, 10), min_size=1, max_size=12),
    jobs=st.integers(1, 4),
    data=st.data(),
)
def test_no_schedule_is_shorter_than_the_work_allows(
    times: list[float], jobs: int, data: st.DataObject
) -> None:
    names = [f"s{i}" for i in range(len(times))]
    needs = [
        data.draw(st.sets(st.sampled_from(names[:i]))) if i else set() for i in range(len(times))
    ]
    planned = chain(*zip(names, times, needs, strict=True))
    ends: dict[str, float] = {}
    for one in planned:
        ends[one.name] = one.seconds + max((ends[n] for n in one.needs), default=0.0)
    took, _ = wall(planned, Machine(SAME, jobs))
    assert max(*ends.values(), sum(times) / jobs, 0.0) - 1e-9 <= took <= sum(times) + 1e-9


@pytest.mark.pipeline
@pytest.mark.slow
def test_a_finished_run_has_nothing_left_and_a_changed_value_what_hangs_on_it(
    pipeline: Pipeline,
) -> None:
    try:
        said = run(pipeline.root, "ecqg", "plan").stdout
        assert said.startswith("All ") and said.endswith("stages are up to date.\n")
        edit(pipeline.root / "params.yaml", {"evaluation.bootstrap_samples": 50})
        said = run(pipeline.root, "ecqg", "plan", "--all").stdout
        left = {line.split()[0] for line in said.splitlines() if "iB  " in line}
        assert {"check", "judge", "compare", "explanation", "report"} <= left
        assert not left & {"encode@dpr-main", "finetune@dpr"}
        assert "2 stages at a time" in said
    finally:
        pipeline.restore()
