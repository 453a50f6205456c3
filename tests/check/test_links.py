"""Links within the course, and alternative texts."""

import pytest

DEAD = [
    ("[x](ball.md)", "the link ball.md leads to docs/en/ball.md, which does not exist"),
    ("[x](../balls.md)", "the link ../balls.md leads to docs/balls.md, which does not exist; is it balls.md?"),
    ("[x](balls.md#bottom)", "the link balls.md#bottom leads to the id bottom, which docs/en/balls.md does not have"),
    ("[x](#bottom)", "the link #bottom leads to the id bottom, which this page does not have"),
    ("[x](claims.md#claim-b7)", "leads to the id claim-b7, which docs/en/claims.md does not have"),
    ("[x]()", "the link () leads nowhere"),
    ("[x](/en/balls/)", "begins at the host's root, where the site need not stand"),
    ("[x][nowhere]", "the link [nowhere] is defined nowhere: write [x](page.md#id)"),
    ("[x][there]\n\n[there]: ball.md", "the link ball.md leads to docs/en/ball.md, which does not exist"),
    ("![x](pictures/cube.png)", "the picture pictures/cube.png leads to docs/en/pictures/cube.png"),
    ("[![x](cube.png)](balls.md)", "the picture cube.png leads to docs/en/cube.png, which does not exist"),
    ("![x](https://host.example/cube.png)", "is fetched from another host: keep a copy among the pages"),
    ('<img src="https://host.example/cube.png">', "is fetched from another host"),
    ('<script src="//host.example/x.js"></script>', "is fetched from another host"),
    ('<a href="balls.md">x</a>', "names a file, not its address: write it in Markdown, [text](page.md)"),
    ('<a href="ball/">x</a>', "the link ball/ leads to docs/en/ball, which does not exist"),
    ("[x](fig:growth)", "stands where it means nothing: write ![what is to be seen](fig:name)"),
    ('[x](claim:B1 "t")', "stands where it means nothing: write [P2](claim:P2)"),
    ("## Sub", "the heading “Sub” has no id: write {#id} behind it, the same in every language"),
    ("## Sub {#top}", "the id top stands twice on this page: give one heading another"),
]


@pytest.mark.parametrize(("typed", "told"), DEAD)
def test_a_dead_link_is_told_at_its_line(workshop, typed, told):
    workshop.write("docs/en/index.md", f"# Home {{#top}}\n\nNo script here.\n\n{typed}\n")
    found = [problem for problem in workshop.problems() if told in problem]
    line = 7 if typed.startswith("[x][there]") else 5
    assert found, workshop.problems()
    assert found[0].startswith(f"docs/en/index.md:{line}: ")


ALIVE = [
    "[x](balls.md) [x](balls.md#top) [x](#top) [x](claims.md#claim-b2) [x](claims.md#boxes)",
    "[x](../zh/balls.md#top)",
    "[x](https://host.example/a.md#b) <https://host.example> [x](mailto:a@host.example)",
    "[x][there] [there][] \n\n[there]: balls.md",
    "`[x](ball.md)`\n\n```text\n[x](ball.md)\n```\n\n<!-- [x](ball.md) -->",
    '<a href="balls/">x</a> <a id="here"></a> [x](#here)',
    "![x](../assets/cube.svg) [x](../assets/cube.svg)",
    "$a[x](y)$ a[1][2]".replace("a[1][2]", "{{ balls.radii[1]:.0f }}"),
]


@pytest.mark.parametrize("typed", ALIVE)
def test_a_link_that_leads_somewhere_is_not(workshop, typed):
    workshop.write("docs/assets/cube.svg", "<svg/>")
    for language in ("zh", "en"):
        workshop.write(f"docs/{language}/index.md", f"# Home {{#top}}\n\nNo script here.\n\n{typed}\n")
    assert [problem for problem in workshop.problems() if "link" in problem or "leads" in problem] == []


def test_an_alternative_text_that_copies_its_caption_is_told(workshop):
    workshop.edit("docs/en/balls.md", "![Curve through", "![It grows to")
    assert workshop.problems() == [
        "docs/en/balls.md:20: the alternative text of fig:growth copies the caption: say what is to be seen"
    ]


def test_a_claim_without_a_ledger_is_told(workshop):
    for language in ("zh", "en"):
        (workshop.root / f"docs/{language}/claims.md").write_text("# L {#top}\n")
    found = workshop.problems()
    assert found
    assert all("which has no ledger: write a ```claims fence there" in problem for problem in found)
