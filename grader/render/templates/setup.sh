#!/usr/bin/env bash
# Runs once, when Gradescope builds the image: Python and the packages that grading needs, in an environment of their own.
set -euo pipefail

ROOT="${AUTOGRADER_ROOT:-/autograder}"
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3 python3-venv
python3 -m venv "$ROOT/venv"
"$ROOT/venv/bin/python" -m pip install --no-input --compile -c "$ROOT/source/constraints.txt" {{ packages | join(" ") }}
"$ROOT/venv/bin/python" -m compileall -q "$ROOT/source/grader"
