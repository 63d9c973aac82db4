"""The data sets yeast, emotions and mammography, for the tests that need them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FOLDER = Path(named) if (named := os.environ.get("INDICATRIX_DATA")) else None
REASON = "needs yeast, emotions and mammography; set INDICATRIX_DATA to the folder that has them"
needs_data = pytest.mark.skipif(FOLDER is None, reason=REASON)
