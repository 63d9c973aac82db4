"""Settings of the site that ``make docs`` builds: without a network, and it is read without one."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_site"))  # what writes the generated pages

import indicatrix as ix  # noqa: E402 - after the path

gc.freeze()  # what was imported stays, and so do hundreds of pages: to look through them again and again takes seconds
gc.set_threshold(200_000, 1000, 1000)

project = "indicatrix"
author = "The indicatrix developers"
project_copyright = "2026, the indicatrix developers"
version = release = ix.__version__

extensions = [
    "myst_nb",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "code_blocks",
    "mathml",  # formulas as MathML, which browsers show without a program
    "generated",  # the pages of measures and settings, and the reference
]
exclude_patterns = ["_build", "_site", "**/README.md", "gallery/**/*.py", "gallery/**/*.ipynb", "gallery/**/*.zip"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_inline", "substitution"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
nb_execution_mode = "cache"  # a page is run again only when it changed
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_show_tb = True
nb_merge_streams = True
html_math_renderer = "mathml"

smartquotes = False  # 'macro' in a text is what to type
toc_object_entries_show_parents = "hide"

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

os.environ["MPLBACKEND"] = "Agg"  # plots are drawn without a screen
sphinx_gallery_conf = {
    "examples_dirs": "../examples/plots",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "ignore_pattern": "scenes",
    "subsection_order": ["../examples/plots/" + group for group in ("classes", "scores", "comparisons", "images")],
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "capture_repr": (),  # pictures only, not what the last line returns
    "write_computation_times": False,
    "download_all_examples": False,
    "notebook_extensions": set(),
    "show_signature": False,
    "copyfile_regex": r".*scenes\.py",
}

templates_path = ["_site/templates"]
html_theme = "pydata_sphinx_theme"
html_title = f"indicatrix {release}"
html_static_path = ["_site/static"]
html_css_files = ["site.css"]
ROOMS = ("start", "choose", "guides", "how-sure", "work", "recipes", "gallery", "why", "project")
html_sidebars = {f"{room}/**": ["sidebar-nav-bs"] for room in ROOMS}
# Hundreds of pages: each has its way up, and no list of all the others.
html_sidebars |= {key: [] for key in ("index", "questions", "measures/**", "settings/**", "reference/**")}
html_search_scorer = str(HERE / "_site" / "ranking.js")
html_context = {"default_mode": "auto"}  # light or dark, as the system is
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "article_footer_items": [],
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
