"""Facts about other people that any thing but a person may have; all are told late in an article.

Their base year is the attribute `since`.
"""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.draws import Number, Person, Year, thing
from ecqg.microcosm.facts import fact

HISTORY = fact(
    "history",
    {
        "when": Year("since", 30, 120, floor=1780),
        "scholar": Person("historian", near="when"),
        "pages": Number(180, 890),
    },
    """
    A history of {S} by {scholar} [appeared|was published|came out] in {when}
    [The standard|The only detailed|The first] account is that of {scholar}, [published|printed] in {when}
    In {when} {scholar} published a book of {pages} pages about {S}
    {scholar} told the [whole|long] story in a book of {pages} pages
    {S} is the subject of a book that {scholar} [wrote|published] in {when}
    Much of what is known goes back to {scholar}, whose account was printed in {when}
    """,
    {
        "scholar": """
        t: who wrote a history of {S}
        t: who wrote the book about {S}
        t: which historian wrote about {S}
        t: who published an account of {S} in {when}
        h: whose account of {S} came out in {when}
        h: which scholar told the story of {S}
        w: {S} history book author
        w: {S} historian
        c: Which historian published an account of {D}?
        c: Who is the author of a book about {D}?
        """,
        "when": """
        t: when did {scholar} write about {S}
        t: when was the book by {scholar} about {S} published
        t: what year did the history of {S} by {scholar} come out
        h: in which year did {scholar} tell the story of {S}
        w: {scholar} {S} book year
        c: In which year did {scholar} publish an account of {D}?
        """,
        "pages": """
        t: how many pages does the book by {scholar} about {S} have
        t: how long is the book about {S} by {scholar}
        h: what is the length of the account that {scholar} gave of {S}
        w: {S} {scholar} book pages
        c: How many pages has the account that {scholar} gave of {D}?
        """,
    },
    "was described in a book by {scholar}",
    "late",
)

POEM = fact(
    "poem",
    {
        "poet": Person("poet"),
        "verses": Number(24, 480, 4),
        "mood": thing(
            "comic poem, long ballad, bitter satire, short sonnet, hymn, children's rhyme"
        ),
    },
    """
    {poet} [wrote|composed] a {mood} about {S}
    {S} is the subject of a {mood} by {poet}
    A {mood} of {verses} lines by {poet} [made {S} known abroad|was once learned by heart at school]
    {poet}, [far away at the time|then still unknown], devoted a {mood} of {verses} lines to it
    There is a {mood} on the subject by {poet}
    """,
    {
        "poet": """
        t: who wrote a poem about {S}
        t: who wrote a {mood} about {S}
        t: which poet wrote about {S}
        t: {S} is the subject of a {mood} by who
        h: whose verses are about {S}
        h: by whom is the {mood} on {S}
        w: {S} poem author
        w: {S} {mood}
        c: Which poet wrote a {mood} about {D}?
        c: Whose verses describe {D}?
        """,
        "mood": """
        t: what did {poet} write about {S}
        t: what kind of poem did {poet} write about {S}
        t: which work by {poet} is about {S}
        h: what sort of verses did {poet} devote to {S}
        w: {poet} {S} poem
        c: What kind of poem did {poet} write about {D}?
        """,
        "verses": """
        t: how many lines does the {mood} by {poet} about {S} have
        t: how long is the {mood} about {S}
        h: what is the number of lines that {poet} devoted to {S}
        w: {S} {mood} lines
        c: How many lines has the {mood} that {poet} wrote about {D}?
        """,
    },
    "was praised in verse by {poet}",
    "late",
)

FILMED = fact(
    "documentary",
    {
        "shot": Year("since", 30, 90, floor=1910),
        "director": Person("film director"),
        "minutes": Number(20, 140, 5),
    },
    """
    {director} made a film about {S} in {shot}
    A documentary by {director}, shot in {shot}, [is shown to visitors|runs for {minutes} minutes]
    In {shot} the director {director} devoted a film of {minutes} minutes to {S}
    {S} was the subject of a [short|quiet|much praised] film by {director}[| in {shot}]
    The film that {director} made about it [won a prize|was banned for a time|runs for {minutes} minutes]
    """,
    {
        "director": """
        t: who made a film about {S}
        t: who directed the documentary about {S}
        t: which director made a film about {S}
        t: who shot the film on {S} in {shot}
        h: who put the story of {S} on the screen
        h: which film maker was interested in {S}
        w: {S} documentary director
        w: {S} film
        c: Which director devoted a film to {D}?
        c: Who made a documentary about {D}?
        """,
        "shot": """
        t: when did {director} make a film about {S}
        t: when was the documentary about {S} made
        t: what year did {director} film {S}
        h: in which year did {director} bring {S} to the screen
        w: {director} {S} film year
        c: In which year did {director} devote a film to {D}?
        """,
        "minutes": """
        t: how long is the film by {director} about {S}
        t: how many minutes is the documentary about {S}
        h: what is the running time of the film that {director} made about {S}
        w: {S} documentary minutes
        c: How many minutes long is the film that {director} made about {D}?
        """,
    },
    "was shown in a film by {director}",
    "late",
)

