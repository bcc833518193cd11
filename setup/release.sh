#!/usr/bin/env bash
# Makes the archives, packages and manifests of a release in dist/.
#   setup/release.sh            publishes them as the release of the tag at HEAD: the workflow runs it
#   setup/release.sh snapshot   publishes nothing
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"

cd "$root"
arguments=(release --clean)
if [[ ${1:-} == snapshot ]]; then arguments+=(--snapshot); fi
bash setup/setup.sh site
use_go
# The programs tell their commit.
unset GOFLAGS
# The token writes to the repositories of the package managers. Without it, their manifests stay in dist/.
export GOBIN=$build/release TAP_TOKEN=${TAP_TOKEN:-}
install_tools() {
	go install github.com/goreleaser/goreleaser/v2@v2.15.1 &&
		go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
}
step release "The tools of a release" install_tools
step site "The course's page" go run -buildvcs=false ./internal/fronts/page/generate
bash setup/vscode.sh "$build/vscode/wgslab.vsix"
PATH=$GOBIN:$PATH goreleaser "${arguments[@]}"
cp "$build/vscode/wgslab.vsix" dist/
GOFLAGS=-buildvcs=false go run ./setup/packages
