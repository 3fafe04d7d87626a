"""Rows of the frame ``calls``: one a raw line, with its place in the file."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchproof.archive import Line, SealedRun
from benchproof.canon import canonical
from benchproof.frames.sized_rows import SizedRow, state_run

_COPIED = ("item_id", "call", "prompt_sha256", "prompt", "sent", "batching", "join_token", "text", "finish")
_COPIED_LAST = ("token_ids", "error", "detail")


def list_call_rows(run: SealedRun) -> Iterator[SizedRow]:
    """Every raw line of a run; imported axes have none of this form. The digest is compared after an axis's last."""
    for axis_key in run.axis_keys:
        if run.is_imported(axis_key):
            continue
        axis = run.axis_of_run(axis_key)
        stated = {**state_run(run), "axis": axis["axis"], "language": axis["language"]}
        for line, raw in run.raw_lines(axis_key):
            yield SizedRow({**stated, **_state_line(line), **_state_call(raw)}, line.length)


def _state_line(line: Line) -> dict[str, Any]:
    return {"line": line.number, "offset": line.offset, "bytes": line.length, "sha256": line.sha256}


def _state_call(raw: Mapping[str, Any]) -> dict[str, Any]:
    candidates = raw.get("candidates")
    params = raw.get("params")
    return {
        **{name: raw.get(name) for name in (*_COPIED, *_COPIED_LAST)},
        "prompt_tokens": raw.get("context_tokens", raw.get("prompt_tokens")),
        "candidate_token_ids": _pick(candidates, "token_ids"),
        "candidate_token_logprobs": _pick(candidates, "token_logprobs"),
        "candidate_is_greedy": _pick(candidates, "is_greedy"),
        "params": None if params is None else canonical(params).decode(),
        "flags": raw.get("flags", []),
    }


def _pick(candidates: list[Mapping[str, Any]] | None, name: str) -> list[Any] | None:
    return None if candidates is None else [each[name] for each in candidates]
