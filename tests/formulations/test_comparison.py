"""One motion in all formulations: they agree when refined, and what each costs and drifts is as it should be."""

import numpy as np
import pytest

from towsim.errors import UsageError
from towsim.formulations import Kkt, MomentumStates, Reduced, case, compare, scene_tree
from towsim.formulations.stepped import extrapolated
from towsim.pictures.formulations import plot_comparison

SMOOTH = ("reduced", "momentum", "kkt", "kkt-baumgarte", "kkt-projection", "rsslm")


@pytest.fixture(scope="module")
def chain():
    return compare(case("chain"), SMOOTH, duration=0.2)


@pytest.mark.parametrize("name", ["spring-arm", "slider-boom"])
def test_smooth_formulations_agree_to_1e_9_when_refined(name):
    found = compare(case(name), SMOOTH, duration=0.2)
    assert [row.failed for row in found.rows] == [""] * len(SMOOTH)
    assert found.agree(1e-9)


def test_formulations_of_a_chain_agree_and_only_reactions_let_it_drift(chain):
    assert chain.agree(1e-9)
    row = {row.formulation: row for row in chain.rows}
    for name in ("reduced", "momentum", "kkt-projection"):
        assert row[name].drift < 1e-14
    for name in ("kkt", "rsslm"):
        assert row[name].drift > 1e-13


def test_runge_kutta_is_of_order_four_in_every_formulation(chain):
    for row in chain.rows:
        assert row.order == pytest.approx(4.0, abs=0.5)
        assert row.energy < 1e-7


def test_work_against_precision_is_drawn_for_all(chain):
    (axes,) = plot_comparison(chain).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == list(SMOOTH)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spring-arm", "slider-boom"])
def test_time_stepping_reaches_the_same_limit(name):
    found = compare(case(name), ["reduced", "momentum", "stewart-trinkle", "shake"])
    assert found.agree(1e-9)
    order = {row.formulation: row.order for row in found.rows}
    assert order["stewart-trinkle"] == pytest.approx(1.0, abs=0.1)
    assert order["shake"] == pytest.approx(2.0, abs=0.1)


@pytest.mark.slow
def test_all_formulations_of_one_cable_agree():
    found = compare(case("cable"), ["reduced", "momentum", "kkt", "stewart-trinkle"], duration=0.01)
    refined = {row.formulation: row.refined for row in found.rows}
    assert refined["momentum"] < 1e-9
    assert refined["kkt"] < 1e-8
    assert refined["stewart-trinkle"] < 1e-7


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Reduced, MomentumStates])
def test_cost_of_a_recursion_is_linear_in_the_number_of_bodies(kind):
    def seconds(n):
        system = kind(scene_tree(case("chain", n=n)).tree)
        return min(system.run(0.2, 1e-3, every=50).seconds for _ in range(5))

    assert seconds(64) / seconds(16) < 4.0 * 1.5


@pytest.mark.slow
def test_cost_of_the_dense_kkt_system_is_not():
    def seconds(n):
        system = Kkt(scene_tree(case("chain", n=n)).tree)
        return min(system.run(0.01, 1e-3, every=10).seconds for _ in range(3))

    assert seconds(64) / seconds(16) > 8.0


def test_extrapolation_gains_an_order_a_column():
    h = 0.1 / 2.0 ** np.arange(5)
    runs = [np.array([3.0 + 2.0 * x - x**2 + 5.0 * x**3 + x**4]) for x in h]
    assert extrapolated(runs, 1) == pytest.approx(3.0, abs=1e-13)


@pytest.mark.parametrize(("duration", "step", "end"), [(0.1, 4e-3, 0.1), (0.01, 4e-3, 0.012), (0.5, 0.3, 0.6)])
def test_it_compares_until_the_step_that_reaches_the_duration(duration, step, end):
    assert compare(case("chain", n=2), ["reduced"], duration=duration, step=step).duration == pytest.approx(
        end, rel=1e-12
    )


def test_an_unknown_formulation_is_refused():
    with pytest.raises(UsageError, match=r"'momenta'.*momentum"):
        compare(case("chain"), ["momenta"])
    with pytest.raises(UsageError, match=r"formulations must be a list of names, such as \['reduced'\]"):
        compare(case("chain"), "reduced")
    with pytest.raises(UsageError, match="a scene is needed, got 'chain'"):
        compare("chain")
    with pytest.raises(UsageError, match="'rope'"):
        case("rope")
    with pytest.raises(UsageError, match="whole number"):
        case("chain", n=0)
