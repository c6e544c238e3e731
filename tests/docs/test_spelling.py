"""Words are spelled right, in the pages, the messages and the code, and links lead somewhere.

Links of the site are checked when it is built (mkdocs --strict, docs/links.py), none on the network.
"""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[2]


def test_no_word_is_misspelt(tmp_path):
    pytest.importorskip("codespell_lib")
    rooms = [
        "README.md",
        "CHANGELOG.md",
        "docs",
        "benchmarks",
        "examples",
        "notebooks",
        "towsim",
        "solvers",
        "scenarios",
    ]
    command = [sys.executable, "-m", "codespell_lib", *rooms]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    (tmp_path / "wrong.md").write_text("a recieved tow\n")
    found = subprocess.run([*command[:3], str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "recieved ==> received" in found.stdout


LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_links_of_the_pages_of_the_repository_lead_to_files():
    pages = [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        ROOT / "docs" / "architecture.md",
        ROOT / "benchmarks" / "README.md",
    ]
    found = [(page, link) for page in pages for link in LINK.findall(page.read_text()) if "://" not in link]
    assert [link for page, link in found if not (page.parent / link.partition("#")[0]).exists()] == []


def test_a_digital_object_identifier_is_written_as_it_is_linked():
    text = (ROOT / "docs" / "site" / "sources.md").read_text()
    links = re.findall(r"\[doi:([^\]]+)\]\(https://doi\.org/(\S+)\)", text)
    assert len(links) == text.count("doi.org/") > 10
    assert [shown for shown, to in links if shown != unquote(to)] == []
    assert [shown for shown, _ in links if not re.fullmatch(r"10\.\d{4,}/\S+", shown)] == []


def test_a_link_of_the_site_leads_to_a_file_and_a_place_in_it(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "index.html").write_text('<h2 id="here"></h2><a href="../#away">', "utf-8")
    good = '<a href="there/"></a><a href="there/#here"></a><a href="https://a.b/c"></a>'
    (tmp_path / "index.html").write_text(f'{good}<a href="there/#gone"></a><img src="no.png">', "utf-8")
    told = subprocess.run([sys.executable, ROOT / "docs" / "links.py", tmp_path], capture_output=True, text=True)
    assert told.returncode == 1
    assert told.stderr.splitlines() == [
        "index.html: there/#gone: no such place in it",
        "index.html: no.png: no such file",
        "there/index.html: ../#away: no such place in it",
    ]
