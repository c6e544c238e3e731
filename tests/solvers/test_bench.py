"""The bench tells right from wrong by M and q alone, shows failures, and gets back from files what it put there."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import sys
import types

import numpy as np
import pytest
import scipy.sparse as sp

import solvers
from solvers import files, matrix
from solvers.backends import registry
from solvers.bench import compare as bench
from solvers.bench.measure import benchmark, fresh, judge, reference
from solvers.bench.report import Measurement, Report
from solvers.status import Status


def hung(n=3, weight=6.0):
    """A point mass on n vertical wires; its tensions add up to the weight."""
    return solvers.LCP.from_wires([0.5], np.ones((1, n)), [-weight], np.zeros(n), names=[f"wire {i}" for i in range(n)])


def apart():
    """Two robots that drive apart with one load between them."""
    return solvers.LCP.from_wires([1.0], [[1.0, -1.0]], [0.0], [-1.0, -1.0], names=["left", "right"])


def chain(n=30):
    main = np.full(n, 2.0)
    return sp.csr_array(sp.diags_array([main, -np.ones(n - 1), -np.ones(n - 1)], offsets=[0, 1, -1]))


PROBLEMS = {
    "dense": hung(),
    "plain": solvers.LCP([[2.0, 1.0], [1.0, 2.0]], [-1.0, 1.0]),
    "free": solvers.MLCP([[2.0, 1.0], [1.0, 2.0]], [-1.0, 1.0], [1], names=["rod", "wire ä"]),
    "sparse": solvers.LCP(chain(), -np.ones(30)),
    "driven": solvers.MLCP(np.eye(2), [-1.0, 2.0], rate=[-0.5, 0.25]),
    "envelope": solvers.LCP(solvers.LCP(chain(), np.ones(30)).envelope, -np.ones(30)),
    "sparse wires": solvers.LCP.from_wires(np.ones(30), sp.eye_array(30).tocsr(), -np.ones(30), np.zeros(30)),
    "empty": solvers.LCP(np.zeros((0, 0)), []),
}


def test_files_give_back_what_was_saved(tmp_path):
    loaded = files.load(files.save(tmp_path / "p.npz", PROBLEMS))
    assert list(loaded) == list(PROBLEMS)
    for label, one in PROBLEMS.items():
        other = loaded[label]
        assert type(other.M) is type(one.M)
        assert np.array_equal(other.q, one.q)
        assert np.array_equal(other.free, one.free)
        assert list(other.names) == list(one.names)
        assert other.kind_of_row == one.kind_of_row
        assert np.array_equal(other.rate, one.rate)
        probe = np.arange(1.0, one.n + 1.0)
        assert np.array_equal(other.w(probe), one.w(probe))
        if one.wires is not None:
            assert np.array_equal(other.wires.velocity(probe), one.wires.velocity(probe))


def test_archives_hold_no_pickle(tmp_path):
    files.save(tmp_path / "p.npz", PROBLEMS)
    with np.load(tmp_path / "p.npz", allow_pickle=False) as archive:
        assert all(archive[key].dtype.kind in "biuf" for key in archive.files)


def test_plain_archive_and_json_are_the_same_problem(tmp_path):
    M, q = [[2.0, 1.0], [1.0, 2.0]], [-1.0, 1.0]
    np.savez(tmp_path / "a.npz", M=M, q=q, free=[False, True], names=["a", "b"])
    (tmp_path / "b.json").write_text(json.dumps({"M": M, "q": q, "free": [1], "names": ["a", "b"]}))
    coordinates = {"shape": [2, 2], "row": [0, 0, 1, 1], "col": [0, 1, 0, 1], "val": [2, 1, 1, 2]}
    (tmp_path / "c.json").write_text(json.dumps([{"id": "c", "M": coordinates, "q": q, "free": [False, True]}]))
    found = [next(iter(files.load(tmp_path / name).values())) for name in ("a.npz", "b.json", "c.json")]
    for one in found:
        assert np.array_equal(one.M, M)
        assert one.free.tolist() == [False, True]
    assert found[0].names == found[1].names == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("3", "an object with M and q"),
        ("[]", "holds no problem"),
        ("[1]", "entry 0 must be an object"),
        ('{"M": [[1]]}', "has no 'q'"),
        ('{"q": [1]}', "has no 'M'"),
        ('{"M": [[1, 2], [3]], "q": [1, 2]}', "M must be real numbers"),
        ('{"M": [["a"]], "q": [1]}', "M must be real numbers"),
        ('{"M": [[1]], "q": [null]}', "q must be real numbers"),
        ('{"M": [[1, 2]], "q": [1, 2]}', "M must be 2 x 2"),
        ('{"M": [[1]], "q": [1], "free": [1]}', "row numbers from 0 to 0"),
        ('{"M": [[1, 0], [0, 1]], "q": [1, 1], "free": [0, 0]}', "different row numbers"),
        ('{"M": [[1]], "q": [1], "free": [0.5]}', "free must be a mask"),
        ('{"M": [[1]], "q": [1], "fre": [0]}', "did you mean 'free'"),
        ('{"M": [[1]], "q": [1], "names": ["a", "b"]}', "1 names are needed"),
        ('{"M": {"shape": [1, 1], "row": [5], "col": [0], "val": [1]}, "q": [1]}', "M must be a table"),
        ('[{"id": "a", "M": [[1]], "q": [1]}, {"id": "a", "M": [[1]], "q": [1]}]', "two problems are called 'a'"),
    ],
)
def test_bad_json_is_refused_and_says_why(tmp_path, text, says):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(solvers.ProblemError, match=says) as caught:
        files.load(path)
    assert str(path) in str(caught.value)


def test_bad_archives_are_refused(tmp_path):
    path = tmp_path / "bad.npz"
    with pytest.raises(solvers.ProblemError, match="no such file"):
        files.load(path)
    good = files.save(tmp_path / "good.npz", PROBLEMS).read_bytes()
    path.write_bytes(good[: len(good) // 2])
    with pytest.raises(solvers.ProblemError, match="damaged"):
        files.load(path)
    np.savez(path, M=np.array([[object()]]), q=[1.0])  # pickled
    with pytest.raises(solvers.ProblemError, match="damaged"):
        files.load(path)
    np.savez(path, M=[[1j]], q=[1.0])
    with pytest.raises(solvers.ProblemError, match="real numbers"):
        files.load(path)
    with pytest.raises(solvers.ProblemError, match=r"saved as \.npz"):
        files.save(tmp_path / "p.json", PROBLEMS)


def test_changed_bytes_never_raise_anything_else(tmp_path):
    good = files.save(tmp_path / "good.npz", PROBLEMS).read_bytes()
    random, path, refused = np.random.default_rng(0), tmp_path / "bad.npz", 0
    for _ in range(200):
        bad = bytearray(good)
        for place in random.integers(len(bad), size=5):
            bad[place] = random.integers(256)
        path.write_bytes(bad)
        try:
            files.load(path)
        except solvers.ProblemError:
            refused += 1
    assert refused > 100  # bytes in dates and other fields that do not matter may change


@pytest.mark.parametrize(
    ("label", "key", "value"), [("sparse", "M.indices", 10**6), ("envelope", "M.ptr", 10**6), ("envelope", "M.ptr", -1)]
)
def test_indices_out_of_bounds_never_reach_compiled_code(tmp_path, label, key, value):
    path = files.save(tmp_path / "p.npz", {label: PROBLEMS[label]})
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    arrays[f"0.{key}"] = arrays[f"0.{key}"].copy()
    arrays[f"0.{key}"][3] = value
    np.savez(path, **arrays)
    with pytest.raises(solvers.ProblemError):
        files.load(path)


def test_a_claim_that_does_not_hold_is_wrong():
    problem = hung()
    good = solvers.solve(problem)
    assert judge(problem, good) == "right"
    assert judge(problem, dataclasses.replace(good, z=good.z * (1 + 1e-6), residual=0.0)) == "wrong"
    assert judge(problem, dataclasses.replace(good, z=good.z * np.nan, residual=0.0)) == "wrong"
    assert judge(problem, dataclasses.replace(good, status=Status.INFEASIBLE)) == "wrong"
    proof = solvers.solve(apart()).farkas
    assert judge(problem, dataclasses.replace(good, status=Status.INFEASIBLE, farkas=proof)) == "wrong"
    assert judge(problem, dataclasses.replace(good, status=Status.INVALID)) == "wrong"
    assert judge(problem, dataclasses.replace(good, status=Status.NO_CONCLUSION)) == "open"


def test_right_answers_share_w_and_infeasible_ones_are_proved():
    methods = [name for name in solvers.available() if name != "cvxpy"]  # slow, and no different here
    report = benchmark({"hung": hung(), "apart": apart()}, methods, repeats=1)
    assert report.honest
    for one in report.measurements:
        if one.verdict == "right" and one.problem == "hung":
            assert one.status == "solved"
            assert one.residual <= 1e-9
            assert one.distance <= 1e-9
            assert 0 < one.time <= one.median
        if one.verdict == "right" and one.problem == "apart":
            assert one.status == "infeasible"
            assert np.isnan(one.distance)
    assert {one.method for one in report.measurements if one.verdict == "right"} >= {"auto", "active-set", "lemke"}
    assert all(0 < one.algorithm < one.time for one in report.measurements if one.method != "auto")


def test_warm_starts_come_from_the_problem_before():
    G = np.random.default_rng(1).normal(size=(6, 4))
    first = G.T @ G
    problems = {str(k): solvers.LCP(first, -np.ones(4) * (1 + 1e-6 * k)) for k in range(3)}
    report = benchmark(problems | {"larger": hung(5)}, ["pgs", "lemke"], repeats=1)
    pgs, lemke = report.of("pgs"), report.of("lemke")
    assert np.isnan(pgs[0].warm)
    assert np.isnan(pgs[3].warm)  # of another size
    assert pgs[1].warm > 0
    assert 0 <= pgs[1].warm_iterations < pgs[1].iterations
    assert all(np.isnan(one.warm) and one.warm_iterations == -1 for one in lemke)


def test_a_fresh_problem_knows_nothing_yet():
    problem = hung()
    solvers.solve(problem, "lemke")
    assert "scaled" in problem.__dict__
    assert "scaled" not in fresh(problem).__dict__


def test_what_a_back_end_raises_is_shown(monkeypatch):
    module = types.ModuleType("broken_back_end")

    def solve(problem, start=None):
        if problem.n > 1:
            raise ArithmeticError("broken on purpose")
        return solvers.Answer(np.zeros(problem.n), Status.SOLVED, 1)

    module.solve = solve
    monkeypatch.setitem(sys.modules, "broken_back_end", module)
    monkeypatch.setitem(registry.backends(), "broken", registry.Backend("broken_back_end"))
    report = benchmark({"hung": hung()}, ["broken", "auto"], repeats=1)
    one = report.of("broken")[0]
    assert (one.verdict, one.status) == ("error", "ArithmeticError")
    assert "broken on hung: ArithmeticError: broken on purpose" in str(report)
    assert report.of("auto")[0].verdict == "right"


def test_a_liar_is_not_counted_as_right(monkeypatch):
    """The guard already refuses a false claim; the bench then counts it as none."""
    module = types.ModuleType("liar")
    module.solve = lambda problem, start=None: solvers.Answer(np.ones(problem.n), Status.SOLVED, 1)
    monkeypatch.setitem(sys.modules, "liar", module)
    monkeypatch.setitem(registry.backends(), "liar", registry.Backend("liar"))
    problem = solvers.LCP(np.diag([1.0, 0.0]), [-2.0, -1.0])  # infeasible
    assert benchmark({"p": problem}, ["liar"], repeats=1).of("liar")[0].verdict != "wrong"
    assert benchmark({"p": problem}, ["liar"], repeats=1).of("liar")[0].status != "solved"


def made(problem, method, time, verdict="right", status="solved"):
    return Measurement(problem, 1, method, verdict, status, time, time, time / 2, np.nan, 1, -1, 0.0, 0.0, 0.0, "")


def test_profile_is_that_of_dolan_and_more():
    rows = [made("p", "a", 1.0), made("p", "b", 4.0), made("q", "a", 6.0), made("q", "b", 2.0)]
    rows += [made("r", "a", 1.0, "open", "iteration_limit"), made("r", "b", 5.0)]
    rows += [made("s", "a", 0.1, "wrong"), made("s", "b", 0.1, "open", "no_conclusion")]
    report = Report(tuple(rows), ("a", "b"))
    assert report.profile()["a"].tolist() == [1.0, 3.0, np.inf, np.inf]
    assert report.profile()["b"].tolist() == [1.0, 1.0, 4.0, np.inf]
    assert not report.honest
    assert report.summary().splitlines()[1].split()[:5] == ["a", "2/4", "1", "1", "0"]


def test_contradicting_proofs_are_pointed_out():
    rows = [made("p", "a", 1.0), made("p", "b", 1.0, status="infeasible"), made("q", "a", 1.0), made("q", "b", 1.0)]
    assert Report(tuple(rows), ("a", "b")).disputed() == ("p",)


def test_iterations_have_a_profile_of_their_own_and_families_too():
    rows = [made("f/p", "a", 1.0), made("f/p", "b", 4.0), made("g/p", "a", 6.0), made("g/p", "b", 2.0)]
    rows = [dataclasses.replace(one, iterations=k) for one, k in zip(rows, (4, 2, 0, 3), strict=True)]
    report = Report(tuple(rows), ("a", "b"))
    assert report.families == ("f", "g")
    assert {m: list(r) for m, r in report.profile("iterations").items()} == {"a": [1.0, 2.0], "b": [1.0, 3.0]}
    assert {m: list(r) for m, r in report.profile("time", "g").items()} == {"a": [3.0], "b": [1.0]}
    with pytest.raises(solvers.ProblemError, match="there is no family 'h'"):
        report.profile("time", "h")
    with pytest.raises(solvers.ProblemError, match="by must be"):
        report.profile("weight")


def test_tables_hold_the_same_cells_in_every_format():
    report = Report((made("f/p_1", "a", 2e-3), made("g/p", "a", 4e-6)), ("a",))
    lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in report.to_markdown().splitlines()]
    text = [line.split() for line in report.summary().splitlines()]
    assert [" ".join(row).split() for row in (lines[0], *lines[2:])] == text
    assert lines[2][:5] == ["f", "a", "1/1", "2 ms", "1.00"]
    latex = report.to_latex()
    assert r"f & a & 1/1 & 2 ms & 1.00 & 1 ms & - & 1 & $0.0\cdot 10^{0}$" in latex
    assert r"4 \textmu{}s" in latex
    assert "p_1" in report.to_csv()


def test_a_function_of_ones_own_is_measured_by_its_name(tmp_path):
    """Jacobi's method in three lines, from M and q; what it leaves to be wanted is seen beside what was polished."""

    def jacobi(M, q, *, sweeps=6):
        z = np.zeros_like(q)
        for _ in range(sweeps):
            z = np.maximum(0.0, z - (M @ z + q) / np.diag(M))
        return z, sweeps

    M = np.eye(4) + 0.2
    files.save(tmp_path / "mine.npz", {"p": solvers.LCP(M, [-1.0, 2.0, -3.0, -0.5])})
    report = solvers.benchmark(tmp_path, ["auto", jacobi, "pgs:relaxation=0.7"], repeats=2)
    assert report.methods == ("auto", "jacobi", "pgs:relaxation=0.7")
    one = report.of("jacobi")[0]
    assert (one.verdict, one.iterations, one.distance < 1e-12) == ("right", 6, True)
    assert one.residual < 1e-13 < 1e-9 < one.unpolished < 0.1
    assert "jacobi" not in solvers.available()
    with registry.passing():
        solvers.register("jacobi", jacobi)
        assert solvers.solve(solvers.LCP(M, -np.ones(4)), "jacobi", sweeps=3).iterations == 3
        assert solvers.options_of("jacobi") == {"sweeps": 6}


