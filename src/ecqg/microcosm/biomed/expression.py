"""Studies of where and how a gene is expressed."""

# ruff: noqa: E501 (a wording stands on one line)

from ecqg.microcosm.biomed.findings import (
    finding,
    micro_rna,
    number,
    other,
    pick,
    residue,
    study,
)

EXPRESSION = study(
    "expression",
    """
    [Regulation|Control] of {gene} [expression|transcription] and [turnover|trafficking]
    {gene} [is a novel regulator of|links membrane traffic to] [cell adhesion|autophagy|cell polarity|lipid turnover]
    Structural and [functional|biochemical] [characterisation|analysis] of {gene}
    """,
    """
    {gene} is [conserved from yeast to man|widely conserved], yet its [regulation|physiology] is [unknown|poorly defined]
    [Little is known about|Few studies have addressed] the [regulation|cellular role] of {gene}
    The [mechanisms|signals] that control {gene} are [of broad interest|incompletely understood]
    """,
    (
        finding(
            "tissue",
            {
                "tissue": pick(
                    "renal papilla, choroid plexus, pineal gland, salivary acini, placental villi, adrenal medulla, thymic cortex, synovial lining, olfactory bulb, bone marrow stroma"
                )
            },
            """
            Transcripts of {gene} were most abundant in the {tissue}
            [In situ hybridisation|RNA blotting] [detected|located] {gene} in the {tissue}
            The {tissue} [showed|had] the strongest {gene} signal
            {gene} was [enriched|selectively expressed] in the {tissue}
            """,
            {
                "tissue": """
                In which tissue is {gene} most highly expressed?
                Where is {gene} predominantly expressed?
                Which tissue contains the most {gene} mRNA?
                """
            },
        ),
        finding(
            "factor",
            {"factor": other("gene"), "fold": number(3, 29)},
            """
            [Chromatin immunoprecipitation|Reporter assays] [showed|confirmed] that {factor} binds the promoter
            {factor} raised promoter activity {fold}-fold
            Transcription was [driven|switched on] by {factor}
            Overexpression of {factor} [gave|caused] an induction of {fold}-fold
            """,
            {
                "factor": """
                Which transcription factor regulates {gene}?
                Which protein activates the promoter of {gene}?
                """,
                "fold": "How strongly does {factor} induce {gene}?",
            },
        ),
        finding(
            "silencer",
            {"rna": micro_rna},
            """
            {rna} [repressed|silenced] it through a site in the 3' untranslated region
            Translation was [blocked|reduced] by {rna}
            We identified {rna} as a [direct|potent] post-transcriptional repressor
            An antagomir of {rna} [restored|increased] protein levels
            """,
            {
                "rna": """
                Which microRNA targets {gene}?
                Which miRNA silences {gene}?
                Which non-coding RNA lowers the levels of {gene}?
                """
            },
        ),
        finding(
            "kinase",
            {"kinase": other("gene"), "residue": residue},
            """
            {kinase} phosphorylated it at {residue}
            Phosphorylation at {residue} [required|depended on] {kinase}
            Mass spectrometry found that {residue} is [modified|phosphorylated] by {kinase}
            [Mutation|Replacement] of {residue} abolished the response to {kinase}
            """,
            {
                "kinase": """
                Which kinase phosphorylates {gene}?
                Which enzyme modifies {gene} at {residue}?
                """,
                "residue": """
                At which residue is {gene} phosphorylated?
                Which amino acid of {gene} is phosphorylated by {kinase}?
                """,
            },
        ),
        finding(
            "place",
            {
                "place": pick(
                    "the inner mitochondrial membrane, the trans-Golgi network, recycling endosomes, the primary cilium, nuclear speckles, focal adhesions, lipid droplets, the sarcoplasmic reticulum, stress granules"
                )
            },
            """
            Immunofluorescence [localised|assigned] the protein to {place}
            The protein [accumulated|resided] in {place}
            {place} contained most of the tagged protein
            On fractionation, {gene} [co-migrated with|was recovered from] {place}
            """,
            {
                "place": """
                What is the subcellular localisation of {gene}?
                In which compartment of the cell is {gene} found?
                Where in the cell does {gene} reside?
                """
            },
        ),
        finding(
            "partner",
            {"partner": other("gene")},
            """
            [Yeast two-hybrid screens|Pull-down assays] [identified|yielded] {partner} as an interactor
            {gene} formed a [stable|transient] complex with {partner}
            {partner} [co-precipitated|was recovered] with {gene}
            Binding to {partner} [required|depended on] an intact coiled-coil domain
            """,
            {
                "partner": """
                Which protein interacts with {gene}?
                What is the binding partner of {gene}?
                With which protein does {gene} form a complex?
                """
            },
        ),
        finding(
            "structure",
            {"resolution": number(14, 39, scale=10), "domains": number(2, 11)},
            """
            The crystal structure, [solved|determined] at {resolution} angstroms, showed {domains} [tandem|repeated] domains
            Cryo-electron microscopy gave a map at {resolution} angstroms
            {domains} [tandem|compact] domains were resolved at {resolution} angstroms
            """,
            {
                "resolution": "At what resolution was the structure of {gene} solved?",
                "domains": "How many domains does the structure of {gene} show?",
            },
        ),
    ),
    """
    [Together|Collectively], these data [define|suggest] a [regulatory circuit|feedback loop] around {gene}
    Thus {gene} [integrates|couples] [metabolic and mechanical cues|stress signals]
    We propose that {gene} is a [node|checkpoint] of cellular homeostasis
    """,
)
