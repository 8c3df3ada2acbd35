"""Series of patients with a disease."""

# ruff: noqa: E501 (a wording stands on one line)

from ecqg.microcosm.biomed.findings import (
    finding,
    number,
    other,
    physician,
    pick,
    study,
)

CLINIC = study(
    "clinic",
    """
    [Clinical features|Natural history|Epidemiology] of {disease}: [a nationwide cohort|a retrospective study|a registry analysis]
    {disease}: [presentation, diagnosis and outcome|lessons from a cohort]
    [Long-term outcome|Diagnostic delay] in {disease}
    """,
    """
    {disease} is [under-recognised|often overlooked|easily missed] in [general practice|primary care]
    Data on the [course|burden] of {disease} are [scarce|conflicting]
    [Early recognition|Timely diagnosis] of {disease} is [difficult|essential]
    """,
    (
        finding(
            "history",
            {"who": physician, "year": number(1871, 1989)},
            """
            The [entity|condition], first described by {who} in {year}, was studied in a national register
            Since the [report|description] by {who} in {year}, few series of {disease} have been published
            {who} had [delineated|described] {disease} in {year}
            Our series confirms what {who} observed in {year}
            """,
            {
                "who": """
                Who first described {disease}?
                By whom was {disease} first reported?
                """,
                "year": "When was {disease} first described?",
            },
        ),
        finding(
            "prevalence",
            {"rate": number(11, 990, "{} per million")},
            """
            [Point prevalence|Prevalence] was [estimated at|close to] {rate}
            We [found|estimated] {rate} to be affected
            {rate} of the population [had the diagnosis|were affected]
            """,
            {
                "rate": """
                What is the prevalence of {disease}?
                How common is {disease}?
                How many people have {disease}?
                """
            },
        ),
        finding(
            "first-sign",
            {
                "sign": pick(
                    "intermittent diplopia, painless haematuria, morning stiffness, syncope on exertion, livid nodules, hoarseness, nocturnal cough, foot drop, taste loss, recurrent fever, gingival swelling"
                ),
                "age": number(2, 71, "{} years"),
            },
            """
            {sign} was the [presenting|initial] complaint at a median age of {age}
            Most [patients|cases] [came to notice|presented] with {sign}
            Onset, at a median of {age}, was [heralded|marked] by {sign}
            [Typically|As a rule], {sign} [preceded|announced] all other signs
            """,
            {
                "sign": """
                What is the first symptom of {disease}?
                With which sign does {disease} usually present?
                """,
                "age": "At what age does {disease} begin?",
            },
        ),
        finding(
            "antibody",
            {"antigen": other("gene"), "share": number(22, 96, "{}%")},
            """
            Autoantibodies against {antigen} were [present|detectable] in {share}
            {share} were seropositive for anti-{antigen}
            Serology [revealed|showed] antibodies to {antigen}
            Anti-{antigen} titres [mirrored|tracked] disease activity
            """,
            {
                "antigen": """
                Which autoantibodies are found in {disease}?
                What is the target of autoantibodies in {disease}?
                """,
                "share": "What share of patients with {disease} are seropositive?",
            },
        ),
        finding(
            "organ",
            {
                "organ": pick(
                    "pancreas, spleen, optic nerve, aortic root, larynx, bladder, dura mater, pericardium, parathyroid glands, lacrimal glands, diaphragm"
                ),
                "cases": number(31, 940),
            },
            """
            Among {cases} [patients|records], the {organ} was [involved|affected] most [often|severely]
            Imaging of {cases} patients showed [damage|lesions] of the {organ}
            The {organ} [bore the brunt of|was the main site of] the disease
            """,
            {
                "organ": """
                Which organ is mainly affected by {disease}?
                Where are the lesions of {disease} found?
                """,
                "cases": "How many patients with {disease} were imaged?",
            },
        ),
        finding(
            "mistaken",
            {"mistaken": other("disease"), "delay": number(5, 88, "{} months")},
            """
            Misdiagnosis as {mistaken} [was common|delayed care by {delay}]
            {delay} [passed|elapsed] before the diagnosis, often under the label of {mistaken}
            {mistaken} was the [main|chief] differential diagnosis
            Many had been [treated|followed] for {mistaken}
            """,
            {
                "mistaken": """
                With which disease is {disease} often confused?
                What is the main differential diagnosis of {disease}?
                """,
                "delay": "How long is the diagnostic delay in {disease}?",
            },
        ),
        finding(
            "care",
            {"care": other("drug"), "survival": number(51, 98, "{}%")},
            """
            Under {care}, ten-year survival was {survival}
            [Remission|Relief] was [achieved|obtained] with {care}
            {care} [halted|slowed] progression[|; {survival} survived ten years]
            First-line treatment [was|consisted of] {care}
            """,
            {
                "care": """
                What is the first-line treatment of {disease}?
                Which drug slows the progression of {disease}?
                Which medication is given for {disease}?
                """,
                "survival": "What is the ten-year survival in {disease}?",
            },
        ),
    ),
    """
    [Awareness|Clinical suspicion] should be raised among [internists|general practitioners]
    [Registry data|Prospective data] are needed to [guide care|refine prognosis]
    Early referral [may|might] [improve|alter] the outcome of {disease}
    """,
)
