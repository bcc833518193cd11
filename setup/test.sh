#!/usr/bin/env bash
# Sets up what is missing, then runs tests. Prints one line per package, and at the end
# a command for each failed test, and each test that passed only at its second try.
#   setup/test.sh                            check the sources, then run the tests of `make test`
#   setup/test.sh acceptance                 run the slow tests, on what changed and a share of the rest
#   setup/test.sh nightly                    run every test on everything
#   setup/test.sh [acceptance|nightly] ARGUMENT...
#                                            pass the arguments to go test: -run '^TestDrawn' ./internal/networks/mnist
#
# A slow test, or one that needs more than a bare clone, is in a file with the build tag
# acceptance: NAME_acceptance_test.go beside the code that it tests, or below acceptance/.
# A test that would take too long with every exercise asks internal/course/coursetest for its share.
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=setup/results.sh
source "$(dirname "$0")/results.sh"
# shellcheck source=setup/choose.sh
source "$(dirname "$0")/choose.sh"
# shellcheck source=setup/format.sh
source "$(dirname "$0")/format.sh"

cd "$root"
kind=test tags=()
if [[ ${1:-} == acceptance || ${1:-} == nightly ]]; then kind=$1 tags=(-tags acceptance) && shift; fi
bash setup/setup.sh test
use_go
export PATH=$build/bin:$venv/bin:$PATH
# Each test binary is linked once and run once: the fast linker pays, and so does leaving out what
# only a debugger reads.
link="-s -w"
if command -v mold >/dev/null; then
	link+=" -extldflags=-fuse-ld=mold"
	GOFLAGS+=" -ldflags=-extldflags=-fuse-ld=mold" # for what the tests build
fi

# stage NAME COMMAND... runs one check and reports its result.
stage() {
	local name=$1 began=$SECONDS
	shift
	say "• $name"
	"$@" || stop "$name failed after $((SECONDS - began)) s." "See the lines above, mend it, then run: make $kind"
	say "✓ $name ($((SECONDS - began)) s)"
}

# check_sources reads the sources with the build tag acceptance: no file exists only without it. Make
# test gives vet and staticcheck only the packages that changed: reading all of them, and what they
# import, takes longer than most tests.
check_sources() {
	local changed importers
	stage "gofmt" formatted
	if [[ $kind == test ]]; then
		mapfile -t changed < <(changed_packages)
		if ((${#changed[@]})); then
			bash setup/setup.sh lint
			mapfile -t importers < <(importers_of "${changed[@]}")
			stage "go vet of ${#importers[@]} packages that changed, or import one that did" go vet -tags acceptance "${importers[@]}"
			stage "staticcheck of ${#changed[@]} packages that changed" staticcheck -tags acceptance "${changed[@]}"
		fi
	else
		bash setup/setup.sh lint
		stage "go vet" go vet -tags acceptance ./...
		stage "staticcheck" staticcheck -tags acceptance ./...
	fi
	stage "eslint" scripts
	stage "node --test" script_tests
	if command -v shellcheck >/dev/null; then
		stage "shellcheck" shell_scripts
	else
		say "• shellcheck is not installed: skipped the scripts in setup/"
	fi
}

# split_tests tests the packages: those that are named under the race detector, then the others.
split_tests() {
	local code=0
	mapfile -t watched < <(in_both "$@")
	mapfile -t plain < <(printf '%s\n' "${packages[@]}" | grep -vxFf <(printf '%s\n' "${watched[@]:-}"))
	under_detector "${watched[@]}" || code=$?
	without_detector "${plain[@]}" || code=$?
	conclude "$code"
}

# under_detector PACKAGE... tests packages under the race detector, which makes a program about eight
# times slower. Each program would sleep a second before it exits, to see races at the very end; the
# tests start hundreds of programs.
under_detector() {
	(($#)) || return 0
	say "• $# packages under the race detector"
	GORACE=atexit_sleep_ms=50 tests raced "$*" -race "${flags[@]}"
}

without_detector() {
	local sorted
	(($#)) || return 0
	say "• $# packages without it"
	mapfile -t sorted < <(printf '%s\n' "$@" | longest_first)
	tests plain "${sorted[*]}" "${flags[@]}"
}

# in_both NAME... prints the names that are packages to test.
in_both() { printf '%s\n' "${packages[@]}" | grep -xFf <(printf '%s\n' "$@") || true; }

# longest_first reads packages, and prints those first that take longest: no core waits at the end.
longest_first() { awk -v first="${longest[*]}" 'BEGIN { n = split(first, f, " "); for (i = 1; i <= n; i++) rank[f[i]] = i }
	{ print ($0 in rank ? rank[$0] : n + 1) "\t" $0 }' | sort -s -n -k 1,1 | cut -f 2; }

# choose PATTERN... makes the packages that match the ones to test, as ./folder.
choose() {
	local folders
	folders=$(go list "${tags[@]}" -f '{{.Dir}}' "$@")
	mapfile -t packages <<<"${folders//"$root"/.}"
}

# read_arguments ARGUMENT... tells the packages among go test's arguments from its flags.
read_arguments() {
	local argument named=()
	for argument; do
		if [[ $argument == ./* ]]; then named+=("$argument"); else flags+=("$argument"); fi
	done
	((${#named[@]})) || stop "No package is named." "Name one as ./FOLDER: setup/test.sh $(suite)$* ./internal/course"
	choose "${named[@]}"
}

rm -f "$build/$kind"-*.json
reruns=1 packages=() flags=()
if (($#)); then
	# Whoever asks for a test wants to see how it ends, not whether it can pass.
	reruns=0 flags=(-count=1)
	read_arguments "$@"
	split_tests "${raced[@]}" "${raced_slowly[@]}"
	exit
fi
choose ./...
case $kind in
test)
	take_shares
	check_sources
	split_tests "${raced[@]}"
	;;
acceptance)
	take_shares
	check_sources
	# These are the tests of make test: their results may come from Go's cache.
	code=0
	(tags=() && under_detector "${raced_slowly[@]}") || code=$?
	# Go doesn't notice changes of servers, browsers and kernels, so the cache is off.
	flags=(-count=1 -run "$(acceptance_tests)")
	export WGSLAB_ZOO_TABLE=$build/zoo.txt
	say "• Writing the results of the zoo's shaders to ${WGSLAB_ZOO_TABLE#"$root"/}"
	mapfile -t packages < <(acceptance_packages)
	without_detector "${packages[@]}" || code=$?
	conclude "$code" && passed
	;;
nightly)
	flags=(-count=1)
	check_sources
	mapfile -t started < <(starts_goroutines)
	split_tests "${started[@]}"
	;;
esac
