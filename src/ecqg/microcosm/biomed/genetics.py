"""Studies of what the mutations of a gene cause."""

# ruff: noqa: E501 (a wording stands on one line)

from ecqg.microcosm.biomed.findings import (
    band,
    finding,
    number,
    other,
    pick,
    study,
    variant,
)

GENETICS = study(
    "genetics",
    """
    [Germline|Biallelic|Loss-of-function] [mutations|variants] in {gene} [underlie|cause|in families with] {disease}
    {gene} [mutations|deficiency] in {disease}: [clinical and molecular findings|a family study|genotype and phenotype]
    Exome sequencing [identifies|implicates] {gene} in {disease}
    """,
    """
    The molecular basis of {disease} has [long been elusive|remained unclear|only partly been resolved]
    {disease} is a [rare|disabling|genetically heterogeneous] disorder whose [pathogenesis|genetic cause] is [poorly understood|disputed]
    [Families|Kindreds] with {disease} [offer a chance to find|may point to] new pathways of tissue homeostasis
    """,
    (
        finding(
            "cause",
            {"exons": number(3, 41)},
            """
            [Whole-exome|Targeted] sequencing [revealed|uncovered] pathogenic variants of {gene} in [all|most] probands with {disease}
            We [show|report] that {disease} [results from|is due to] mutations in {gene}, a gene of {exons} exons
            [Segregation|Linkage] analysis established {gene} as the [causal|disease] gene of {disease}
            Loss of {gene} [proved to underlie|was found to be the cause of] {disease}
            """,
            {
                "gene": """
                Which gene is mutated in {disease}?
                Mutations in which gene cause {disease}?
                Which gene is responsible for {disease}?
                What is the genetic defect behind {disease}?
                """,
                "disease": """
                Which disease is caused by mutations in {gene}?
                Which disorder is associated with {gene} deficiency?
                """,
                "exons": "How many exons does {gene} have?",
            },
        ),
        finding(
            "inheritance",
            {
                "mode": pick(
                    "autosomal dominant, autosomal recessive, X-linked recessive, X-linked dominant, mitochondrial"
                ),
                "families": number(4, 38),
            },
            """
            Pedigrees of {families} [kindreds|families] were consistent with {mode} [inheritance|transmission]
            Transmission was {mode} in [all|each of the] {families} families
            Throughout the {families} pedigrees, the pattern was {mode}
            In {families} families the trait segregated in {mode} fashion
            """,
            {
                "mode": """
                What is the mode of inheritance of {disease}?
                How is {disease} inherited?
                """,
                "families": "How many families with {disease} were examined for {gene}?",
            },
        ),
        finding(
            "locus",
            {"locus": band, "lod": number(31, 98, scale=10)},
            """
            The critical interval [mapped to|was narrowed to] {locus}, with a maximum LOD score of {lod}
            Genome-wide scans placed {gene} at {locus}
            {gene} resides on {locus}[|, next to a recombination hot spot]
            A LOD score of {lod} was [reached|obtained] for markers at {locus}
            """,
            {
                "locus": """
                Where is {gene} located in the genome?
                To which chromosomal band does {gene} map?
                Which locus is linked to {disease}?
                """,
                "lod": "Which LOD score linked {disease} to {locus}?",
            },
        ),
        finding(
            "variant",
            {"variant": variant, "share": number(11, 74, "{}%")},
            """
            The missense change {variant} accounted for {share} of [mutant|affected] alleles
            {variant} was the most [frequent|common] substitution
            A founder effect explained the [high frequency|recurrence] of {variant}
            [Of the alleles|Among carriers], {share} had {variant}
            """,
            {
                "variant": """
                Which is the most common {gene} mutation in {disease}?
                Which founder mutation of {gene} is known?
                """,
                "share": "What percentage of {gene} alleles in {disease} carry {variant}?",
            },
        ),
        finding(
            "model",
            {
                "animal": pick(
                    "knock-out mice, zebrafish morphants, null rats, mutant flies, conditional knock-in mice, transgenic worms"
                ),
                "sign": pick(
                    "cerebellar ataxia, retinal thinning, delayed ossification, infertility, polyuria, patchy alopecia, cardiac dilatation, hyperphagia, tubular vacuolation"
                ),
            },
            """
            {animal} lacking {gene} [displayed|developed] {sign}
            In {animal}, ablation of {gene} led to {sign}
            {sign} was the [leading|earliest] abnormality of {gene}-deficient {animal}
            The phenotype was [reproduced|recapitulated] in {animal}, which showed {sign}
            """,
            {
                "sign": """
                Which phenotype results from {gene} ablation in {animal}?
                What abnormality is seen in animals without {gene}?
                """,
                "animal": "Which animal model was used to study {gene} and {disease}?",
            },
        ),
        finding(
            "modifier",
            {"modifier": other("gene"), "years": number(3, 14, "{} years")},
            """
            A polymorphism of {modifier} [delayed|shifted] onset by {years}
            {modifier} acted as a genetic modifier
            Severity was [modulated|influenced] by {modifier} [genotype|dosage]
            Carriers of a rare {modifier} haplotype fell ill {years} later
            """,
            {
                "modifier": """
                Which gene modifies the severity of {disease}?
                Which genetic modifier of {disease} is known?
                """,
                "years": "By how many years does {modifier} shift the onset of {disease}?",
            },
        ),
        finding(
            "role",
            {
                "role": pick(
                    "a lysosomal chloride transporter, a mitochondrial chaperone, a scaffold of the nuclear pore, a ciliary motor subunit, a peroxisomal hydrolase, a gap-junction protein, an RNA helicase, a zinc-dependent protease"
                )
            },
            """
            {gene} encodes {role}
            The product of {gene} is {role}
            Sequence homology suggested that {gene} is {role}
            Its product [belongs to|resembles] a conserved family and acts as {role}
            """,
            {
                "role": """
                What does the {gene} gene encode?
                What is the function of the {gene} protein?
                What kind of protein is the product of {gene}?
                """
            },
        ),
    ),
    """
    These [data|results] extend the mutational spectrum and [allow genetic counselling|inform diagnostic testing]
    We conclude that {gene} should be [included in diagnostic panels|screened in unexplained cases]
    Our findings [open a way to carrier testing|call for functional assays of rare alleles]
    """,
)
