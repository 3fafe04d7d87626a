"""Choice items for P1, made of the starter bench (CC0-1.0), so that every checkout measures the same texts.

``short``: a question alone, candidates of a word or two. ``long``: each item brings a text of its own of about 470
tokens. ``passage``: five questions about a text of about 350.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

STARTER = Path(__file__).resolve().parents[1] / "benches" / "starter" / "data"
CANDIDATES = 4
PASSAGES_OF_LONG = 4
PASSAGES_OF_SHARED = 3
QUESTIONS_A_TEXT = 5
_CANARY = "benchproof-made 0"

Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of items: its prompt as a bench writes it and in Jinja, and whether items share a passage."""

    name: str
    prompt: str
    has_passages: bool

    @property
    def jinja(self) -> str:
        """The same prompt for a peer."""
        return self.prompt.replace("{", "{{").replace("}", "}}")


SHORT = Kind("short", "Question: {question}\nAnswer:", has_passages=False)
LONG = Kind("long", "Passage: {passage}\n\nQuestion: {question}\nAnswer:", has_passages=True)
PASSAGE = Kind("5 questions a passage", LONG.prompt, has_passages=True)


def make_items(kind: Kind, count: int) -> list[Item]:
    """The first ``count`` items of a kind; ``ValueError`` where the starter has not so many."""
    sources = {SHORT.name: _make_short, LONG.name: _make_long, PASSAGE.name: _make_with_passage}
    items = [item for item, _number in zip(sources[kind.name](), range(count), strict=False)]
    if len(items) < count:
        raise ValueError(f"the starter has {len(items)} items of kind {kind.name}, not {count}")
    return items


def _make_short() -> Iterator[Item]:
    """A fact's answer among the next three facts' answers."""
    facts = _read("facts.en.jsonl")
    answers = [fact["references"][0] for fact in facts]
    for number, fact in enumerate(facts):
        choices = list(dict.fromkeys(answers[number:] + answers[:number]))[:CANDIDATES]
        turn = number % CANDIDATES
        yield {
            "id": fact["id"],
            "question": fact["question"],
            "choices": choices[-turn:] + choices[:-turn] if turn else choices,
            "answer_index": turn,
            "meta": {"canary": _CANARY},
        }


def _make_long() -> Iterator[Item]:
    for number, (text, questions) in enumerate(_make_texts(PASSAGES_OF_LONG)):
        yield _place(questions[0], text, number)


def _make_with_passage() -> Iterator[Item]:
    for number, (text, questions) in enumerate(_make_texts(PASSAGES_OF_SHARED)):
        for question in questions[:QUESTIONS_A_TEXT]:
            yield _place(question, text, number)


def _make_texts(passages: int) -> Iterator[tuple[str, list[Item]]]:
    """So many passages of the starter as one text, with all their questions; one text begins at each passage."""
    groups = [list(group) for _id, group in groupby(_read("reading.en.jsonl"), key=lambda item: item["passage_id"])]
    for number in range(len(groups)):
        chosen = [groups[(number + step) % len(groups)] for step in range(passages)]
        yield " ".join(group[0]["passage"] for group in chosen), [item for group in chosen for item in group]


def _place(question: Item, text: str, number: int) -> Item:
    return {
        "id": f"text-{number}-{question['id']}",
        "passage_id": f"text-{number}",
        "passage": text,
        "question": question["question"],
        "choices": question["choices"],
        "answer_index": question["answer_index"],
        "meta": {"canary": _CANARY},
    }


def _read(name: str) -> list[Item]:
    return [json.loads(line) for line in (STARTER / name).read_text(encoding="utf-8").splitlines()]
