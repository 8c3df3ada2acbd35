"""The metrics of a finished study, made up."""

from ecqg import paths
from ecqg.files import write_json, write_text

SYSTEMS = ["tfidf", "bm25", "dpr", "uncon", "mixed"]
SETS = ["nq_like", "nq_like_no_answer_overlap", "nq_like_no_question_overlap"]
SETS += ["tail", "trivia_like", "uniform", "webq_like"]


def value(system: str, test_set: str, k: int) -> float:
    """Some percentage that grows with k and differs everywhere."""
    base = 20 + 5 * SYSTEMS.index(system) + 1.5 * len(test_set) / (1 + SETS.index(test_set))
    return base + {1: 0, 5: 22.5, 20: 30.25, 100: 35.125}[k]


def write_study() -> None:
    """Write them beneath the working directory."""
    ks = [1, 5, 20, 100]
    for collection, names in ((paths.MAIN, SETS), ("covid", ["covid"])):
        known = {n: n if n in SETS else "uniform" for n in names}
        metrics = {}
        lines = ["system,test_set,k,accuracy,low,high"]
        for system in SYSTEMS:
            rows = {n: {f"top{k}": value(system, known[n], k) for k in ks} for n in names}
            metrics[system] = rows
            for name, found in rows.items():
                for k in ks:
                    a = found[f"top{k}"]
                    lines.append(f"{system},{name},{k},{a:.4f},{a - 4:.4f},{a + 3.5:.4f}")
        write_json(paths.retrieval_metrics(collection), metrics)
        write_text(paths.retrieval_plot(collection), "\n".join(lines) + "\n")
    for system, later in (("dpr", 0.9), ("uncon", 0.95), ("mixed", 0.99)):
        measures = {"entropy": 4 + later / 10, "first_sentence": 1.5, "later_sentences": later}
        measures["passages"] = 2000
        low, high = measures["entropy"] - 0.01, measures["entropy"] + 0.02
        measures["interval"] = {"entropy": {"low": low, "high": high}}
        measures["variants"] = {"all_tokens": {"entropy": 3.5, "later_sentences": later}}
        write_json(paths.attention_metrics(system), {system: measures})
    found = {"difference": 1.25, "low": -0.5, "high": 3.0, "p": 0.17, "wins": 9, "losses": 5}
    sure = found | {"low": 0.25, "p": 0.01}
    pair = {
        name: {"top1": found | {"ties": 80 - 30 * ("overlap" in name)}, "top5": sure}
        for name in [*SETS, "covid"]
    }
    pair["attention"] = {"entropy": sure, "first_sentence": found, "later_sentences": found}
    write_json(paths.COMPARISON, {"mixed_vs_dpr": pair, "mixed_vs_uncon": pair})
