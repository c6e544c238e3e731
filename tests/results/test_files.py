"""Every format gives back what it was given, and says clearly what it cannot read."""

import csv
import json
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from towsim.errors import ResultError
from towsim.results import VARIABLES, Event, Result, open_result
from towsim.results.files import write_whole
from towsim.results.netcdf import annotate
from towsim.results.variables import AXES

COORDS = {
    "body": ("box", "bøb, the 'second'", "荷物"),
    "wire": ("a,b", 'quo"te', " lead", "", "x" * 300),
    "robot": ("r\n1",),
    "joint": ("j",),
    "cable": ("cable1", "cable2"),
    "contact": ("box", "box.corner"),
    "node": tuple(range(4)),
    "part": ("w[1]", "w[2]"),
    "pulley": ("sheave",),
    "actuator": ("q.rotor1", "w.rate"),
    "channel": ("cell.tension",),
}
EVENTS = (Event(0.1, "jerk", "a,b", 1 / 3, 2e-300, 1e-3, 'says "ouch", ü'), Event(0.2, "slack", ""))
ATTRIBUTES = {"name": "übung", "scene": "bodies:\n  box: {}\n" * 20_000, "wall_time": 0.1, "steps": 7, "empty": ""}


def full(rows, attributes=ATTRIBUTES, events=EVENTS):
    """A result that holds every variable, with NaN, infinities, denormals and the whole range of integers."""
    random = np.random.default_rng(rows)
    columns = {}
    for name, variable in VARIABLES.items():
        shape = (rows, *(len(AXES.get(dim) or COORDS[dim]) for dim in variable.dims[1:]))
        if variable.dtype == "float64":
            values = random.integers(0, 2**64, shape, np.uint64).view(np.float64)
        else:
            info = np.iinfo(variable.dtype)
            values = random.integers(info.min, info.max, shape, variable.dtype, endpoint=True)
        columns[name] = values
    columns["time"] = np.arange(rows) * 0.1
    return Result(columns, COORDS, events, attributes)


def assert_same(one, other):
    assert list(one.variables) == list(other.variables)
    for name in one.variables:
        a, b = one[name], other[name]
        assert (a.dims, a.units, a.values.dtype, a.shape) == (b.dims, b.units, b.values.dtype, b.shape)
        assert a.values.tobytes() == b.values.tobytes(), name
    assert one.coords == other.coords
    assert one.events == other.events
    assert one.attributes == other.attributes


@pytest.mark.parametrize("rows", [0, 1, 50])
@pytest.mark.parametrize("name", ["run.nc", "run.npz", "übung #1 [a].nc"])
def test_values_names_events_and_attributes_round_trip_bit_by_bit(tmp_path, rows, name):
    result = full(rows)
    path = result.save(tmp_path / name)
    assert_same(open_result(path), result)
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_result_longer_than_what_is_held_at_once_round_trips(tmp_path):
    rows = 400_001  # 1.2 million numbers in position
    columns = {"time": np.arange(rows) * 1e-3, "position": np.random.default_rng(0).normal(size=(rows, 1, 3))}
    columns |= {"status": np.zeros(rows, np.int8)}
    result = Result(columns, {"body": ("box",)})
    for name in ("run.nc", "run.npz"):
        again = open_result(result.save(tmp_path / name))
        assert_same(again, result)
        assert np.array_equal(again.column("position")[70_000:70_010], columns["position"][70_000:70_010])
    assert (tmp_path / "run.nc").stat().st_size < 8.1 * 4 * rows  # the constant status costs next to nothing


def test_a_result_without_events_or_wires_round_trips(tmp_path):
    result = Result({"time": np.array([0.0]), "position": np.zeros((1, 1, 3))}, {"body": ("box",)})
    for name in ("run.nc", "run.npz"):
        assert_same(open_result(result.save(tmp_path / name)), result)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("engine", ["netcdf4", "h5netcdf"])
