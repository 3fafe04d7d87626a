"""Limits that pages and help state are those that the code keeps."""

import pytest

from benchproof.archive.journal import GROUP_ENTRIES, GROUP_SECONDS
from benchproof.canon.profile import DEFAULT_MAX_DEPTH, MAX_LINE_BYTES
from benchproof.cli.demo import MOST_WORKERS
from benchproof.harness.item_rules import MAX_ID_LENGTH
from benchproof.harness.yaml_tree import MAX_BYTES, MAX_DEPTH
from benchproof.measure.intervals import MANY_CLUSTERS
from benchproof.measure.paired import MOST_FLIPS
from benchproof.models.gguf_opening import DEFAULT_CONTEXT_LIMIT
from benchproof.proof.identity import BETWEEN_RUNTIMES
from docs.pages import DOCS

SPANS = {1.0: "second"}
STATED = [
    ("explanation/error-bars.md", f"in clusters, fewer than {MANY_CLUSTERS} |"),
    ("explanation/error-bars.md", f"tried where they are at most {MOST_FLIPS:,} "),
    ("explanation/what-a-number-proves.md", f"likelihoods may differ by {BETWEEN_RUNTIMES} nat"),
    ("reference/archive.md", f"at most the last {GROUP_ENTRIES}, or those of the last {SPANS[GROUP_SECONDS]}"),
    ("reference/archive.md", f"nesting deeper than {DEFAULT_MAX_DEPTH},"),
    ("reference/archive.md", f"a line of more than {MAX_LINE_BYTES // 2**20} MiB"),
    ("reference/bench-yaml.md", f"at most {MAX_BYTES / 1e6:g} MB and {MAX_DEPTH} levels deep"),
    ("reference/bench-yaml.md", f"up to {MAX_ID_LENGTH} visible characters"),
    ("reference/commands.md", f"the model's own, at most {DEFAULT_CONTEXT_LIMIT:,})"),
    ("reference/commands.md", f"one a processor, at most {MOST_WORKERS})"),
    ("reference/commands.md", f"0 in the run's own runtime, else {BETWEEN_RUNTIMES})"),
]


@pytest.mark.parametrize(("page", "words"), STATED, ids=[words for _page, words in STATED])
def test_a_stated_limit_is_the_one_that_is_kept(page: str, words: str) -> None:
    assert words in " ".join((DOCS / page).read_text(encoding="utf-8").split())
