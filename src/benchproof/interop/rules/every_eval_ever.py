"""What is to be known of a record of Every Eval Ever."""

from collections.abc import Iterator

from benchproof.rulebook import Finding


def i040_other_checksum(place: str, got: str, expected: str) -> Iterator[Finding]:
    """The file of instances is the one that the record names by its checksum."""
    if got != expected.lower():
        yield Finding(place, "I040", "the instances are not those that the record names", got=got, expected=expected)
