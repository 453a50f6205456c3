"""Words of several languages in one text."""

import pytest
from mkdocs.exceptions import PluginError

from knit.site.languages import languages_of

ZH, EN = languages_of(["zh", "en"])


def test_a_text_with_bars_has_a_part_for_each_language():
    assert (ZH.words("课程 | Lessons"), EN.words("课程 | Lessons")) == ("课程", "Lessons")


def test_a_text_without_bars_serves_all():
    assert ZH.words("a|b") == EN.words("a|b") == "a|b"


def test_a_text_with_another_number_of_parts_is_refused():
    with pytest.raises(PluginError, match=r"“a \| b \| c” has 3 parts for 2 languages"):
        EN.words("a | b | c")


def test_texts_are_found_wherever_yaml_has_them():
    value = {"social": [{"name": "信 | Mail", "weight": 2}], "on": True, "none": None}
    assert EN.words_in(value) == {"social": [{"name": "Mail", "weight": 2}], "on": True, "none": None}


@pytest.mark.parametrize(
    ("code", "tag", "name"),
    [("zh", "zh-Hans", "中文"), ("en", "en", "English"), ("zh-Hant", "zh-Hant", "中文 (繁體)"), ("ja", "ja", "日本語")],
)
def test_a_language_has_its_tag_and_its_own_name(code, tag, name):
    (language,) = languages_of([code])
    assert (language.tag, language.name) == (tag, name)
