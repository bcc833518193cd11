#!/usr/bin/env bash
# Sets up what is missing, then runs tests: a line a package as it ends, and
# what failed once more at the end.
#   setup/test.sh                            every check of the sources, then the tests of `make test`
#   setup/test.sh acceptance                 the packages that hold tests of `make acceptance`
#   setup/test.sh [acceptance] ARGUMENT...   only what these arguments of go test say, such as -run '^TestDrawn' ./pkg/mnist
#
# A test that takes long, or needs what a clone alone does not have, lies in a file
# with the build tag acceptance: beside the code it tests, as NAME_acceptance_test.go,
# or below acceptance/.
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"

cd "$root"
kind=
if [[ ${1:-} == acceptance ]]; then kind=acceptance && shift; fi
bash setup/setup.sh test
use_go
export PATH=$build/bin:$venv/bin:$PATH
# Each test binary is linked once: the fast linker pays here too.
if command -v mold >/dev/null; then GOFLAGS+=" -ldflags=-extldflags=-fuse-ld=mold"; fi

# stage NAME COMMAND... runs one check and says how it went.
stage() {
	local name=$1 began=$SECONDS
	shift
	say "• $name"
	"$@" || stop "$name failed after $((SECONDS - began)) s." "See the lines above, mend it, then run: make ${kind:-test}"
	say "✓ $name ($((SECONDS - began)) s)"
}

formatted() {
	local files
	files=$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 gofmt -l)
	[[ -z $files ]] || { printf 'Not as gofmt writes them (gofmt -w FILE):\n%s\n' "$files" && return 1; }
}
shell_scripts() { shellcheck -x setup/*.sh .ci/run; }

# sources are read with the acceptance tests: no file is there without them only.
check_sources() {
	stage "gofmt" formatted
	stage "go vet" go vet -tags acceptance ./...
	stage "staticcheck" staticcheck -tags acceptance ./...
	if command -v shellcheck >/dev/null; then
		stage "shellcheck" shell_scripts
	else
		say "• shellcheck is not installed: the scripts under setup/ were not checked"
	fi
}

# tests ARGUMENT... runs go test under gotestsum. Two packages at a time: several
# drive the same CPU adapter, and each has deadlines of its own.
tests() {
	local code=0
	gotestsum --format pkgname --format-hide-empty-pkg --jsonfile "$build/${kind:-test}.json" -- \
		-race -p 2 -timeout 60m ${kind:+-tags "$kind"} "$@" || code=$?
	((code == 0)) || again
	return "$code"
}

# again prints the command that runs just it again, for each test that failed
# and has no part that failed.
again() {
	printf '\nTo run again just what failed:\n'
	awk -F'"' -v kind="$kind" '
		/"Action":"fail"/ && /"Test":"/ {
			for (i = 2; i < NF; i++) {
				if ($i == "Package") package = $(i + 2)
				if ($i == "Test") test = $(i + 2)
			}
			failed[++n] = package " " test
		}
		END {
			for (i = 1; i <= n; i++) {
				whole = 0
				for (j = 1; j <= n; j++) whole += index(failed[j], failed[i] "/") == 1
				if (whole) continue
				split(failed[i], part, " ")
				sub(/^github.com\/wgslab\/wgslab/, ".", part[1])
				gsub(/[][().*+?{}|^$]/, "\\\\&", part[2])
				gsub("/", "$/^", part[2])
				gsub("\047", "\047\\\047\047", part[2])
				printf "  bash setup/test.sh %s-run \047^%s$\047 %s\n", kind (kind ? " " : ""), part[2], part[1]
			}
		}' "$build/${kind:-test}.json"
}

# acceptance_packages lists the packages with a test that make test does not run, and
# those that are held to suites which lie in a folder that a variable names.
acceptance_packages() {
	git grep -l --untracked -e '^//go:build acceptance$' -e 'WGSLAB_CTS' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|'
}

if (($#)); then
	tests -count=1 "$@"
elif [[ -z $kind ]]; then
	check_sources
	tests ./...
else
	# Servers, browsers and kernels change without Go's knowing: nothing comes from its cache.
	mapfile -t packages < <(acceptance_packages)
	export WGSLAB_ZOO_TABLE=$build/zoo.txt
	say "• How the zoo of right and wrong shaders fares goes to ${WGSLAB_ZOO_TABLE#"$root"/}"
	tests -count=1 "${packages[@]}"
fi