JUBILEE = fact(
    "jubilee",
    {
        "held": Year("since", 25, 110),
        "guest": Person(near="held"),
        "gift": thing(
            "silver cup, carved chair, bronze bell, painted screen, marble bust, gold chain, oak chest, flag"
        ),
    },
    """
    At the [jubilee|celebrations|anniversary] of {held}, the speech was given by {guest}
    {guest} gave the speech at the [jubilee|anniversary] of {held} and [brought|presented] a {gift}
    A {gift}, [presented by|the gift of] {guest}, recalls the [jubilee|anniversary] of {held}
    {guest} was the guest of honour at the jubilee of {held}
    When the jubilee was held in {held}, {guest} presented a {gift}
    """,
    {
        "guest": """
        t: who gave the speech at the jubilee of {S}
        t: who was the guest of honour at the jubilee of {S} in {held}
        t: who presented a {gift} at the anniversary of {S}
        t: who spoke at the {held} celebrations of {S}
        h: whose {gift} recalls the jubilee of {S}
        h: which speaker was invited to the anniversary of {S}
        w: {S} jubilee guest
        w: {S} anniversary speaker
        c: Who was the guest of honour at the jubilee of {D}?
        c: Who gave the speech at the jubilee of {D} in {held}?
        """,
        "gift": """
        t: what did {guest} present to {S}
        t: what did {guest} bring to the jubilee of {S}
        t: what was the gift of {guest} to {S}
        h: which object recalls that {guest} came to {S}
        w: {S} {guest} gift
        c: What did {guest} present at the jubilee of {D}?
        """,
        "held": """
        t: when did {guest} give a speech at the jubilee of {S}
        t: when was the jubilee of {S}
        t: what year was {guest} the guest of {S}
        h: in which year did {S} celebrate with {guest}
        w: {S} jubilee year
        c: In which year was {guest} the guest of honour at the jubilee of {D}?
        """,
    },
    "had {guest} as the guest of honour at its jubilee",
    "late",
)

LAWSUIT = fact(
    "lawsuit",
    {
        "ruled": Year("since", 10, 90),
        "judge": Person("jurist", near="ruled"),
        "matter": thing(
            "a boundary, unpaid taxes, a will, water rights, the name, a forged contract, noise, fishing rights"
        ),
    },
    """
    A [long|bitter|costly] lawsuit over {matter} was decided by {judge} in {ruled}
    In {ruled} {judge} [settled|ended] a quarrel over {matter}
    The quarrel over {matter} ended only when {judge} gave judgment in {ruled}
    {judge} [ruled|gave judgment] in the lawsuit over {matter}
    {S} [was involved in|became known through] a lawsuit over {matter}, which {judge} decided in {ruled}
    """,
    {
        "judge": """
        t: who was the judge in the lawsuit over {S}
        t: who decided the lawsuit about {matter} at {S}
        t: which judge ruled on {S} in {ruled}
        h: who gave judgment in the quarrel concerning {S}
        h: which jurist ended the dispute about {S}
        w: {S} lawsuit judge
        c: Who decided the lawsuit in which {D} was involved?
        c: Which jurist gave judgment on {D} in {ruled}?
        """,
        "matter": """
        t: what was the lawsuit of {S} about
        t: what did {judge} decide about {S}
        t: what was the quarrel over {S} that {judge} settled about
        h: which issue concerning {S} did {judge} rule on
        w: {S} lawsuit about
        c: What was the lawsuit about that {judge} decided for {D}?
        """,
        "ruled": """
        t: when was the lawsuit over {S} decided
        t: when did {judge} settle the quarrel over {S}
        h: in which year did {judge} rule on {S}
        w: {S} lawsuit year
        c: In which year did {judge} give judgment on {D}?
        """,
    },
    "was involved in a lawsuit decided by {judge}",
    "late",
)

