"""A finished file knows its checksum: a damaged one is told before HDF5 looks at it."""

import random
import re

import h5py
import numpy as np
import pytest
import xarray

import towsim
from towsim.errors import ResultError
from towsim.results.seal import MARK, SEAL


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    scene = {
        "bodies": {"load": {"mass": 2.0, "point": True, "position": [0, 0, -1]}},
        "robots": {"hook": {"position": [0, 0, 0]}},
        "wires": {"w": {"from": "load", "to": "hook", "length": 1.0}},
    }
    path = tmp_path_factory.mktemp("seal") / "run.nc"
    towsim.simulate(towsim.scene.scene_from_data(scene), duration=0.2, step=1e-3).save(path)
    return path


def test_any_bit_that_is_not_as_it_was_is_told(whole, tmp_path):
    content, rng, spoiled = whole.read_bytes(), random.Random(3), tmp_path / "spoiled.nc"
    for _ in range(100):
        bits = bytearray(content)
        bits[rng.randrange(8, len(bits) - SEAL.size)] ^= 1 << rng.randrange(8)
        spoiled.write_bytes(bits)
        with pytest.raises(ResultError, match=re.escape(str(spoiled)) + " is damaged or cut short.*checksum"):
            towsim.open_result(spoiled)


def test_other_programs_read_a_sealed_file(whole):
    tension = towsim.open_result(whole)["tension"].values
    for engine in ("h5netcdf", "netcdf4"):
        with xarray.open_dataset(whole, engine=engine) as data:
            assert (data["tension"].values == tension).all()


def test_a_file_without_a_seal_is_read(whole, tmp_path):
    """Of an earlier version, or changed by another program, which cuts the seal off."""
    content, tension = whole.read_bytes(), towsim.open_result(whole)["tension"].values
    assert content[-SEAL.size :].startswith(MARK)
    path = tmp_path / "run.nc"
    path.write_bytes(content[: -SEAL.size])
    assert (towsim.open_result(path)["tension"].values == tension).all()
    path.write_bytes(content)
    with h5py.File(path, "a") as file:
        file.attrs["note"] = "by another program"
        file["numbers"] = np.arange(1000)
    assert not path.read_bytes()[-SEAL.size :].startswith(MARK)
    with h5py.File(path, "a") as file:
        del file["numbers"]
    result = towsim.open_result(path)
    assert result.attributes["note"] == "by another program"
    assert (result["tension"].values == tension).all()
