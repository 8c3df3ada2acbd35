"""Print sample articles with questions: `python -m ecqg.microcosm --passages 5`."""

from __future__ import annotations

import argparse
import random
import textwrap

from ecqg.errors import InputError
from ecqg.microcosm.families import catalogue
from ecqg.microcosm.families.articles import REGISTERS
from ecqg.microcosm.questions import Asker, askables
from ecqg.microcosm.realise import write_article
from ecqg.microcosm.world import World


def main() -> None:
    """Write samples of a world to standard output."""
    parser = argparse.ArgumentParser(prog="python -m ecqg.microcosm", description=__doc__)
    parser.add_argument("--passages", type=int, default=5, help="how many samples to print")
    parser.add_argument("--world", type=int, default=3500, help="passages in the world")
    parser.add_argument("--seed", type=int, default=1, help="the world's seed")
    parser.add_argument("--family", default="", help="only this type of article")
    options = parser.parse_args()
    told = dict.fromkeys([*catalogue(())[1], options.family]) if options.family else ()
    try:
        world, rng = World(options.seed, options.world, tuple(told)), random.Random(options.seed)
    except InputError as error:
        raise SystemExit(str(error)) from None
    asker, shown = Asker(world), 0
    while shown < options.passages:
        index = rng.randrange(options.world)
        if options.family not in ("", world.locate(index)[0]):
            continue
        article = write_article(world, index)
        print(f"{article.id}  {article.title}  ({article.family})")
        print(textwrap.fill(article.text, 96, initial_indent="  ", subsequent_indent="  "))
        asks = list(askables(article))
        for ask in sorted(rng.sample(asks, min(3, len(asks))), key=lambda ask: ask.sentence):
            print(f"    sentence {ask.sentence + 1}: {ask.answer}")
            for register in REGISTERS:
                print(f"      {register:8}{asker.write(register, ask, rng)}")
        print()
        shown += 1


if __name__ == "__main__":
    main()
