"""WHAT-THIS-PROVES.txt: what a proof shows, what it cannot, what was left out of it, and how to check it."""

from collections.abc import Iterator

from benchproof.proof.figures import show_plainly
from benchproof.proof.pack_contents import ProofContents, RunContents
from benchproof.results import count_things, show_value, wrap_text

WIDTH = 100


def write_statement(contents: ProofContents) -> str:
    """The whole text; the same for the same contents."""
    lines = ["WHAT THIS PROVES", ""]
    lines += _name_numbers(contents)
    for heading, paragraphs in (
        ("It shows, to whoever runs verify.py", list_shown(contents)),
        ("It does not show", list_not_shown(contents)),
        ("What was left out", list_left_out(contents)),
        ("Under what the texts travel", list_terms(contents)),
        ("To check it", (f"{line}: {what}" for line, what in list_steps(contents))),
    ):
        lines += ["", heading, ""]
        for paragraph in paragraphs:
            first, *rest = wrap_text(paragraph, WIDTH - 2) or [""]
            lines += [f"- {first}", *(f"  {line.strip()}" for line in rest)]
    return "\n".join(map(show_plainly, lines)) + "\n"


def _name_numbers(contents: ProofContents) -> Iterator[str]:
    for wanted in contents.index["numbers"]:
        run, number = contents.find_number(wanted["tag"])
        value = show_value(number["value"], number["unit"])
        yield (
            f"{number['tag']}  {value}  {number['metric']}, {number['dataset']}, {number['language']}, "
            f"{number['slice']}: {number['denominator']} of {number['planned']} planned items"
        )
        yield f"              {run.manifest['model']['model']}, run {run.packed['id']}"


def list_shown(contents: ProofContents) -> Iterator[str]:
    """What follows from the bytes alone."""
    yield (
        "Every byte of this proof is one that was packed: SHA256SUMS names each file, a run's manifest names its own."
    )
    for run in contents.runs:
        gone = set(run.left_out_axes)
        whole = [axis for axis in run.manifest["axes"] if f"{axis['axis']}.{axis['language']}" not in gone]
        records = sum(sum(axis["counts"].values()) for axis in whole if "resolved" in axis["protocol"])
        if records:
            yield (
                f"{run.packed['id']}: {count_things(records, 'record')} follow from the raw lines (prompts rendered "
                "again, log-probabilities added up again), and so do the numerators and denominators of choice "
                "accuracy and exact match. benchproof verify also recomputes intervals and every other number."
            )
        if "imported_from" in run.manifest and not run.packed["left_out"]:
            yield (
                f"{run.packed['id']}: the log of another harness, byte for byte. Choice accuracy is counted again from "
                "the likelihoods in its records. benchproof verify reads the log itself again, and computes every "
                "number from it that it has the answers or likelihoods for."
            )


def list_not_shown(contents: ProofContents) -> Iterator[str]:
    """What nobody can see in the bytes, as plainly."""
    yield (
        "That these models said this. benchproof rerun asks them again, for items of your own draw; that needs the "
        "model."
    )
    yield (
        "That nobody rewrote all of it consistently: whoever changes an answer and then makes records, manifest, "
        "numbers, SHA256SUMS and this text anew has a proof that verifies. Only a digest that you had from elsewhere "
        "shows it: that of SHA256SUMS, which pack printed, or that of a run's manifest."
    )
    yield (
        "That verify.py and index.html in here are honest: they came with the rest. Take verify.py from benchproof "
        f"itself; that of version {contents.index['made_by']['version']} has SHA-256 {contents.verifier_sha256}. It "
        "does not look at index.html; benchproof verify of that version makes the page anew and compares it."
    )
    yield "That what the manifests state of model, machine and time is true; that the questions are good."
    for run in contents.runs:
        if "derived_from" in run.manifest:
            origin = run.manifest["derived_from"].get("run", "another run")
            yield f"That a model was asked for {run.packed['id']}: its answers are those of {origin}."
        if run.manifest["synthetic"]:
            yield f"Anything about a language model in {run.packed['id']}: a synthetic control answered."
        if run.manifest["partial"]:
            yield f"Anything about items of {run.packed['id']} that were planned and not asked: the run is partial."
        if run.left_out_axes:
            yield (
                f"That the numbers of {', '.join(run.left_out_axes)} in {run.packed['id']} follow from its answers: "
                "these were left out, and only their digests and outcomes are here. They are not recomputed."
            )
        if not run.manifest["axes"]:
            yield f"Any number of {run.packed['id']}: another program's files were sealed as they were."


def list_left_out(contents: ProofContents) -> Iterator[str]:
    """Every file of a run that is not here, with its digest."""
    empty = True
    for run in contents.runs:
        for entry in run.packed["left_out"]:
            empty = False
            facts = f"{entry['bytes']:,} bytes, sha256 {entry['sha256']}"
            yield f"{run.packed['id']}/{entry['path']} ({facts}): {entry['why']}"
    if empty:
        yield "Nothing."


def list_terms(contents: ProofContents) -> Iterator[str]:
    """Licence, attribution and canary of the texts that travel."""
    empty = True
    for run in contents.runs:
        for one in run.packed["published"]:
            empty = False
            parts = [f"{run.packed['id']}, {one['of']}: {one['license']}, stated by the {one['by']}"]
            parts += [f"attribution: {one['attribution']}"] if "attribution" in one else []
            parts += [f"canary, never to be trained on: {one['canary']}"] if "canary" in one else []
            yield "; ".join(parts)
    if empty:
        yield "No item text is here."


def list_steps(contents: ProofContents) -> Iterator[tuple[str, str]]:
    """Commands with what they do, from the one that needs least."""
    yield "python -I -S verify.py proof.zip --digest DIGEST", "needs Python 3.8 and nothing else"
    yield "benchproof verify proof.zip --digest DIGEST", "recomputes every number, and the page"
    tags = [number["tag"] for number in contents.index["numbers"]]
    if tags:
        yield f"benchproof why {tags[0]} --proof proof.zip", "from the number to its answers"
    if any(_can_be_asked(run) for run in contents.runs):
        yield "benchproof rerun proof.zip --sample 20 --seed N", "asks the model again; take a seed of your own"


def _can_be_asked(run: RunContents) -> bool:
    """Whether an axis is here that benchproof itself asked."""
    asked = [f"{axis['axis']}.{axis['language']}" for axis in run.manifest["axes"] if "resolved" in axis["protocol"]]
    return bool(set(asked) - set(run.left_out_axes))
