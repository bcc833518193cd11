#!/usr/bin/env bash
# Runs the tests in PATHS and vets the shaders in VET. The reports go to the folder REPORTS, even if
# something fails; the exit code is the first that isn't 0.
set -euo pipefail

mkdir -p "$REPORTS"
printf 'sarif=%s\njunit=%s\n' "$REPORTS" "$REPORTS/tests.xml" >>"$GITHUB_OUTPUT"
code=0
# PATHS and VET are lists of words, as on a command line.
# shellcheck disable=SC2086
wgslab test --junit "$REPORTS/tests.xml" --sarif "$REPORTS/tests.sarif" $PATHS || code=$?
if [[ -n $VET ]]; then
	# shellcheck disable=SC2086
	wgslab vet --format sarif $VET >"$REPORTS/vet.sarif" || failed=$?
	# The log of the job shows the same to people.
	# shellcheck disable=SC2086
	wgslab vet $VET || true
fi
if ((code == 0)); then code=${failed:-0}; fi
exit "$code"