def test_a_function_that_gives_nonsense_is_an_error_of_its_own():
    def short(M, q):
        return q[:1]

    report = benchmark({"hung": hung()}, [short, "lemke"], repeats=1)
    assert report.of("short")[0].verdict == "error"
    assert "short must give z of shape (3,), got (1,)" in str(report)
    assert report.of("lemke")[0].verdict == "right"
    for name, says in (("pgs", "already"), ("auto", "is not auto"), ("a:b", "letters, digits")):
        with pytest.raises(solvers.ProblemError, match=says):
            solvers.register(name, short)


def test_matrix_market_files_give_back_what_was_written(tmp_path):
    problems = {"one/dense": PROBLEMS["dense"], "one/free": PROBLEMS["free"], "two/t = 0.5 s": PROBLEMS["sparse"]}
    problems["large"] = solvers.LCP(chain(400), -np.ones(400) / 3)
    loaded = files.load(files.save(tmp_path / "folder", problems))
    assert set(loaded) == {"one/dense", "one/free", "two/t_=_0.5_s", "large"}
    for (label, one), other in zip(sorted(problems.items()), (loaded[name] for name in sorted(loaded)), strict=True):
        assert np.array_equal(one.q, other.q), label
        assert np.array_equal(one.free, other.free)
        assert np.array_equal(matrix.to_dense(one.M), matrix.to_dense(other.M))
    assert sp.issparse(loaded["large"].M)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("p_q.mtx", None, "q in NAME_q.mtx"),
        ("p_q.mtx", "1 2 3", "not in Matrix Market format"),
        ("p_q.mtx", "%%MatrixMarket matrix array real general\n1 2\n1\n1\n", "a vector is n x 1, got 1 x 2"),
        ("p_q.mtx", "%%MatrixMarket matrix array complex general\n1 1\n1 1\n", "real numbers"),
        ("p_q.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n", "M must be 2 x 2"),
        ("p_free.mtx", "%%MatrixMarket matrix array real general\n1 1\n3\n", "1 numbers 0 or 1"),
    ],
)
def test_bad_matrix_market_files_are_refused_and_say_why(tmp_path, name, text, says):
    files.save(tmp_path / "folder", {"p": solvers.MLCP([[1.0]], [1.0], [0] if "free" in name else None)})
    path = tmp_path / "folder" / name
    path.unlink() if text is None else path.write_text(text)
    with pytest.raises(solvers.ProblemError, match=says):
        files.load(tmp_path / "folder" / "p.mtx")


