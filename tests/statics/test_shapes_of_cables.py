"""Massive cables come to rest downhill: whatever their start, they hang where their energy is least."""

import numpy as np
import pytest
from scipy.optimize import fsolve

import towsim
from towsim.scene import scene_from_data

G = 9.81


def cable(elements: int, line: float, stiffness: float, length: float, bending: float = 0.0, **more) -> dict:
    material = {
        "mass_per_length": line,
        "axial_stiffness": stiffness,
        "bending_stiffness": bending,
        "diameter": 0.01,
    }
    return {"length": length, "material": material, "model": {"mrfe": {"elements": elements, **more}}}


@pytest.mark.parametrize("exit_", [[3, 0, -4], [3, 0, 4], [0.1, 0, -3], [1, 0, -4.8]])
@pytest.mark.parametrize("elements", [2, 5, 12])
@pytest.mark.parametrize("held", ["robot", "body"])
def test_a_cable_with_a_free_end_hangs_straight_down(exit_, elements, held) -> None:
    top = np.array([0.0, 0.0, 0.0 if held == "robot" else -3.0])
    data = {
        "robots": {"a": {"position": [0, 0, 0]}},
        "wires": {
            "c": {
                "from": "free",
                "exit": (top + exit_).tolist(),
                "to": "a" if held == "robot" else "p",
                **cable(elements, 0.1, 1e5, 5.0),
            }
        },
    }
    if held == "body":
        data["bodies"] = {"p": {"mass": 2, "point": True, "position": top.tolist()}}
        data["wires"]["h"] = {"from": "a", "to": "p", "length": 3}
    rest = towsim.equilibrium(scene_from_data(data))
    stretch = 0.5 * 0.1 * G * 5.0**2 / 1e5
    np.testing.assert_allclose(rest.cables["c"].nodes[0], top - [0, 0, 5.0 + stretch], rtol=0, atol=1e-9)
    assert rest.stability == "stable"


def test_a_load_on_one_cable_hangs_straight_below_from_slack_and_straight_starts() -> None:
    random = np.random.default_rng(3)
    straight = [[5, 0, 0], [4, 0, 3], [3, 0, 4], [4, 0, -3]]
    for number in range(60):
        way = random.normal(size=3)
        start = straight[number] if number < 4 else (way / np.linalg.norm(way) * random.choice([2.5, 4.5])).tolist()
        mass, stiffness = float(random.choice([0.3, 3.0, 30.0])), float(random.choice([1e4, 1e5, 1e7]))
        wire = cable(int(random.choice([2, 5, 10, 20, 40])), 0.3, stiffness, 5.0, float(random.choice([0.0, 0.01])))
        scene = scene_from_data(
            {
                "robots": {"a": {"position": [0, 0, 0]}},
                "bodies": {"m": {"mass": mass, "point": True, "position": start}},
                "wires": {"c": {"from": "a", "to": "m", **wire}},
            }
        )
        low = -(5.0 + (mass * 5.0 + 0.3 * 12.5) * G / stiffness)
        place = towsim.equilibrium(scene).position[0]
        np.testing.assert_allclose(place, [0, 0, low], rtol=0, atol=1e-6, err_msg=f"from {start}")


@pytest.mark.parametrize("stiffness", [250.0, 200.0, 150.0, 100.0])
def test_a_soft_line_that_is_shorter_than_its_span_is_the_elastic_catenary(stiffness) -> None:
    """Strains of 0.3 to 0.5; H, V by Irvine's formula (1981), its errors in the number of elements."""
    span, length, line = 10.0, 9.0, 1.0
    V = 0.5 * line * G * length

    def missing(H):
        return H * length / stiffness + 2.0 * H / (line * G) * np.arcsinh(V / H) - span

    H = float(fsolve(missing, 40.0, xtol=1e-13)[0])
    errors = []
    for elements in (10, 20):
        scene = scene_from_data(
            {
                "robots": {"a": {"position": [0, 0, 0]}, "b": {"position": [span, 0, 0]}},
                "wires": {"c": {"from": "a", "to": "b", **cable(elements, line, stiffness, length)}},
            }
        )
        rest = towsim.equilibrium(scene)
        assert rest.stability == "stable"
        force = rest.cables["c"].tip_force
        assert force[2] == pytest.approx(V, rel=1e-9)
        errors.append(abs(force[0] - H) / H)
    assert errors[1] < 5e-4  # 3.8e-4 at most
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.1)


@pytest.mark.parametrize("bending", [0.0, 1.0, 1e4])
def test_a_slack_line_without_gravity_is_at_rest(bending) -> None:
    """Its ends bear nothing without bending stiffness, and are pushed by about Euler's load with."""
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "robots": {"a": {"position": [0, 0, 0]}, "b": {"position": [35, 0, 0]}},
            "wires": {"c": {"from": "a", "to": "b", **cable(10, 2.0, 1e6, 36.0, bending)}},
        }
    )
    push = -towsim.equilibrium(scene).cables["c"].tip_force[0]
    euler = np.pi**2 * bending / 36.0**2
    assert push == pytest.approx(euler, rel=0.05, abs=1e-9)


