#!/usr/bin/env bash
# Grades a class on this machine, part by part, with GNU parallel, then merges
# the parts into OUT/grades.csv. Run it again after a crash: finished parts
# stay.
#   parallel.sh N SEED SUBMISSIONS OUT
set -euo pipefail
if (($# != 4)); then
	printf 'Usage: %s N SEED SUBMISSIONS OUT\n' "$0" >&2
	exit 2
fi
of=$1 seed=$2 submissions=$3 out=$4
mkdir -p "$out"
shard=$(command -v grade-shard || printf '%s/shard.sh' "$(dirname "$0")")

failed=0
seq 0 "$((of - 1))" | parallel --joblog "$out/parts.log" --resume-failed \
	"$shard" {} "$of" "$seed" "$submissions" "$out" || failed=$?
wgslab grade --merge "$out"/part-*.json --format csv --output "$out/grades.csv"
exit "$failed"
