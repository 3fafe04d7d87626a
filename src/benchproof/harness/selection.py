"""Which questions a capped axis asks: the same in every language, the same on every machine.

A question is picked by sha256(seed, question id), stratified by register (contract-bench §3). The pool is what all
languages of the package share, whichever languages a run asks for, so that a filter changes no row.
"""

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Set

from benchproof.archive import IdTable

Question = tuple[str, str | None]
"""A question's shared id and its register."""


class Questions:
    """Questions of one axis and language in the order of the file, each id once."""

    def __init__(self, questions: Iterable[Question] = ()) -> None:
        self.ids = IdTable()
        self._registers = array("I")
        self._names: list[str | None] = []
        for name, register in questions:
            self.add(name, register)

    def add(self, name: str, register: str | None) -> None:
        """One more question."""
        if register not in self._names:
            self._names.append(register)
        if self.ids.add(name):
            self._registers.append(self._names.index(register))

    @property
    def registers(self) -> frozenset[str | None]:
        """The registers that there are, and ``None`` where a question has none."""
        return frozenset(self._names)

    def __iter__(self) -> Iterator[Question]:
        return ((name, self._names[register]) for name, register in zip(self.ids, self._registers, strict=True))

    def __len__(self) -> int:
        return len(self.ids)


def pick_questions(
    by_language: Mapping[str, Questions], limit: int | None, seed: int
) -> dict[str, tuple[Set[str], str]]:
    """Language → the picked question ids and the selection's name, ``all`` or ``sample@n/<seed>``.

    Where the languages share at least ``limit`` questions, each language asks the same ones; else each asks all
    shared ones and fills up from its own.
    """
    if limit is None or all(limit >= len(questions) for questions in by_language.values()):
        return {language: (questions.ids, "all") for language, questions in by_language.items()}
    shared = _find_shared(by_language)
    return {language: _pick(questions, shared, limit, seed) for language, questions in by_language.items()}


def _find_shared(by_language: Mapping[str, Questions]) -> dict[str, str | None]:
    """Questions that every language has; the register is that of the first language, sorted."""
    ordered = [by_language[language] for language in sorted(by_language)]
    return {name: register for name, register in ordered[0] if all(name in other.ids for other in ordered[1:])}


def _pick(questions: Questions, shared: Mapping[str, str | None], limit: int, seed: int) -> tuple[Set[str], str]:
    if limit >= len(questions):
        return questions.ids, "all"
    picked = pick_stratified(shared, limit, seed)
    if len(picked) < limit:
        rest = {name: register for name, register in questions if name not in shared}
        picked |= pick_stratified(rest, limit - len(picked), seed)
    return frozenset(picked), f"sample@{limit}/{seed}"


def pick_stratified(pool: Mapping[str, str | None], limit: int, seed: int) -> set[str]:
    """``limit`` names of ``pool``, each register by its share (largest remainder), within one by hash."""
    if limit >= len(pool):
        return set(pool)
    strata: dict[str, list[str]] = {}
    for name, register in pool.items():
        strata.setdefault(register or "", []).append(name)
    picked: set[str] = set()
    for register, quota in _share_out({key: len(names) for key, names in strata.items()}, limit).items():
        picked.update(sorted(strata[register], key=lambda name: (hash_question(seed, name), name))[:quota])
    return picked


def _share_out(sizes: Mapping[str, int], limit: int) -> dict[str, int]:
    """Seats by largest remainder; ties go to the larger register, then by name. Integers only."""
    total = sum(sizes.values())
    seats = {key: size * limit // total for key, size in sizes.items()}
    by_remainder = sorted(sizes, key=lambda key: (-(sizes[key] * limit % total), -sizes[key], key))
    for key in by_remainder[: limit - sum(seats.values())]:
        seats[key] += 1
    return seats


def hash_question(seed: int, name: str) -> str:
    """The number that orders questions: sha256 of the seed and the id, a line feed between them."""
    return hashlib.sha256(f"{seed}\n{name}".encode()).hexdigest()
