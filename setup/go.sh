# shellcheck shell=bash
# Puts the Go version that go.mod names first in PATH. Sourced after lib.sh.

# use_go finds or fetches the toolchain. A Go that is already new enough and is
# told to stay as it is (GOTOOLCHAIN=local) is used as it is.
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
		stop "Go could not fetch $named." "Is the network up? Then start again." "Or install Go $least or newer by hand."
	}
	export PATH=$goroot/bin:$PATH GOTOOLCHAIN=local GOWORK=
	# The user's own flags would give every package a second build; git's
	# opinion on who owns the clone is no reason to fail.
	export GOFLAGS=-buildvcs=false
	go_version=$(go env GOVERSION)
}
