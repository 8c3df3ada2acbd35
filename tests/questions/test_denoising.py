from __future__ import annotations

from random import Random

from ecqg.corpus.passages import Passage
from ecqg.questions.denoising import cloze, pretraining_texts
from ecqg.questions.format import parse_target
from ecqg.questions.names import Names

SENTENCES = [
    "Clara Moss was a poet from Wick. ",
    "In 1852 she met Anna Verge in Norden. ",
    "The poet sold 1,200 books to J. Hart.",
]
TEXT = "".join(SENTENCES)
TITLE = "Clara Moss"
PASSAGE = Passage(0, "1", TITLE, TEXT, (0, 33, 71))
NAMES = Names([TEXT, "A poet, in Wick, was Clara Moss."])


def test_a_cloze_question_is_its_sentence_without_the_answer() -> None:
    rng, seen = Random(1), set()
    for _ in range(300):
        example = cloze(PASSAGE, NAMES, 2, rng)
        if example is None:
            continue
        source, target = example
        parsed = parse_target(target)
        assert parsed is not None
        question, answer = parsed
        *entity, title, context = source.split(" | ")
        assert title == TITLE
        plain = context.replace("* ", "").replace(" *", "")
        shown = [i for i, sentence in enumerate(SENTENCES) if sentence.strip() in plain]
        assert len(shown) == 2  # in any order
        if entity:
            assert f"* {entity[0]} *" in context
            assert entity[0] in question
        assert answer not in ("Clara Moss", "Clara", "Moss") or not question.startswith(TITLE)
        [asked] = [i for i in shown if question.removeprefix(f"{TITLE} ") in without(answer, i)]
        seen.add((bool(entity), asked))
    assert seen == {(e, s) for e in (True, False) for s in range(3)}


def without(answer: str, index: int) -> set[str]:
    """A sentence with one occurrence of the answer left out, wherever it stands."""
    sentence = SENTENCES[index].strip().removesuffix(".")
    cuts = [i for i in range(len(sentence)) if sentence.startswith(answer, i)]
    left = [" ".join(f"{sentence[:i]} {sentence[i + len(answer) :]}".split()) for i in cuts]
    return {*left, *(text.removeprefix(f"{TITLE} ") for text in left)}


def test_sources_grow_from_one_sentence_to_all() -> None:
    batches = list(pretraining_texts([PASSAGE], NAMES, 10, 4, Random(1)))
    assert [len(batch) for batch in batches] == [4] * 10
    sentences = [
        {source.rsplit(" | ", 1)[1].replace("J. Hart", "Hart").count(".") for source, _ in batch}
        for batch in batches
    ]
    assert sentences[0] == {1}
    assert sentences[-1] == {3}
    assert all(len(counts) == 1 for counts in sentences)
    assert list(pretraining_texts([PASSAGE], NAMES, 10, 4, Random(1))) == batches


def test_a_sentence_too_short_for_a_cloze_is_passed_over() -> None:
    assert cloze(Passage(0, "1", "T", "Too short.", (0,)), NAMES, 1, Random(1)) is None
