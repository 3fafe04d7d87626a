"""Metrics and statistics: numbers in, numbers out. numpy and scipy are loaded when a function first needs them."""

from benchproof.measure.apart import interval_apart
from benchproof.measure.bootstrap import BootstrapInterval, cluster_bootstrap, resample_means
from benchproof.measure.chance import chance_normalised, chance_of, normalise_by_chance
from benchproof.measure.choice import (
    CHOICE_RULES,
    Candidate,
    Choice,
    ChoiceRule,
    choice_values,
    choose,
    measure_length,
    pick_first_max,
)
from benchproof.measure.clusters import ClusterBook, connected_components, item_names, number_clusters
from benchproof.measure.errors import MeasureError
from benchproof.measure.flags import s006_near_chance
from benchproof.measure.intervals import Interval, difference_interval, flag_interval, mean_interval, score_interval
from benchproof.measure.multiplicity import bh, holm
from benchproof.measure.onesided import (
    Flips,
    MeanChange,
    grow,
    lower_bound,
    measure_change,
    p_above,
    p_below,
    turn_round,
    upper_bound,
)
from benchproof.measure.paired import (
    Equivalence,
    PairedDifference,
    SignFlip,
    cluster_sign_flip,
    mcnemar_exact,
    mcnemar_mid_p,
    paired_difference,
    tost,
)
from benchproof.measure.paired_score import paired_score
from benchproof.measure.power import Design, design_effect, detectable_difference, items_needed
from benchproof.measure.proportions import clopper_pearson, jeffreys, wilson
from benchproof.measure.quantiles import normal_quantile, student_above, student_quantile
from benchproof.measure.repeats import average_repeats, pass_at_k, pass_hat_k
from benchproof.measure.sandwich import ClusteredError, cr1, cr2, measure_clusters, satterthwaite_df
from benchproof.measure.squad import exact_match_squad, normalise_squad, token_f1_squad

__all__ = [
    "CHOICE_RULES",
    "BootstrapInterval",
    "Candidate",
    "Choice",
    "ChoiceRule",
    "ClusterBook",
    "ClusteredError",
    "Design",
    "Equivalence",
    "Flips",
    "Interval",
    "MeanChange",
    "MeasureError",
    "PairedDifference",
    "SignFlip",
    "average_repeats",
    "bh",
    "chance_normalised",
    "chance_of",
    "choice_values",
    "choose",
    "clopper_pearson",
    "cluster_bootstrap",
    "cluster_sign_flip",
    "connected_components",
    "cr1",
    "cr2",
    "design_effect",
    "detectable_difference",
    "difference_interval",
    "exact_match_squad",
    "flag_interval",
    "grow",
    "holm",
    "interval_apart",
    "item_names",
    "items_needed",
    "jeffreys",
    "lower_bound",
    "mcnemar_exact",
    "mcnemar_mid_p",
    "mean_interval",
    "measure_change",
    "measure_clusters",
    "measure_length",
    "normal_quantile",
    "normalise_by_chance",
    "normalise_squad",
    "number_clusters",
    "p_above",
    "p_below",
    "paired_difference",
    "paired_score",
    "pass_at_k",
    "pass_hat_k",
    "pick_first_max",
    "resample_means",
    "s006_near_chance",
    "satterthwaite_df",
    "score_interval",
    "student_above",
    "student_quantile",
    "token_f1_squad",
    "tost",
    "turn_round",
    "upper_bound",
    "wilson",
]
