"""A number's tag typed where a run is wanted: both are printed side by side, and one is easily taken for the other."""


def lead_from_tag(word: str) -> str | None:
    """The command for a word that has the form of a tag; ``None`` for any other word."""
    from benchproof.scores import TagError, read_tag

    try:
        tag = read_tag(word)
    except TagError:
        return None
    return f"That is the tag of a number: `benchproof why {tag}` opens it."
