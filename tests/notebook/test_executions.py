"""A notebook is executed through the same store as every script: once for both languages, and only when it must be."""


def test_a_notebook_runs_once_for_both_languages(diary):
    diary.edit("snippets/day.py", "guess = 4.0", "guess = 5.0")
    assert diary.executions() == ["snippets/day.py"]
    assert diary.executions() == []


def test_an_edit_of_prose_runs_nothing(diary):
    diary.edit("docs/zh/research/day.md", "先猜", "先猜一个")
    diary.edit("docs/en/research/day.md", "The guess", "Our guess")
    diary.edit("snippets/day.py", "# en: guess first", "# en: guess")
    assert diary.executions() == []


def test_an_edit_of_a_module_runs_the_notebooks_that_use_it(diary):
    diary.edit("solid/flat.py", "side**3", "side * side * side")
    assert sorted(diary.executions()) == ["snippets/boxes.py", "snippets/day.py"]