VISITOR = fact(
    "visitor",
    {
        "came": Year("since", 8, 80),
        "visitor": Person(near="came"),
        "praise": thing(
            "the light, the food, the silence, the music, the good order, the view, the sea air, the library, the old trees"
        ),
    },
    """
    {visitor}, [who came in {came}|a visitor of {came}], praised {praise}
    In {came} {visitor} [spent a week there|paid a visit] and praised {praise}
    The best-known visitor was {visitor}, who [stayed|came] in {came}
    A letter of {came}, in which {visitor} praises {praise}, [is often quoted|has survived]
    {S} was visited in {came} by {visitor}, who [loved|praised|wrote about] {praise}
    """,
    {
        "visitor": """
        t: who visited {S} in {came}
        t: who praised {praise} at {S}
        t: which famous person came to {S}
        t: who was the best known visitor of {S}
        h: whose letter speaks of {praise} at {S}
        h: which guest came to see {S} in {came}
        w: {S} famous visitor
        c: Who visited {D} in {came}?
        c: Which visitor of {D} praised {praise}?
        """,
        "praise": """
        t: what did {visitor} praise about {S}
        t: what did {visitor} like at {S}
        t: what did {visitor} enjoy at {S}
        h: which quality of {S} impressed {visitor}
        w: {visitor} praised {S}
        c: What did {visitor} praise on a visit to {D}?
        """,
        "came": """
        t: when did {visitor} visit {S}
        t: what year did {visitor} come to {S}
        h: in which year did {S} receive {visitor}
        w: {visitor} {S} visit year
        c: In which year did {visitor} visit {D}?
        """,
    },
    "was visited by {visitor}",
    "late",
)

THEFT = fact(
    "theft",
    {
        "stolen": Year("since", 15, 100, floor=1830),
        "thief": Person(),
        "loot": thing(
            "a gold watch, a violin, a silver plate, a manuscript, a safe, a painting, a map, a clock, a jewelled cross"
        ),
        "finder": Person("physician"),
    },
    """
    In {stolen} {thief} stole {loot}, which was found by {finder}
    {finder} found {loot} that {thief} had stolen in {stolen}
    {loot}, stolen by {thief} in {stolen}, was [recovered|brought back] by {finder}
    {thief} [was caught|went to prison] after the theft of {loot} in {stolen}
    The theft of {loot} by {thief} was [in every newspaper|much talked about] in {stolen}
    """,
    {
        "thief": """
        t: who stole {loot} from {S}
        t: who was the thief in the history of {S}
        t: which thief is connected with {S}
        h: by whom was {loot} taken at the cost of {S}
        h: who went to jail for a theft connected with {S}
        w: {S} thief
        w: {S} theft of {loot}
        c: Who stole {loot} in the history of {D}?
        """,
        "loot": """
        t: what was stolen from {S} in {stolen}
        t: what did {thief} steal from {S}
        t: what was brought back to {S} by {finder}
        h: which object did {thief} take away from {S}
        w: {thief} {S} stole
        c: What did {thief} steal in the history of {D}?
        """,
        "finder": """
        t: who found {loot} that {thief} had stolen from {S}
        t: who found what {thief} stole from {S}
        h: thanks to whom did {loot} come back to {S}
        w: {S} stolen {loot} found by
        c: Who found {loot} that had been stolen in the history of {D}?
        """,
        "stolen": """
        t: when did {thief} steal {loot} from {S}
        t: what year was {loot} stolen from {S}
        h: in which year did {thief} rob {S}
        w: {thief} {S} theft year
        c: In which year did {thief} commit a theft in the history of {D}?
        """,
    },
    "",
    "late",
)

