"""How a passage's attention is spread over its entities, and how much of it they get at all.

The papers say where the highest- and the lowest-attended entity stand (SIGIR sec. 1), not how far
apart they are. If all entities get the same, "the least attended" is noise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ecqg.attention.aggregate import EntityAttention


def among_entities(ranked: Sequence[EntityAttention], scale: float) -> dict[str, float]:
    """Measures of a passage with m >= 2 entities, the least attended first.

    Densities are the attention of a word piece times the tokens of the distribution, 1 if attention
    were uniform: of the mean entity, of the highest-attended and of the lowest-attended one;
    `scale` makes them of a model's own weights (ecqg.attention.tokens). `entity_entropy`, over its
    maximum log m, and `entity_variation`, standard deviation over mean, are of these m densities.
    """
    densities = np.array([entity.mean for entity in ranked], np.float64) * scale
    spread = densities[densities > 0] / densities.sum()
    return {
        "entity_density": float(densities.mean()),
        "highest_density": float(densities[-1]),
        "lowest_density": float(densities[0]),
        "entity_entropy": float(-(spread * np.log(spread)).sum() / np.log(len(ranked))),
        "entity_variation": float(densities.std() / densities.mean()),
    }
