"""A quiz for the installed Inspect on an offline model, which may fail, be interrupted or be killed halfway."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PEERS = Path(os.environ.get("BENCHPROOF_PEERS", ROOT / ".venv-peers")) / "bin" / "python"
_PACKAGES = PEERS.parent.parent / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"

needs_inspect = pytest.mark.skipif(
    not (_PACKAGES / "inspect_ai").is_dir(), reason=f"no inspect-ai for this Python in {PEERS.parent} (make peers)"
)

# The model is ours: Inspect's own counts tokens with a table that it loads from the network.
QUIZ = """
import os, signal, sys
from inspect_ai import Task, eval, task
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, get_model, modelapi
from inspect_ai.scorer import match
from inspect_ai.solver import generate

ENDING = sys.argv[1]


class Offline(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        number = int(input[-1].text.rpartition(" ")[2])
        if number == 2 and ENDING == "interrupt":
            os.kill(os.getpid(), signal.SIGINT)
        if number == 2 and ENDING == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if number == 2 and ENDING == "error":
            raise RuntimeError("the model fell over")
        return ModelOutput.from_content("offline", "yes" if number != 1 else "no")


@modelapi(name="offline")
def offline():
    return Offline


@task
def quiz():
    samples = [Sample(id=f"q{index}", input=f"Is it so? {index}", target="yes") for index in range(4)]
    return Task(dataset=samples, solver=generate(), scorer=match())


logs = eval(quiz(), model=get_model("offline/quiz"), log_dir="logs", display="none", max_samples=1, log_buffer=1)
print("status", logs[0].status)
"""
