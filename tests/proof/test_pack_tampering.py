"""Any changed byte of a packed proof is found, by both verifiers; and what neither can find is said to be so.

``BENCHPROOF_PROOF=full`` flips a bit of every byte (minutes); without it a sample is taken.
"""

import os
import random
import runpy
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from archive.forging import Forgery
from benchproof.errors import BenchproofError, ExitCode
from benchproof.proof import ContainerError, read_verifier, verify_proof
from benchproof.proof.pack_container import central_header, end_record, local_header
from proof.packing import check_apart, pack_runs, pack_tiny, unpack
from proof.rewriting import Members, change_json, change_sheet, find_name, read_members, rewrite, write_members
from proof.sealed_runs import make_sealed_run

SAMPLE = 400


def blank(_contents: object) -> str:
    """No page: it is not compared where another version packed the proof."""
    return ""


def print_nothing(_text: str) -> None:
    pass


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack_tiny(tmp_path_factory.mktemp("sound"), count=1)


@pytest.fixture
def proof(sound: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "proof.zip"
    copy.write_bytes(sound.read_bytes())
    return copy


@pytest.fixture(scope="module")
def packed_main(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], int]:
    """The packed verifier in this process, silent; ``check_apart`` runs it as an auditor does."""
    script = tmp_path_factory.mktemp("script") / "verify.py"
    script.write_bytes(read_verifier())
    namespace: dict[str, Any] = runpy.run_path(str(script))
    main = namespace["main"]
    main.__globals__["say"] = print_nothing
    return lambda path: int(main([str(path)]))


def verify(proof: Path) -> ExitCode:
    """The installed verifier's verdict; the page is not made, since a changed byte is found before."""
    try:
        outcome = verify_proof(proof, render_page=blank, version="another")
    except BenchproofError as error:
        return error.exit_code
    return outcome.exit_code


def list_flips(data: bytes) -> list[tuple[int, int]]:
    """(byte, bit): a bit of every byte, or a sample that has the container's directory and its first headers."""
    flips = [(byte, byte % 8) for byte in range(len(data))]
    if os.environ.get("BENCHPROOF_PROOF") == "full":
        return flips
    directory = struct.unpack_from("<I", data, len(data) - 6)[0]
    drawn = random.Random(20261201)
    ends = [(byte, drawn.randrange(8)) for byte in (*range(60), *range(len(data) - 22, len(data)))]
    return ends + drawn.sample(flips[directory:], 100) + drawn.sample(flips, SAMPLE)


def test_every_changed_byte_is_found_by_both_verifiers(proof: Path, packed_main: Callable[[Path], int]) -> None:
    data = proof.read_bytes()
    assert (verify(proof), packed_main(proof)) == (ExitCode.YES, 0)
    missed = []
    for byte, bit in list_flips(data):
        with proof.open("r+b") as stream:
            stream.seek(byte)
            stream.write(bytes([data[byte] ^ (1 << bit)]))
            stream.flush()
            if verify(proof) != ExitCode.NO or packed_main(proof) != 1:
                missed.append((byte, bit))
            stream.seek(byte)
            stream.write(data[byte : byte + 1])
    assert missed == []


def test_every_proof_cut_short_or_made_longer_is_found(proof: Path, packed_main: Callable[[Path], int]) -> None:
    data = proof.read_bytes()
    drawn = random.Random(20261201).sample(range(len(data)), 40)
    for harmed in [*(data[:size] for size in (0, 1, 21, 22, *drawn)), data + b"\0", data + data, b"\0" + data]:
        proof.write_bytes(harmed)
        assert (verify(proof), packed_main(proof)) == (ExitCode.NO, 1)


def test_every_changed_file_of_an_unpacked_proof_is_found(proof: Path, tmp_path: Path) -> None:
    folder = unpack(proof, tmp_path / "unpacked")
    assert check_apart(folder, tmp_path).code == 0
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        sound = path.read_bytes()
        path.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
        checked = check_apart(folder, tmp_path)
        assert checked.code == 1, path
        path.write_bytes(sound)


def test_a_link_or_a_further_file_in_an_unpacked_proof_is_refused(proof: Path, tmp_path: Path) -> None:
    folder = unpack(proof, tmp_path / "unpacked")
    (folder / "runs" / "more.txt").write_text("x")
    assert "not listed in SHA256SUMS" in check_apart(folder, tmp_path).out
    (folder / "runs" / "more.txt").unlink()
    (folder / "runs" / "link").symlink_to(folder / "index.html")
    assert "a link or no regular file" in check_apart(folder, tmp_path).out


# What is changed together with the list of digests: everything that recomputes finds it.


