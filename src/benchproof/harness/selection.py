"""Which questions a capped axis asks: the same in every language, the same on every machine.

A question is picked by sha256(seed, question id), stratified by register (contract-bench §3). The pool is what all
languages of the package share, whichever languages a run asks for, so that a filter changes no row.
"""

import hashlib
from collections.abc import Mapping, Sequence

Question = tuple[str, str | None]
"""A question's shared id and its register."""


def pick_questions(
    by_language: Mapping[str, Sequence[Question]], limit: int | None, seed: int
) -> dict[str, tuple[frozenset[str], str]]:
    """Language → the picked question ids and the selection's name, ``all`` or ``sample@n/<seed>``.

    Where the languages share at least ``limit`` questions, each language asks the same ones; else each asks all
    shared ones and fills up from its own.
    """
    shared = _find_shared(by_language)
    return {language: _pick(questions, shared, limit, seed) for language, questions in by_language.items()}


def _find_shared(by_language: Mapping[str, Sequence[Question]]) -> dict[str, str | None]:
    """Questions that every language has; the register is that of the first language, sorted."""
    ordered = [dict(by_language[language]) for language in sorted(by_language)]
    if not ordered:
        return {}
    return {name: register for name, register in ordered[0].items() if all(name in other for other in ordered[1:])}


def _pick(
    questions: Sequence[Question], shared: Mapping[str, str | None], limit: int | None, seed: int
) -> tuple[frozenset[str], str]:
    own = dict(questions)
    if limit is None or limit >= len(own):
        return frozenset(own), "all"
    pool = {name: register for name, register in shared.items() if name in own}
    picked = pick_stratified(pool, limit, seed)
    if len(picked) < limit:
        rest = {name: register for name, register in own.items() if name not in pool}
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
