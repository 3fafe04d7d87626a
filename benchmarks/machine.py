"""Where and when the figures were taken: a figure without them means nothing."""

import os
import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

PACKAGES = ("benchproof", "orjson", "rfc8785", "jsonschema-rs", "ik-llama-cpp-python", "numpy")


def describe_machine() -> dict[str, str]:
    """Date, processor, load, Python and the packages of our side; each peer's version stands with its figure."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{_name_processor()}, {os.cpu_count()} cores, {_count_memory()}, {platform.system()}",
        "load": "load average {:.1f}, {:.1f}, {:.1f}: figures are CPU time".format(*os.getloadavg()),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": ", ".join(f"{name} {version}" for name in PACKAGES if (version := find_version(name))),
    }


def find_version(package: str) -> str | None:
    """The installed version; ``None`` where it is not."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _name_processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _count_memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
