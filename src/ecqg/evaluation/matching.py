"""Match runs with answers: the rank of each question's first passage with one, part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ecqg.corpus.lines import Part
from ecqg.corpus.passages import Passages
from ecqg.corpus.qrels import Qrels
from ecqg.corpus.questions import Question
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.runs import Ranking, read_run, run_file, without
from ecqg.evaluation.topk import first_hits
from ecqg.parallel.task import Task

OfRun: TypeAlias = tuple[str, Part]  # a test set, and a part of the run on it
Found: TypeAlias = tuple[str, int, list[tuple[str, int]]]


@dataclass(frozen=True)
class Asked:
    """A test set, by question id.

    Of the questions that are passages, too, `itself` has the passage, which is no answer to it.
    """

    questions: dict[str, Question]
    qrels: Qrels
    itself: dict[str, str]

    def without_itself(self, ranking: Ranking) -> Ranking:
        """As BEIR ranks, unless it is judged relevant."""
        name = ranking.question_id
        own = self.itself.get(name)
        if own is None or self.qrels.get(name, {}).get(own, 0) > 0:
            return ranking
        return without(ranking, own)


@dataclass(frozen=True)
class Match(Task[OfRun, list[Found]]):
    """For each question of a part of a run: its id, its rank, and the relevant passages found.

    The rank is that of `first_hits`; of each relevant passage there are id and rank. `store` is the
    collection, `runs` the folder of a system's runs on it, `asked` the test sets by name. A run's
    questions that are not asked are left aside.
    """

    store: Path
    runs: Path
    asked: dict[str, Asked]

    def start(self) -> Callable[[OfRun], list[Found]]:
        """Open the collection."""
        passages = Passages(self.store)
        rows, matcher = passages.rows_by_id(), AnswerMatcher(passages)

        def found(block: OfRun) -> list[Found]:
            name, part = block
            asked, file = self.asked[name], run_file(self.runs, name)
            rankings = [
                asked.without_itself(ranking)
                for ranking in read_run(file, rows, least=0, part=part)
                if ranking.question_id in asked.questions
            ]
            questions = [asked.questions[ranking.question_id] for ranking in rankings]
            ranks = first_hits(questions, rankings, matcher, rows, asked.qrels).tolist()
            return [
                (ranking.question_id, rank, _relevant(ranking, asked.qrels))
                for ranking, rank in zip(rankings, ranks, strict=True)
            ]

        return found

    def name(self, block: OfRun) -> str:
        """The run and the first line."""
        name, part = block
        return f"{run_file(self.runs, name)}, line {part.line} and on"


def _relevant(ranking: Ranking, qrels: Qrels) -> list[tuple[str, int]]:
    of = qrels.get(ranking.question_id, {})
    ranked = enumerate(ranking.passage_ids, 1)
    return [(passage, rank) for rank, passage in ranked if of.get(passage, 0) > 0]
