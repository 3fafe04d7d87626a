"""One row of lighteval's details as a sample."""

from typing import Any

from benchproof.interop.axes import finite
from benchproof.interop.log_files import LogFile
from benchproof.interop.rules.lines import (
    LineFaults,
    i011_prompt_beyond_window,
    i012_second_bos,
    i015_likelihood_not_finite,
    i028_empty_answer,
)
from benchproof.records.imported import ImportedCandidate, ImportedSample


def read_gold(doc: dict[str, Any]) -> list[int]:
    """Indexes of the right choices."""
    stated = doc.get("gold_index")
    return [int(one) for one in stated] if isinstance(stated, list) else [] if stated is None else [int(stated)]


def make_sample(file: LogFile, number: int, row: dict[str, Any], faults: LineFaults) -> ImportedSample:
    """The sample of a row: candidates where likelihoods were asked for, else what was written."""
    response = row["model_response"]
    sample: ImportedSample = {
        "number": 1,
        "outcome": "answered",
        "origin": [{"path": file.path or file.name, "row": number}],
        "scores": {str(name): finite(value) for name, value in (row["metric"] or {}).items()},
    }
    candidates = _read_candidates(number, row["doc"], response, faults)
    if candidates:
        sample["candidates"] = candidates
    texts = response.get("text_post_processed") or response.get("text") or []
    if texts:
        sample["extracted"] = {"": str(texts[0])}
        if not str(texts[0]).strip():
            sample["flags"] = ["empty"]
            faults.add(i028_empty_answer, number)
    if (response.get("truncated_tokens_count") or 0) > 0:
        faults.add(i011_prompt_beyond_window, number, "lighteval counted the tokens")
    tokens = response.get("input_tokens") or []
    if len(tokens) > 1 and tokens[0] == tokens[1]:
        faults.add(i012_second_bos, number, f"token {tokens[0]} twice")
    return sample


def _read_candidates(
    number: int, doc: dict[str, Any], response: dict[str, Any], faults: LineFaults
) -> list[ImportedCandidate]:
    choices, logprobs = doc.get("choices") or [], response.get("logprobs") or []
    if not choices or len(choices) != len(logprobs):
        return []
    greedy = response.get("argmax_logits_eq_gold") or []
    alone = response.get("unconditioned_logprobs") or []
    tokens = response.get("output_tokens") or []
    candidates: list[ImportedCandidate] = []
    for index, (choice, logprob) in enumerate(zip(choices, logprobs, strict=True)):
        candidate: ImportedCandidate = {"text": str(choice), "logprob": finite(logprob)}
        if candidate["logprob"] is None:
            faults.add(i015_likelihood_not_finite, number)
        if len(greedy) == len(choices):
            candidate["is_greedy"] = bool(greedy[index])
        if len(alone) == len(choices):
            candidate["unconditioned"] = finite(alone[index])
        if len(tokens) == len(choices):
            candidate["tokens"] = len(tokens[index])
        candidates.append(candidate)
    return candidates
