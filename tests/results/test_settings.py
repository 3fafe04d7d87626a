import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.records.bench import ResolvedAxis
from benchproof.results import SettingError, setting_of
from benchproof.results.settings import complete_setting, digest_prompt
from results.samples import make_axis, make_axis_of_run, make_control, make_manifest, make_model, make_short_answer_axis


def find_setting(axis: ResolvedAxis, **changes: str) -> dict[str, object]:
    return setting_of(axis, make_model(), selection="all", harness_version="0.1.0")


def test_a_choice_axis_has_the_ten_keys_of_the_format() -> None:
    setting = find_setting(make_axis())
    prompt = str(setting.pop("prompt"))
    assert setting == {
        "shots": 0,
        "cot": "none",
        "decoding": "likelihood",
        "split": "test",
        "model_variant": "instruct",
        "chat_template": "none",
        "items": "all",
        "quantization": "F16 from Q4_1",
        "harness": "benchproof@0.1.0",
    }
    assert prompt.startswith("custom:")
    assert len(prompt) == len("custom:") + 12


def test_the_prompt_digest_never_changes_for_the_same_axis() -> None:
    assert digest_prompt(make_axis()) == "custom:5ea201171446"


def test_shots_count_the_demonstrations() -> None:
    assert find_setting(make_short_answer_axis())["shots"] == 3


SHAPES = {
    "the template": {"prompt_template": "Q: {question}\nA:"},
    "a demonstration's text": {
        "demonstrations": [{"input": {"question": f"{n} + {n}?"}, "answer": str(2 * n)} for n in (1, 2, 4)]
    },
    "the order of demonstrations": {
        "demonstrations": [{"input": {"question": f"{n} + {n}?"}, "answer": str(2 * n)} for n in (3, 2, 1)]
    },
    "the separator": {"harness": {"version": "0.1.0", "task_config": {"demonstration_separator": "\n"}}},
    "the prefix": {"scoring": {**make_axis()["scoring"], "candidate_prefix": ""}},
    "the suffix": {"scoring": {**make_axis()["scoring"], "candidate_suffix": "."}},
}


@pytest.mark.parametrize("changes", SHAPES.values(), ids=SHAPES.keys())
def test_whatever_shapes_the_prompt_changes_its_digest(changes: dict[str, object]) -> None:
    assert digest_prompt(make_short_answer_axis(**changes)) != digest_prompt(make_short_answer_axis())


def test_what_does_not_shape_the_prompt_leaves_its_digest() -> None:
    other = make_short_answer_axis(metric="exact-match.none", language="ms", task="another")
    assert digest_prompt(other) == digest_prompt(make_short_answer_axis())


@given(st.lists(st.integers(0, 9), min_size=2, max_size=5, unique=True))
def test_two_orders_of_demonstrations_are_two_prompts(answers: list[int]) -> None:
    demonstrations = [{"input": {"question": "?"}, "answer": str(answer)} for answer in answers]
    turned = list(reversed(demonstrations))
    assert digest_prompt(make_short_answer_axis(demonstrations=demonstrations)) != digest_prompt(
        make_short_answer_axis(demonstrations=turned)
    )


def test_generated_answers_are_greedy_at_temperature_zero() -> None:
    assert find_setting(make_short_answer_axis())["decoding"] == "greedy"


def test_generated_answers_above_temperature_zero_are_sampling() -> None:
    generation = {"max_new_tokens": 12, "stop": ["\n"], "temperature": 0.7}
    assert find_setting(make_short_answer_axis(generation=generation))["decoding"] == "sampling t=0.7"


def test_a_short_answer_axis_without_generation_is_refused_by_name() -> None:
    axis = make_short_answer_axis()
    del axis["generation"]
    with pytest.raises(SettingError, match=r"facts\.en: a short-answer axis does not say how answers are generated"):
        find_setting(axis)


def test_auto_sends_prompts_raw() -> None:
    assert find_setting(make_short_answer_axis(chat_template="auto"))["chat_template"] == "none"


def test_always_records_the_template_that_was_applied() -> None:
    assert find_setting(make_short_answer_axis(chat_template="always"))["chat_template"] == "c" * 64


def test_a_choice_axis_stays_raw_whatever_was_asked_for() -> None:
    assert find_setting(make_axis(chat_template="always"))["chat_template"] == "none"


def test_a_selection_carries_the_digest_of_its_items_where_it_is_known() -> None:
    setting = setting_of(
        make_axis(), make_model(), selection="sample@20/0", harness_version="0.1.0", items_digest="d" * 64
    )
    assert setting["items"] == "sample@20/0#dddddddddddd"


def test_all_items_need_no_digest() -> None:
    setting = setting_of(make_axis(), make_model(), selection="all", harness_version="0.1.0", items_digest="d" * 64)
    assert setting["items"] == "all"


def test_the_setting_of_a_sealed_axis_says_how_it_was_batched_and_by_what() -> None:
    batching = {
        "method": "exact",
        "logits_rows": "scored",
        "decode_last_token": True,
        "n_ubatch": 512,
        "kv_type": "f16",
        "flash_attention": False,
        "threads": 1,
    }
    setting = complete_setting(make_axis_of_run(batching=batching), make_manifest())
    assert (setting["batching"], setting["runtime"]) == ("exact", "ik-llama-cpp-python 0.1.5")


def test_a_model_without_a_runtime_states_none() -> None:
    assert "runtime" not in complete_setting(make_axis_of_run(), make_manifest(model=make_control(runtime="unknown")))


def test_a_selection_that_names_its_items_is_left_as_it_is() -> None:
    axis = make_axis_of_run(
        setting={"items": "cut@30/999999999999"}, items={"planned": 60, "selection": "cut", "digest": "9" * 64}
    )
    assert complete_setting(axis, make_manifest())["items"] == "cut@30/999999999999"


def test_two_cut_runs_are_told_apart_by_their_items() -> None:
    axis = make_axis_of_run(setting={"items": "cut"}, items={"planned": 60, "selection": "cut", "digest": "9" * 64})
    assert complete_setting(axis, make_manifest())["items"] == "cut#999999999999"


def test_a_run_of_version_one_is_told_apart_by_its_data() -> None:
    settings = [
        complete_setting(
            make_axis_of_run(dataset={"slug": "s", "version": "1.0", "digest": digest * 64}), make_manifest()
        )
        for digest in "ab"
    ]
    assert [setting["data"] for setting in settings] == ["a" * 12, "b" * 12]


def test_a_window_is_stated_where_items_did_not_fit_it() -> None:
    manifest = make_manifest(environment={"context_window": 52})
    assert "context_window" not in complete_setting(make_axis_of_run(counts={"answered": 60}), manifest)
    cut = make_axis_of_run(counts={"answered": 58, "truncated": 2})
    assert complete_setting(cut, manifest)["context_window"] == 52


def test_a_replay_names_the_run_whose_answers_it_gives_again() -> None:
    manifest = make_manifest(derived_from={"run": "first.run"})
    assert complete_setting(make_axis_of_run(), manifest)["replay_of"] == "first.run"
