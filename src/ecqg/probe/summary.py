"""What a probe says: a verdict on each model, and all models in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isnan

from ecqg.evaluation.bootstrap import Comparison
from ecqg.probe.looks import sentence_name
from ecqg.probe.places import Accuracy
from ecqg.probe.run import Probe, Probed
from ecqg.report.formats import Row, Table
from ecqg.templates import fixed

LEANING = 1.1  # from this ratio on attention leans to one end


def verdict(model: Probed) -> str:
    """One sentence: does it overlook what stands late?

    It rests on the questions whose answer's sentence was moved, where there are any, else on those
    that were generated, else on attention, which alone cannot say what is lost.
    """
    if model.found is not None and (moved := model.found.moved) is not None:
        first, last = moved.front["1"], moved.end["1"]
        what = _decide(
            moved.difference,
            "overlooks what stands late",
            "overlooks what stands early",
            "does not show that it overlooks what stands late",
        )
        return (
            f"{model.name} {what}: of {moved.questions} questions it ranks the right passage first "
            f"for {first:.0f} % where the answer's sentence opens it, for {last:.0f} % where it "
            f"closes it ({_interval(moved.difference)})."
        )
    if model.asked is not None:
        asked = model.asked
        what = _decide(
            asked.difference,
            "finds what it looks at least less often",
            "finds what it looks at least more often",
            "does not show that it misses what it looks at least",
        )
        return (
            f"{model.name} {what}: it ranks the right passage first for "
            f"{asked.highest.top['1']:.0f} % of questions about its highest entity, for "
            f"{asked.lowest.top['1']:.0f} % of those about its lowest "
            f"({_interval(asked.difference)})."
        )
    first, later = model.look.means["first_sentence"], model.look.means["later_sentences"]
    if isnan(later):
        return f"{model.name}: the passages have one sentence each, so nothing stands late."
    ratio = first / later if later else float("inf")
    where = (
        "more at the first sentence than at later ones"
        if ratio >= LEANING
        else "less at the first sentence than at later ones"
        if ratio * LEANING <= 1
        else "about as much at later sentences as at the first"
    )
    return (
        f"{model.name} looks {where} ({first:.2f} and {later:.2f} times uniform); whether answers "
        "are lost takes questions with answers (--questions)."
    )


def _decide(difference: Comparison, above: str, below: str, neither: str) -> str:
    return above if difference.low > 0 else below if difference.high < 0 else neither


def _interval(of: Comparison) -> str:
    return f"{of.difference:+.0f} points, 95 % interval {of.low:+.0f} to {of.high:+.0f}"


def table(probe: Probe) -> Table:
    """A column a model, a row a measure; rows without values are headings."""
    cells = [*_attention(probe), *_entities(probe), *_found(probe), *_asked(probe)]
    return Table(
        ["", *(model.name for model in probe.models)],
        [Row([name, *values]) for name, values in cells],
        caption=caption(probe),
    )


def caption(probe: Probe) -> str:
    """What was looked at."""
    of = f" of {probe.total:,}" if probe.total > probe.passages else ""
    asked = f", {probe.questions:,} questions" if probe.questions else ""
    left_out = (
        f" ({probe.left_out:,} that lead to no passage, or not to one alone, left out)"
        if probe.left_out
        else ""
    )
    return f"{probe.passages:,}{of} passages of {probe.source}{asked}{left_out}"


Cells = Iterator[tuple[str, list[str]]]


def _attention(probe: Probe) -> Cells:
    models = probe.models
    yield "Pooling, token limit", [f"{m.pooling}, {m.max_tokens}" for m in models]
    if any(m.look.cut for m in models):
        yield "Passages cut at the limit, %", [fixed(m.look.cut, 1) for m in models]
    yield from _sentences(probe)
    entropies = [100 * m.look.means["normalised_entropy"] for m in models]
    yield "Entropy of attention, % of its maximum", [fixed(e, 1) for e in entropies]


def _sentences(probe: Probe) -> Cells:
    """Attention and accuracy in one row, which a screen has room for."""
    of = [(m.look.sentences, m.found.sentences if m.found else {}) for m in probe.models]
    counts = {name: one.questions for _, found in of for name, one in found.items()}
    most = max(len(looked) for looked, _ in of)
    names = dict.fromkeys([*map(sentence_name, range(most)), *sorted(counts)])
    more = "; top-1 / top-5" if counts else ""
    yield f"By sentence: attention (1 = uniform){more}", [""] * len(of)
    for i, name in enumerate(names):
        cells = []
        for looked, found in of:
            parts = [fixed(looked[i].density, 2)] if i < len(looked) else []
            parts += [_tops(found[name])] if name in found else []
            cells.append("; ".join(parts))
        yield f"  {name} ({counts[name]:,} questions)" if name in counts else f"  {name}", cells


def _entities(probe: Probe) -> Cells:
    def values(*names: str) -> list[str]:
        # Densities are about 1, shares and their like about 50.
        digits = 2 if "density" in names[0] else 0
        return [
            " / ".join(fixed(m.look.entities.get(name), digits) for name in names)
            if m.look.entities
            else ""
            for m in probe.models
        ]

    if any(m.look.entities for m in probe.models):
        yield "Highest / lowest entity, attention", values("highest_density", "lowest_density")
        yield "Highest in first half, % of passages", values("highest_first_half")
        yield "Lowest in second half, % of passages", values("lowest_second_half")
        yield "  of all entities in the first half, %", values("all_first_half")


def _found(probe: Probe) -> Cells:
    of = [m.found for m in probe.models if m.found is not None]
    if not of:
        return
    yield f"Top-1 / top-5, all questions ({of[0].all.questions:,})", [_tops(f.all) for f in of]
    if moved := of[0].moved:
        for name, side in (("to the front", "front"), ("to the end", "end")):
            values = [getattr(f.moved, side) for f in of]
            shown = [f"{v['1']:.1f} / {v['5']:.1f}" for v in values]
            yield f"  answer's sentence moved {name} ({moved.questions:,})", shown


def _asked(probe: Probe) -> Cells:
    of = [m.asked for m in probe.models]
    if not any(of):
        return

    def values(of_one: Callable[[Accuracy, float], str]) -> Iterator[tuple[str, list[str]]]:
        yield "highest", [of_one(a.highest, a.highest_median) if a else "" for a in of]
        yield "lowest", [of_one(a.lowest, a.lowest_median) if a else "" for a in of]

    yield "Questions about an entity: top-1, median rank", [""] * len(of)
    for name, cells in values(lambda one, median: f"{one.top['1']:.1f}, {median:g}"):
        yield f"  its {name}", cells


def _tops(of: Accuracy) -> str:
    return f"{of.top['1']:.1f} / {of.top['5']:.1f}"
