#!/usr/bin/env bash
# Sets up what is missing, then runs every check and every test. Stops at the
# first stage that fails and says which it was.
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"

cd "$root"
bash setup/setup.sh test
use_go
export PATH=$build/bin:$venv/bin:$PATH
# Each test binary is linked once: the fast linker pays here too.
if command -v mold >/dev/null; then GOFLAGS+=" -ldflags=-extldflags=-fuse-ld=mold"; fi

# MNIST's files, and the origin's weights, may lie beside the clone.
if [[ -z ${WGSLAB_MNIST:-} && -d ../shared/mnist ]]; then WGSLAB_MNIST=$(cd ../shared/mnist && pwd); fi
export WGSLAB_MNIST=${WGSLAB_MNIST:-}

# stage NAME COMMAND... runs one check and says how it went.
stage() {
	local name=$1 began=$SECONDS
	shift
	say "• $name"
	"$@" || stop "$name failed after $((SECONDS - began)) s." "See the lines above, mend it, then run: make test"
	say "✓ $name ($((SECONDS - began)) s)"
}

formatted() {
	local files
	files=$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 gofmt -l)
	[[ -z $files ]] || { printf 'Not as gofmt writes them (gofmt -w FILE):\n%s\n' "$files" && return 1; }
}
shell_scripts() { shellcheck -x setup/*.sh .ci/run; }

stage "gofmt" formatted
stage "go vet" go vet ./...
stage "staticcheck" staticcheck ./...
if command -v shellcheck >/dev/null; then
	stage "shellcheck" shell_scripts
else
	say "• shellcheck is not installed: the scripts under setup/ were not checked"
fi
# Two packages at a time: several drive the same CPU adapter, and each has
# deadlines of its own. The race detector makes all of them slower.
# go test hides what a passing package prints; this table is worth seeing.
export WGSLAB_ZOO_TABLE=$build/zoo.txt
stage "go test -race" go test -race -count=1 -p 2 -timeout 40m ./...
say ""
cat "$WGSLAB_ZOO_TABLE"
say ""
say "✓ All tests passed in $((SECONDS / 60)) min $((SECONDS % 60)) s."
