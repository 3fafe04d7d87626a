"""``gate``: three verdicts with three exit codes, the reference file, and every form of the answer."""

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchproof.cli import main
from cli.calling import TINY, Answer, CommandLine, digest_tree, write_sums
from cli.test_references import find_run, swap_keys
from cli.test_walk import FIRST, LONGEST
from interop.lm_eval_logs import LmEvalLog, digest_text, make_line

ITEMS = 60


@pytest.fixture(scope="session")
def gated_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with a bench of 60 sums on controls: echo and empty answer all wrong, replay repeats echo."""
    folder = tmp_path_factory.mktemp("gated")
    archive = folder / "babel-data"
    bench = write_sums(folder / "sums", ITEMS)
    assert main(["run", str(bench), "control:empty", "control:echo", "--json", "--archive", str(archive)]) == 0
    return archive


@pytest.fixture
def gated(line: CommandLine, gated_runs: Path) -> CommandLine:
    shutil.copytree(gated_runs, line.archive)
    return line


@pytest.fixture
def reference(gated: CommandLine, tmp_path: Path) -> Path:
    path = tmp_path / "gates" / "sums.json"
    assert gated("gate", "sums.control-empty", "--write-reference", path).code == 0
    return path


def gate(line: CommandLine, reference: Path, *words: object, margin: float = 0.1) -> Answer:
    return line("gate", "sums.control-echo", "--against", reference, "--margin", margin, *words)


def test_a_reference_is_a_run_and_the_digest_of_its_manifest(gated: CommandLine, reference: Path) -> None:
    [run] = [one for one in gated("list", "--json").read_json()["sealed"] if "empty" in one["id"]]
    assert json.loads(reference.read_text()) == {"run": run["id"], "sha256": run["sha256"]}


def test_moving_a_reference_says_what_it_was(gated: CommandLine, reference: Path) -> None:
    answer = gated("gate", "sums.control-echo", "--write-reference", reference)
    assert answer.code == 0
    first, second = answer.err.splitlines()
    assert re.search(r"sums\.json: sums\.control-echo\S+, manifest [0-9a-f]{64}$", first)
    assert re.match(r"before: sums\.control-empty\S+, manifest [0-9a-f]{64}$", second)


def test_a_pass_ends_with_0(gated: CommandLine, reference: Path) -> None:
    answer = gate(gated, reference)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines()[:2] == [
        "clean: only the model differs",
        "pass: no loss of 10.0 points or more on sums.en",
    ]
    assert answer.out.splitlines()[-1] == "Compared with 1 outside reference."


def test_what_cannot_be_told_ends_with_4_and_says_how_many_items_would_decide(
    gated: CommandLine, reference: Path
) -> None:
    answer = gate(gated, reference, margin=0.02)
    assert answer.code == 4
    assert re.search(r"about 1\d\d items would be enough", " ".join(answer.out.split()))


def test_a_fail_ends_with_1(filled: CommandLine, tmp_path: Path) -> None:
    """Two runs of the sums would need a model that knows some: a control that is right where another is not."""
    bench = write_right_first(tmp_path / "firsts", ITEMS)
    assert filled("run", bench, "control:first", "control:longest").code == 0
    reference = tmp_path / "ref.json"
    assert filled("gate", "firsts.control-first", "--write-reference", reference).code == 0
    answer = filled("gate", "firsts.control-longest", "--against", reference, "--margin", "0.1")
    assert answer.code == 1
    assert answer.out.splitlines()[1] == "fail: a loss of more than 10.0 points on picks.en"
    back = filled("gate", "firsts.control-first", "--against", reference, "--margin", "0.1")
    assert (back.code, "the candidate is the reference" in back.err) == (2, True)


def write_right_first(folder: Path, count: int) -> Path:
    """A bench whose first choice is right and whose longest is wrong."""
    (folder / "data").mkdir(parents=True)
    head = (TINY / "bench.yaml").read_text(encoding="utf-8").partition("axes:")[0]
    head = re.sub(r"(?m)^name:.*$", "name: firsts", head)
    head = re.sub(r"(?m)^languages:.*$", "languages: {en: Latn}", head)
    axis = """\
axes:
  - axis: picks
    type: choice
    data: data/picks.{language}.jsonl
    prompt: "{question}\\nAnswer:"
    continuation: {prefix: " "}
    metric: choice-accuracy.byte
