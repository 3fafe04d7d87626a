"""Strict JSON, canonical JSON, digests and names: the ground that evidence stands on."""

from benchproof.canon.canonical import canonical, canonical_slow, check_canonicalization
from benchproof.canon.digests import DigestingReader, digest, file_digest, is_sha256_hex, sha256_hex
from benchproof.canon.errors import CanonError, CanonicalError, NameRefusedError, StrictJsonError
from benchproof.canon.line_search import search_lines
from benchproof.canon.lines import LineSource, parse_line, parse_lines, split_lines
from benchproof.canon.names import casefold_clashes, check_id, check_relative_path, is_portable_id
from benchproof.canon.profile import (
    CANONICALIZATION,
    DEFAULT_MAX_DEPTH,
    MAX_LINE_BYTES,
    MAX_SAFE_INTEGER,
    Profile,
    UnknownProfileError,
)
from benchproof.canon.reading import parse, parse_canonical, parse_slow

__all__ = [
    "CANONICALIZATION",
    "DEFAULT_MAX_DEPTH",
    "MAX_LINE_BYTES",
    "MAX_SAFE_INTEGER",
    "CanonError",
    "CanonicalError",
    "DigestingReader",
    "LineSource",
    "NameRefusedError",
    "Profile",
    "StrictJsonError",
    "UnknownProfileError",
    "canonical",
    "canonical_slow",
    "casefold_clashes",
    "check_canonicalization",
    "check_id",
    "check_relative_path",
    "digest",
    "file_digest",
    "is_portable_id",
    "is_sha256_hex",
    "parse",
    "parse_canonical",
    "parse_line",
    "parse_lines",
    "parse_slow",
    "search_lines",
    "sha256_hex",
    "split_lines",
]
