"""What a llama.cpp library logs: its errors are kept and nothing is printed, because standard output is data."""

import ctypes
from collections.abc import Callable
from typing import Any

LogCallback = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
_LEVEL_ERROR = 4
_ERRORS_KEPT = 20
_CALLBACKS: list[Any] = []  # the library keeps a pointer to the newest for the life of the process


class NativeLog:
    """The errors of one library since the last ``clear``."""

    def __init__(self, set_callback: Callable[[Any, Any], object]) -> None:
        """Take the library's log lines; ``set_callback`` is its ``llama_log_set``."""
        self._errors: list[str] = []
        callback = LogCallback(self._keep_error)
        set_callback(callback, None)
        _CALLBACKS.append(callback)

    def clear(self) -> None:
        """Forget what was logged."""
        self._errors.clear()

    def first_error(self) -> str:
        """The first error that the library logged is the cause; those behind it are its callers'."""
        return next((line for line in self._errors if line), "it does not say why")

    def _keep_error(self, level: int, text: bytes, _data: object) -> None:
        if level == _LEVEL_ERROR and len(self._errors) < _ERRORS_KEPT:
            self._errors.append(text.decode("utf-8", "replace").strip())
