"""Which installed package runs GGUF weights: the one asked for, else the first of ``KNOWN_RUNTIMES`` that is installed.

Likelihoods depend on the runtime, so none is ever taken in place of another: the chosen one works, or an error says
what to do. Nor are two loaded into one process: each brings native libraries that go by the same names.
"""

import importlib
import importlib.metadata
import importlib.util
import sys
from dataclasses import dataclass

from benchproof.models.errors import ModelError, RuntimeMissingError
from benchproof.models.naming import nearest_names
from benchproof.models.runtime import RuntimeBinding, RuntimeFailure
from benchproof.models.versions import VersionRange, demand_version

INSTALL_ANY = "Install one: pip install 'benchproof[gguf]'"


@dataclass(frozen=True, slots=True)
class KnownRuntime:
    """A package that ``benchproof[extra]`` installs, what is imported of it, and which class of ours does so."""

    package: str
    extra: str
    module: str
    binding: str
    versions: VersionRange

    @property
    def install(self) -> str:
        """The command that installs a supported version."""
        return f"pip install 'benchproof[{self.extra}]'"

    @property
    def version(self) -> str | None:
        """The installed version; ``None`` where no version is stated."""
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return None

    @property
    def is_installed(self) -> bool:
        """Whether the package is there (it is not imported)."""
        return importlib.util.find_spec(self.module) is not None

    @property
    def is_loaded(self) -> bool:
        """Whether this process has imported the package."""
        return sys.modules.get(self.module) is not None

    @property
    def is_supported(self) -> bool:
        """Whether the installed version is a supported one."""
        return (self.version or "") in self.versions


KNOWN_RUNTIMES = (
    KnownRuntime(
        "llama-cpp-python",
        extra="llama-cpp-python",
        module="llama_cpp",
        binding="benchproof.models.llama_cpp_runtime:LlamaCppBinding",
        versions=VersionRange("0.3.36", "0.4"),
    ),
    KnownRuntime(
        "ik-llama-cpp-python",
        extra="gguf",
        module="ik_llama_cpp",
        binding="benchproof.models.ik_runtime:IkBinding",
        versions=VersionRange("0.1.5", "0.2"),
    ),
)
"""Most preferred first: whoever has built one for this machine wants it used; the other one comes prebuilt."""


def choose_runtime(package: str | None = None) -> KnownRuntime:
    """The runtime called ``package``, else the preferred one of those installed; nothing is loaded.

    Raises:
        ModelError: There is no runtime of that name.
        RuntimeMissingError: It is not installed, or none is; the message says what to install.
    """
    installed = [known for known in KNOWN_RUNTIMES if known.is_installed]
    if package is None:
        if installed:
            return installed[0]
        raise RuntimeMissingError(
            "no package that can run GGUF weights is installed",
            expected=" or ".join(known.package for known in reversed(KNOWN_RUNTIMES)),
            hint=INSTALL_ANY,
        )
    names = [known.package for known in KNOWN_RUNTIMES]
    if package not in names:
        raise ModelError("there is no runtime of this name", got=package, hint=nearest_names(package, names))
    known = KNOWN_RUNTIMES[names.index(package)]
    if known not in installed:
        raise RuntimeMissingError(
            "the runtime that was asked for is not installed", got=package, hint=f"Install it: {known.install}"
        )
    return known


def find_binding(package: str | None = None) -> RuntimeBinding:
    """Load the runtime that ``choose_runtime`` chooses.

    Raises:
        ModelError: There is no runtime of that name.
        RuntimeMissingError: It is not installed, its version is not supported, it does not load, or this process has
            loaded another; the message says what to do.
    """
    known = choose_runtime(package)
    for other in KNOWN_RUNTIMES:
        if other is not known and other.is_loaded:
            raise RuntimeMissingError(
                "one process cannot load two runtimes",
                got=f"{known.package} after {other.package}",
                hint="Use one of them in a process of its own.",
            )
    module, _, name = known.binding.partition(":")
    try:
        demand_version(known.package, known.versions)
        binding: RuntimeBinding = getattr(importlib.import_module(module), name)()
    except RuntimeFailure as error:
        raise RuntimeMissingError(
            "the package that runs GGUF weights does not work here",
            got=str(error),
            hint=_either(f"Install it again: pip install --force-reinstall '{known.package}{known.versions}'", known),
        ) from error
    return binding


def _either(command: str, known: KnownRuntime) -> str:
    """``command``, or the choice of another runtime that is installed."""
    others = [each.package for each in KNOWN_RUNTIMES if each is not known and each.is_installed]
    return command + (f", or choose another (--runtime {others[0]})" if others else "")
