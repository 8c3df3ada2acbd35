"""What a run says in one sentence, with its figures."""

from __future__ import annotations

from ecqg.report.formats import difference
from ecqg.report.names import shown
from ecqg.report.results import Results, relative_change, subset_of

QUESTION = (
    "Does a dense retriever overlook what stands late in a passage, and do synthetic questions "
    "about exactly that help?"
)
PAIRS = (("mixed", "uncon"), ("mixed", "dpr"))  # what conditioned questions add; all that is added
NAMED = 3  # test sets on either side


def verdict(results: Results) -> str:
    """Mixed-DPR beside UnCon-DPR, or what else is compared first; empty where nothing is.

    Accuracy counts on whole test sets, at the least k, by the exact McNemar test at 0.05.
    """
    known = [*PAIRS, *results.study.pairs["trained"]]
    pair = next((pair for pair in known if pair in results.comparison), None)
    if pair is None:
        return ""
    a, b = map(shown, pair)
    found = results.comparison[pair]
    k = min(results.study.ks)
    whole = {name: found.get(name, {}) for name in results.test_sets if not subset_of(name)}
    tests = {name: of[f"top{k}"] for name, of in whole.items() if f"top{k}" in of}
    said = []
    for word, sign in (("higher", 1), ("lower", -1)):
        gaps = {name: sign * of["difference"] for name, of in tests.items() if of["p"] < 0.05}
        which = sorted((name for name in gaps if gaps[name] > 0), key=lambda name: -gaps[name])
        named = [f"{name} {difference(tests[name]).strip('* ')}" for name in which[:NAMED]]
        named += [f"and {len(which) - NAMED} more"] if len(which) > NAMED else []
        said.append(f"{word} on {len(which)}" + (f" ({', '.join(named)})" if named else ""))
    late = results.attention.get("dpr", {}).get("lowest_second_half")
    half = "stands in the second half of"
    line = "" if late is None else f"DPR's least-attended entity {half} {late:.1f} % of passages; "
    line += (
        f"beside {b}, {a}'s top-{k} accuracy is {said[0]} and {said[1]} of {len(tests)} test"
        " sets, the others being within chance"
    )
    if entropy := found.get("attention", {}).get("entropy"):
        gap = difference(entropy, 3).strip("* ")
        line += f"; the entropy of its [CLS] attention differs by {gap} nats"
    if (change := relative_change(results, "later_sentences", *pair)) is not None:
        line += f", the weight of later sentences by {change:+.1f} %"
    return f"{line[0].upper()}{line[1:]}."
