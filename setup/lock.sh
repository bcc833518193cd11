#!/usr/bin/env bash
# Locks the versions and hashes of setup/requirements.in for every Python from
# 3.11 on, whatever the version here.
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"

locker=$build/locker
[[ -x $locker/bin/uv ]] || { "$venv/bin/python" -m venv "$locker" && "$locker/bin/python" -m pip install -q uv==0.13.9; }
cd "$root/setup"
{
	echo '# Made from requirements.in by "make lock": do not edit.'
	"$locker/bin/uv" pip compile -q --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-index-url "$@" requirements.in
} >"$build/requirements.lock"
mv "$build/requirements.lock" requirements.lock
say "✓ setup/requirements.lock"
