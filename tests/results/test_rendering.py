import csv
import io
import json
from typing import Any

import pytest

from benchproof.results import RENDERERS, Row, TableError, build_table, measure_width, render_table, render_text
from results.samples import make_control_row, make_row


def render(*rows: Row, **options: bool) -> str:
    return render_text(build_table(rows, **options), built="2026-11-30", version="0.1.0")


def unwrap(text: str) -> str:
    """The words, whatever lines they are on."""
    return " ".join(text.split())


def make_malay_row(**changes: Any) -> Row:
    malay = {"language": "ms", "numerator": 18, "interval": (0.196, 0.404), "tag": "zicyw4m2xq7d"}
    return make_row(**(malay | changes))


def make_malay_control(**changes: Any) -> Row:
    return make_control_row(**({"language": "ms", "tag": "q3mab22cd2ve"} | changes))


STARTER = """\
starter 0.1 (draft) · reading · choice-accuracy.byte, higher is better, chance 25.0 %
setting: 0-shot, prompt custom:1d1f, cot none, split test, items all, chat template none

model_variant instruct                           en                                        ms
  SmolLM2-135M-Instruct F16    46.7 %  35.4–57.9  60/60  zicy3hzb3wmv    30.0 %  19.6–40.4  60/60  zicyw4m2xq7d
model_variant other (synthetic controls)
  control:longest              25.0 %  15.8–37.2  60/60  q3ma77ckd2ve    25.0 %  15.8–37.2  60/60  q3mab22cd2ve
intervals: 95 %, CR1 t(11), 12 clusters. proof: all recomputed.
flags: low_ci on every number.

low_ci: half-width > 5 points or fewer than 10 clusters
Built 2026-11-30 by benchproof 0.1.0. All settings and methods: --format md, --json.
"""


def test_the_starters_table_is_printed_as_documented() -> None:
    assert render(make_row(), make_malay_row(), make_control_row(), make_malay_control()) == STARTER


RANKED = """\
starter 0.1 (draft) · reading · choice-accuracy.byte, higher is better, chance 25.0 %
setting: 0-shot, prompt custom:1d1f, cot none, split test, model variant instruct, items all,
  chat template none

model                                                    en
  b                            1  50.0 %  no interval  60/60  bbbbbbbbbbbb  intact
  SmolLM2-135M-Instruct F16    2  46.7 %    35.4–57.9  60/60  zicy3hzb3wmv  recomputed
    register=high              –  60.0 %    35.4–57.9  20/20  zicyhighhigh  recomputed
  模型                         –  50.0 %    35.4–57.9  58/60  cccccccccccc  recomputed
intervals: 95 %, CR1 (2 numbers), CR2 (1 number), 12 clusters. proof: 1 intact, 3 recomputed.
flags: low_ci on 3 of 4 numbers, all but bbbbbbbbbbbb.
No interval (one cluster): bbbbbbbbbbbb. Not scored: cccccccccccc 2 errored. Ties, counted as the
  first of the tied: cccccccccccc 3.
1 run not shown, older or of fewer items (--every-run).
Not ranked, for want of items: cccccccccccc.

low_ci: half-width > 5 points or fewer than 10 clusters
Built 2026-11-30 by benchproof 0.1.0. All settings and methods: --format md, --json.
"""


def make_ranked_rows() -> list[Row]:
    b = {"model": "b", "model_id": "b", "numerator": 30, "flags": ()}
    return [
        make_row(),
        make_row(slice="register=high", tag="zicyhighhigh", numerator=12, denominator=20, planned=20),
        make_row(
            **b, source="run-b", tag="bbbbbbbbbbbb", interval=None, method="no interval: one cluster", clusters=1,
            proof="intact",
        ),
        make_row(**b, source="run-old", tag="oooooooooooo", date="2026-11-01T00:00:00Z"),
        make_row(
            model="模型", model_id="c", source="run-c", tag="cccccccccccc", numerator=29, denominator=58,
            excluded={"errored": 2, "unparsed": 0}, method="CR2, t(10.35)", ties=3,
            also=({"method": "CR1, t(11)", "interval": [0.35, 0.58]},),
        ),
    ]  # fmt: skip


