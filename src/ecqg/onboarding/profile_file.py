"""The profile of one's own corpus as a file, and what people are told when it is written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

from ecqg.checking import NAME, NAMED, parse_yaml
from ecqg.corpus.formats.rows import bad_rows
from ecqg.errors import InputError, printable
from ecqg.files import write_text
from ecqg.onboarding.adopt import Adopted, adopt
from ecqg.onboarding.plan import BASE, Start, check_weights, plan
from ecqg.onboarding.survey import Survey, survey
from ecqg.params import build_params
from ecqg.profiles import FOLDER, OWN, whole

WIDTH = 100


def new_profile(
    name: str,
    source: Path,
    *,
    tiny: bool = False,
    start: Start = "random",
    public: Path | None = None,
    data_folder: Path | None = None,
    skip_bad: Path | None = None,
) -> list[str]:
    """Look at the folder `source` and write OWN/NAME.yaml; return what was found and decided.

    A `source` that is no whole data folder is written to `data_folder` (corpora/NAME). Raises
    InputError where the profile exists, weights are missing, or the folder holds what cannot be
    used; then nothing is written.
    """
    from dvc.utils.serialize import dumps_yaml

    target = OWN / f"{name}.yaml"
    if not NAME.fullmatch(name):
        raise InputError(f"the name {name!r}", remedy=f"write {NAMED}")
    if not Path("dvc.yaml").is_file():
        raise InputError("no dvc.yaml here", remedy="run from the repository's root")
    for file in (FOLDER / target.name, target):
        if file.exists():
            remedy = "take another name, or remove it"
            raise InputError("is there already", file=file, remedy=remedy)
    check_weights(start, public)
    base = build_params(parse_yaml(whole(BASE[start]), BASE[start]))
    limit = base.encoder.max_passage_tokens
    with bad_rows(skip_bad) as bad:
        adopted = adopt(source, data_folder or Path("corpora") / name, bad)
    try:
        found = survey(adopted.folder, limit)
    except InputError:
        if adopted.folder != source:
            shutil.rmtree(adopted.folder)
        raise
    chosen = plan(name, adopted.folder, found, start=start, tiny=tiny, public=public)
    told = [*_found(name, adopted, found, limit)]
    if bad.count:
        told.append(f"  {'bad rows':15} {bad.count:,}, left out, in {skip_bad}")
    minutes = max(1, round(chosen.minutes))
    systems = ", ".join(chosen.systems)
    told.append(f"Systems: {systems}; about {minutes} minute{'s'[: minutes > 1]} on two cores")
    told += (f"- {note}" for note in (*adopted.notes, *chosen.notes))
    told = [part for line in told for part in _wrapped(line)]
    values = (dumps_yaml({key: value}) for key, value in chosen.values.items())
    text = "".join([*(f"# {line}\n" for line in told), *values])
    build_params(parse_yaml(whole(name, text), target), target)  # before anything is written
    write_text(target, text)
    commands = (f"  ecqg profile use {name}", "  ecqg repro", "  ecqg table")
    return [*told, "", f"{target} is written. Next:", *commands]


def _found(name: str, adopted: Adopted, found: Survey, limit: int) -> Iterator[str]:
    where = adopted.folder.as_posix()
    yield f"{name}: {found.passages:,} passages, from {adopted.form}; the data folder is {where}"
    mean = found.words / found.passages
    lines = [f"{found.passages:,}, {mean:.0f} words on average, the longest {found.longest:,}"]
    if found.repeated:
        lines.append(f"{found.repeated:,} repeat{'s'[found.repeated > 1 :]} the text of another")
    if not found.titled:
        lines.append("none has a title")
    if found.over:
        share = 100 * found.over / found.passages
        lines.append(
            f"at least {found.over:,} ({share:.0f} %) are longer than the {limit} tokens that the "
            "encoder reads: what stands behind is not searched (encoder.max_passage_tokens, or "
            "cut them)"
        )
    yield _line("passages", lines)
    for split, count in found.gold.items():
        answered = f"{found.answered[split]:,} with their answer in the passage"
        yield _line(split, [f"{count:,} questions with a passage, {answered}"])
    if found.strays:
        few = f"{found.strays:,} have a passage that is none of passages.tsv, or several joined"
        yield _line("", [few])
    for test_set, of in found.test_sets.items():
        parts = [f"{of.questions:,} questions, {of.answered:,} with answers, {of.judged:,} judged"]
        if of.unfound:
            parts.append(f"{of.unfound:,} have no answer that stands in a passage")
        yield _line(test_set, parts)


def _line(what: str, parts: list[str]) -> str:
    return f"  {what:15} {'; '.join(parts)}"


def _wrapped(line: str) -> list[str]:
    """In lines that fit a file and a terminal, what goes on below what it is said of."""
    indent = " " * (18 if line.startswith("  ") else 2)
    return wrap(printable(line), WIDTH - 2, subsequent_indent=indent, break_on_hyphens=False)
