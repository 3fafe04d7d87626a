import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=REPOSITORY,
        capture_output=True,
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    return zipfile.ZipFile(wheel).namelist()


def test_the_wheel_carries_the_starter_bench_whole(wheel_names: list[str]) -> None:
    bench = REPOSITORY / "benches" / "starter"
    files = {f"benchproof/benches/starter/{path.relative_to(bench)}" for path in bench.rglob("*") if path.is_file()}
    assert files <= set(wheel_names)


def test_the_wheel_carries_data_beside_the_code(wheel_names: list[str]) -> None:
    source = REPOSITORY / "src"
    wanted = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert wanted <= set(wheel_names)


def test_the_wheel_carries_licence_and_notice_and_no_test(wheel_names: list[str]) -> None:
    assert any(name.endswith("licenses/LICENSE") for name in wheel_names)
    assert any(name.endswith("licenses/NOTICE") for name in wheel_names)
    assert not any(name.startswith("tests/") for name in wheel_names)
