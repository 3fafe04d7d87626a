"""Whether weights are what their name says: a file called like a packaged model, and a packaged model's own file."""

import re
from pathlib import Path

from benchproof.models.catalogue import PackagedModel, load_catalogue
from benchproof.models.errors import PreparationError, WeightsError
from benchproof.models.gguf_header import GgufHeader


def demand_architecture(packaged: PackagedModel, header: GgufHeader, path: Path) -> None:
    """Raise ``PreparationError`` where the file of a packaged model has another architecture than it."""
    if header.architecture != packaged.architecture:
        raise PreparationError(
            f"the weights of {packaged.model} are another model",
            place=str(path),
            got=f"architecture {header.architecture}",
            expected=packaged.architecture,
            hint="Remove the file: it is made again from the installed package.",
        )


def check_file_name(path: Path, header: GgufHeader) -> tuple[str, ...]:
    """Notes on a file that is none of the pinned ones and is called like one of the catalogue's models.

    Raises ``WeightsError`` where it has another architecture than the model it is called after.
    """
    name = _squash(path.stem)
    packaged = next((each for each in load_catalogue().values() if name.startswith(_squash(each.id))), None)
    if packaged is None:
        return ()
    if header.architecture not in (packaged.architecture, "unknown"):
        raise WeightsError(
            "the weights are not what the name of the file says",
            place=str(path),
            got=f"architecture {header.architecture}, name {header.name or 'not stated'}",
            expected=f"architecture {packaged.architecture}, which {packaged.model} has",
            hint="Fetch the file again, or call it what it is.",
        )
    if name == _squash(Path(packaged.file_name).stem):
        return (
            f"the file is called like {packaged.file_name} of {packaged.package} and has another sha256 than the "
            "pinned one",
        )
    return ()


def _squash(name: str) -> str:
    """A name without what people write differently: letter case, dots, hyphens, underscores."""
    return re.sub(r"[^a-z0-9]", "", name.casefold())
