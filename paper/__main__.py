"""``python -m paper`` recomputes the paper."""

import sys

try:
    from .command import main

    main()
except ModuleNotFoundError as missing:
    if (missing.name or "").startswith(__package__):
        raise
    sys.stderr.write(f"Error: {missing.name} is not installed. In the folder of the repository: pip install -e '.[paper]'\n")
    sys.exit(2)
