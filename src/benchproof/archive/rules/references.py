"""Rules about digests that somebody kept outside the archive (contract-archive §5)."""

from collections.abc import Iterator

from benchproof.rulebook import Finding


def a044_expected_digest(place: str, got: str, expected: str) -> Iterator[Finding]:
    """A file has the digest that was noted outside. Only this shows a consistent rewrite."""
    if got != expected:
        yield Finding(place, "A044", "not the file whose digest was noted outside", got=got, expected=expected)


def a045_expected_missing(place: str, *, is_there: bool) -> Iterator[Finding]:
    """A file whose digest was noted outside is still there."""
    if not is_there:
        yield Finding(place, "A045", "a file whose digest was noted outside is gone")
