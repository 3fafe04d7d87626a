"""The catalogue of packaged models: pinned names, hashes, packages and terms, as data (``catalogue.toml``)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Variant = Literal["base", "instruct", "chat", "reasoning", "other"]


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """One model whose weights come as an installed package; ``name`` is what a user types.

    ``parts`` are paths below a folder of ``sys.path``; joined in order they are ``bytes`` long and hash to ``sha256``.
    ``architecture`` is what their header states.
    ``prepared_as`` is the type that the runtime's quantizer makes of them before use, ``prepared_sha256`` what that
    gives on the machines seen so far (a note where it differs, no error). ``unprepared_note`` is told to a user who
    runs the packaged file as it is.
    """

    name: str
    id: str
    model: str
    family: str
    architecture: str
    variant: Variant
    quantization: str
    sha256: str
    bytes: int
    parts: tuple[str, ...]
    file_name: str
    package: str
    package_version: str
    pip: str
    license: str
    terms: str
    prepared_as: str | None = None
    prepared_sha256: str | None = None
    unprepared_note: str | None = None

    @property
    def quantization_as_run(self) -> str:
        """The quantization that a run records, such as ``F16 from Q4_1``."""
        return f"{self.prepared_as} from {self.quantization}" if self.prepared_as else self.quantization


@cache
def load_catalogue() -> Mapping[str, PackagedModel]:
    """All packaged models by the name that a user types, sorted."""
    text = files("benchproof.models").joinpath("catalogue.toml").read_text("utf-8")
    rows = tomllib.loads(text)
    return {
        name: PackagedModel(**{**row, "name": name, "parts": tuple(row["parts"])}) for name, row in sorted(rows.items())
    }


def find_by_digest(sha256: str) -> PackagedModel | None:
    """The packaged model that these weights are, as packaged or as prepared; ``None`` where there is none."""
    for model in load_catalogue().values():
        if sha256 in (model.sha256, model.prepared_sha256):
            return model
    return None
