#!/usr/bin/env bash
# Adds the image's own files to a finished set-up, and removes what only a clone
# needs. docker/Dockerfile runs it.
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/../setup/lib.sh"
use_go
cd "$root"

# jupyterhub-singleuser, for a JupyterHub.
"$venv/bin/python" -m pip install --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
	-r docker/requirements.lock

# Keep only the modules and compiled packages that cells need. The set-up's caches
# also hold those that only the tools and wgslab itself need. Nothing is
# downloaded twice.
proxies=file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)
export GOMODCACHE=$build/go/mod GOCACHE=$build/go/cache GOPROXY=$proxies GOFLAGS="$GOFLAGS -modcacherw"
go build ./pkg/...
# wgslab grade builds learners' programs without C. Where this image is built, they
# may not run: that is another machine's affair.
CGO_ENABLED=0 go build ./internal/fronts/class/jail/inside
"$build/bin/wgslab" grade --rehearse || echo 'Programs for the host do not run in jail where this image is built.'
# A cell is built in its own workspace next to this module. Go then reads the
# go.mod of every module in the graph, even of unused ones.
cell=$(mktemp -d)
printf 'module cell\n' >"$cell/go.mod"
(cd "$cell" && go work init . "$root" && go list -deps github.com/wgslab/wgslab/pkg/... >/dev/null)
find "$GOMODCACHE/cache/download" -name '*.zip' -delete
# WebGPU's module has a library for every system; this image needs only its own.
libraries=$(go list -m -f '{{.Dir}}' github.com/cogentcore/webgpu)/wgpu/lib
find "$libraries" -name '*.a' ! -path "$libraries/linux/$(go env GOARCH)/*" -delete

# Every user may write to the compiler's cache, but the sticky bit keeps them from
# removing its files. Go removes files that were unused for five days, and in an
# image those are all files.
find "$GOCACHE" -type d -exec chmod 1777 {} +
find "$GOCACHE" -type f -exec chmod 0666 {} +

rm -rf "$cell" "$build/"{logs,stamps,lock,node,npm,vscode} tools setup docker Makefile
