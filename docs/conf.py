"""The documentation site: `make site` builds it from the pages of this folder, with dead links as errors."""

from __future__ import annotations

import astragal

project = "Astragal"
author = "the authors of Astragal"
release = version = astragal.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns: list[str] = []
html_theme = "furo"
html_title = f"Astragal {release}"
html_show_sphinx = False
html_show_sourcelink = False
html_copy_source = False
html_use_index = True
myst_heading_anchors = 4  # links to headings, as they work where the pages are read as files
default_role = "code"  # docstrings write code in single backticks
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
nitpicky = False  # types of other libraries have no page here; links that somebody wrote are checked anyhow
suppress_warnings = [
    "ref.python",  # a name that two modules export is no dead link
    "misc.highlighting_failure",  # a language that has no colours
]
