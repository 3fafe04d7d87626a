"""Fills the console blocks of a page with what the commands print now: ``python docs/tutorial/fill.py PAGE``."""

import re
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests"))


def fill_page(page: Path) -> None:
    """Run every block in one new folder that has the files which the page shows, in order, and write the page anew."""
    from docs.console import Shell, read_block
    from docs.pages import write_files

    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder), {})
        write_files(page, Path(folder))

        def fill(block: re.Match[str]) -> str:
            parts = []
            for command, _shown in read_block(block[1]):
                lines = command.splitlines()
                parts.append("\n".join([f"$ {lines[0]}", *(f"> {line}" for line in lines[1:])]))
                printed = shell.run(command).rstrip("\n")
                parts += [printed] if printed else []
            return "```console\n" + "\n".join(parts) + "\n```"

        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(r"^```console\n(.*?)^```", fill, text, flags=re.DOTALL | re.MULTILINE), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        fill_page(Path(name))
