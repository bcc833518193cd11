#!/usr/bin/env bash
# Puts the program in the PATH of the steps that follow: the file PROGRAM, the release VERSION, such
# as v1.0.0, or else what Go builds of the action's own sources. WGSLAB_RELEASES may name a mirror.
set -euo pipefail

stop() {
	printf '::error::%s\n' "$1"
	exit 2
}

if [[ -n ${PROGRAM:-} ]]; then
	[[ -x $PROGRAM ]] || stop "There is no program $PROGRAM. Name one in the input program, or leave it empty to download a release."
	mkdir -p "$RUNNER_TEMP/wgslab"
	cp "$PROGRAM" "$RUNNER_TEMP/wgslab/"
	printf '%s\n' "$RUNNER_TEMP/wgslab" >>"$GITHUB_PATH"
	exit
fi

if [[ ! ${VERSION:-} =~ ^v[0-9]+\.[0-9]+\.[0-9]+ ]]; then
	command -v go >/dev/null ||
		stop "\"${VERSION:-}\" is no release of wgslab, and Go, which could build it, isn't there. Name a release in the input version, or add actions/setup-go before."
	mkdir -p "$RUNNER_TEMP/wgslab"
	CGO_ENABLED=0 go build -C "$GITHUB_ACTION_PATH/../../.." -o "$RUNNER_TEMP/wgslab/" ./cmd/wgslab
	printf '%s\n' "$RUNNER_TEMP/wgslab" >>"$GITHUB_PATH"
	exit
fi
case $RUNNER_OS in
Linux) os=linux end=tar.gz ;;
macOS) os=darwin end=tar.gz ;;
Windows) os=windows end=zip ;;
*) stop "wgslab has no program for $RUNNER_OS." ;;
esac
case $RUNNER_ARCH in
X64) arch=amd64 ;;
ARM64) arch=arm64 ;;
*) stop "wgslab has no program for $RUNNER_ARCH." ;;
esac

name=wgslab_${VERSION#v}_${os}_$arch
from=${WGSLAB_RELEASES:-https://github.com/wgslab/wgslab/releases/download}/$VERSION
cd "$RUNNER_TEMP"
for file in checksums.txt "$name.$end"; do
	curl -fsSL --retry 3 -o "$file" "$from/$file" ||
		stop "$from/$file could not be downloaded. Look whether the release has it, then run the job again."
done
sha256=(sha256sum)
command -v sha256sum >/dev/null || sha256=(shasum -a 256)
sum=$("${sha256[@]}" "$name.$end")
grep -qxF "${sum%% *}  $name.$end" checksums.txt || stop "$name.$end is not the file that checksums.txt lists. Nothing of it was used."
if [[ $end == zip ]]; then
	unzip -q "$name.$end"
else
	tar xzf "$name.$end"
fi
printf '%s\n' "$PWD/$name" >>"$GITHUB_PATH"
