"""Tests that need an NVIDIA GPU; without one, which no package can install, none of them is collected."""

import sys
from pathlib import Path

import torch

sys.path.append(str(Path(__file__).parent.parent / "torch"))  # the cases that both folders count
collect_ignore_glob = [] if torch.cuda.is_available() else ["test_*.py"]
