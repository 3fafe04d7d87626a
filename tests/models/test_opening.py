from pathlib import Path

import pytest

from benchproof.models import (
    ModelError,
    UnknownModelError,
    check_model_name,
    describe_model_names,
    list_model_names,
    open_model,
)


@pytest.mark.parametrize("name", [name for name in list_model_names() if name.startswith("control:")])
def test_each_listed_control_opens(name: str, tmp_path: Path) -> None:
    assert open_model(name, cache_dir=tmp_path).info().identity["model"] == name


def test_a_listed_name_is_told_in_words() -> None:
    described = describe_model_names()
    assert described["control:longest"].startswith("takes the longest choice")
    assert described["smollm2"] == "HuggingFaceTB/SmolLM2-135M-Instruct, instruct (Apache-2.0)"


def test_an_unknown_name_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownModelError, match=r"got controls:first.*control:first"):
        open_model("controls:first", cache_dir=tmp_path)


@pytest.mark.parametrize("spec", ["replay:abc", "openai:gpt@http://localhost", "hf:gpt2"])
def test_a_backend_of_elsewhere_or_later_is_refused_by_name(spec: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=spec):
        open_model(spec, cache_dir=tmp_path)


@pytest.mark.parametrize("name", [*list_model_names(), "gguf:smollm2", "not/there.gguf", "gguf:not/there.gguf"])
def test_a_name_that_may_be_a_model_passes_without_opening_it(name: str) -> None:
    check_model_name(name)


@pytest.mark.parametrize("name", ["smolm2", "control:firts", "gguf:", "gguf:not/there", "", "hf:gpt2", "replay:abc"])
def test_a_name_that_no_model_can_have_is_refused_before_anything_is_opened(name: str) -> None:
    with pytest.raises(ModelError):
        check_model_name(name)
