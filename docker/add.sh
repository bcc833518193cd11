#!/usr/bin/env bash
# Adds to a finished set-up what only the image has, and takes away what a clone
# has and the image does not need. Run by docker/Dockerfile.
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/../setup/lib.sh"
use_go
cd "$root"

# jupyterhub-singleuser, for a JupyterHub.
"$venv/bin/python" -m pip install --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
	-r docker/requirements.lock

# The modules and the compiled packages that cells need, and nothing else: the
# caches of the set-up also hold what only tools and wgslab itself are made of.
# What the set-up has fetched is not fetched again.
proxies=file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)
export GOMODCACHE=$build/go/mod GOCACHE=$build/go/cache GOPROXY=$proxies GOFLAGS="$GOFLAGS -modcacherw"
go build ./pkg/...
# A cell is built in a workspace of its own beside this module. Go then reads
# the go.mod of every module of the graph, also of those that nothing here uses.
cell=$(mktemp -d)
printf 'module cell\n' >"$cell/go.mod"
(cd "$cell" && go work init . "$root" && go list -deps github.com/wgslab/wgslab/pkg/... >/dev/null)
find "$GOMODCACHE/cache/download" -name '*.zip' -delete
# WebGPU's library comes for every system; this image is one.
libraries=$(go list -m -f '{{.Dir}}' github.com/cogentcore/webgpu)/wgpu/lib
find "$libraries" -name '*.a' ! -path "$libraries/linux/$(go env GOARCH)/*" -delete

# Whoever the container runs as writes to the compiler's cache, and nobody takes
# away what is in it: Go tidies up what was not used for five days, which in an
# image is everything. Hence the sticky bit.
find "$GOCACHE" -type d -exec chmod 1777 {} +
find "$GOCACHE" -type f -exec chmod 0666 {} +

rm -rf "$cell" "$build/"{logs,stamps,lock} tools setup docker Makefile