PETITION = fact(
    "petition",
    {
        "year": Year("since", 30, 110),
        "leader": Person(near="year"),
        "names": Number(400, 9800, 100),
    },
    """
    In {year} {leader} [collected|gathered] {names} signatures [to save it|against its sale|for its protection]
    {leader} saved it in {year} with a petition that {names} people had signed
    A petition by {leader}, [signed|supported] by {names} people, [prevented its end|was successful] in {year}
    It was {leader} who [fought for {S}|came to its rescue] in {year} with {names} signatures
    {S} owes much to {leader}, whose petition [was signed by {names} people|of {year} had {names} signatures]
    """,
    {
        "leader": """
        t: who started the petition for {S}
        t: who collected {names} signatures for {S}
        t: who saved {S} in {year}
        t: who was behind the petition to save {S}
        h: who campaigned for {S} with a list of signatures
        h: whose campaign rescued {S}
        w: {S} petition
        w: who saved {S}
        c: Who started a petition for {D}?
        c: Whose petition helped to save {D}?
        """,
        "names": """
        t: how many people signed the petition of {leader} for {S}
        t: how many signatures did {leader} collect for {S}
        t: how many people signed the petition for {S}
        h: what number of supporters did {leader} find for {S}
        w: {S} petition signatures
        c: How many signatures did {leader} collect for {D}?
        """,
        "year": """
        t: when did {leader} save {S}
        t: when was the petition for {S}
        t: what year did {leader} collect signatures for {S}
        h: in which year did {leader} campaign for {S}
        w: {S} petition year
        c: In which year did {leader} collect signatures for {D}?
        """,
    },
    "was saved by a petition of {leader}",
    "late",
)

RENOVATION = fact(
    "renovation",
    {
        "renewed": Year("since", 40, 130),
        "patron": Person(near="renewed"),
        "cost": Number(200, 9500, 50),
    },
    """
    A [thorough|careful] restoration, paid for by {patron}, [cost {cost} crowns|was finished in {renewed}]
    {patron} gave {cost} crowns for the restoration of {renewed}
    In {renewed} {S} was restored [at the expense of|with money from] {patron}
    {S} was restored in {renewed}, and {patron} bore the cost of {cost} crowns
    The restoration of {renewed} was the idea of {patron}
    """,
    {
        "patron": """
        t: who paid for the restoration of {S}
        t: who restored {S} in {renewed}
        t: who gave money to restore {S}
        t: whose idea was the restoration of {S}
        h: at whose expense was {S} put in good repair
        h: which patron helped to renew {S}
        w: {S} restoration paid by
        w: {S} restored by
        c: Who paid for the restoration of {D}?
        c: At whose expense was {D} restored in {renewed}?
        """,
        "cost": """
        t: how much did the restoration of {S} cost
        t: how many crowns did {patron} give for {S}
        t: how much did {patron} pay for {S}
        h: what sum did {patron} spend on {S}
        w: {S} restoration cost
        c: How many crowns did {patron} give for the restoration of {D}?
        """,
        "renewed": """
        t: when was {S} restored
        t: when did {patron} pay for the restoration of {S}
        t: what year was {S} restored by {patron}
        h: in which year was {S} put in good repair
        w: {S} restoration year
        c: In which year was {D} restored?
        """,
    },
    "was restored with money from {patron}",
    "late",
)

NAMESAKE = fact(
    "tribute",
    {
        "named": Year("since", 20, 100),
        "breeder": Person("botanist"),
        "rose": thing(
            "a red rose, a white tulip, an apple, a blue butterfly, a yellow orchid, a plum, a grey moth, a lily"
        ),
    },
    """
    In {named} {breeder} named {rose} after it
    {rose} that {breeder} [bred|found] in {named} bears its name
    {breeder}, [a great admirer|who lived nearby], named {rose} in its honour
    {S} gave its name to {rose}, described by {breeder} in {named}
    {S} lent its name to {rose} that {breeder} had [bred|discovered]
    """,
    {
        "breeder": """
        t: who named {rose} after {S}
        t: which botanist named something after {S}
        t: who bred {rose} named after {S}
        h: who used the name of {S} for {rose}
        h: which naturalist paid a tribute to {S}
        w: {S} {rose} botanist
        c: Who named {rose} after {D}?
        c: Which botanist paid a tribute to {D}?
        """,
        "rose": """
        t: what did {breeder} name after {S}
        t: what is named after {S}
        t: what was named after {S} in {named}
        h: which living thing bears the name of {S}
        w: {S} named after it
        c: What did {breeder} name after {D}?
        """,
        "named": """
        t: when did {breeder} name {rose} after {S}
        t: what year did {rose} get its name from {S}
        h: in which year did {rose} get the name of {S}
        w: {S} {rose} year
        c: In which year did {breeder} name {rose} after {D}?
        """,
    },
    "gave its name to {rose}",
    "late",
)

ABOUT_EVENTS = (HISTORY, POEM, FILMED, JUBILEE, NAMESAKE)
ABOUT_BODIES = (HISTORY, POEM, FILMED, JUBILEE, LAWSUIT, VISITOR, THEFT, PETITION)
