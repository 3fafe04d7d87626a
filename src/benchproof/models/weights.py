"""Packaged weights: what of them is installed, found by file name without importing a package. Nothing is fetched."""

import importlib.metadata
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchproof.models.catalogue import PackagedModel, load_catalogue
from benchproof.models.errors import UnknownModelError
from benchproof.models.naming import nearest_names


@dataclass(frozen=True, slots=True)
class WeightsStatus:
    """What of a packaged model is there. ``missing`` are the parts not found below any search path.

    ``prepared`` is the file in the cache, where there is one (not yet checked). ``pip`` is the command that installs.
    """

    name: str
    model: str
    package: str
    installed_version: str | None
    parts: tuple[Path, ...]
    missing: tuple[str, ...]
    prepared: Path | None
    pip: str
    license: str
    terms: str

    @property
    def is_ready(self) -> bool:
        """Whether the model can be opened without installing anything."""
        return not self.missing or self.prepared is not None


def find_weights(
    name: str, *, cache_dir: Path | None = None, search_paths: Sequence[Path] | None = None
) -> WeightsStatus:
    """What is installed of the packaged model ``name`` (``smollm2``, ``gemma3-270m``, or with ``gguf:`` before it).

    Raises ``UnknownModelError`` where no packaged model has that name.
    """
    catalogue = load_catalogue()
    model = catalogue.get(name.removeprefix("gguf:"))
    if model is None:
        raise UnknownModelError(
            "there is no packaged model of this name", got=name, hint=nearest_names(name, catalogue)
        )
    return locate_weights(model, cache_dir=cache_dir, search_paths=search_paths)


def locate_weights(
    model: PackagedModel, *, cache_dir: Path | None = None, search_paths: Sequence[Path] | None = None
) -> WeightsStatus:
    """What is installed of ``model``: its parts are looked for by file name, no package is imported."""
    folders = [Path(entry) for entry in sys.path if entry] if search_paths is None else list(search_paths)
    found = {part: _find_part(part, folders) for part in model.parts}
    prepared = cache_dir / prepared_name(model) if cache_dir is not None else None
    return WeightsStatus(
        name=model.name,
        model=model.model,
        package=model.package,
        installed_version=_installed_version(model.package, folders),
        parts=tuple(path for path in found.values() if path is not None),
        missing=tuple(part for part, path in found.items() if path is None),
        prepared=prepared if prepared is not None and prepared.is_file() else None,
        pip=model.pip,
        license=model.license,
        terms=model.terms,
    )


def _find_part(part: str, folders: Sequence[Path]) -> Path | None:
    return next((folder / part for folder in folders if (folder / part).is_file()), None)


def _installed_version(package: str, folders: Sequence[Path]) -> str | None:
    found = importlib.metadata.distributions(name=package, path=[str(folder) for folder in folders])
    return next((each.version for each in found), None)


def prepared_name(model: PackagedModel) -> str:
    """The name of the prepared file in a cache; it holds the beginning of the hash that the file was made from."""
    kind = model.prepared_as or model.quantization
    return f"{model.id}.{kind}.from-{model.sha256[:12]}.gguf"
