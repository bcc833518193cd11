#!/usr/bin/env bash
# Runs everything that this machine can run: every test on everything, a class of learners, the
# container image and a class on Kubernetes. It goes on after a failure, and ends with what failed
# and what it left out.
#   setup/nightly.sh [PART...]    tests, soak, image-test and cluster-test; without PART, all of them
set -uo pipefail
cd "$(dirname "$0")/.." || exit
failed=() left=()

# attempt PART COMMAND... runs a part unless others were named, and notes a failure.
attempt() {
	local part=$1 began=$SECONDS
	shift
	[[ -z $only || " $only " == *" $part "* ]] || return 0
	printf '\n• make nightly: %s\n' "$part"
	if "$@"; then
		printf '✓ %s (%d s)\n' "$part" "$((SECONDS - began))"
	else
		failed+=("$part")
		printf '✗ %s (%d s)\n' "$part" "$((SECONDS - began))"
	fi
}

# as_root PART PROGRAMS COMMAND... does the same for what needs root, programs and 20 GB.
as_root() {
	local part=$1 free program programs missing=()
	read -ra programs <<<"$2"
	shift 2
	free=$(df --output=avail -BG . | tail -n 1 | tr -dc 0-9)
	((EUID == 0)) || missing+=("root")
	((free >= 20)) || missing+=("20 GB of disk (${free} GB are free)")
	for program in "${programs[@]}"; do
		type -P "$program" >/dev/null || missing+=("$program")
	done
	if ((${#missing[@]})) && [[ -z $only || " $only " == *" $part "* ]]; then
		left+=("$part, which needs $(printf '%s, ' "${missing[@]}" | sed 's/, $//')")
		return
	fi
	attempt "$part" "$@"
}

only=$*
attempt tests bash setup/test.sh nightly
attempt soak make -s soak
image="buildah debootstrap ip setpriv unshare"
as_root image-test "$image" make -s image-test
as_root cluster-test "$image containerd ctr nft runc" make -s cluster-test

if ((${#left[@]})); then
	printf '\nLeft out:\n'
	printf '  %s\n' "${left[@]}"
fi
if ((${#failed[@]})); then
	printf '\n✗ Failed: %s\n' "${failed[*]}"
	exit 1
fi
printf '\n✓ Nothing failed.\n'
