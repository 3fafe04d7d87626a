"""The ``gguf:`` backend: weights run by llama.cpp in this process (contract-bench §4)."""

from collections.abc import Sequence
from typing import Any

from benchproof.models.chat_template import TemplateFailure, render_chat
from benchproof.models.errors import ModelClosedError
from benchproof.models.generation import check_params, generate_text
from benchproof.models.likelihoods import ChoiceScorer
from benchproof.models.protocol import (
    BatchingMethod,
    CallFailure,
    ChoiceRequest,
    ChoiceScores,
    Generation,
    GenerationParams,
    ModelInfo,
)
from benchproof.models.runtime import LoadedWeights
from benchproof.models.tokens import find_choice_overflow, find_prompt_overflow
from benchproof.models.weights_file import WeightsFile


class GgufModel:
    """Loaded weights as a ``Model``.

    Each answer depends on its own request alone: the runtime forgets everything before each call, except a passage
    that is held for the next question about it, and that is always made in the same way.
    """

    def __init__(
        self,
        weights: LoadedWeights,
        info: ModelInfo,
        file: WeightsFile,
        *,
        template: str | None,
        method: BatchingMethod = "exact",
    ) -> None:
        """Take over ``weights``, which ``close`` frees; ``template`` is the model's own chat template."""
        self._weights = weights
        self._scorer = ChoiceScorer(weights, method)
        self._info = info
        self._file = file
        self._template = template
        self._is_open = True

    def info(self) -> ModelInfo:
        """Identity, runtime and limits."""
        return self._info

    def score_choices(
        self, requests: Sequence[ChoiceRequest], shared_prefix: str | None = None
    ) -> list[ChoiceScores | CallFailure]:
        """Log-likelihoods of each request's continuations."""
        self._demand_open()
        return [self._scorer.score(request, shared_prefix) for request in requests]

    def generate(self, prompts: Sequence[str], params: GenerationParams) -> list[Generation | CallFailure]:
        """One text a prompt, raw or as one user turn through the model's own template."""
        self._demand_open()
        self._scorer.forget()
        check_params(params)
        if params.chat_template == "always":
            return [self._answer([{"role": "user", "content": prompt}], params, None) for prompt in prompts]
        return [generate_text(self._weights, prompt, params) for prompt in prompts]

    def chat(
        self,
        messages: Sequence[dict[str, str]],
        params: GenerationParams,
        tools: Sequence[dict[str, Any]] | None = None,
    ) -> Generation | CallFailure:
        """One assistant turn after ``messages``, always through the model's own template."""
        self._demand_open()
        self._scorer.forget()
        check_params(params)
        return self._answer(messages, params, tools)

    def _answer(
        self, messages: Sequence[dict[str, str]], params: GenerationParams, tools: Sequence[dict[str, Any]] | None
    ) -> Generation | CallFailure:
        text = self._render(messages, tools)
        return text if isinstance(text, CallFailure) else generate_text(self._weights, text, params, is_rendered=True)

    def _render(
        self, messages: Sequence[dict[str, str]], tools: Sequence[dict[str, Any]] | None = None
    ) -> str | CallFailure:
        """The text that the model's own template makes of ``messages``."""
        if self._template is None:
            return CallFailure("chat-template", "the model states no chat template")
        try:
            return render_chat(
                self._template,
                messages,
                bos_token=self._name_token(self._weights.bos),
                eos_token=self._name_token(self._weights.eos),
                tools=tools,
            )
        except TemplateFailure as error:
            return CallFailure("chat-template", str(error))

    def _name_token(self, token: int | None) -> str:
        return "" if token is None else self._weights.read_piece(token, special=True).decode("utf-8", "replace")

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, a BOS that the model adds not counted; nothing is evaluated."""
        self._demand_open()
        return len(self._weights.tokenize(text))

    def find_choice_overflow(self, request: ChoiceRequest) -> int | None:
        """Tokens of the longest context and candidate where they do not fit the window; nothing is evaluated."""
        self._demand_open()
        return find_choice_overflow(self._weights, request)

    def find_prompt_overflow(self, prompt: str, params: GenerationParams) -> int | None:
        """Tokens of the prompt as ``generate`` sends it where it does not fit the window; nothing is evaluated."""
        self._demand_open()
        if params.chat_template != "always":
            return find_prompt_overflow(self._weights, prompt)
        text = self._render([{"role": "user", "content": prompt}])
        return None if isinstance(text, CallFailure) else find_prompt_overflow(self._weights, text, is_rendered=True)

    def check_unchanged(self) -> None:
        """Raise ``ModelChangedError`` where the weights file is no longer the one that was loaded."""
        self._file.check_unchanged()

    def close(self) -> None:
        """Free the runtime's memory; a second call does nothing."""
        self._is_open = False
        self._weights.close()

    def _demand_open(self) -> None:
        if not self._is_open:
            raise ModelClosedError("the model is closed", place=self._info.identity["id"], hint="Open it again.")