def test_a_ranked_table_says_beneath_it_what_a_reader_must_know() -> None:
    assert render(*make_ranked_rows(), rank=True, registers=True) == RANKED


WHOLE_NOTES = """intervals: 95 %, CR1 t(11), 12 clusters (2 numbers); CR2 t(10.35), 12 clusters (1 number). proof: 1 intact, 3 recomputed.  
low\\_ci (half-width > 5 points or fewer than 10 clusters): 3 of 4 numbers, all but bbbbbbbbbbbb.  
No interval (one cluster): bbbbbbbbbbbb.  
Not scored: cccccccccccc 2 errored.  
Ties, counted as the first of the tied: cccccccccccc 3.  
By CR1, t(11): cccccccccccc 35.0–58.0.  
Also recorded, not part of what makes a group: decoding likelihood; quantization F16 from Q4\\_1; harness benchproof@0.1.0.  
1 run not shown, older or of fewer items: run-old (b, 2026-11-01).  
Not ranked, for want of items: cccccccccccc.
"""  # noqa: E501, W291 - as printed


def test_markdown_says_all_of_it() -> None:
    table = build_table(make_ranked_rows(), rank=True, registers=True)
    assert render_table(table, "md", built="2026-11-30", version="0.1.0").endswith(f"\n\n{WHOLE_NOTES}")


def make_numbers(count: int, **changes: Any) -> list[Row]:
    return [
        make_row(model=f"m{n}", model_id=f"m{n}", source=f"run-{n}", tag=str(n) * 12, **changes) for n in range(count)
    ]


def test_where_many_numbers_are_meant_the_text_counts_them() -> None:
    alike = {"interval": None, "method": "no interval: one cluster", "excluded": {"errored": 2}, "ties": 1}
    text = unwrap(render(*make_numbers(4, **alike), make_row(flags=("near_chance",))))
    assert "No interval (one cluster): 4 numbers." in text
    assert "Not scored: 8 errored, in 4 numbers." in text
    assert "Ties, counted as the first of the tied: 4 in 4 numbers." in text
    assert "flags: low_ci on 4 of 5 numbers, all but zicy3hzb3wmv; near_chance on 1 of 5 numbers: zicy3hzb3wmv." in text


def test_only_flags_that_occur_are_explained() -> None:
    assert "near_chance:" not in render(make_row())
    assert "flags:" not in render(make_row(flags=()))


def test_soft_settings_are_named_where_numbers_of_one_group_differ_in_them() -> None:
    other = make_row(model="b", model_id="b", source="b", tag="b" * 12, setting={"quantization": "Q4_0"})
    assert "Differs inside a group: quantization F16 from Q4_1 | Q4_0." in render(make_row(), other)
    assert "Differs inside a group" not in render(make_row(), make_control_row())


def test_languages_that_do_not_fit_a_terminal_stand_beneath_one_another() -> None:
    table = build_table([make_row(), make_malay_row(), make_control_row(), make_malay_control()])
    text = render_text(table, built="2026-11-30", version="0.1.0", width=80)
    assert max(map(measure_width, text.splitlines())) <= 80
    assert text.count("  SmolLM2-135M-Instruct F16 ") == 2
    assert text.index("zicy3hzb3wmv") < text.index("q3ma77ckd2ve") < text.index("zicyw4m2xq7d")


def test_a_long_title_of_a_group_does_not_push_its_numbers_aside() -> None:
    text = render(make_row(setting={"items": f"sample@4/0#{'a' * 60}"}), make_control_row())
    title = next(line for line in text.splitlines() if line.startswith("model_variant instruct"))
    assert "en" not in title.split()


def test_columns_line_up_on_the_screen_whatever_the_script() -> None:
    text = render(make_row(model="模型"), make_row(model="cafe\u0301", model_id="2", source="2", tag="2" * 12))
    lines = [line for line in text.splitlines() if "46.7" in line]
    assert len(lines) == 2
    starts = {measure_width(line[: line.index("46.7")]) for line in lines}
    assert len(starts) == 1


def test_prompts_that_differ_by_language_are_named_by_language() -> None:
    text = render(make_row(), make_malay_row(setting={"prompt": "custom:99aa00c0ffee"}))
    assert "prompt custom:1d1f (en), custom:99aa (ms)" in text


