"""What a data folder holds, as far as it decides what can be studied with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ecqg.corpus.folder import read_split, read_test_set
from ecqg.corpus.formats.own import check_order
from ecqg.corpus.passage_file import read_passage_file
from ecqg.corpus.qrels import SUFFIX, read_qrels
from ecqg.corpus.questions import QA
from ecqg.evaluation.answers import tokens
from ecqg.progress import track

MOST_LOOKED_AT = 50_000  # passages whose texts are compared with answers; two minutes for more
Words = tuple[str, ...]


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
    wanted: dict[str, list[set[Words]]] = {}  # of each question the tokens of its answers
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
        wanted[name] = [{tuple(tokens(a)) for a in q.answers} for q in answered]
    texts = _gold(folder, found)
    needles = {needle for of in wanted.values() for answers in of for needle in answers}
    standing = _passages(folder, limit, found, needles, texts)
    found.strays = texts.total()
    if found.passages <= MOST_LOOKED_AT:
        for name, of in wanted.items():
            found.test_sets[name].unfound = sum(answers.isdisjoint(standing) for answers in of)
    return found


def _gold(folder: Path, found: Survey) -> Counter[str]:
    """How many gold questions each context has; counts them by split."""
    contexts: Counter[str] = Counter()
    for split in ("train", "dev"):
        if any((folder / f).is_file() for f in (f"squad-{split}.json", f"{split}.dpr.json")):
            of = read_split(folder, split).candidates
            found.gold[split] = len(of)
            found.answered[split] = sum(bool(candidate.spans) for candidate in of)
            contexts.update(candidate.context for candidate in of)
    return contexts


def _passages(
    folder: Path, limit: int, found: Survey, needles: set[Words], contexts: Counter[str]
) -> set[Words]:
    """Count passages and take out their `contexts`; which of the `needles` stand in one."""
    standing: set[Words] = set()
    swapped = 0
    seen: set[int] = set()
    lengths = sorted({len(needle) for needle in needles})
    for entry in track(read_passage_file(folder / "passages.tsv"), "survey", unit="passage"):
        found.passages += 1
        found.titled += bool(entry.title.strip())
        swapped += len(entry.title) > len(entry.text)
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
            for length in lengths:
                runs = (tuple(words[i : i + length]) for i in range(len(words) - length + 1))
                standing |= needles.intersection(runs)
    check_order(swapped, found.passages, folder / "passages.tsv")
    return standing
