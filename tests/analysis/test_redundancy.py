"""Along a run: w is unique, tensions are a polytope, and the recorded ones lie in it."""

import numpy as np
import pytest

import scenarios
import towsim
from towsim.analysis import suspension, uniqueness
from towsim.errors import ResultError, UsageError
from towsim.results import Result

PARALLEL = {
    "name": "parallel",
    "bodies": {"bob": {"mass": 2.0, "point": True, "position": [0, 0, 0]}},
    "robots": {"post": {"position": [0, 0, 1.0]}},
    "wires": {name: {"from": "bob", "to": "post", "length": 1.0} for name in ("a", "b", "c")},
    "run": {"duration": 0.05, "step": 1e-3},
}


def scene(data):
    from towsim.scene import scene_from_data

    return scene_from_data(data)


@pytest.fixture(scope="module")
def eight():
    one = scenarios.get("eight-wires-box")
    return towsim.simulate(one.build(), **(one.defaults | {"duration": 0.3}))


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_eight_wires_at_rest_leave_two_dimensions_open(method):
    result = towsim.simulate(suspension(8), duration=0.02, method=method)
    found = uniqueness(result, every=2)
    assert np.all(found.held == 8)
    assert np.all(found.rank == 6)
    assert np.all(found.null_dimension == 2)
    assert np.all(found.unique == 0)
    # Linear programs are solved to 1e-7.
    near = 1e-6 * found.tension.max()
    assert np.all(found.low <= found.tension + near)
    assert np.all(found.tension <= found.high + near)
    assert np.all(np.linalg.norm(found.least_norm, axis=1) <= np.linalg.norm(found.tension, axis=1) + near)
    # By symmetry the middle shares the load evenly.
    weight = 2.0 * 9.81
    assert found.least_norm == pytest.approx(np.full_like(found.tension, weight / 8 / np.cos(np.radians(20))), rel=1e-4)


def test_the_moving_box_keeps_its_recorded_tensions_inside(eight):
    found = uniqueness(eight, every=20)
    near = 1e-6 * found.tension.max()
    assert np.all((found.tension >= found.low - near) & (found.tension <= found.high + near))
    rows = [int(np.argmin(np.abs(eight.time - t))) for t in found.time]
    assert np.array_equal(found.rank, eight["rank"].values[rows])
    assert np.array_equal(found.unique, eight["tension_unique"].values[rows])
    assert found.astray < 1e-12
    assert eight.summary().not_unique == np.count_nonzero(eight["tension_unique"].values[1:] == 0) > 0
    assert "not the only possible ones" in str(eight.summary())


def test_another_back_end_lands_elsewhere_in_the_same_ranges():
    results = [towsim.simulate(suspension(8), duration=0.01, solver=name) for name in ("auto", "interior-point")]
    a, b = (uniqueness(result, every=3) for result in results)
    assert np.abs(a.tension - b.tension).max() > 0.1  # a corner, and the middle
    assert a.low == pytest.approx(b.low, abs=1e-5)
    assert a.high == pytest.approx(b.high, abs=1e-5)
    assert results[0]["position"].values == pytest.approx(results[1]["position"].values, abs=1e-9)
    assert results[0]["velocity"].values[1:] == pytest.approx(results[1]["velocity"].values[1:], abs=1e-9)


def test_parallel_wires_share_the_weight_in_any_way():
    found = uniqueness(towsim.simulate(scene(PARALLEL)), every=10)
    weight = 2.0 * 9.81
    assert found.wires == ("a", "b", "c")
    assert np.all(found.rank == 1)
    assert np.all(found.null_dimension == 2)
    assert found.low == pytest.approx(np.zeros((5, 3)), abs=1e-6)
    assert found.high == pytest.approx(np.full((5, 3), weight), rel=1e-6)
    assert found.least_norm == pytest.approx(np.full((5, 3), weight / 3), rel=1e-6)
    assert not found.borderline.any()