def test_digests_are_cut_no_shorter_than_tells_them_apart() -> None:
    text = render(make_row(), make_malay_row(setting={"prompt": "custom:1d1f00ffffff"}))
    assert "prompt custom:1d1f00c (en), custom:1d1f00f (ms)" in text


def test_drafts_of_several_digests_are_named_by_digest() -> None:
    text = render(make_row(), make_row(draft_digest="c" * 64))
    assert "starter 0.1 (draft bbbbbbbbbbbb) · reading" in text
    assert "starter 0.1 (draft cccccccccccc) · reading" in text


def test_a_finished_version_is_not_called_a_draft() -> None:
    text = render(make_row(benchmark="squad/dev@1.1", draft_digest=None))
    assert text.startswith("squad/dev 1.1 · reading · ")


def test_unknown_hard_keys_are_named_beneath_the_table() -> None:
    text = render(make_row(setting={"prompt": "unknown"}), rank=True)
    assert "Not ranked where prompt is unknown." in text


def test_a_ranked_table_says_what_it_did_not_rank() -> None:
    text = render(make_row(), make_control_row(), rank=True)
    assert "Not ranked across groups: they differ in model_variant." in text


def test_a_table_that_nobody_asked_to_rank_does_not_speak_of_ranks() -> None:
    text = render(make_row(), make_control_row(), make_row(metric="vibes"))
    assert "anked" not in text
    assert "compar" not in text


def test_groups_of_two_models_are_not_comparable_whether_or_not_somebody_asked() -> None:
    base = make_row(model="Gemma 3 270M", model_id="gemma", source="2", tag="2" * 12, setting={"model_variant": "base"})
    text = unwrap(render(make_row(), base))
    assert "Not comparable across groups: they differ in model_variant. `benchproof compare` contrasts two" in text


def test_an_unknown_hard_key_is_named_though_nobody_asked_for_ranks() -> None:
    assert "Comparable with no other where prompt is unknown." in render(make_row(setting={"prompt": "unknown"}))


def test_a_metric_without_direction_says_so() -> None:
    text = render(make_row(metric="vibes"), rank=True)
    assert "vibes, direction unknown, chance 25.0 %" in text
    assert "Not ranked: no rule says whether a higher vibes is better." in text


def test_another_method_that_gives_the_same_digits_is_not_printed_number_by_number() -> None:
    also = ({"method": "CR1, t(29)", "interval": [0.3541, 0.5794]},)
    other = ({"method": "CR1, t(29)", "interval": [0.2, 0.4]},)
    table = build_table([make_row(also=also), make_malay_row(also=other)])
    text = render_table(table, "md", built="2026-11-30", version="0.1.0")
    assert "By CR1, t(29): zicyw4m2xq7d 20.0–40.0, the same to the digits printed for 1 number." in text


def test_a_section_without_a_common_key_refers_to_its_groups() -> None:
    keys = {"hard_keys": ("model_variant",)}
    assert "setting: see each group" in render(make_row(**keys), make_control_row(**keys))


def test_a_number_in_another_unit_is_printed_in_it() -> None:
    text = render(make_row(unit="nat", value=1.23456, interval=(1.1, 1.4), numerator=None, chance=None), rank=True)
    assert "1  1.235 nat  1.1–1.4  60/60  zicy3hzb3wmv" in text


def test_hidden_slices_are_counted() -> None:
    assert "1 number by register not shown (--registers)." in render(make_row(), make_row(slice="register=low"))


def test_methods_that_vary_only_in_figures_are_one_method_with_ranges() -> None:
    text = render(
        make_row(method="CR2, t(26.1)", clusters=30),
        make_malay_row(method="CR2, t(28.45)", clusters=29),
    )
    assert "intervals: 95 %, CR2 t(26.1–28.45), 29–30 clusters." in text


def test_where_each_item_is_its_own_cluster_items_are_counted() -> None:
    assert "intervals: 95 %, Wilson, 60 items." in render(make_row(method="Wilson", clusters=60))


def test_chance_levels_that_differ_by_language_are_named_by_language() -> None:
    assert "chance 25.0 % (en), 33.3 % (ms)" in unwrap(render(make_row(), make_malay_row(chance=1 / 3)))


