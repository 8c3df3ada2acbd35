"""Sentences on methods, which state nothing that is asked for."""

# ruff: noqa: E501 (a wording stands on one line)

from ecqg.microcosm.facts import lines

METHODS = lines(
    """
    [Samples|Specimens] were [processed|frozen] within [two|four|six] hours of collection, and all [assays|measurements] were run in [duplicate|triplicate] by [investigators|technicians] unaware of group allocation
    [Continuous|Skewed] variables were compared with [the Mann-Whitney test|analysis of variance|mixed-effects models], and P values were adjusted for [multiple testing|the false discovery rate|repeated measures]
    [Informed consent|Ethical approval] was obtained [in every case|at each of the participating centres], and the protocol was [registered in advance|reviewed by an independent board]
    [Missing values|Drop-outs] were handled by [multiple imputation|inverse probability weighting|last observation carried forward], with [sensitivity analyses|complete-case analyses] that gave [similar|consistent] estimates
    [Protein|RNA] was extracted from [homogenised tissue|peripheral blood|cultured fibroblasts] and [quantified|analysed] by [immunoblotting|real-time polymerase chain reaction|liquid chromatography and mass spectrometry]
    [Confidence intervals|Standard errors] were [bootstrapped|computed with robust estimators], and [no interim analysis was planned|a single interim analysis had been planned]
    We [searched|screened] [institutional databases|pathology archives|three biobanks] for [eligible|matching] material and excluded [duplicates|samples of low quality|incomplete records] before [analysis|sequencing|staining]
    [Replication|Validation] was [sought|attempted] in an independent [series|sample] that had been [collected|assembled] with the same [criteria|instruments], and effect sizes were [pooled|combined] under a random-effects model
    [Primary antibodies|Probes] were [validated|titrated] on [positive and negative controls|null tissue], images were [scored|segmented] automatically, and [discordant|ambiguous] readings were settled by consensus
    [Dose-response curves|Time courses] were fitted by [nonlinear regression|least squares], [outliers|saturated signals] being [removed|flagged] according to rules laid down beforehand
    """
)
LEADS = (
    "[Notably|Interestingly|Of note|Importantly], ",
    "[In addition|Moreover|Furthermore], ",
    "[Consistent with this|In line with earlier reports|As expected|Contrary to expectation], ",
)