def change_raw(members: Members) -> None:
    name = find_name(members, "runs/tiny.scripted.20261130T212541Z.7f3a/raw/reading.en")
    members[name] = members[name].replace(b"-", b"-1", 1)


def change_record(members: Members) -> None:
    name = find_name(members, "runs/tiny.scripted.20261130T212541Z.7f3a/records/facts.en")
    members[name] = members[name].replace(b'"answer":" ', b'"answer":"  ', 1)


def change_item(members: Members) -> None:
    name = find_name(members, "runs/tiny.scripted.20261130T212541Z.7f3a/attachments/items/reading.en")
    members[name] = members[name].replace(b'"answer_index":0', b'"answer_index":1')


def change_manifest(members: Members) -> None:
    name = find_name(members, "runs/tiny.scripted.20261130T212541Z.7f3a/manifest")
    change_json(members, name, lambda manifest: manifest["model"].update(revision="better"))


def change_value(members: Members) -> None:
    def raise_it(sheet: Any) -> None:
        number = sheet["numbers"][0]
        number["numerator"] = number["denominator"] + 1
        number["value"] = 1.5

    change_sheet(members, raise_it)


def change_tag(members: Members) -> None:
    change_sheet(members, lambda sheet: sheet["numbers"][-1].update(tag="a" * 12))


def write_oddly(members: Members) -> None:
    members["proof.json"] = members["proof.json"].replace(b":", b": ", 1)


def drop_file(members: Members) -> None:
    del members[find_name(members, "runs/tiny.scripted.20261130T212541Z.7f3a/raw/")]