"""
    (folder / "bench.yaml").write_text(head + axis, encoding="utf-8")
    rows = (
        {"id": f"q{n}", "question": f"Which number is {n}?", "choices": [f"{n}", f"it is {n + 1}"], "answer_index": 0}
        for n in range(count)
    )
    (folder / "data" / "picks.en.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def test_one_call_writes_every_form(gated: CommandLine, reference: Path, tmp_path: Path) -> None:
    markdown, junit = tmp_path / "out" / "gate.md", tmp_path / "out" / "gate.xml"
    answer = gate(gated, reference, "--markdown", markdown, "--junit", junit, "--annotate", "--json")
    assert answer.code == 0
    described = answer.read_json()
    assert (described["verdict"], described["compared_with"]) == ("pass", 1)
    assert markdown.read_text(encoding="utf-8").startswith("<!-- benchproof gate -->\n\n### ✅ pass: no loss")
    assert [case.attrib["name"] for case in ElementTree.parse(junit).iter("testcase")] == [
        "sums.en: loss below 10.0 points"
    ]
    assert answer.err.startswith(f"::notice file={reference},title=benchproof gate::pass: ")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["gate.md", "gate.xml"]


def test_a_gate_writes_nothing_to_the_archive(gated: CommandLine, reference: Path) -> None:
    before = digest_tree(gated.archive)
    gate(gated, reference)
    assert digest_tree(gated.archive) == before


def test_a_run_that_was_rewritten_consistently_is_not_taken_for_the_reference(
    filled: CommandLine, tmp_path: Path
) -> None:
    reference = tmp_path / "ref.json"
    assert filled("gate", FIRST, "--write-reference", reference).code == 0
    swap_keys(find_run(filled, FIRST))
    shutil.rmtree(filled.archive / "derived")
    assert filled("verify", FIRST).code == 0
    answer = filled("gate", LONGEST, "--against", reference, "--margin", "0.1", "--annotate")
    assert (answer.code, answer.out) == (1, "")
    annotation, error = answer.err.splitlines()
    assert error.startswith(f"error: {reference}: tiny.control-first")
    assert "the archive's run is not the one that the reference names" in error
    assert annotation.startswith("::error file=")


def test_a_candidate_that_does_not_hold_is_not_gated(gated: CommandLine, reference: Path) -> None:
    [folder] = gated.archive.glob("runs/sums.control-echo.*")
    record = folder / "records" / "sums.en.ndjson"
    record.chmod(0o644)
    record.write_bytes(record.read_bytes().replace(b'"answered"', b'"errored"', 1))
    answer = gate(gated, reference)
    assert (answer.code, answer.out) == (1, "")
    assert "no number of this run can be recomputed" in answer.err


def test_a_reference_whose_run_is_gone_says_what_to_bring_back(gated: CommandLine, reference: Path) -> None:
    [folder] = gated.archive.glob("runs/sums.control-empty.*")
    shutil.rmtree(folder)
    answer = gate(gated, reference)
    assert answer.code == 2
    assert "the archive does not hold the run that the reference names" in answer.err
    assert f"runs/{folder.name}" in answer.err


BAD = {
    "absent": None,
    "no JSON": "run",
    "a list": "[]",
    "another key": '{"run": "a", "sha256": "' + "0" * 64 + '", "margin": 0.5}',
    "no digest": '{"run": "a"}',
    "a short digest": '{"run": "a", "sha256": "00"}',
    "a digest in capitals": '{"run": "a", "sha256": "' + "A" * 64 + '"}',
    "a number": '{"run": 7, "sha256": "' + "0" * 64 + '"}',
    "two keys of one name": '{"run": "a", "run": "b", "sha256": "' + "0" * 64 + '"}',
    "the newest run": '{"run": "@latest", "sha256": "' + "0" * 64 + '"}',
    "a path": '{"run": "../../etc", "sha256": "' + "0" * 64 + '"}',
}


@pytest.mark.parametrize("name", BAD)
def test_a_reference_that_is_none_is_refused_in_one_line(gated: CommandLine, tmp_path: Path, name: str) -> None:
    path = tmp_path / "bad.json"
    if (text := BAD[name]) is not None:
        path.write_text(text, encoding="utf-8")
    answer = gate(gated, path)
    assert (answer.code, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    assert answer.err.startswith(f"error: {path}")


def test_what_is_no_reference_is_not_written_over(gated: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    path.write_text('{"mine": 1}', encoding="utf-8")
    assert gated("gate", "sums.control-echo", "--write-reference", path).code == 2
    assert path.read_text(encoding="utf-8") == '{"mine": 1}'


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ([], "--against REF.json and --margin M"),
        (["--against", "x.json"], "--against REF.json and --margin M"),
        (["--write-reference", "x.json", "--margin", "0.1"], "--write-reference makes a reference"),
        (["--against", "x.json", "--margin", "2"], "--margin"),
    ],
)
def test_half_a_gate_is_a_wrong_call(gated: CommandLine, words: list[str], part: str) -> None:
    answer = gated("gate", "sums.control-echo", *words)
    assert (answer.code, part in answer.err) == (2, True)


def test_a_limited_run_is_no_match_for_a_whole_one(line: CommandLine, tmp_path: Path) -> None:
    bench = write_sums(tmp_path / "sums", ITEMS)
    whole, part = line.run(bench, "control:empty"), line.run(bench, "control:echo", "--max-rows", 40)
    reference = tmp_path / "ref.json"
    assert line("gate", whole["run"], "--write-reference", reference).code == 0
    answer = line("gate", part["run"], "--against", reference, "--margin", "0.2")
    assert answer.code == 4
    assert answer.out.startswith("confounded by: items (all → ")
    assert line("gate", part["run"], "--against", reference, "--margin", "0.2", "--allow", "items").code == 0


def test_only_the_axes_that_are_named_are_gated(filled: CommandLine, tmp_path: Path) -> None:
    reference = tmp_path / "ref.json"
    assert filled("gate", FIRST, "--write-reference", reference).code == 0
    call = ("gate", LONGEST, "--against", reference, "--margin", "0.3", "--json")
    keys = [f"{axis['axis']}.{axis['language']}" for axis in filled(*call, "--on", "reading").read_json()["axes"]]
    assert keys == ["reading.en", "reading.ms"]
    assert len(filled(*call).read_json()["axes"]) == 4
    wrong = filled(*call, "--on", "raeding")
    assert (wrong.code, "facts.en, facts.ms, reading.en, reading.ms" in wrong.err) == (2, True)


def write_log(folder: Path, model: str, *, wrong: int) -> Path:
    """A log of lm-eval with sixty questions, the first ``wrong`` of them answered wrongly."""
    log = LmEvalLog()
    log.lines = []
    for number in range(ITEMS):
        line = make_line(0)
        line["doc_id"] = number
        line["doc"] = line["doc"] | {"q": f"Capital of country {number}?"}
        line["doc_hash"] = digest_text(json.dumps(line["doc"], indent=2, ensure_ascii=False))
        if number < wrong:
            line["resps"][1] = [["-0.5", "False"]]
            line |= {"acc": 0.0, "acc_norm": 0.0}
        log.lines.append(line)
    log.results["model_name"] = model
    log.numbers.clear()
    log.numbers.update({"alias": log.task, "acc,none": 1 - wrong / ITEMS, "acc_norm,none": 1 - wrong / ITEMS})
    log.results["n-samples"][log.task] = {"original": ITEMS, "effective": ITEMS}
    return log.write(folder)


def test_imported_logs_are_gated_as_our_own_runs_are(line: CommandLine, tmp_path: Path) -> None:
    """What a log does not state is like nothing, so it has to be allowed to differ."""
    for name, wrong in (("old", 2), ("same", 2), ("worse", 20)):
        assert line("import", write_log(tmp_path / name, f"acme/{name}", wrong=wrong)).code == 0
    reference = tmp_path / "ref.json"
    assert line("gate", "lm-eval.old", "--write-reference", reference).code == 0
    call = ("--against", reference, "--margin", "0.1", "--on", "colours")
    unknown = line("gate", "lm-eval.same", *call)
    assert unknown.code == 4
    assert unknown.out.startswith("confounded by: ")
    assert "model_variant (unknown → unknown)" in unknown.out.splitlines()[0]
    allowed = (*call, "--allow", "cot", "--allow", "model_variant")
    assert line("gate", "lm-eval.same", *allowed).code == 0
    worse = line("gate", "lm-eval.worse", *allowed)
    assert (worse.code, "a loss of more than 10.0 points on colours.und" in worse.out) == (1, True)
