"""Prompts that begin with the text of BOS."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog, digest_text


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.results["tokenizer_bos_token"] = ["<bos>", 2]
    for line in log.lines:
        prompt = "<bos>" + line["arguments"]["gen_args_0"]["arg_0"]
        for request in line["arguments"].values():
            request["arg_0"] = prompt
        line["prompt_hash"] = digest_text(prompt)
    log.write(folder)