def test_xarray_opens_the_file_and_finds_the_same(tmp_path, engine):
    import xarray

    result = full(20)
    result.save(tmp_path / "run.nc")
    with xarray.open_dataset(tmp_path / "run.nc", engine=engine) as file:
        made = result.to_xarray()
        for name, variable in result.variables.items():
            for data in (file, made):
                assert data[name].dims == variable.dims
                assert data[name].values.tobytes() == result[name].values.tobytes()
                assert data[name].attrs["units"] == variable.unit
        assert file["tension"].sel(wire='quo"te').shape == (20,)
        assert file["event_kind"].values.tolist() == made["event_kind"].values.tolist() == ["jerk", "slack"]
        assert file["status"].attrs["flag_meanings"].startswith("solved infeasible")
        assert file.attrs["scene"] == made.attrs["scene"] == ATTRIBUTES["scene"]


def test_the_netcdf_library_reads_names_and_numbers(tmp_path):
    import netCDF4

    result = full(20)
    with netCDF4.Dataset(result.save(tmp_path / "run.nc")) as file:
        file.set_auto_mask(False)
        assert tuple(file["body"][:]) == COORDS["body"]
        assert file["event_note"][:].tolist() == ['says "ouch", ü', ""]
        assert file["tension"].dimensions == ("time", "wire")
        assert file["tension"][:].tobytes() == result["tension"].values.tobytes()
        assert file["tension"].units == "N"
        assert file.scene == ATTRIBUTES["scene"]


EARLIER = """
import netCDF4, numpy as np

def as_before(new, old):
    \"\"\"The same as the NetCDF library writes it, with strings of variable length.\"\"\"
    with netCDF4.Dataset(new) as given, netCDF4.Dataset(old, "w") as file:
        given.set_auto_mask(False)
        for key in given.ncattrs():
            value = given.getncattr(key)
            file.setncattr_string(key, value) if isinstance(value, str) else file.setncattr(key, value)
        for dim in given.dimensions.values():
            file.createDimension(dim.name, dim.size)
        for name, one in given.variables.items():
            if one.dtype.kind == "S":
                file.createVariable(name, str, one.dimensions[:1])[:] = one[:].astype(object)
            else:
                file.createVariable(name, one.dtype, one.dimensions, fill_value=False)[:] = one[:]
"""


def test_files_that_xarray_holds_open_are_read(tmp_path):
    """In a process of its own: two handles of the NetCDF library to a file of strings ended in a segmentation fault."""
    script = f"""{EARLIER}
import xarray, towsim
as_before("new.nc", "old.nc")
for name in ("new.nc", "old.nc"):
    for engine in ("netcdf4", "h5netcdf"):
        data = xarray.open_dataset(name, engine=engine)
        for _ in range(3):
            result = towsim.open_result(name)
            assert len(result.coords["wire"]) == 5 and len(result.events) == 2
            for one in result:
                assert result[one].values.tobytes() == data[one].values.tobytes()
        assert data["wire"].values.tolist()[-1] == "x" * 300
        if name == "new.nc":
            xarray.open_dataset(name, engine="netcdf4").load().close()
            data.load()
print("fine")
"""
    full(20).save(tmp_path / "new.nc")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr


def test_eight_threads_write_and_read_files_at_once(tmp_path):
    given = full(300)
    shared = given.save(tmp_path / "shared.nc")

    def write_and_read(k):
        for turn in range(2 if k == 0 else 1):
            again = open_result(full(50 + k).save(tmp_path / f"{k}.nc", force=turn > 0))
            assert_same(again, full(50 + k))
            assert open_result(shared)["position"].values.tobytes() == given["position"].values.tobytes()
        given.save(tmp_path / "one.nc", force=True)
        return k

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(write_and_read, range(8))) == list(range(8))
    assert_same(open_result(tmp_path / "one.nc"), given)
    assert len([*tmp_path.iterdir()]) == 10


