import subprocess
import sys

import pytest

from benchproof.cli import main
from benchproof.cli.aliases import expand_aliases, load_aliases
from benchproof.cli.app import COMMANDS


def test_version_is_printed_without_importing_the_command_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("benchproof ")


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in COMMANDS)


@pytest.mark.parametrize("name", list(COMMANDS))
def test_each_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert "Usage: benchproof" in capsys.readouterr().out


def test_an_unknown_command_names_the_nearest_and_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tabel"]) == 2
    assert "Did you mean 'table'?" in capsys.readouterr().err


def test_an_unknown_option_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "--colour"]) == 2
    assert "No such option" in capsys.readouterr().err


def test_no_words_show_the_help_and_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Usage: benchproof" in capsys.readouterr().out


@pytest.mark.parametrize(("typed", "means"), load_aliases())
def test_an_alias_becomes_the_house_name_and_says_so(typed: tuple[str, ...], means: tuple[str, ...]) -> None:
    words, notice = expand_aliases([*typed, "--json"])
    assert words == [*means, "--json"]
    assert notice is not None
    assert "benchproof " + " ".join(means) in notice


@pytest.mark.parametrize("call", [["--help"], ["--version"]])
def test_the_start_imports_nothing_heavy(call: list[str]) -> None:
    heavy = {"numpy", "scipy", "jinja2", "jsonschema_rs", "ruamel", "ik_llama_cpp", "tqdm"}
    code = (
        "import sys; from benchproof.cli import main; main(sys.argv[1:]);"
        f"print('loaded', sorted({heavy!r} & {{name.partition('.')[0] for name in sys.modules}}))"
    )
    done = subprocess.run([sys.executable, "-c", code, *call], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("loaded []\n")


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_a_terminal_of_80_columns(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*([name] if name else []), "--help"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 80] == []
