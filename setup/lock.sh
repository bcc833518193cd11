#!/usr/bin/env bash
# Locks the versions and hashes of Python packages for every Python since 3.11,
# independent of the local version.
#   setup/lock.sh [FILE.in…]     default: all
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"

locker=$build/locker
[[ -x $locker/bin/uv ]] || { "$venv/bin/python" -m venv "$locker" && "$locker/bin/python" -m pip install -q uv==0.13.9; }

# lock FILE.in writes FILE.lock next to it.
lock() {
	local in=$1 out=${1%.in}.lock options=()
	# The image adds packages to those of the .venv, and must not change any of them.
	if [[ $in == docker/requirements.in ]]; then options+=(--constraints setup/requirements.lock); fi
	{
		printf '# Made from %s by "make lock": do not edit.\n' "$(basename "$in")"
		"$locker/bin/uv" pip compile -q --universal --python-version 3.11 --generate-hashes \
			--no-header --no-annotate --no-emit-index-url "${options[@]}" "$in"
	} >"$build/new.lock"
	mv "$build/new.lock" "$out"
	say "✓ $out"
}

cd "$root"
files=("$@")
if ((${#files[@]} == 0)); then files=(setup/requirements.in setup/mcp.in docker/requirements.in docker/check.in); fi
for file in "${files[@]}"; do lock "$file"; done
