"""A result answers by name, refuses wrong names, and goes into numpy as it is."""

import numpy as np
import pytest

from towsim.errors import ResultError
from towsim.results import VARIABLES, Event, Events, Labelled, Result

TIME = np.arange(11) * 0.1
COORDS = {"body": ("box", "bøb"), "wire": ("a", "b", "c")}


@pytest.fixture
def result():
    columns = {
        "time": TIME,
        "position": np.arange(11 * 2 * 3, dtype=float).reshape(11, 2, 3),
        "tension": np.arange(33, dtype=float).reshape(11, 3),
        "status": np.zeros(11, np.int8),
    }
    events = (Event(0.7, "slack", "a"), Event(0.2, "jerk", "b", 1.5, 0.25))
    return Result(columns, COORDS, events, {"name": "demo", "options": '{"step": 0.1}'})


def test_names_select_along_their_dimension(result):
    assert result["position"].sel(body="bøb").shape == (11, 3)
    assert result["position"].sel(body="bøb", xyz="z").dims == ("time",)
    assert result["position"].sel(body="bøb", xyz="z")[2] == result["position"].values[2, 1, 2]
    assert result["tension"].sel(wire=["c", "a"]).coords["wire"] == ("c", "a")
    assert result["tension"].sel(wire=["c", "a"]).values.tolist() == result["tension"].values[:, [2, 0]].tolist()
    assert result["tension"].sel(wire=slice("b", "c")).coords["wire"] == ("b", "c")
    assert result["tension"].isel(time=-1, wire=0).item() == 30.0


@pytest.mark.parametrize(("asked", "row"), [(0.0, 0), (0.31, 3), (0.36, 4), (1.0, 10), (1.0 + 1e-9, 10)])
def test_time_selects_the_nearest_row(result, asked, row):
    assert result["tension"].sel(time=asked).values.tolist() == result["tension"].values[row].tolist()


def test_time_spans_include_both_ends(result):
    assert result["tension"].sel(time=slice(TIME[2], TIME[5])).coords["time"].tolist() == TIME[2:6].tolist()
    assert result["tension"].sel(time=[0.2, 0.5], wire="a").values.tolist() == [6.0, 15.0]


def test_time_spans_include_both_ends_whatever_multiples_of_the_step_are_rounded_to():
    time = np.arange(1001) * 1e-3
    tension = Result({"time": time, "tension": np.zeros((1001, 1))}, {"wire": ("a",)})["tension"]
    for k in range(1001):
        assert len(tension.sel(time=slice(None, k / 1000))) == k + 1
        assert len(tension.sel(time=slice(k / 1000, None))) == 1001 - k
        assert len(tension.sel(time=slice((k - 0.01) / 1000, (k + 0.01) / 1000))) == 1


@pytest.mark.parametrize("asked", [-1.0, 2.0, float("nan")])
def test_a_time_outside_the_run_is_an_error(result, asked):
    with pytest.raises(ResultError, match="was not recorded; the run holds 0 to 1 s"):
        result["tension"].sel(time=asked)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda r: r["tensoin"], "did you mean 'tension'"),
        (lambda r: r["joint_reaction"], "the scene has no joint"),
        (lambda r: r["velocity"], "unknown variable 'velocity'"),
        (lambda r: r["tension"].sel(wire="d"), "unknown wire 'd'"),
        (lambda r: r["tension"].sel(body="box"), "unknown dimension 'body'"),
        (lambda r: r["tension"].isel(wire=3), "out of range, wire has 3 entries"),
        (lambda r: r["tension"].item(), "needs one value"),
        (lambda r: r.events["impulse_"], "did you mean 'impulse'"),
        (lambda r: r.events.select("jrek"), "did you mean 'jerk'"),
    ],
)
def test_wrong_names_are_told_with_what_there_is(result, ask, message):
    with pytest.raises(ResultError, match=message):
        ask(result)


@pytest.mark.parametrize("wrong", [True, 1.0, "e", None, [0.5], [True] * 3, [[0, 1]], [[0], [0, 1]], slice("e", None)])
def test_positions_are_whole_numbers_lists_of_them_or_slices(result, wrong):
    with pytest.raises(
        ResultError, match="tension: a position along wire is a whole number, a list of them or a slice"
    ):
        result["tension"].isel(wire=wrong)


def test_positions_are_taken_from_whatever_holds_whole_numbers(result):
    tension = result["tension"]
    assert tension.isel(wire=np.uint8(2)).dims == ("time",)
    assert tension.isel(wire=np.array(2)).values.tolist() == tension.values[:, 2].tolist()
    assert tension.isel(wire=range(1, 3), time=(0, 4)).shape == (2, 2)
    assert tension.isel(wire=[]).coords["wire"] == ()


@pytest.mark.parametrize("wrong", ["a", None, True, [[0.1, 0.2]], [None], slice("a", None), slice(0.0, "b")])
def test_times_are_numbers(result, wrong):
    with pytest.raises(ResultError, match="tension: a time is a number of seconds, got"):
        result["tension"].sel(time=wrong)


def test_a_span_of_time_has_two_ends(result):
    with pytest.raises(ResultError, match="a span of time has two ends"):
        result["tension"].sel(time=slice(float("nan"), None))
    assert len(result["tension"].sel(time=slice(-float("inf"), float("inf")))) == len(TIME)


