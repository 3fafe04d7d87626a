"""An answer of two hundred words under a cap of two hundred tokens."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog, use_answers


def build(folder: Path) -> None:
    log = LmEvalLog()
    use_answers(log, ["4", "and so on " * 67, "x", "9"])
    log.results["configs"][log.task]["generation_kwargs"]["max_gen_toks"] = 200
    log.write(folder)
