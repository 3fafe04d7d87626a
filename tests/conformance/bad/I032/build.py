"""A request of a perturbed instance."""

from pathlib import Path

from interop.other_logs import HelmLog, make_state


def build(folder: Path) -> None:
    log = HelmLog()
    state = make_state(1, " B")
    state["instance"]["perturbation"] = {"name": "robustness"}
    log.documents["scenario_state"]["request_states"].append(state)
    log.write(folder)
