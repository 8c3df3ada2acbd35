"""What a data folder holds, as far as it decides what can be studied with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ecqg.corpus.folder import Candidate, read_split, read_test_set
from ecqg.corpus.passage_file import read_passage_file
from ecqg.corpus.qrels import SUFFIX, read_qrels
from ecqg.corpus.questions import QA
from ecqg.errors import InputError
from ecqg.evaluation.answers import tokens
from ecqg.progress import track

MOST_LOOKED_AT = 50_000  # passages whose texts are compared with answers; two minutes for more
SWAPPED = 0.9  # share of titles longer than their texts at which columns seem to be swapped


@dataclass
class TestSet:
    """Questions with answers, and with judged passages; `unfound` have answers in no passage."""

    __test__ = False  # no test case, whatever pytest thinks of the name

    questions: int
    answered: int
    judged: int
    unfound: int | None = None  # None where too many passages would have to be read


@dataclass
class Survey:
    """Counts of a data folder."""

    passages: int = 0
    titled: int = 0
    repeated: int = 0  # texts that stand before
    words: int = 0
    longest: int = 0  # words
    over: int = 0  # passages that have more words and signs than the encoder takes
    swapped: int = 0  # passages with a title longer than the text
    gold: dict[str, int] = field(default_factory=dict)  # train and dev: questions
    answered: dict[str, int] = field(default_factory=dict)  # those with their answer in the passage
    strays: int = 0  # gold questions whose passage is not there, or several joined
    test_sets: dict[str, TestSet] = field(default_factory=dict)

    @property
    def trains(self) -> bool:
        """Whether retrievers can be trained."""
        return all(self.gold.get(split) for split in ("train", "dev"))

    @property
    def asks(self) -> bool:
        """Whether generators and the reader can be trained, too."""
        return self.trains and all(self.answered.get(split) for split in ("train", "dev"))


def survey(folder: Path, limit: int) -> Survey:
    """Read a data folder; `limit` is the number of tokens that the encoder takes of a passage.

    Raises InputError where a file of it is malformed.
    """
    found = Survey()
    needles: dict[tuple[str, ...], bool] = {}
    wanted: dict[str, list[tuple[tuple[str, ...], ...]]] = {}
    for file in sorted(folder.glob(f"*{QA}")):
        name = file.name.removesuffix(QA)
        if name in ("train", "dev") and (folder / f"squad-{name}.json").is_file():
            continue  # gold questions, once more
        questions = read_test_set(folder, file.name).questions
        qrels = folder / f"{name}{SUFFIX}"
        judged = read_qrels(qrels) if qrels.is_file() else {}
        positive = sum(any(r > 0 for r in of.values()) for of in judged.values())
        answered = [q for q in questions if q.answers]
        found.test_sets[name] = TestSet(len(questions), len(answered), positive)
        wanted[name] = [tuple(tuple(tokens(a)) for a in q.answers) for q in answered]
        needles |= dict.fromkeys((needle for of in wanted[name] for needle in of), False)
    texts = _gold(folder, found)
    _passages(folder, limit, found, needles, texts)
    found.strays = texts.total()
    if found.passages <= MOST_LOOKED_AT:
        for name, of_questions in wanted.items():
            lost = (not any(needles[needle] for needle in of) for of in of_questions)
            found.test_sets[name].unfound = sum(lost)
    return found


def _gold(folder: Path, found: Survey) -> Counter[str]:
    """How many gold questions each context has; counts them by split."""
    contexts: Counter[str] = Counter()
    for split in ("train", "dev"):
        if any((folder / f).is_file() for f in (f"squad-{split}.json", f"{split}.dpr.json")):
            of: list[Candidate] = read_split(folder, split).candidates
            found.gold[split] = len(of)
            found.answered[split] = sum(bool(candidate.spans) for candidate in of)
            contexts.update(candidate.context for candidate in of)
    return contexts


def _passages(
    folder: Path,
    limit: int,
    found: Survey,
    needles: dict[tuple[str, ...], bool],
    contexts: Counter[str],
) -> None:
    """Count passages, mark the `needles` that stand in one, take out their `contexts`."""
    seen: set[int] = set()
    lengths = sorted({len(needle) for needle in needles})
    for entry in track(read_passage_file(folder / "passages.tsv"), "survey", unit="passage"):
        found.passages += 1
        found.titled += bool(entry.title.strip())
        found.swapped += len(entry.title) > len(entry.text)
        size = len(entry.text.split())
        found.words += size
        found.longest = max(found.longest, size)
        found.repeated += hash(entry.text) in seen
        seen.add(hash(entry.text))
        contexts.pop(entry.text, None)
        words = tokens(entry.text)
        # A word or a sign is a piece at least; [CLS] and two [SEP] come on top.
        found.over += len(words) + len(tokens(entry.title)) + 3 > limit
        if found.passages <= MOST_LOOKED_AT:
            for needle in _runs(words, lengths):
                if needle in needles:
                    needles[needle] = True
    if found.passages and found.swapped / found.passages > SWAPPED:
        raise InputError(
            f"{found.swapped:,} of {found.passages:,} titles are longer than their texts",
            file=folder / "passages.tsv",
            remedy="the columns are id, text, title, in this order",
        )


def _runs(words: list[str], lengths: Iterable[int]) -> Iterator[tuple[str, ...]]:
    """All runs of words of these lengths."""
    for length in lengths:
        for start in range(len(words) - length + 1):
            yield tuple(words[start : start + length])