def test_wires_open_by_less_than_the_run_errs_count_as_taut():
    """One of three is 10⁻¹⁰ longer: the other two have one force in themselves, and all three have two."""
    longer = PARALLEL["wires"] | {"c": {"from": "bob", "to": "post", "length": 1.0 + 1e-10}}
    found = uniqueness(towsim.simulate(scene(PARALLEL | {"wires": longer})), every=10)
    assert np.all(found.null_dimension + found.hidden == 2)
    assert found.closure >= 1e-9
    assert ("error of lengths" in str(found)) == bool(found.hidden.any())
    longer["c"] = longer["c"] | {"length": 1.0 + 1e-3}
    assert not uniqueness(towsim.simulate(scene(PARALLEL | {"wires": longer})), every=10).hidden.any()


def test_opposed_wires_have_no_upper_end():
    data = PARALLEL | {
        "gravity": [0, 0, 0],
        "robots": {"up": {"position": [0, 0, 1]}, "down": {"position": [0, 0, -1]}},
        "wires": {name: {"from": "bob", "to": name, "length": 1.0} for name in ("up", "down")},
        "bodies": {"bob": {"mass": 2.0, "point": True, "force": {"z": "-3"}}},
    }
    found = uniqueness(towsim.simulate(scene(data)), every=10)
    assert np.all(np.isinf(found.high))
    assert found.low[0] == pytest.approx([3.0, 0.0], abs=1e-6)


def test_what_is_recorded_rarely_is_examined_too(eight):
    one = scenarios.get("eight-wires-box")
    rare = towsim.simulate(one.build(), **(one.defaults | {"duration": 0.3, "record_every": 50}))
    found, full = uniqueness(rare, every=1), uniqueness(eight, every=50)
    assert len(found.time) == 6
    at = [int(np.argmin(np.abs(eight.time - t))) for t in found.time]
    assert np.array_equal(found.tension, eight["tension"].values[at])
    assert len(full.time) == 6


def test_a_file_is_as_good_as_the_run(eight, tmp_path):
    again = towsim.open_result(eight.save(tmp_path / "run.nc"))
    assert np.array_equal(uniqueness(again, every=100).high, uniqueness(eight, every=100).high)


def test_a_record_that_does_not_belong_to_its_scene_is_refused(eight):
    columns = {name: eight.column(name)[:] for name in eight.variables}
    columns["position"] = columns["position"] + 1e-3
    with pytest.raises(ResultError, match="away from the recorded poses"):
        uniqueness(Result(columns, eight.coords, (), eight.attributes), every=100)


def test_what_cannot_be_done_is_told(eight):
    columns = {name: eight.column(name)[:] for name in eight.variables}
    with pytest.raises(ResultError, match="no 'scene'"):
        uniqueness(Result(columns, eight.coords, (), {}))
    with pytest.raises(UsageError, match="every"):
        uniqueness(eight, every=0)
    empty = {name: array[:1] for name, array in columns.items()}
    with pytest.raises(ResultError, match="no complete step"):
        uniqueness(Result(empty, eight.coords, (), eight.attributes))


def test_joints_and_friction_are_rows_like_others():
    one = scenarios.get("two-robots-sled")
    result = towsim.simulate(one.build(), **(one.defaults | {"duration": 0.05}))
    found = uniqueness(result, every=10)
    near = 1e-6 * np.nanmax(found.tension)
    assert np.all((found.tension >= found.low - near) & (found.tension <= found.high + near))


def test_without_ranges_there_is_the_rest(eight):
    found = uniqueness(eight, every=100, ranges=False)
    assert np.all(np.isnan(found.high))
    assert np.all(found.rank == 6)
    assert "not known" in found._repr_html_()


def test_text_and_table_name_the_wires(eight):
    found = uniqueness(eight, every=100)
    assert "rank 6 on 6 to 8 rows" in str(found)
    assert all(f"<td>{wire}" in found._repr_html_() for wire in found.wires)


def test_the_function_is_found_whatever_was_imported_before():
    import towsim.analysis
    from towsim.analysis.redundancy import Uniqueness

    assert towsim.analysis.uniqueness is uniqueness
    assert towsim.analysis.Uniqueness is Uniqueness