def test_csv_is_one_wide_table_and_one_of_events(tmp_path):
    result = full(5)
    result.save(tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head[0] == "time (s)"
    assert 'tension[quo"te] (N)' in head
    assert "node_position[cable2,3,z] (m)" in head
    assert len(rows) == 5
    column = [float(row[head.index("position[荷物,y] (m)")]) for row in rows]
    np.testing.assert_array_equal(column, result["position"].sel(body="荷物", xyz="y"))
    assert [int(row[head.index("iterations")]) for row in rows] == result["iterations"].values.tolist()
    with (tmp_path / "run-events.csv").open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head[:4] == ["time (s)", "kind", "subject", "impulse (N s)"]
    assert float(rows[0][3]) == 1 / 3
    assert rows[0][6] == EVENTS[0].note


@pytest.mark.parametrize("name", ["run.nc", "run.npz", "run.csv"])
def test_existing_files_are_kept_unless_forced(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(ResultError, match=f"{name} exists already.*--force"):
        full(3).save(tmp_path / name)
    assert (tmp_path / name).read_text() == "mine"
    full(3).save(tmp_path / name, force=True)
    assert (tmp_path / name).stat().st_size > 100


def test_the_table_of_events_is_not_overwritten_either(tmp_path):
    (tmp_path / "run-events.csv").write_text("mine")
    with pytest.raises(ResultError, match=r"run-events\.csv exists already"):
        full(3).save(tmp_path / "run.csv")
    assert not (tmp_path / "run.csv").exists()


def test_a_loaded_result_can_overwrite_its_own_file(tmp_path):
    path = full(30).save(tmp_path / "run.nc")
    open_result(path).save(path, force=True)
    assert_same(open_result(path), full(30))


@pytest.mark.parametrize("name", ["run.nc", "run.npz"])
def test_a_truncated_file_is_an_error_wherever_it_was_cut(tmp_path, name):
    path = full(200, {"name": "x"}).save(tmp_path / name)
    whole = path.read_bytes()
    for cut in (0, 1, 4, 100, len(whole) // 3, len(whole) // 2, len(whole) - 100, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(ResultError, match=name):
            open_result(path)["node_position"].sel(time=1.0)


def test_foreign_files_are_named(tmp_path):
    import netCDF4

    netCDF4.Dataset(str(tmp_path / "other.nc"), "w").close()
    with netCDF4.Dataset(str(tmp_path / "sweep.nc"), "w") as dataset:
        dataset.sweep = "{}"
    np.savez(tmp_path / "other.npz", a=np.zeros(2))
    (tmp_path / "text.csv").write_text("time (s)\n0\n")
    (tmp_path / "folder").mkdir()
    for name, message in {
        "other.nc": "not a result of towsim",
        "sweep.nc": "dataset of a sweep.*xarray.open_dataset",
        "other.npz": "not a result of towsim",
        "text.csv": "Tables cannot be opened again",
        "folder": "is not a run of towsim",
        "missing.nc": "no such file",
    }.items():
        with pytest.raises(ResultError, match=message):
            open_result(tmp_path / name)


@pytest.mark.parametrize(("at", "value", "what"), [(6, 1, "encrypted"), (8, 99, "compress"), (4, 109, "version 10.9")])
def test_an_archive_that_claims_another_kind_of_zip_is_damaged(tmp_path, at, value, what):
    path = full(3).save(tmp_path / "run.npz")
    content = bytearray(path.read_bytes())
    for sign, shift in (b"PK\x03\x04", 0), (b"PK\x01\x02", 2):  # each header, and its copy in the directory
        first = content.find(sign)
        while first >= 0:
            content[first + shift + at] = value
            first = content.find(sign, first + 1)
    path.write_bytes(content)
    with pytest.raises(ResultError, match=f"run.npz is damaged.*{what}"):
        open_result(path)


def test_an_array_whose_shape_cannot_be_read_is_damaged(tmp_path):
    path = full(3).save(tmp_path / "run.npz")
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["gap.npy"] = members["gap.npy"].replace(b"} ", b"}(", 1)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(ResultError, match=r"run.npz is damaged"):
        open_result(path)["gap"]


def test_an_array_without_content_is_damaged(tmp_path):
    path = full(3).save(tmp_path / "run.npz")
    content = bytearray(path.read_bytes())
    entry = content.rfind(b"PK\x01\x02", 0, content.find(b"gap.npy", content.find(b"PK\x01\x02")))
    content[entry + 16 : entry + 28] = bytes(12)  # its checksum and sizes
    path.write_bytes(content)
    with pytest.raises(ResultError, match=r"run.npz is damaged.*its gap is no array"):
        open_result(path)["gap"]


def test_attributes_can_be_added_to_a_finished_file(tmp_path):
    result = full(30)
    again = annotate(result.save(tmp_path / "run.nc"), {"checks": '[{"name": "ü"}]', "steps": 8})
    assert again.attributes == {**ATTRIBUTES, "checks": '[{"name": "ü"}]', "steps": 8}
    again.attributes = result.attributes
    assert_same(again, result)
    assert [file.name for file in tmp_path.iterdir()] == ["run.nc"]


def test_a_file_that_was_replaced_is_not_mistaken_for_the_one_that_was_opened(tmp_path):
    opened = open_result(full(3).save(tmp_path / "run.nc"))
    full(5).save(tmp_path / "run.nc", force=True)
    with pytest.raises(ResultError, match="was changed since it was opened"):
        opened["gap"]


def test_a_file_of_a_newer_format_asks_for_an_upgrade(tmp_path):
    import netCDF4

    path = full(3).save(tmp_path / "run.nc")
    with netCDF4.Dataset(str(path), "a") as file:
        file.setncattr("towsim_format", 2)
    with pytest.raises(ResultError, match="upgrade towsim"):
        open_result(path)


@pytest.mark.parametrize(
    ("name", "message"),
    [("run.txt", "unknown suffix '.txt'"), ("run", "unknown suffix ''"), ("no/run.nc", "there is no folder")],
)
def test_impossible_targets_are_named(tmp_path, name, message):
    with pytest.raises(ResultError, match=message):
        full(3).save(tmp_path / name)


@pytest.mark.parametrize("extremes", ['{"rows": 9,', "[]", '{"rows": 9}'])
def test_an_attribute_that_is_spoiled_is_named(tmp_path, extremes):
    result = open_result(full(3, {"extremes": extremes}).save(tmp_path / "run.nc"))
    with pytest.raises(ResultError, match=r"attribute 'extremes' of this result is .*damaged"):
        result.summary()


def test_summary_survives_the_file(tmp_path):
    extremes = {"rows": 9, "end_time": 1.0, "residual": 1e-12, "residual_time": 0.5, "unsolved": 0, "wires": {}}
    result = full(3, {"extremes": json.dumps(extremes), "wall_time": 2.0})
    assert repr(open_result(result.save(tmp_path / "run.nc")).summary()) == repr(result.summary())  # NaN, too
    assert result.summary().steps == 8


@pytest.mark.parametrize("error", [OSError, RuntimeError])
def test_what_cannot_be_written_is_told_by_its_own_name(tmp_path, monkeypatch, error):
    """As HDF5 tells of a full disk: of the temporary file, in brackets, with a number or without one."""
    made = full(2)

    def no_room(path, *_, **__):
        path.write_bytes(b"half")
        raise error(f"Unable to write (file = '{path}', errno = 28, error message = 'No space left on device')")

    monkeypatch.setattr("h5netcdf.File", no_room)
    with pytest.raises(OSError, match=r"No space left on device: '.*run\.nc'$") as caught:
        made.save(tmp_path / "run.nc")
    assert caught.value.errno == 28
    assert not [*tmp_path.iterdir()]


def test_a_name_with_a_null_byte_is_refused(tmp_path):
    odd = tmp_path / "a\0b"
    for suffix in (".nc", ".npz", ".csv"):
        with pytest.raises(ResultError, match=r"cannot write .*a\\x00b.*: embedded null byte"):
            full(2).save(odd.with_suffix(suffix))
    with pytest.raises(ResultError, match=r"cannot read .*: embedded null byte"):
        open_result(odd.with_suffix(".nc"))
    with pytest.raises(ResultError, match=r"cannot write .*: embedded null byte"):
        write_whole(odd, lambda file: file.write(b""))
