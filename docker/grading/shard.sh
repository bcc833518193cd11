#!/usr/bin/env bash
# Grades one part of a class into OUT/part-I.json. In the image its name is
# grade-shard. It grades a finished part again, and continues an interrupted one.
#   shard.sh I N SEED SUBMISSIONS OUT      I from 0 to N-1
set -euo pipefail
if (($# != 5)); then
	printf 'Usage: %s I N SEED SUBMISSIONS OUT\n' "$0" >&2
	exit 2
fi
index=$1 of=$2 seed=$3 submissions=$4 part=$5/part-$1.json

rm -f "$part"
code=0
wgslab grade "$submissions" --jobs "${JOBS:-1}" --seed "$seed" --shard "$index/$of" --format json --output "$part" || code=$?
# Exit code 1 can mean that a student's file is unreadable. The part records it and
# the merge names it, so a retry would change nothing.
if ((code == 1)) && [[ -s $part ]]; then code=0; fi
exit "$code"
