"""The files of styles that follow each other on a page become one."""

import pytest

from knit.site.finishing import Finishing
from knit.site.styles import SWITCHING

LINK = '<link rel="stylesheet" href="{}">'


def site(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (folder / "assets/knit").mkdir(parents=True, exist_ok=True)
    return folder


def join(folder):
    Finishing(folder, serving=False).rest()


def links(*addresses):
    return "<head>\n" + "\n   ".join(LINK.format(each) for each in addresses) + "</head>"


def test_pages_share_one_file_in_the_order_of_the_styles(tmp_path):
    site(
        tmp_path,
        a_css='@charset "UTF-8";p{color:red}/*# sourceMappingURL=a.css.map */',
        assets__b_css='p{color:blue;background:url(x.png)}i{background:url("data:image/svg+xml,<svg>")}',
        en__one__index_html=links("../../a.css", "../../assets/b.css") + "<p>One.</p>",
        zh__index_html=links("../a.css", "../assets/b.css") + "<p>二。</p>",
    )
    join(tmp_path)
    (styles,) = (tmp_path / "assets/knit").iterdir()
    assert styles.read_text("utf-8") == (
        'p{color:red}\np{color:blue;background:url("../x.png")}i{background:url("data:image/svg+xml,<svg>")}'
    )
    one = (tmp_path / "en/one/index.html").read_text("utf-8")
    assert one == f"<head>\n{LINK.format(f'../../assets/knit/{styles.name}')}</head><p>One.</p>"
    assert LINK.format(f"../assets/knit/{styles.name}") in (tmp_path / "zh/index.html").read_text("utf-8")
    assert not (tmp_path / "a.css").exists()
    assert not (tmp_path / "assets/b.css").exists()
    join(tmp_path)  # once more changes nothing
    assert (tmp_path / "en/one/index.html").read_text("utf-8") == one


def test_a_file_that_another_page_asks_for_alone_stays(tmp_path):
    site(
        tmp_path,
        a_css="p{}",
        b_css="i{}",
        c_css="b{}",
        index_html=links("a.css", "b.css"),
        alone_html=links("a.css") + links("c.css"),
    )
    alone = (tmp_path / "alone.html").read_text("utf-8")
    join(tmp_path)
    assert (tmp_path / "alone.html").read_text("utf-8") == alone
    assert sorted(path.name for path in tmp_path.glob("*.css")) == ["a.css", "c.css"]


def test_other_styles_other_name(tmp_path):
    for version in ("red", "blue"):
        folder = site(
            tmp_path / version, a_css="p{}", b_css=f"i{{color:{version}}}", index_html=links("a.css", "b.css")
        )
        join(folder)
    names = {path.name for path in tmp_path.rglob("styles.*.css")}
    assert len(names) == 2


@pytest.mark.parametrize("elsewhere", ["https://example.org/a.css", "//example.org/a.css"])
def test_what_is_elsewhere_is_left_to_the_policy_to_refuse(tmp_path, elsewhere):
    html = links(elsewhere, "a.css")
    site(tmp_path, a_css="p{}", index_html=html)
    join(tmp_path)
    assert (tmp_path / "index.html").read_text("utf-8") == html


def test_the_theme_s_rule_about_every_element_is_left_out():
    theme = "a{b:c}[data-md-color-switching] *,[data-md-color-switching] :after{transition-duration:0s!important}d{e:f}"
    assert SWITCHING.sub("", theme) == "a{b:c}d{e:f}"
