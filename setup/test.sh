#!/usr/bin/env bash
# Sets up what is missing, then runs tests. Prints one line per package, and at the end
# a command for each failed test, and each test that passed only at its second try.
#   setup/test.sh                            check the sources, then run the tests of `make test`
#   setup/test.sh acceptance                 run the tests of `make acceptance`
#   setup/test.sh [acceptance] ARGUMENT...   pass the arguments to go test: -run '^TestDrawn' ./internal/digits/mnist
#
# A slow test, or one that needs more than a bare clone, is in a file with the build tag
# acceptance: NAME_acceptance_test.go beside the code that it tests, or below acceptance/.
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=setup/results.sh
source "$(dirname "$0")/results.sh"
# shellcheck source=setup/format.sh
source "$(dirname "$0")/format.sh"

cd "$root"
kind=
if [[ ${1:-} == acceptance ]]; then kind=acceptance && shift; fi
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
	"$@" || stop "$name failed after $((SECONDS - began)) s." "See the lines above, mend it, then run: make ${kind:-test}"
	say "✓ $name ($((SECONDS - began)) s)"
}

# sources are read with the build tag acceptance: no file exists only without it.
check_sources() {
	stage "gofmt" formatted
	stage "go vet" go vet -tags acceptance ./...
	stage "staticcheck" staticcheck -tags acceptance ./...
	stage "eslint" scripts
	stage "node --test" script_tests
	if command -v shellcheck >/dev/null; then
		stage "shellcheck" shell_scripts
	else
		say "• shellcheck is not installed: skipped the scripts in setup/"
	fi
}

# split_tests tests the packages, those that start goroutines under the race detector. A program with
# one goroutine cannot race, and the detector makes it about eight times slower.
split_tests() {
	local code=0
	mapfile -t raced < <(comm -12 <(starts_goroutines) <(printf '%s\n' "${packages[@]}" | sort -u))
	mapfile -t plain < <(comm -13 <(starts_goroutines) <(printf '%s\n' "${packages[@]}" | sort -u))
	if ((${#raced[@]})); then
		say "• ${#raced[@]} packages that start goroutines, under the race detector"
		# Each program under the detector would sleep a second before it exits, to see races at the very
		# end; the tests start hundreds of programs.
		GORACE=atexit_sleep_ms=50 tests raced "${raced[*]}" -race "${flags[@]}" || code=$?
	fi
	if ((${#plain[@]})); then
		say "• ${#plain[@]} packages without goroutines"
		tests plain "${plain[*]}" "${flags[@]}" || code=$?
	fi
	conclude "$code"
}

# choose PATTERN... makes the packages that match the ones to test, as ./folder.
choose() {
	local folders
	folders=$(go list ${kind:+-tags "$kind"} -f '{{.Dir}}' "$@")
	mapfile -t packages <<<"${folders//"$root"/.}"
}

# read_arguments ARGUMENT... tells the packages among go test's arguments from its flags.
read_arguments() {
	local argument named=()
	for argument; do
		if [[ $argument == ./* ]]; then named+=("$argument"); else flags+=("$argument"); fi
	done
	((${#named[@]})) || stop "No package is named." "Name one as ./FOLDER: setup/test.sh ${kind:+$kind }$* ./internal/course"
	choose "${named[@]}"
}

# acceptance_files lists the test files that make test leaves out, or skips because a
# variable names no data.
acceptance_files() {
	git grep -lE --untracked '^//go:build acceptance$|WGSLAB_(CTS|MNIST|VIBE_WEIGHTS|ZOO_TABLE)' -- '*_test.go'
}
acceptance_packages() { acceptance_files | xargs -n 1 dirname | sort -u | sed 's|^|./|'; }

# acceptance_tests prints a pattern of the tests in these files. If a file has an init that raises a
# number, such as that of the seeds, the tests of its package that use the number count as well: make
# test has run all others.
acceptance_tests() {
	local file raised
	acceptance_files | while read -r file; do
		sed -nE 's/^func (Test[A-Za-z0-9_]+)\(.*/\1/p' "$file"
		sed -nE 's/^func init\(\) \{ ([A-Za-z0-9_]+) = .*/\1/p' "$file" | while read -r raised; do
			tests_that_use "$raised" "${file%/*}"/*_test.go
		done
	done | sort -u | paste -sd '|' | sed 's/.*/^(&)$/'
}

# tests_that_use NAME FILE... lists the tests that use a name, themselves or through other functions.
tests_that_use() {
	awk -v name="$1" '
		/^func / { at = $0; sub(/^func (\([^)]*\) )?/, "", at); sub(/[^A-Za-z0-9_].*/, "", at) }
		/^}/ { at = "" }
		at != "" { line = $0; sub(/\/\/.*/, "", line); text[at] = text[at] " " line }
		END {
			uses[name]
			do {
				more = 0
				for (f in text) if (!(f in uses)) for (u in uses) if (text[f] ~ "[^A-Za-z0-9_.]" u "[^A-Za-z0-9_]") { uses[f]; more = 1; break }
			} while (more)
			for (f in uses) if (f ~ /^Test/) print f
		}' "${@:2}"
}

rm -f "$build/${kind:-test}"-*.json
reruns=1 packages=() flags=()
if (($#)); then
	# Whoever asks for a test wants to see how it ends, not whether it can pass.
	reruns=0 flags=(-count=1)
	read_arguments "$@"
elif [[ -z $kind ]]; then
	check_sources
	choose ./...
else
	# Go doesn't notice changes of servers, browsers and kernels, so the cache is off.
	flags=(-count=1 -run "$(acceptance_tests)")
	mapfile -t packages < <(acceptance_packages)
	export WGSLAB_ZOO_TABLE=$build/zoo.txt
	say "• Writing the results of the zoo's shaders to ${WGSLAB_ZOO_TABLE#"$root"/}"
fi
split_tests
