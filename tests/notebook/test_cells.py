"""The cells of a page: for the site and for download, in each language."""

import json
import os
import subprocess
import sys

import nbformat

from knit.notebook.book import portable, rendered
from knit.notebook.cells import Cells


def cells_of(workshop, language):
    course = workshop.look()[0]
    page = next(page for page in course.pages if page.path == f"docs/{language}/research/day.md")
    cells = Cells(page, course)
    cells.weave()
    return cells


def download(workshop, language, address=lambda _: None):
    """The notebook that a reader gets, validated."""
    notebook = nbformat.reads(portable(cells_of(workshop, language), address), as_version=4)
    nbformat.validate(notebook)
    return notebook.cells


def code(cells):
    return [cell for cell in cells if cell.cell_type == "code"]


def test_prose_has_its_values_and_formulas_and_no_marks_of_other_tools(diary):
    words = "\n".join(cell.source for cell in download(diary, "en") if cell.cell_type == "markdown")
    assert "# A day\n\n**The guess** 4.0, Boxes B2, `{{ guess }}`." in words
    assert "## The run\n\n$$\nV = 8 = a^3\n$$" in words
    assert "{#" not in words
    assert "pip install" in words


def test_links_lead_where_the_site_is_when_that_is_known(diary):
    cells = download(diary, "en", lambda target: f"https://host.example/{target}")
    assert "[Boxes](https://host.example/../boxes.md#top)" in cells[1].source
    assert "[B2](https://host.example/../claims.md#claim-b2)" in cells[1].source


def test_code_is_the_script_in_the_readers_language(diary):
    chinese, english = (code(download(diary, language)) for language in ("zh", "en"))
    assert chinese[0].source == english[0].source.replace("# guess first", "# 先猜")
    assert english[0].source.startswith("import numpy as np\nfrom solid.flat import cube\n")
    assert [a.source for a in chinese[1:3]] == [b.source for b in english[1:3]]
    assert [a.source for a in (chinese[3], english[3])] == [
        f'from knit import show\n\nshow(growth, "{language}")' for language in ("zh", "en")
    ]


def test_outputs_are_what_the_code_printed_and_drew(diary):
    _, ran, _, drew = code(download(diary, "zh"))
    assert ran.outputs == [{"output_type": "stream", "name": "stdout", "text": "volumes [1.0, 8.0, 27.0]\n"}]
    drawing = drew.outputs[0].data
    assert drawing["text/plain"] == "曲线一直到 27"
    assert "边长" in drawing["image/svg+xml"]
    assert "var(" not in drawing["image/svg+xml"]


def test_both_notebooks_are_the_same_each_time(diary):
    for write in (rendered, lambda cells: portable(cells, lambda _: None)):
        assert write(cells_of(diary, "zh")) == write(cells_of(diary, "zh"))


def test_the_download_runs_in_jupyter_and_gives_what_it_shows(diary, tmp_path):
    file = tmp_path / "day.ipynb"
    file.write_text(portable(cells_of(diary, "zh"), lambda _: None), "utf-8")
    before = nbformat.read(file, as_version=4)
    done = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", str(file)],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(diary.root)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    after = json.loads(file.read_text("utf-8"))
    shown = [cell for cell in after["cells"] if cell["cell_type"] == "code"]
    for cell, expected in zip(shown, code(before.cells), strict=True):
        texts = [output.get("text") or output["data"]["image/svg+xml"] for output in cell["outputs"]]
        assert ["".join(text) for text in texts] == [
            output.get("text") or output.data["image/svg+xml"] for output in expected.outputs
        ]