def test_an_axis_without_a_chance_level_names_none() -> None:
    assert "higher is better\n" in render(make_row(chance=None))


def test_nothing_to_show_is_said() -> None:
    assert render() == "No numbers to show.\n"


MARKDOWN = """\
### starter 0.1 (draft) · reading · choice-accuracy.byte, higher is better, chance 25.0 %

setting: 0-shot, prompt custom:1d1f, cot none, split test, items all, chat template none (built 2026-11-30, benchproof 0.1.0)

**model\\_variant instruct**

| model | en rank | en | interval | n/planned | tag | proof |
| --- | --- | --- | --- | --- | --- | --- |
| SmolLM2-135M-Instruct F16 | 1 | 46.7 % | 35.4–57.9 | 60/60 | `zicy3hzb3wmv` | recomputed |

**model\\_variant other (synthetic controls)**

| model | en rank | en | interval | n/planned | tag | proof |
| --- | --- | --- | --- | --- | --- | --- |
| control:longest | 1 | 25.0 % | 15.8–37.2 | 60/60 | `q3ma77ckd2ve` | recomputed |

intervals: 95 %, CR1 t(11), 12 clusters. proof: all recomputed.  
low\\_ci (half-width > 5 points or fewer than 10 clusters): every number.  
Also recorded, not part of what makes a group: decoding likelihood; quantization F16 from Q4\\_1 \\| none; harness benchproof@0.1.0.  
Not ranked across groups: they differ in model\\_variant. `benchproof compare` contrasts two runs.
"""  # noqa: E501, W291 - as printed


def test_the_markdown_table() -> None:
    table = build_table([make_row(), make_control_row()], rank=True)
    assert render_table(table, "md", built="2026-11-30", version="0.1.0") == MARKDOWN


def test_a_name_cannot_break_a_markdown_table() -> None:
    table = build_table([make_row(model="a|b <script>")])
    assert "| a\\|b \\<script> |" in render_table(table, "md", built="2026-11-30", version="0.1.0")


def test_csv_has_one_line_a_number_older_ones_marked() -> None:
    rows = [make_row(), make_row(date="2026-12-01T00:00:00Z", source="later", tag="later"), make_control_row()]
    text = render_table(build_table(rows, rank=True), "csv", built="2026-11-30", version="0.1.0")
    records = list(csv.DictReader(io.StringIO(text)))
    assert [(r["tag"], r["group"], r["rank"], r["older"]) for r in records] == [
        ("later", "1.1", "1", "false"),
        ("zicy3hzb3wmv", "1.1", "", "true"),
        ("q3ma77ckd2ve", "1.2", "1", "false"),
    ]
    assert (records[0]["value"], records[0]["lower"], records[0]["denominator"]) == (
        "0.466666666667",
        "0.353872616592",
        "60",
    )
    assert records[0]["setting.prompt"] == "custom:1d1f00c0ffee"


def test_json_holds_the_arrangement_and_every_number_whole() -> None:
    table = build_table([make_row(), make_control_row()], rank=True)
    document = json.loads(render_table(table, "json", built="2026-11-30", version="0.1.0"))
    (section,) = document["sections"]
    assert section["differing"] == ["model_variant"]
    assert document["flags"] == {"low_ci": "half-width > 5 points or fewer than 10 clusters"}
    cell = section["groups"][0]["lines"][0]["cells"]["en"]
    assert (cell["tag"], cell["value"], cell["interval"], cell["denominator"], cell["planned"]) == (
        "zicy3hzb3wmv",
        0.466666666667,
        [0.353872616592, 0.579460716741],
        60,
        60,
    )
    assert (cell["rank"], cell["shared"]) == (1, False)


@pytest.mark.parametrize("form", sorted(RENDERERS))
def test_rendering_twice_gives_the_same_bytes(form: str) -> None:
    rows = [make_row(), make_malay_row(), make_control_row()]
    once = render_table(build_table(rows), form, built="2026-11-30", version="0.1.0")
    assert render_table(build_table(reversed(rows)), form, built="2026-11-30", version="0.1.0") == once
    assert once.endswith("\n")


def test_an_unknown_format_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(TableError, match="got pdf; expected one of text, md, latex, csv, json"):
        render_table(build_table([]), "pdf", built="2026-11-30", version="0.1.0")
