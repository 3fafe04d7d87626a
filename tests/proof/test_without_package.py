import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

from benchproof.archive import init_archive, load_run, render_prompt
from benchproof.harness import Clock, compile_bench, describe_environment, run_bench
from benchproof.models import open_model
from benchproof.proof import prove_run
from benchproof.scores import compute_score_sheet

TINY = Path(__file__).resolve().parents[1] / "harness" / "tiny"


def test_a_sealed_run_is_rescored_and_rendered_again_when_its_package_is_gone(tmp_path: Path) -> None:
    package, root = tmp_path / "package", tmp_path / "babel-data"
    shutil.copytree(TINY, package)
    init_archive(root)
    outcome = run_bench(
        root,
        compile_bench(package),
        open_model("control:first", cache_dir=tmp_path),
        model_spec="control:first",
        clock=Clock(lambda: datetime(2026, 11, 30, tzinfo=UTC), time.monotonic),
        draw_token=lambda: "0000",
        environment=describe_environment(python="3.11", platform="test", packages={}, caller_git=None, variables={}),
    )
    before = compute_score_sheet(load_run(root, outcome.run_id))
    shutil.rmtree(package)

    run = load_run(root, outcome.run_id)
    assert prove_run(root, outcome.run_id).proof.rung == "recomputed"
    assert compute_score_sheet(run) == before
    for key in run.axis_keys:
        axis, items = run.axis(key), {item["item_id"]: item for item in run.items(key)}
        source = run.records(key) if axis["type"] == "choice" else run.raw_lines(key)
        prompts = {line["item_id"]: line["prompt"] for _, line in source}
        assert prompts == {item_id: render_prompt(axis, item) for item_id, item in items.items()}
