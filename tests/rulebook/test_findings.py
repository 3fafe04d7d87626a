from benchproof.rulebook import Finding, Severity, has_errors


def test_a_finding_reads_as_place_code_what_got_expected_and_hint() -> None:
    finding = Finding("a.json", "A001", "digest differs", got="aa", expected="bb", hint="Restore the file.")
    assert str(finding) == "a.json: A001 digest differs; got aa; expected bb. Restore the file."


def test_findings_sort_by_place_then_code() -> None:
    later, earlier = Finding("b", "A001", "x"), Finding("a", "B001", "y")
    assert sorted([later, earlier]) == [earlier, later]


def test_a_warning_alone_does_not_fail_a_check() -> None:
    assert not has_errors([Finding("a", "A006", "hard link", severity=Severity.WARNING)])
    assert has_errors([Finding("a", "A001", "x")])
