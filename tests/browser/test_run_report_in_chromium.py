"""The run report in a real browser: opened from ``file://``, without a network, scripts and all."""

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from benchproof.site import render_report
from proof.page import Page, read_page
from proof.report_samples import make_full_report

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--enable-logging=stderr",
    "--virtual-time-budget=3000",
)
PROBE = """<script>
const seen = () => [...document.querySelectorAll(".axis")].map(
  axis => [...axis.querySelectorAll(".item")].filter(item => getComputedStyle(item).display !== "none").length);
const counts = [seen()];
for (const value of ["right", "wrong", "tie"]) {
  for (const input of document.querySelectorAll(`.filters [value="${value}"]`)) input.checked = true;
  counts.push(seen());
}
document.documentElement.dataset.counts = JSON.stringify(counts);
</script>"""


@dataclass(frozen=True)
class Visit:
    html: str
    console: tuple[str, ...]

    @property
    def page(self) -> Page:
        return read_page(re.sub(r"<!DOCTYPE html>", "", self.html))


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Visit]:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")

    def open_page(html: str, *, fragment: str = "", flags: tuple[str, ...] = ()) -> Visit:
        folder = tmp_path_factory.mktemp("visit")
        file = folder / "report.html"
        file.write_text(html, encoding="utf-8")
        command = [browser, *FLAGS, *flags, f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
        done = subprocess.run(
            [*command, f"{file.as_uri()}{fragment}"], capture_output=True, text=True, timeout=120, check=True
        )
        return Visit(done.stdout, tuple(line for line in done.stderr.splitlines() if "CONSOLE" in line))

    return open_page


@pytest.fixture(scope="module")
def report() -> str:
    return render_report(make_full_report(), built="2026-11-30T21:30:00Z", version="0.1.0")


def test_the_page_opens_without_a_word_on_the_console(visit: Callable[..., Visit], report: str) -> None:
    seen = visit(report)
    assert seen.console == ()
    assert len(seen.page.of_class("item")) == 35
    assert all("hidden" not in tools.attributes for tools in seen.page.of_class("tools"))


def test_hostile_text_does_nothing_in_a_browser(visit: Callable[..., Visit], report: str) -> None:
    title = visit(report).page.all("title")[0].text
    assert title == "HuggingFaceTB/SmolLM2-135M-Instruct on starter: run report"


def test_even_a_script_that_slipped_through_does_not_run(visit: Callable[..., Visit], report: str) -> None:
    seen = visit(report.replace("</main>", '</main><script>document.title = "owned"</script>'))
    assert seen.page.all("title")[0].text != "owned"
    assert any("Content Security Policy" in line for line in seen.console)


def test_a_link_to_an_item_opens_it(visit: Callable[..., Visit], report: str) -> None:
    seen = visit(report, fragment="#reading.en-2")
    opened = [item.attributes["id"] for item in seen.page.of_class("item") if "open" in item.attributes]
    assert opened == ["reading.en-2"]


def test_the_filters_work_without_the_page_script(visit: Callable[..., Visit], report: str) -> None:
    bare = re.sub(r"<meta http-equiv=[^>]*>", "", report)
    bare = re.sub(r"<script>.*?</script>\n</body>", lambda _: f"{PROBE}\n</body>", bare, flags=re.DOTALL)
    (root,) = visit(bare).page.all("html")
    assert root.attributes["data-counts"] == "[[28,5,1,1],[10,1,1,1],[18,2,1,1],[1,2,1,1]]"


def test_a_narrow_window_scrolls_no_wider_than_itself(visit: Callable[..., Visit], report: str) -> None:
    bare = re.sub(r"<meta http-equiv=[^>]*>", "", report).replace("<details class", "<details open class")
    probe = "<script>document.documentElement.dataset.wide = document.documentElement.scrollWidth - innerWidth</script>"
    (root,) = visit(bare.replace("</body>", f"{probe}</body>"), flags=("--window-size=500,900",)).page.all("html")
    assert int(root.attributes["data-wide"] or "1") <= 0
