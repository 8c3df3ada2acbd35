"""Answer matching against Pyserini's `has_answers`, on the passages that BM25 retrieves.

    python bench/match.py [--questions 2000] [--depth 100] [--rounds 5] [--data FOLDER]
    python bench/match.py --parity 1000000

Each round decides for every question and each passage retrieved for it whether the passage holds
an answer, tokenization included; all decisions must agree. The floor is the search alone: every
passage and answer is tokenized before the clock starts.

--parity compares that many random pairs instead: answers of any question, pieces of the passage in
other cases, with combining marks, in other normal forms, without any token; with any passage.
"""

from __future__ import annotations

import argparse
import sys
import time
import unicodedata
from collections.abc import Iterator, Sequence
from random import Random

from ecqg.corpus.questions import Question
from ecqg.evaluation.answers import AnswerMatcher, has_answer, token_string
from ecqg.lexical.bm25 import BM25, lucene_index
from side_by_side import alternate, counted, peer, table
from texts import Texts, add_data_option, open_texts

Work = list[tuple[Question, list[int]]]  # questions with the rows retrieved for them
MARKS = "\u0301\u0308\u0327"
OTHER = "ßİΣςσ½²中ก👍\u200b\u2028\x1f$"


def main() -> None:
    """Print the table, or compare random pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--questions", type=int, default=2_000)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--parity", type=int, metavar="PAIRS")
    options = parser.parse_args()
    with open_texts(options.data) as texts:
        if options.parity:
            print(parity(texts, options.parity))
        else:
            print(speed(texts, options.questions, options.depth, options.rounds))


def speed(texts: Texts, count: int, depth: int, rounds: int) -> str:
    """Markdown; ends the program where a decision differs."""
    pyserini = peer("pyserini.eval.evaluate_dpr_retrieval")
    passages = texts.passages()
    bodies = [passage.text for passage in passages]  # for Pyserini, which has no store
    work = retrieved(texts, count, depth)
    pairs = sum(len(rows) for _, rows in work)

    def ours() -> list[list[bool]]:
        matcher = AnswerMatcher(passages)
        return [list(matcher.decide(question.answers, rows)) for question, rows in work]

    def theirs() -> list[list[bool]]:
        tokenizer = pyserini.SimpleTokenizer()
        return [
            [pyserini.has_answers(bodies[row], question.answers, tokenizer) for row in rows]
            for question, rows in work
        ]

    found = ours()
    if found != theirs():
        sys.exit("decisions differ")
    met = sorted({row for _, rows in work for row in rows})
    heading = (
        f"{texts.name}: {len(work):,} questions, {pairs:,} pairs with {len(met):,} distinct "
        f"passages, {sum(map(sum, found)):,} hold an answer; every decision agrees\n\n"
    )
    rates = alternate({"ours": counted(ours, pairs), "Pyserini": counted(theirs, pairs)}, rounds)
    bound = ("search alone", search_rate(work, {row: token_string(bodies[row]) for row in met}))
    return heading + table(rates, "pairs/s", floor=bound)


def retrieved(texts: Texts, count: int, depth: int) -> Work:
    """The first `count` questions with the rows that BM25 finds for them."""
    questions = texts.questions()[:count]
    searcher = BM25(lucene_index(texts.store), k1=0.9, b=0.4)
    hits = searcher.search([question.text for question in questions], depth)
    return [(q, rows.tolist()) for q, (rows, _) in zip(questions, hits, strict=True)]


def search_rate(work: Work, haystacks: dict[int, str]) -> float:
    """Pairs a second where all is tokenized already."""
    ready = [
        ([token_string(a) for a in question.answers], [haystacks[row] for row in rows])
        for question, rows in work
    ]
    since = time.perf_counter()
    for needles, found in ready:
        for haystack in found:
            for needle in needles:
                if needle in haystack:
                    break
    return sum(len(found) for _, found in ready) / (time.perf_counter() - since)


def parity(texts: Texts, pairs: int) -> str:
    """One line; ends the program at the first pair on which the two differ."""
    pyserini = peer("pyserini.eval.evaluate_dpr_retrieval")
    tokenizer = pyserini.SimpleTokenizer()
    held = 0
    for answers, text in draw(texts, pairs):
        found = has_answer(answers, text)
        if found != pyserini.has_answers(text, answers, tokenizer):
            sys.exit(f"they differ: {answers!r} in {text!r}")
        held += found
    return f"{texts.name}: {pairs:,} random pairs agree, {held:,} hold an answer"


def draw(texts: Texts, pairs: int) -> Iterator[tuple[Sequence[str], str]]:
    """Answers and a passage: a question's answers, words of the passage, or any piece of it.

    Words and pieces are changed in case or spoiled; every other time the passage is spoiled, too.
    """
    random = Random(1)
    asked = [question.answers for question in texts.questions()]
    bodies = [passage.text for passage in texts.passages()]
    for number in range(pairs):
        text = random.choice(bodies)
        if number % 4 == 0:
            yield random.choice(asked), text
            continue
        if number % 4 == 1:
            start = random.randrange(len(text))
            piece = text[start : start + random.randrange(24)]
        else:
            words = text.split(" ")
            start = random.randrange(len(words))
            piece = " ".join(words[start : start + random.randrange(1, 5)])
        if random.random() < 0.2:
            piece = spoil(piece, random)
        change = random.choice([str, str.upper, str.title, str.swapcase])
        yield [change(piece)], spoil(text, random) if number % 2 else text


def spoil(text: str, random: Random) -> str:
    """`text` in a random normal form, with a mark or an odd character put in somewhere."""
    text = unicodedata.normalize(random.choice(["NFC", "NFD", "NFKD"]), text)
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice(MARKS + OTHER) + text[place:]


if __name__ == "__main__":
    main()
