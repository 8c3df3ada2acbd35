"""Clinical trials of a drug in a disease."""

# ruff: noqa: E501 (a wording stands on one line)

from ecqg.microcosm.biomed.findings import (
    finding,
    number,
    other,
    pick,
    study,
)

TRIAL = study(
    "trial",
    """
    {drug} in [adults|patients|children] with {disease}: [results of the {trial} trial|the {trial} study|a randomised controlled trial]
    Efficacy and safety of {drug} [for|in] [active|severe|relapsing] {disease}
    [Treating|Controlling] {disease} with {drug}: the {trial} trial
    """,
    """
    Treatment options for {disease} are [limited|unsatisfactory]
    [No therapy|No drug] has been approved for {disease}
    Open-label data [suggested|hinted] that {drug} may [benefit|help] people with {disease}
    """,
    (
        finding(
            "design",
            {"phase": pick("2, 3, 2b, 1b"), "count": number(48, 1900)},
            """
            {trial} was a [randomised, double-blind|multicentre, placebo-controlled] phase {phase} [study|trial] of {drug} in {count} [participants|patients]
            In the phase {phase} trial {trial}, {count} [patients|subjects] with {disease} [were allocated to|received] {drug}
            {trial} [enrolled|recruited] {count} patients with {disease} to [test|evaluate] {drug}
            """,
            {
                "trial": """
                Which clinical trial tested {drug} in {disease}?
                What is the name of the trial of {drug} for {disease}?
                """,
                "drug": """
                Which drug was investigated in the {trial} trial?
                Which drug has been tested for {disease}?
                """,
                "disease": """
                Which disease was treated in the {trial} trial?
                For which indication was {drug} evaluated?
                """,
                "count": "How many people took part in the {trial} trial?",
            },
        ),
        finding(
            "dose",
            {
                "dose": number(5, 900, "{} mg"),
                "times": pick(
                    "once daily, twice daily, once weekly, every four weeks, on alternate days"
                ),
            },
            """
            The active arm [took|received] {dose} {times}
            [Dosing|Titration] started low and was raised to {dose} {times}
            A regimen of {dose} {times} was [given|maintained] throughout
            """,
            {
                "dose": """
                What dose of {drug} was used in {disease}?
                What is the recommended dose of {drug}?
                """,
                "times": "How often is {drug} taken in {disease}?",
            },
        ),
        finding(
            "rival",
            {"rival": other("drug")},
            """
            {rival} served as the active comparator
            [Controls|The comparator arm] received {rival}
            Outcomes were [superior|non-inferior] to those under {rival}
            It was compared [directly|head to head] with {rival}
            """,
            {
                "rival": """
                Which drug was the comparator in the {trial} trial?
                With which drug has {drug} been compared?
                """
            },
        ),
        finding(
            "outcome",
            {
                "outcome": pick(
                    "walking distance, urinary protein, joint count, visual acuity, relapse rate, skin thickness, forced vital capacity, seizure frequency, grip strength"
                ),
                "change": number(8, 71, "{}%"),
            },
            """
            The primary endpoint, {outcome}, [improved|changed favourably] by {change}
            {outcome} was the primary endpoint
            By week 24, {outcome} had [improved|shifted] by {change}
            A [gain|benefit] of {change} in {outcome} was [recorded|observed]
            """,
            {
                "outcome": """
                What was the primary endpoint of {trial}?
                Which outcome is improved by {drug} in {disease}?
                """,
                "change": "By what percentage did {outcome} improve in {trial}?",
            },
        ),
        finding(
            "harm",
            {
                "harm": pick(
                    "peripheral oedema, nasopharyngitis, transient neutropenia, pruritus, hypokalaemia, dysgeusia, vivid dreams, tendon pain, photosensitivity, epistaxis, raised transaminases"
                ),
                "share": number(3, 44, "{}%"),
            },
            """
            The most [frequent|common] adverse event was {harm}, in {share}
            {harm} occurred in {share} of the active arm
            Tolerability was limited by {harm}
            {share} of those treated [reported|developed] {harm}
            """,
            {
                "harm": """
                What is the most common side effect of {drug}?
                Which adverse event limits the use of {drug}?
                """,
                "share": "How frequent is {harm} under {drug}?",
            },
        ),
        finding(
            "marker",
            {"marker": other("gene")},
            """
            Response was predicted by serum {marker}
            Patients with high baseline {marker} [benefited most|responded best]
            {marker} was the only biomarker associated with response
            Levels of {marker} fell in parallel with symptoms
            """,
            {
                "marker": """
                Which biomarker predicts the response to {drug}?
                Which serum protein forecasts benefit from {drug} in {disease}?
                """
            },
        ),
        finding(
            "stop",
            {"stopped": number(2, 31), "months": number(6, 60, "{} months")},
            """
            Over {months}, {stopped} [participants|patients] discontinued
            {stopped} patients [withdrew|stopped early][| during {months}]
            Follow-up lasted {months}[|, with {stopped} withdrawals]
            """,
            {
                "months": "How long was the follow-up in {trial}?",
                "stopped": "How many patients discontinued in {trial}?",
            },
        ),
    ),
    """
    {drug} was [effective|efficacious] and [acceptably safe|well tolerated]
    [Longer|Larger] trials are [warranted|needed]
    These findings [support|favour] {drug} as a treatment option
    """,
)
