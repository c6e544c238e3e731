"""Ctrl-C: when it is heard, and that it is neither lost nor turned into another error."""

import signal
import subprocess
import sys
import textwrap
import threading
import zipfile

import pytest

import scenarios
import towsim
from towsim.ctrl_c import CtrlC, SurelyCtrlC
from towsim.methods.stepper import Stepper
from towsim.run import setup
from towsim.run.blocks import BLOCK, PYTHON_BLOCK


def press():
    signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def hears():
    """Tests that run in the background ignore Ctrl-C, as their shell told them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def told(work):
    """What ``work`` did until KeyboardInterrupt."""
    done = []
    with pytest.raises(KeyboardInterrupt):
        work(done.append)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return done


def test_it_waits_for_the_next_good_moment():
    def work(tell):
        with CtrlC() as ctrl_c:
            ctrl_c.here()
            press()
            tell("finished what was under way")
            ctrl_c.here()
            tell("went on")

    assert told(work) == ["finished what was under way"]


def test_it_is_heard_at_the_end_at_the_latest():
    def work(tell):
        with CtrlC():
            press()
            tell("all")

    assert told(work) == ["all"]


def test_a_second_one_does_not_wait():
    def work(tell):
        with CtrlC():
            press()
            tell("first")
            press()
            tell("second")

    assert told(work) == ["first"]


def test_of_nested_ones_the_outermost_waits():
    def work(tell):
        with CtrlC():
            with CtrlC() as inner:
                press()
                inner.here()
                tell("inner")
            tell("outer")

    assert told(work) == ["inner", "outer"]


def test_an_error_comes_before_it():
    def work():
        with CtrlC():
            press()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()


def test_the_same_one_can_be_entered_again():
    ctrl_c = CtrlC()
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt), ctrl_c:
            press()
    with ctrl_c:
        ctrl_c.here()


def test_a_handler_of_the_application_stays_in_charge():
    heard = []
    signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    with CtrlC() as ctrl_c:
        press()
        assert heard == [1]
        ctrl_c.here()


def test_other_threads_may_enter_too():
    problems = []

    def work():
        try:
            with CtrlC() as ctrl_c:
                ctrl_c.here()
        except BaseException as error:
            problems.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert problems == []


def test_one_that_need_not_wait_is_heard_at_once():
    def work(tell):
        with SurelyCtrlC():
            tell("first")
            press()
            tell("second")

    assert told(work) == ["first"]


@pytest.mark.parametrize("made_of_it", [RuntimeError("no compiled object yet"), None], ids=["error", "nothing"])
def test_it_is_heard_whatever_else_was_made_of_it(made_of_it):
    def work(tell):
        with SurelyCtrlC():
            try:
                press()
            except KeyboardInterrupt:
                tell("forgotten")
            if made_of_it is not None:
                raise made_of_it

    assert told(work) == ["forgotten"]


def test_one_that_cuts_the_end_short_leaves_nothing_behind():
    def work(tell):
        ctrl_c = SurelyCtrlC()
        ctrl_c.__enter__()
        tell("entered")
        press()  # before the handler is given back

    assert told(work) == ["entered"]


def test_an_error_without_it_is_that_error():
    with pytest.raises(ZeroDivisionError), SurelyCtrlC():
        raise ZeroDivisionError
    with SurelyCtrlC():
        pass


@pytest.fixture
def pressed_in_zip(monkeypatch):
    """Ctrl-C where a member of an archive has just been opened: closing the archive is an error there."""
    whole, pressed = zipfile.ZipFile.open, []

    def opened(self, name, mode="r", *arguments, **options):
        member = whole(self, name, mode, *arguments, **options)
        if mode == "w" and not pressed:
            pressed.append(name)
            press()
        return member

    monkeypatch.setattr(zipfile.ZipFile, "open", opened)
    return pressed


def test_a_segment_that_is_being_written_is_kept_whole(tmp_path, pressed_in_zip):
    scene = scenarios.get("four-robots-box").build()
    with pytest.raises(KeyboardInterrupt):
        towsim.simulate(scene, duration=30.0, output=tmp_path / "run.nc")
    assert pressed_in_zip
    left = towsim.open_result(tmp_path / "run.nc")
    assert left.attributes["outcome"] == "interrupted"
    assert len(left["time"]) == 8193  # one block
    assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]


def test_a_checkpoint_that_is_being_written_is_gone_on_from(tmp_path, pressed_in_zip):
    scene = scenarios.get("four-robots-box").build()
    with pytest.raises(KeyboardInterrupt):
        towsim.simulate(scene, duration=10.0, output=tmp_path / "run.nc", checkpoint_every=0.0)
    assert pressed_in_zip
    resumed = towsim.resume(tmp_path / "run.nc")
    at_once = towsim.simulate(scene, duration=10.0)
    assert (resumed["position"].values == at_once["position"].values).all()


def test_an_archive_that_is_being_saved_is_whole(tmp_path, pressed_in_zip):
    result = towsim.simulate(scenarios.get("four-robots-box").build(), duration=0.1)
    with pytest.raises(KeyboardInterrupt):
        result.save(tmp_path / "run.npz")
    assert pressed_in_zip
    assert (towsim.open_result(tmp_path / "run.npz")["gap"].values == result["gap"].values).all()


def test_a_python_loop_stops_between_two_steps(tmp_path, monkeypatch):
    whole, solved = setup.back_end, []

    def pressing(*which):
        solve = whole(*which)

        def solve_and_press(stepper):
            answer = solve(stepper)
            solved.append(answer)
            if len(solved) == 600:
                press()
                solved.append("went on")
            return answer

        return solve_and_press

    monkeypatch.setattr(setup, "back_end", pressing)
    scene = scenarios.get("four-robots-box").build()
    with pytest.raises(KeyboardInterrupt):
        towsim.simulate(scene, loop="python", output=tmp_path / "run.nc")
    assert solved[-1] == "went on"
    assert len(solved) == 601
    assert len(towsim.open_result(tmp_path / "run.nc")["time"]) == 2 * PYTHON_BLOCK + 1


def test_an_interrupted_compiler_is_an_interrupted_run(tmp_path, monkeypatch):
    def load(_):
        try:
            press()
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet") from None

    monkeypatch.setattr(Stepper, "load", load)
    monkeypatch.setattr(Stepper, "loaded", False)
    with pytest.raises(KeyboardInterrupt):
        towsim.simulate(scenarios.get("four-robots-box").build(), output=tmp_path / "run.nc")
    assert towsim.open_result(tmp_path / "run.nc").attributes["outcome"] == "interrupted"


def test_a_simulation_that_is_stepped_by_hand_goes_on_after_it(monkeypatch):
    scene = scenarios.get("four-robots-box").build()
    straight, pressed = towsim.Simulation(scene), towsim.Simulation(scene)
    straight.step(2 * BLOCK)
    ahead = pressed._stepper.ahead

    def told(*arguments, **options):
        press()
        monkeypatch.setattr(pressed._stepper, "ahead", ahead)
        return ahead(*arguments, **options)

    monkeypatch.setattr(pressed._stepper, "ahead", told)
    with pytest.raises(KeyboardInterrupt):
        pressed.step(2 * BLOCK)
    assert pressed.time == straight.time / 2
    pressed.step(BLOCK)
    assert (pressed["position"].values == straight["position"].values).all()


def run_verb(body):
    """Exit code of ``towsim info`` in a process of its own, in which ``body`` is done; and what it said."""
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from towsim.cli import info, main\n"
        f"def run(arguments):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
        "info.run = run\n"
        "sys.exit(main(['info', 'x']))"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    return process.returncode, process.stderr


def test_one_that_a_finaliser_swallows_comes_again():
    swallowed = """
        class Thing:
            def __del__(self):
                signal.raise_signal(signal.SIGINT)
        Thing()
        for _ in range(1000):
            time.sleep(0.01)
        return 0
    """
    assert run_verb(swallowed) == (130, "towsim info: interrupted\n")


def test_other_errors_in_finalisers_are_told_as_ever():
    code, said = run_verb("""
        class Thing:
            def __del__(self):
                raise ZeroDivisionError
        Thing()
        return 0
    """)
    assert code == 0
    assert "ZeroDivisionError" in said
