"""Every change of stored bytes goes through ``Disk``, so that a model of crashes can take its place in tests.

Laws kept (contract-archive §4): files are created anew (``O_EXCL``), never through a link (``O_NOFOLLOW``); a
rename never replaces; folders are reached by descriptor. Methods raise ``OSError``; ``storage_errors`` turns it into
the archive's own error at the edge.
"""

import ctypes
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

from benchproof.archive.errors import StorageError

_RENAME_NOREPLACE = 1
_NOT_OFFERED = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_REASONS = {
    errno.ENOSPC: ("no space is left on the disk", "Free some space and try again"),
    errno.EDQUOT: ("the disk quota is used up", "Free some space and try again"),
    errno.EROFS: ("the file system is read-only", "Point --archive at a folder that can be written"),
    errno.EACCES: ("permission was denied", "Check the owner and mode of the folder"),
    errno.EPERM: ("the operation is not permitted", "Check the owner and mode of the folder"),
    errno.EIO: ("the device reported an error", "Check the disk before going on"),
}


@contextmanager
def storage_errors(place: str) -> Iterator[None]:
    """Turn an ``OSError`` inside the block into a ``StorageError`` that says what, where and what to do."""
    try:
        yield
    except OSError as error:
        reason, hint = _REASONS.get(error.errno or 0, (error.strerror or str(error), None))
        raise StorageError(reason, place=place, hint=hint) from error


@contextmanager
def taken_or_storage_errors(place: str) -> Iterator[None]:
    """As ``storage_errors``, but a name that is taken stays a ``FileExistsError`` for the caller to explain."""
    try:
        yield
    except FileExistsError:
        raise
    except OSError:
        with storage_errors(place):
            raise


@cache
def _find_renameat2() -> Any:
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return None
    function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    function.restype = ctypes.c_int
    return function


class Disk:
    """The real disk. It holds no state; a descriptor is an ``int`` and the caller closes it."""

    def open_folder(self, name: str, folder: int | None = None) -> int:
        """Open a folder that is no symbolic link."""
        return os.open(name, _FOLDER_FLAGS, dir_fd=folder)

    def make_folder(self, name: str, folder: int | None = None) -> None:
        """Make a new folder."""
        os.mkdir(name, 0o755, dir_fd=folder)

    def create(self, name: str, folder: int, mode: int = 0o444) -> int:
        """Create a file that did not exist and open it for writing."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.open(name, flags, mode, dir_fd=folder)

    def open_append(self, name: str, folder: int) -> int:
        """Open an existing file for appending and for reading back."""
        return os.open(name, os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)

    def write(self, file: int, data: bytes) -> None:
        """Hand all of ``data`` to the operating system."""
        view = memoryview(data)
        while view:
            view = view[os.write(file, view) :]

    def read_at(self, file: int, offset: int, length: int) -> bytes:
        """At most ``length`` bytes from ``offset``; fewer only at the end of the file."""
        parts: list[bytes] = []
        while length and (part := os.pread(file, length, offset)):
            parts.append(part)
            offset, length = offset + len(part), length - len(part)
        return b"".join(parts)

    def truncate(self, file: int, length: int) -> None:
        """Cut an open file to ``length`` bytes."""
        os.ftruncate(file, length)

    def sync(self, file: int) -> None:
        """Ask for durability. A failure is final: the kernel reports lost pages once and never again."""
        os.fsync(file)

    def close(self, file: int) -> None:
        """Close a file; a late write error surfaces here."""
        os.close(file)

    def close_folder(self, folder: int) -> None:
        """Close a folder's descriptor: nothing was written through it, so that nothing can be lost."""
        with suppress(OSError):
            os.close(folder)

    def rename_new(self, name: str, folder: int, new_name: str, new_folder: int) -> None:
        """Rename without replacement; ``FileExistsError`` where the new name is taken.

        Falls back to a plain rename where the kernel or file system offers no ``RENAME_NOREPLACE``: a published folder
        is never empty, so that even a lost race cannot replace one.
        """
        renameat2 = _find_renameat2()
        if renameat2 is not None:
            if renameat2(folder, os.fsencode(name), new_folder, os.fsencode(new_name), _RENAME_NOREPLACE) == 0:
                return
            code = ctypes.get_errno()
            if code not in _NOT_OFFERED:
                raise OSError(code, os.strerror(code), new_name)
        self._rename_where_absent(name, folder, new_name, new_folder)

    def replace(self, name: str, new_name: str, folder: int) -> None:
        """Rename within a folder, over what was there: for derived files only."""
        os.rename(name, new_name, src_dir_fd=folder, dst_dir_fd=folder)

    def remove_if_there(self, name: str, folder: int) -> None:
        """Remove what may have been left of a failed write, as far as the disk lets us."""
        with suppress(OSError):
            self.remove_tree(name, folder)

    def _rename_where_absent(self, name: str, folder: int, new_name: str, new_folder: int) -> None:
        with suppress(FileNotFoundError):
            os.stat(new_name, dir_fd=new_folder, follow_symlinks=False)
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new_name)
        try:
            os.rename(name, new_name, src_dir_fd=folder, dst_dir_fd=new_folder)
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.ENOTDIR):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new_name) from error
            raise

    def remove_tree(self, name: str, folder: int) -> None:
        """Remove a file, or a folder with all in it, following no link; what another removes meanwhile is gone too."""
        if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            os.unlink(name, dir_fd=folder)
            return
        inner = self.open_folder(name, folder)
        try:
            for child in sorted(os.listdir(inner)):  # noqa: PTH208 - by descriptor
                with suppress(FileNotFoundError):
                    self.remove_tree(child, inner)
        finally:
            self.close_folder(inner)
        os.rmdir(name, dir_fd=folder)


DISK = Disk()