def test_a_sparse_matrix_may_come_by_rows_in_a_plain_archive(tmp_path):
    M = chain()
    np.savez(
        tmp_path / "a.npz",
        **{f"M.{part}": getattr(M, part) for part in ("data", "indices", "indptr", "shape")},
        q=np.ones(30),
    )
    assert np.array_equal(files.load(tmp_path / "a.npz")["a"].M.toarray(), M.toarray())


def test_reference_is_a_solution_or_nothing():
    assert reference(hung()).solved
    assert reference(apart()) is None


def test_command_line_writes_table_csv_and_picture(tmp_path, capsys, monkeypatch):
    path = files.save(tmp_path / "p.npz", {"hung": hung(), "apart": apart()})
    table, picture = tmp_path / "out.csv", tmp_path / "out.png"
    latex, module = tmp_path / "out.tex", tmp_path / "my_solvers.py"
    module.write_text("import numpy as np\ndef exact(M, q):\n    return np.maximum(0.0, -np.linalg.pinv(M) @ q)\n")
    monkeypatch.chdir(tmp_path)
    solvers_ = "auto,pgs:relaxation=1.5,my_solvers.exact"
    words = [str(path), "--solvers", solvers_, "--repeats", "2", "--csv", str(table), "--plot", str(picture)]
    words += ["--table", str(latex)]
    assert bench.main(words) == 0
    out, _ = capsys.readouterr()
    assert "auto" in out
    assert "2/2" in out
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert [(row["problem"], row["method"]) for row in rows] == [
        (p, m) for p in ("hung", "apart") for m in solvers_.split(",")
    ]
    assert all(float(row["time"]) > 0 for row in rows)
    assert [row["verdict"] for row in rows] == ["right", "right", "right", "right", "right", "open"]
    assert "my\\_solvers.exact" not in out
    assert r"my\_solvers.exact & 1/2" in latex.read_text()
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert bench.main(words) == 2  # nothing is overwritten
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--solvers", "lemk"], "there is no method 'lemk'"),
        (["--solvers", ","], "names no method"),
        (["--plot", "a.gif"], "must end in .png"),
        (["--save", "no/such/p.npz"], "no such folder"),
        (["--table", "a.txt"], "must end in .md or .tex or .csv"),
        (["--solvers", "no_such_module.solve"], "No module named 'no_such_module'"),
        (["--solvers", "math.no_such"], "has no attribute 'no_such'"),
        (["--solvers", "pgs:relaxatio=1.5"], "has no option 'relaxatio'"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_computed(tmp_path, capsys, words, says):
    path = files.save(tmp_path / "p.npz", {"hung": hung()})
    assert bench.main([str(path), *words]) == 2
    assert says in capsys.readouterr().err


def test_two_files_with_the_same_labels_are_kept_apart(tmp_path, capsys):
    (tmp_path / "c").mkdir()
    for k, name in enumerate(("a.npz", "b.npz", "c/b.npz")):
        files.save(tmp_path / name, {"x": hung(k + 1)})
    names = [str(tmp_path / name) for name in ("a.npz", "b.npz", "c/b.npz")]
    table = tmp_path / "t.csv"
    assert bench.main([*names, "--solvers", "auto", "--repeats", "1", "--table", str(table)]) == 0
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert [row["n"] for row in rows] == ["1", "2", "3"]
    assert [row["family"] for row in rows][:2] == ["a", "b"]
    assert len({row["problem"] for row in rows}) == 3
