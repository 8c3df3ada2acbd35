"""Preclinical studies of a compound."""

# ruff: noqa: E501 (a wording stands on one line)

from ecqg.microcosm.biomed.findings import (
    cell_line,
    enzyme,
    finding,
    number,
    organism,
    other,
    pick,
    study,
)

PHARMACOLOGY = study(
    "pharmacology",
    """
    [Discovery|Preclinical profile|Characterisation] of {drug}, a [potent|selective] inhibitor of {gene}
    {drug} [suppresses|blocks] {gene} [in vitro and in vivo|signalling]
    [Pharmacology|Pharmacokinetics] of the {gene} [inhibitor|antagonist] {drug}
    """,
    """
    Small molecules that [reach|bind] {gene} [are lacking|have been sought for years]
    {gene} is an [attractive|unexploited] drug target
    [Aberrant|Excessive] activity of {gene} [drives|contributes to] tissue damage
    """,
    (
        finding(
            "target",
            {"constant": number(2, 480, "{} nM")},
            """
            {drug} [potently inhibited|bound and blocked] {gene}, with an IC50 of {constant}
            We identified {drug} as an [allosteric|competitive] inhibitor of {gene}
            {drug} abolished {gene} activity (IC50 {constant})
            The [primary|principal] target of {drug} [proved to be|was] {gene}
            """,
            {
                "gene": """
                What is the molecular target of {drug}?
                Which protein is inhibited by {drug}?
                What is the mechanism of action of {drug}?
                """,
                "drug": """
                Which drug inhibits {gene}?
                Which compound is an antagonist of {gene}?
                """,
                "constant": "What is the IC50 of {drug}?",
            },
        ),
        finding(
            "life",
            {"hours": number(2, 96, "{} hours"), "share": number(9, 93, "{}%")},
            """
            Its plasma half-life was {hours}[|, with an oral bioavailability of {share}]
            [After a single dose|In healthy volunteers], it was eliminated with a half-life of {hours}
            Bioavailability [reached|averaged] {share}[| and the half-life {hours}]
            """,
            {
                "hours": """
                What is the half-life of {drug}?
                How long does {drug} remain in plasma?
                """,
                "share": "What is the oral bioavailability of {drug}?",
            },
        ),
        finding(
            "enzyme",
            {"enzyme": enzyme},
            """
            Hepatic clearance was [mediated|governed] by {enzyme}
            [Microsomal|In vitro] studies showed [oxidation|degradation] by {enzyme}
            {enzyme} [inactivated|converted] the compound
            Poor metabolisers of {enzyme} had higher exposure
            """,
            {
                "enzyme": """
                Which enzyme metabolises {drug}?
                Which enzyme is responsible for the breakdown of {drug}?
                By which enzyme is {drug} cleared?
                """
            },
        ),
        finding(
            "cells",
            {
                "cells": cell_line,
                "process": pick(
                    "colony formation, lamellipodia, histamine release, cholesterol efflux, tube formation, glucose uptake, exocytosis, viral entry, collagen synthesis"
                ),
            },
            """
            In {cells} cells, it [abrogated|diminished] {process}
            {process} was [halved|lost] in {cells} cells
            {cells} cells [exposed to it|under treatment] showed no {process}
            Treatment of {cells} cells led to a [dose-dependent|sharp] fall of {process}
            """,
            {
                "cells": """
                In which cell line was {drug} tested?
                Which cells lose {process} under {drug}?
                """,
                "process": """
                Which process is suppressed by {drug} in {cells} cells?
                Which cellular activity does {drug} reduce?
                """,
            },
        ),
        finding(
            "origin",
            {"source": organism},
            """
            The scaffold [derives from|was first isolated from] {source}
            It is a synthetic analogue of a metabolite of {source}
            Extracts of {source} [provided|yielded] the lead structure
            {source} is the natural source of the lead compound
            """,
            {
                "source": """
                From which organism was {drug} derived?
                Which organism is the natural source of {drug}?
                """
            },
        ),
        finding(
            "off-target",
            {"second": other("gene")},
            """
            At higher concentrations, {second} was inhibited as well
            [Profiling|Screening] of a large panel found {second} as the only off-target
            Cross-reactivity was [limited|confined] to {second}
            {second} was the only other protein affected
            """,
            {
                "second": """
                What is the off-target of {drug}?
                Which other protein does {drug} affect at high concentrations?
                """
            },
        ),
        finding(
            "resistance",
            {"escape": other("gene"), "weeks": number(5, 40, "{} weeks")},
            """
            Resistance emerged after {weeks} through amplification of {escape}
            Upregulation of {escape} [conferred|explained] resistance
            Clones that escaped after {weeks} [overexpressed|had gained copies of] {escape}
            """,
            {
                "escape": """
                Amplification of which gene confers resistance to {drug}?
                Which protein mediates resistance to {drug}?
                """,
                "weeks": "After how many weeks does resistance to {drug} appear?",
            },
        ),
    ),
    """
    {drug} is a [useful probe|candidate for clinical development]
    These properties [support|justify] first-in-human studies
    Our work [validates|establishes] {gene} as a tractable target
    """,
)
