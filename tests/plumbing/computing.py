"""Print digests of what each library computes that stages compute with; numerics are main()'s."""

from __future__ import annotations

import hashlib
import sys

from ecqg import __main__, numerics

__main__._fix_numerics()


def main() -> None:
    """A line for each library: NumPy, PyTorch, FAISS, SciPy, scikit-learn, spaCy's products."""
    import numpy as np

    draw = np.random.Generator(np.random.PCG64(1)).random
    left, right = draw((90, 300)), draw((300, 70))
    show("numpy product", left @ right, (left @ right).astype(np.float32) @ right.T)
    show("numpy functions", np.exp(left), np.log(left), np.tanh(right.astype(np.float32)))

    import torch
    from torch.nn import functional
    from transformers import BertConfig, BertModel

    from ecqg.training.device import pick_device
    from ecqg.training.loop import build_optimizer

    pick_device()
    torch.manual_seed(1)
    sizes = {"hidden_size": 64, "num_attention_heads": 4, "intermediate_size": 128}
    model = BertModel(BertConfig(vocab_size=300, num_hidden_layers=1, **sizes))
    optimizer = build_optimizer(model, 1e-3, 0.01)
    for length in (20, 33):
        tokens = torch.randint(300, (8, length))
        vectors = model(input_ids=tokens).last_hidden_state[:, 0]
        functional.cross_entropy(vectors @ vectors.T, torch.arange(8)).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    show("torch training", *(p.detach().numpy() for p in model.parameters()))

    from ecqg.search.library import faiss

    vectors = draw((500, 64)).astype(np.float32)
    index = faiss.IndexFlatIP(64)
    index.add(vectors)
    show("faiss search", *index.search(vectors[:30], 10))

    from scipy import stats

    show("scipy test", np.array(stats.ttest_rel(left[:, 0], left[:, 1])))

    from ecqg.reading.calibrate import fit

    calibration = fit(left[:, :2], np.round(left[:, 2]))
    show("scikit-learn fit", calibration.confidence(left[:, 3:5]))

    from ecqg.corpus.spacy_model import load_spacy

    recognise = load_spacy("en_core_web_sm", enable=["tok2vec", "ner"])
    show("spacy", recognise("Ada Lovelace met Charles Babbage in London in June 1833.").tensor)
    print(numerics.mode(), torch.get_num_threads(), torch.backends.cpu.get_cpu_capability())


def show(what, *arrays) -> None:
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.tobytes())
    print(f"{what}: {digest.hexdigest()}")


if __name__ == "__main__":
    sys.exit(main())