CHANGES = (
    change_raw,
    change_record,
    change_item,
    change_manifest,
    change_value,
    change_tag,
    write_oddly,
    drop_file,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_with_a_new_list_of_digests_is_found_by_both(
    change: Callable[[Members], None], proof: Path, packed_main: Callable[[Path], int]
) -> None:
    rewrite(proof, change)
    assert (verify(proof), packed_main(proof)) == (ExitCode.NO, 1)


def test_a_changed_interval_is_found_by_benchproof_and_not_claimed_by_the_packed_verifier(
    proof: Path, tmp_path: Path
) -> None:
    rewrite(proof, lambda members: change_sheet(members, lambda sheet: sheet["numbers"][0].update(clusters=99)))
    assert verify(proof) == ExitCode.NO
    checked = check_apart(proof, tmp_path)
    assert checked.code == 0
    assert "not recomputed here: intervals" in checked.out


def test_a_consistent_rewrite_is_found_only_by_a_digest_from_elsewhere_and_the_proof_says_so(tmp_path: Path) -> None:
    root = tmp_path / "babel-data"
    make_sealed_run(root, count=2)
    honest = pack_runs(root, tmp_path / "honest.zip")
    forgery = Forgery(root)
    forgery.manifest["model"]["model"] = "acme/better"
    forgery.save()
    pack_runs(root, tmp_path / "forged.zip")
    forged = tmp_path / "forged.zip"
    assert verify(forged) == ExitCode.YES
    assert check_apart(forged, tmp_path).code == 0
    assert check_apart(forged, tmp_path, "--digest", honest.digest).code == 1
    given = verify_proof(forged, render_page=blank, version="another", given=honest.digest)
    assert [finding.code for finding in given.verification.findings] == ["K010"]
    said = " ".join(read_members(forged)["WHAT-THIS-PROVES.txt"].decode().split())
    assert "That nobody rewrote all of it consistently" in said


# Hostile containers: refused by both, in words, before a byte is unpacked.


def zip_members(path: Path, members: Members, **options: Any) -> None:
    with zipfile.ZipFile(path, "w", options.get("compression", zipfile.ZIP_STORED)) as packed:
        for name, data in members.items():
            packed.writestr(name, data)


def refusal(proof: Path) -> str:
    with pytest.raises(ContainerError) as refused:
        verify_proof(proof, render_page=blank, version="another")
    assert refused.value.exit_code == ExitCode.NO
    return str(refused.value)


def test_a_compressed_container_is_refused_so_no_bomb_can_be_packed(
    proof: Path, packed_main: Callable[[Path], int]
) -> None:
    members = {**read_members(proof), "zz-bomb": b"\0" * 10_000_000}
    zip_members(proof, members, compression=zipfile.ZIP_DEFLATED)
    assert proof.stat().st_size < 1_000_000
    assert "compressed" in refusal(proof)
    assert packed_main(proof) == 1


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/../../b", "C:\\evil", "runs//x", "nul", "con.txt", "é"])
def test_a_name_that_leaves_its_folder_is_refused(name: str, proof: Path, packed_main: Callable[[Path], int]) -> None:
    zip_members(proof, {**read_members(proof), name: b"x"})
    refusal(proof)
    assert packed_main(proof) == 1


def write_as_pack_does(proof: Path, members: list[tuple[str, bytes, int]]) -> None:
    """A container of pack's own form, of members (name, content, checksum) in whatever order."""
    contents, directory = b"", b""
    for name, data, crc in members:
        directory += central_header(name, len(data), crc, len(contents))
        contents += local_header(name, len(data), crc) + data
    proof.write_bytes(contents + directory + end_record(len(members), len(directory), len(contents)))


def list_members(proof: Path) -> list[tuple[str, bytes, int]]:
    return [(name, data, zlib.crc32(data)) for name, data in read_members(proof).items()]


def test_a_member_that_stands_twice_is_refused(proof: Path, packed_main: Callable[[Path], int]) -> None:
    sound = proof.read_bytes()
    members = list_members(proof)
    write_as_pack_does(proof, members)
    assert proof.read_bytes() == sound
    write_as_pack_does(proof, [*members[:3], members[2], *members[3:]])
    assert "stands twice" in refusal(proof)
    assert packed_main(proof) == 1


def test_members_out_of_order_are_refused(proof: Path, packed_main: Callable[[Path], int]) -> None:
    write_as_pack_does(proof, list_members(proof)[::-1])
    assert "do not stand by name" in refusal(proof)
    assert packed_main(proof) == 1


def test_a_checksum_that_both_headers_state_and_the_content_does_not_have_is_found(
    proof: Path, packed_main: Callable[[Path], int]
) -> None:
    write_as_pack_does(proof, [(name, data, crc ^ 1) for name, data, crc in list_members(proof)])
    assert (verify(proof), packed_main(proof)) == (ExitCode.NO, 1)


def patch(proof: Path, at: int, data: bytes, *, central: bool = True) -> None:
    """Overwrite bytes of the first member's entry in the directory, or of its header."""
    whole = bytearray(proof.read_bytes())
    start = struct.unpack_from("<I", whole, len(whole) - 6)[0] if central else 0
    whole[start + at : start + at + len(data)] = data
    proof.write_bytes(whole)


def test_an_encrypted_member_is_refused(proof: Path, packed_main: Callable[[Path], int]) -> None:
    patch(proof, 8, b"\1\0")
    assert "encrypted" in refusal(proof)
    assert packed_main(proof) == 1


def test_a_member_that_is_a_symbolic_link_is_refused(proof: Path, packed_main: Callable[[Path], int]) -> None:
    patch(proof, 38, struct.pack("<I", 0o120777 << 16))
    assert "symbolic link" in refusal(proof)
    assert packed_main(proof) == 1


def test_a_header_that_says_otherwise_than_the_directory_is_refused(
    proof: Path, packed_main: Callable[[Path], int]
) -> None:
    patch(proof, 10, b"\1\2", central=False)
    assert "header before the content" in refusal(proof)
    assert packed_main(proof) == 1


def test_bytes_behind_or_before_the_container_are_refused(proof: Path, packed_main: Callable[[Path], int]) -> None:
    data = proof.read_bytes()
    proof.write_bytes(data + b"more")
    assert "4 bytes stand behind the end" in refusal(proof)
    proof.write_bytes(b"#!/bin/sh\n" + data)
    refusal(proof)
    assert packed_main(proof) == 1


def test_a_proof_inside_a_proof_is_never_looked_into(proof: Path, packed_main: Callable[[Path], int]) -> None:
    inner = proof.read_bytes()
    write_members(proof, {"proof.zip": inner})
    assert "no proof" in refusal(proof)
    assert packed_main(proof) == 1


def test_a_text_file_is_said_to_be_no_proof(proof: Path, packed_main: Callable[[Path], int]) -> None:
    proof.write_text("hello")
    assert "this is no proof" in refusal(proof)
    assert packed_main(proof) == 1


def test_documents_of_another_shape_end_in_findings_and_never_in_a_traceback(
    proof: Path, tmp_path: Path, packed_main: Callable[[Path], int]
) -> None:
    sound = read_members(proof)
    for name in (name for name in sound if name.endswith((".json", ".ndjson"))):
        for spoiled in (b"", b"[]", b"null", b"{}", b'{"kind":"proof"}', b"[" * 100_000, b"\xff\n", b'{"a":1e999}\n'):
            write_members(proof, {**sound, name: spoiled})
            assert (verify(proof), packed_main(proof)) == (ExitCode.NO, 1), (name, spoiled[:20])
    assert tmp_path.exists()
