# shellcheck shell=bash disable=SC2034 # the scripts that source this use what it sets
# Shared by the set-up scripts: the paths, reporting and logging of steps, and the
# record of finished steps. Scripts source it; it never runs alone.

# macOS comes with bash 3.2, which lacks what the scripts use. (Not run here.)
if ((BASH_VERSINFO[0] < 5)) && command -v brew >/dev/null && [[ -f $0 ]]; then
	newer=$(brew --prefix)/bin/bash
	[[ -x $newer ]] || brew install bash
	exec "$newer" "$0" "$@"
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$root/.build
venv=$root/.venv
mkdir -p "$build/bin" "$build/logs" "$build/stamps"

# say prints one line of progress.
say() { printf '%s\n' "$*"; }

# stop ends the set-up. It prints what is wrong and, if known, how to fix it.
stop() {
	printf '\n✗ %s\n' "$1" >&2
	shift
	if (($#)); then printf '  → %s\n' "$@" >&2; fi
	exit 1
}

# hash_of prints one hash over the contents and names of files and folders.
hash_of() { find "$@" -type f -print0 2>/dev/null | LC_ALL=C sort -z | xargs -0 "${sha256[@]}" | "${sha256[@]}" | cut -c1-64; }
sha256=(sha256sum)
command -v sha256sum >/dev/null || sha256=(shasum -a 256)

# A stamp records the inputs with which a step last finished.
is_stamped() { [[ $(cat "$build/stamps/$1" 2>/dev/null) == "$2" ]]; }
stamp() { printf '%s\n' "$2" >"$build/stamps/$1"; }

# step NAME WHAT COMMAND... runs a command and writes its output to its own log. It
# prints one line at the end, and the end of the log after a failure. While a long
# command runs, it says so.
step() {
	local name=$1 what=$2 log=$build/logs/$1.log began=$SECONDS teller failed=
	shift 2
	: >"$log"
	tell "$what" "$log" "$BASHPID" 9>&- &
	teller=$!
	"$@" >"$log" 2>&1 </dev/null || failed=yes
	kill "$teller" 2>/dev/null || true
	wait "$teller" 2>/dev/null || true
	if [[ -z $failed ]]; then
		say "✓ $what ($((SECONDS - began)) s)"
		return
	fi
	{
		printf '\n✗ %s failed. The end of %s:\n' "$what" "${log#"$root"/}"
		tail -n 20 "$log" | sed 's/^/  │ /'
	} >&2
	return 1
}

# tell WHAT LOG SHELL says after a second that a step runs, and then every ten seconds how
# long, with the last line of its log. It ends with the step, or with the step's shell.
tell() {
	local what=$1 log=$2 shell=$3 began=$SECONDS sleeping='' last
	trap 'if [[ -n $sleeping ]]; then kill "$sleeping" 2>/dev/null; fi; exit 0' TERM
	for pause in 1 9 $(for _ in {1..360}; do printf '10 '; done); do
		sleep "$pause" >/dev/null 2>&1 &
		sleeping=$!
		wait "$sleeping" || return 0
		kill -0 "$shell" 2>/dev/null || return 0
		last=$(tail -n 1 "$log" | tr -d '\r' | cut -c 1-90)
		say "• $what: $((SECONDS - began)) s so far${last:+, $last}"
	done
}

# at_least HAVE WANT compares two dotted versions.
at_least() { [[ $(printf '%s\n' "$2" "$1" | sort -V | head -n1) == "$2" ]]; }

# go_version_of GO prints the version of a go command without its "go", or nothing.
go_version_of() { GOTOOLCHAIN=local "$1" env GOVERSION 2>/dev/null | sed -n 's/^go\([0-9.]*\).*/\1/p'; }

# find_go prints the first go command that is new enough to fetch the
# toolchain that go.mod names.
find_go() {
	local go
	while read -r go; do
		[[ -x $go ]] && at_least "$(go_version_of "$go")" 1.21 && printf '%s\n' "$go" && return
	done < <(type -ap go || true; printf '%s\n' /usr/local/go/bin/go /usr/lib/go-*/bin/go)
	return 1
}

# find_python prints the first Python that can make the .venv.
find_python() {
	local python
	for python in python3 /usr/bin/python3 python3.13 python3.12 python3.11; do
		"$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null &&
			command -v "$python" && return
	done
	return 1
}

# use_go puts the Go that go.mod names first in PATH, and downloads it if necessary. With GOTOOLCHAIN=local, it uses a Go
# that is already new enough.
use_go() {
	local go least named have goroot
	go=$(find_go) || stop "Go 1.21 or newer is not there." "Install it (make setup does where it can), then start again."
	least=$(sed -n 's/^go //p' "$root/go.mod")
	named=$(sed -n 's/^toolchain //p' "$root/go.mod")
	have=$(cd "$root" && "$go" env GOVERSION 2>/dev/null) || have=
	have=${have#go}
	if ! at_least "${have:-0}" "$least"; then
		say "• Fetching $named (once)"
		export GOTOOLCHAIN=$named
	fi
	goroot=$(cd "$root" && "$go" env GOROOT 2>"$build/logs/go.log") || {
		cat "$build/logs/go.log" >&2
		stop "Go could not fetch $named." "Check your network, then start again." "Or install Go $least or newer by hand."
	}
	export PATH=$goroot/bin:$PATH GOTOOLCHAIN=local GOWORK=
	# The user's own flags would build every package a second time. Git's check of
	# the clone's owner must not cause a failure.
	export GOFLAGS=-buildvcs=false
	go_version=$(go env GOVERSION)
}
