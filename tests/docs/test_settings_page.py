"""The page of settings is the one that the settings themselves write."""

from __future__ import annotations

from pathlib import Path

from ctxinspect.settings import setting_paths
from ctxinspect.view.settings_page import settings_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "settings.md"


def test_every_setting_stands_on_the_page_as_it_is():
    page = PAGE.read_text("utf-8")
    assert all(f"`{path}`" in page for path in setting_paths())
    assert page == settings_page(), "write it anew: Path('docs/settings.md').write_text(settings_page())"
