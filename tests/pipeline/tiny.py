"""A copy of the repository with parameters so small that the whole DAG runs in minutes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from declarations import ROOT
from ruamel.yaml import YAML

from ecqg.profiles import whole

TINY: dict[str, Any] = {  # of microcosm-night, which has all kinds of systems
    "profile": "microcosm",
    # One of each kind beside the main one: a stage takes seconds at any size.
    "collections.movies_like": None,
    "gold_sets.trivia_like": None,
    "systems.dense.dpr_trivia_like": None,
    "microcosm.passages": 200,
    "microcosm.train_questions": 160,
    "microcosm.dev_questions": 40,
    "microcosm.test_questions": 40,
    "microcosm.reading_questions": 120,
    "microcosm.movies.passages": 60,
    "microcosm.movies.questions": 20,
    "microcosm.biomed.passages": 60,
    "microcosm.biomed.questions": 20,
    "microcosm.gold_share": 0.6,
    "microcosm.sentence_bias": [40, 25, 15, 10, 6, 4],
    "init_encoder.source": "random",
    "init_encoder.name": "",
    "init_encoder.layers": 1,
    "init_encoder.hidden": 64,
    "init_encoder.heads": 8,
    "init_encoder.feed_forward": 128,
    "init_encoder.vocabulary": 1500,
    "init_encoder.pretraining.epochs": 1,
    "finetune.epochs": 1,
    "finetune.lr": 3e-4,
    "pretrain.epochs": 1,
    "select.passages": 100,
    "init_generator.source": "random",
    "init_generator.name": "",
    "init_generator.layers": 1,
    "init_generator.hidden": 64,
    "init_generator.heads": 4,
    "init_generator.feed_forward": 128,
    "init_generator.vocabulary": 1500,
    "init_generator.pretraining.steps": 30,
    "generator.max_questions": 4000,
    "generator.epochs": 1,
    "generator.lr": 4e-3,
    "question_sets.unconditioned.passages": 100,
    "question_sets.conditioned.passages": 100,
    "question_sets.conditioned.questions": 1,
    "question_sets.answer_sentence.passages": 60,
    "question_sets.answer_sentence.questions": 4,
    "pretrained.aug.training.epochs": 1,
    "reranker.epochs": 1,
    "systems.reranked": ["tfidf", "mixed"],  # not the default
    "rerank.depth": 5,
    "evaluation.bootstrap_samples": 100,
    "attention_statistics.passages": 60,
    "analysis.entity_passages": 30,
    "reader.start": "encoder",
    "reader.name": "",
    "filter.reader_threshold": 0.0,
    "filter.require_same_answer": False,
    "filter.require_same_sentence": False,
    "pretrain.examples": 43,  # as many as there are unconditioned ones
}

# `ecqg repro` whose fork server does not import PyTorch for seconds: for stages that need it not.
LIGHT = [
    sys.executable,
    "-c",
    """
import sys
sys.path.insert(0, "src")
from ecqg.pipeline import forks
from ecqg.__main__ import main
sys.argv[0], forks.LIBRARIES = "ecqg", ()
main()
""",
    "repro",
]


@dataclass(frozen=True)
class Pipeline:
    """A finished tiny run: its repository, the audit log, and digests of what it wrote."""

    root: Path
    audit: Path
    outs: dict[str, str]

    def dvc(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run dvc in the repository."""
        return run(self.root, "dvc", *arguments, check=check)

    def restore(self) -> None:
        """Everything as the run left it, whatever has been changed or run since."""
        run(self.root, "git", "checkout", "--quiet", "--", ".")
        run(self.root, "git", "clean", "-d", "--force", "--quiet")
        from dvc.repo import Repo

        with Repo(str(self.root)) as repo:  # in this process: to start dvc takes seconds
            repo.checkout(force=True)


def run(
    root: Path, *command: str, check: bool = True, first_on_path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of this environment in `root`; on failure show what it printed.

    Python looks for modules in `first_on_path` before anywhere else.
    """
    python_path = [str(first_on_path)] if first_on_path else []
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "test",
        "GIT_AUTHOR_EMAIL": "test@example.org",
        "GIT_COMMITTER_NAME": "test",
        "GIT_COMMITTER_EMAIL": "test@example.org",
        "PYTHONPATH": os.pathsep.join([*python_path, str(Path(__file__).parent / "audit")]),
        "ECQG_AUDIT_LOG": str(root.parent / "audit.tsv"),
    }
    result = subprocess.run(
        command, cwd=root, env=environment, text=True, capture_output=True, check=False
    )
    if check and result.returncode:
        pytest.fail(f"{' '.join(command)}\n{result.stdout[-4000:]}\n{result.stderr[-6000:]}")
    return result


def edit(params: Path, changes: dict[str, Any]) -> None:
    """Set dotted keys of a parameter file."""
    yaml = YAML()
    yaml.representer.ignore_aliases = lambda *_: True  # which params.yaml may not have
    tree = yaml.load(params.read_text(encoding="utf-8"))
    for key, value in changes.items():
        *sections, leaf = key.split(".")
        section = tree
        for name in sections:
            section = section[name]
        assert leaf in section or len(sections) > 1, key  # an entry may leave out keys
        if value is None and isinstance(section[leaf], dict):
            del section[leaf]
        else:
            section[leaf] = value
    with params.open("w", encoding="utf-8") as out:
        yaml.dump(tree, out)


def clone(target: Path) -> None:
    """The repository as git would hand it over, uncommitted work included, without results.

    params.yaml is that of the profile microcosm-night.
    """
    listed = run(ROOT, "git", "ls-files", "--cached", "--others", "--exclude-standard", "-z").stdout
    for name in filter(None, listed.split("\0")):
        if (
            name.startswith(("metrics/", "plots/", "results/", "tests/", "docs/"))
            or name == "dvc.lock"
        ):
            continue
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)
    (target / "params.yaml").write_text(whole("microcosm-night"), encoding="utf-8")
    run(target, "git", "init", "-q", "-b", "main")
    run(target, "git", "add", "-A")
    run(target, "git", "commit", "-q", "-m", "copy")
