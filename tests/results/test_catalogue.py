from benchproof.results import describe_flag, find_direction, find_tolerance, list_hard_keys, load_catalogue
from benchproof.results.catalogue import order_keys

DOCUMENT_KEYS = {
    "shots", "prompt", "cot", "decoding", "pass_at", "tools", "scaffold", "compute", "split", "quantization",
    "model_variant", "harness",
}  # fmt: skip


def test_every_setting_key_has_one_row_and_a_description() -> None:
    names = [key.name for key in load_catalogue().settings]
    assert len(names) == len(set(names))
    assert all(key.description.endswith(".") for key in load_catalogue().settings)


def test_the_documents_keys_are_all_there() -> None:
    assert {key.name for key in load_catalogue().settings} >= DOCUMENT_KEYS


def test_any_number_is_compared_by_shots_prompt_cot_split_and_variant() -> None:
    assert list_hard_keys("choice-accuracy.byte", sealed=False) == ("shots", "prompt", "cot", "split", "model_variant")


def test_sealed_runs_are_compared_by_items_and_chat_template_too() -> None:
    assert list_hard_keys("choice-accuracy.byte", sealed=True)[-3:] == ("items", "data", "chat_template")


def test_decoding_decides_where_answers_are_generated() -> None:
    assert "decoding" in list_hard_keys("exact-match.squad-v1.1", sealed=True)
    assert "decoding" not in list_hard_keys("choice-accuracy.byte", sealed=True)


def test_pass_at_decides_for_pass_at_k_alone() -> None:
    assert "pass_at" in list_hard_keys("pass-at-5", sealed=False)
    assert "pass_at" not in list_hard_keys("exact-match.squad-v1.1", sealed=True)


def test_a_benchmark_version_may_declare_more_keys_hard() -> None:
    assert "quantization" in list_hard_keys("choice-accuracy.byte", sealed=True, applies={"quantization"})


def test_keys_that_the_catalogue_does_not_know_come_last() -> None:
    assert order_keys({"zeta", "alpha", "prompt", "shots"}) == ["shots", "prompt", "alpha", "zeta"]


def test_a_metric_without_a_row_has_no_direction() -> None:
    assert find_direction("vibes") == "unknown"
    assert find_direction("choice-accuracy.byte") == "higher"


def test_a_flag_says_what_it_means() -> None:
    assert describe_flag("low_ci") == "half-width > 5 points or fewer than 10 clusters"
    assert describe_flag("unheard-of") == "unheard-of"


def test_the_tolerance_of_accuracies_is_one_point() -> None:
    """Clause: "the metric's tolerance (default 1 point of percentage)"."""
    assert find_tolerance("choice-accuracy.byte") == 0.01
    assert find_tolerance("vibes") is None