def test_variables_go_into_numpy_as_they_are(result):
    tension = result["tension"]
    assert np.abs(-tension).max() == 32.0
    assert (tension >= 0).all()
    assert isinstance(2 * tension + 1, np.ndarray)
    assert np.asarray(tension).shape == (11, 3)
    assert np.linalg.norm(result["position"].sel(body="box"), axis=-1).shape == (11,)
    assert float(tension.sel(time=0.0, wire="b")) == 1.0
    assert tension.max("time").sel(wire="b").item() == 31.0
    assert tension.units == "N"


def test_rows_that_do_not_apply_are_left_out_of_min_and_max():
    result = Result({"time": TIME[:3], "tension": np.array([[np.nan], [2.0], [3.0]])}, {"wire": ("a",)})
    assert (result["tension"].min(), result["tension"].max()) == (2.0, 3.0)
    assert np.isnan(result["tension"].isel(time=[0]).min())


def test_result_is_a_mapping_of_its_variables(result):
    assert list(result) == ["position", "tension", "status"]
    assert len(result) == 3
    assert "time" in result
    assert "gap" not in result
    assert result["time"].values.tolist() == TIME.tolist()
    assert result.provenance["options"] == {"step": 0.1}


def test_a_result_gets_as_mappings_do_and_is_equal_to_itself_alone(result):
    assert result.get("contact_force") is result.get("tensoin") is None
    assert result.get("tensoin", 3) == 3
    assert result.get("tension").values is result["tension"].values
    assert result == result
    other = Result({"time": TIME}, {})
    assert result != other
    assert result != 3
    assert {result: 1, other: 2}[result] == 1


def test_events_are_a_table_in_order_of_time(result):
    assert [event.kind for event in result.events] == ["jerk", "slack"]
    assert result.events["impulse"].tolist() == [1.5, 0.0]
    assert result.events.select("jerk")[0].subject == "b"
    assert result.events.select(subject="a") == Events([Event(0.7, "slack", "a")])
    assert result.events.to_dicts()[0]["energy_lost"] == 0.25


def test_texts_name_what_there_is(result):
    assert "bøb" in repr(result)
    assert "1 jerk, 1 slack" in repr(result)
    assert "(time: 11, wire: 3)" in repr(result["tension"])
    assert "<table>" in result._repr_html_()
    assert "<td>jerk</td>" in result.events._repr_html_()


def test_names_are_escaped_in_html():
    result = Result({"time": TIME}, {"body": ("<script>",)}, (Event(0.0, "user", "<script>"),), {"name": "<b>"})
    assert "<script>" not in result._repr_html_() + result.events._repr_html_()


def test_what_is_not_there_is_left_out_of_the_mean_and_shown_by_pandas():
    values = np.array([[np.nan, 1.0], [2.0, 5.0], [4.0, np.nan]])
    coords = {"time": np.array([0.0, 0.5, 1.0]), "wire": ("a", "b")}
    x = Labelled(VARIABLES["tension"], values, ("time", "wire"), coords)
    assert (x.mean(), x.max(), x.min()) == (3.0, 5.0, 1.0)
    assert x.mean("time").values.tolist() == x.mean(dim="time").values.tolist() == [3.0, 3.0]
    assert x.mean("wire").values.tolist() == [1.0, 3.5, 4.0]
    assert (np.mean(x), np.max(x), np.min(x)) == (3.0, 5.0, 1.0)
    assert np.max(x, axis=0).values.tolist() == x.max("time").values.tolist()
    with pytest.raises(ResultError, match="axis 2"):
        np.max(x, axis=2)
    assert np.isnan(x.isel(time=0).sel(wire="a").mean())
    assert x.to_pandas().loc[0.5, "b"] == 5.0
    assert x.sel(wire="a").to_pandas().mean() == 3.0
    assert x.sel(wire="a").to_pandas().index.name == "time"
    deep = Labelled(
        VARIABLES["position"],
        np.arange(12.0).reshape(2, 2, 3),
        ("time", "body", "xyz"),
        {"time": np.array([0.0, 1.0]), "body": ("p", "q"), "xyz": ("x", "y", "z")},
    )
    assert deep.to_pandas().loc[1.0, ("q", "y")] == 10.0
    with pytest.raises(ResultError, match="single value"):
        deep.isel(time=0, body=0, xyz=0).to_pandas()


def test_sums_and_events_are_there_for_tables_and_an_attribute_is_told_to_be_a_key(result):
    assert result["tension"].sum() == np.sum(result["tension"]) == np.arange(33).sum()
    assert result["tension"].sum("wire").values.tolist() == result["tension"].values.sum(axis=1).tolist()
    assert result.events.to_pandas().query("kind == 'jerk'")["impulse"].tolist() == [1.5]
    assert Events().to_pandas().columns[0] == "time"
    with pytest.raises(AttributeError, match=r"read as result\['tension'\]"):
        _ = result.tension
    with pytest.raises(ResultError, match="does not hold its scene"):
        _ = result.scene


def test_a_saved_result_has_its_scene(tmp_path):
    import towsim
    from towsim.errors import SceneError

    scene = towsim.Scene(bodies={"stone": {"mass": 1.0, "point": True}})
    towsim.simulate(scene, duration=0.01).save(tmp_path / "fall.nc")
    assert towsim.open_result(tmp_path / "fall.nc").scene == scene
    with pytest.raises(SceneError, match=r"open_result\(path\).scene"):
        towsim.load_scene(tmp_path / "fall.nc")