@pytest.mark.parametrize("wire", [{}, {"model": "elastic", "material": {"axial_stiffness": 1e5}}])
@pytest.mark.parametrize("elements", [5, 10, 20])
def test_a_load_and_the_slack_hose_beside_its_wire_balance_also_straight_below_the_hook(wire, elements) -> None:
    """Its weight, the wire along itself, and the hose, whose loop pushes it aside, sum to zero."""
    scene = scene_from_data(
        {
            "robots": {"a": {"position": [0, 0, 0]}},
            "bodies": {"m": {"mass": 20, "point": True, "position": [0, 0, -5]}},
            "wires": {
                "r": {"from": "a", "to": "m", "length": 5, **wire},
                "c": {"from": "a", "to": "m", **cable(elements, 0.3, 1e5, 7.0)},
            },
        }
    )
    rest = towsim.equilibrium(scene)
    place, hose = rest.position[0], rest.cables["c"]
    on_load = -(hose.tip_force if hose.tip == "m" else hose.root_force)
    total = on_load - [0, 0, 20 * G] - rest.tension["r"] * place / np.linalg.norm(place)
    np.testing.assert_allclose(total, 0.0, rtol=0, atol=1e-9)
    assert rest.tension["r"] > 190.0
    assert rest.error < 1e-12


@pytest.mark.parametrize("elements", [2, 5])
@pytest.mark.parametrize("bending", [0.0, 1.0])
@pytest.mark.parametrize("joint", ["zy", "yx", "ball"])
def test_a_load_swings_out_of_the_vertical_to_where_gravity_points(joint, bending, elements) -> None:
    """Also from a first element that lies along the first axis of its joint."""
    pull = np.array([2.0, 3.0, -4.0])
    wire = cable(elements, 1.0, 1e4, 5.0, bending, first_joint=joint)
    scene = scene_from_data(
        {
            "gravity": pull.tolist(),
            "robots": {"a": {"position": [0, 0, 0]}},
            "bodies": {"m": {"mass": 5, "point": True, "position": [0, 0, -5]}},
            "wires": {"c": {"from": "a", "to": "m", **wire}},
        }
    )
    rest = towsim.equilibrium(scene)
    g = np.linalg.norm(pull)
    np.testing.assert_allclose(rest.position[0], pull / g * (5.0 + (25 + 12.5) * g / 1e4), rtol=0, atol=1e-9)
    assert rest.stability == "stable"


@pytest.mark.parametrize("start", [[0, 0, -5], [3, 0, -4], [0, 3, 4]])
@pytest.mark.parametrize("ask", [towsim.equilibrium, towsim.modes])
def test_a_single_element_along_the_first_axis_of_its_joint_is_refused_by_name(ask, start) -> None:
    scene = scene_from_data(
        {
            "robots": {"a": {"position": [0, 0, 0]}},
            "bodies": {"m": {"mass": 5, "point": True, "position": start}},
            "wires": {"c": {"from": "a", "to": "m", **cable(1, 1.0, 1e4, 5.0, first_joint="zy")}},
        }
    )
    with pytest.raises(towsim.SceneError, match=r"wire 'c'.*element.*first joint.*first_joint"):
        ask(scene)


@pytest.mark.parametrize("elements", [2, 3, 4, 5, 8, 10, 20])
@pytest.mark.parametrize("drop", [3.0, 5.0, 9.0, 9.9])
def test_a_loop_whose_ends_are_one_above_the_other_turns_freely(drop, elements) -> None:
    """Its energy is the same in any plane through both: neutral; with one end 1 cm aside it is stable."""
    told = []
    for aside in (0.0, 0.01):
        robots = {"a": {"position": [0, 0, 0]}, "b": {"position": [aside, 0, -drop]}}
        wires = {"c": {"from": "a", "to": "b", **cable(elements, 1.0, 1e6, 10.0)}}
        told.append(towsim.equilibrium(scene_from_data({"robots": robots, "wires": wires})).stability)
    assert told == ["neutral", "stable"]


def test_random_cables_rest_where_they_are_stable() -> None:
    """Between posts, under a load, or with a free end; slack, straight or short; soft or stiff; clamped or hinged."""
    random = np.random.default_rng(0)
    for number in range(120):
        length, line = 10 ** random.uniform(-2, 2), 10 ** random.uniform(-3, 1)
        weight = line * G * length
        bending = float(random.choice([0, 1]) * weight * length**2 * 10 ** random.uniform(-6, 0))
        stiffness = weight * 10 ** random.uniform(0.5, 6)
        wire = cable(int(random.choice([2, 3, 5, 10, 20, 40])), line, stiffness, length, bending)
        way = random.normal(size=3)
        place = way / np.linalg.norm(way) * length * random.choice([0.1, 0.5, 0.9, 0.99, 1.0, 1.05])
        data: dict = {"robots": {"a": {"position": [0, 0, 0]}}, "wires": {"c": {"from": "a", "to": "b", **wire}}}
        if number % 3 == 0:
            data["robots"]["b"] = {"position": place.tolist()}
        elif number % 3 == 1:
            mass = line * length * 10 ** random.uniform(-1, 2)
            data["bodies"] = {"b": {"mass": mass, "point": True, "position": place.tolist()}}
        else:
            data["wires"]["c"] |= {"from": "free", "to": "a", "exit": place.tolist()}
        if number % 3 < 2 and random.random() < 0.3:
            wire["model"]["mrfe"]["from_end"] = "clamped"
        rest = towsim.equilibrium(scene_from_data(data))
        assert rest.stability == "stable", number
        assert rest.error < 1e-9, number
