#!/usr/bin/env bash
# Builds the image and runs it as a learner, another user, a hub and a grader
# would, with the network cut. No container engine is needed: buildah builds and
# runs by chroot, and the two base images are made here, of Debian's mirror and
# of the Go in use. Needs root, and 12 GB below .build/image.
#   make image-test        WGSLAB_MNIST=FOLDER puts MNIST into the image
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/../setup/lib.sh"
cd "$root"

work=$build/image
log=$build/image-test.log
here=$root/docker
export TMPDIR=$work/tmp BUILDAH_ISOLATION=chroot
mkdir -p "$TMPDIR" && chmod 1777 "$TMPDIR"
exec > >(tee "$log") 2>&1

((EUID == 0)) || stop "The image is built with chroot, which needs root." "Run it as root: make image-test"
for program in buildah debootstrap ip setpriv unshare; do
	type -P "$program" >/dev/null || stop "There is no $program." "Debian: apt-get install buildah debootstrap iproute2 util-linux"
done

b() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
has_image() { b inspect --type image "$1" &>/dev/null; }
drop() { b rm "$1" >/dev/null; }

# debian_image stands in for Debian's own image: the same packages, from the
# mirror that this machine uses.
debian_image() {
	local name=docker.io/library/debian:trixie-slim mirror from
	! has_image "$name" || return 0
	# shellcheck disable=SC2016 # apt's own variable
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | sed -n '/security\|backports/!{p;q}')
	debootstrap --variant=minbase trixie "$work/trixie" ${mirror:+"$mirror"}
	rm -rf "$work/trixie"/var/{lib/apt/lists,cache/apt}/*
	from=$(b from scratch)
	b add -q "$from" "$work/trixie" / && b commit -q --format docker --rm "$from" "$name"
	rm -rf "$work/trixie"
}

# go_image stands in for Go's own image, of which only the Go is used.
go_image() {
	local version goroot from name
	name=docker.io/library/$(sed -n 's/^FROM \(golang:\S*\).*/\1/p' docker/Dockerfile)
	! has_image "$name" || return 0
	version=${name#*:}
	goroot=$(GOTOOLCHAIN=go${version%-*} "$(find_go)" env GOROOT)
	from=$(b from scratch)
	b add -q "$from" "$goroot" /usr/local/go && b commit -q --format docker --rm "$from" "$name"
}

# build_image builds from the files that git knows or would know, so that
# nothing else of this clone can get into it.
build_image() {
	local context=$work/context certificates=/etc/ssl/certs/ca-certificates.crt
	rm -rf "$context" && mkdir -p "$context"
	git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -c | tar -x -C "$context"
	if [[ -n ${WGSLAB_MNIST:-} ]]; then
		mkdir "$context/docker/mnist" && cp "$WGSLAB_MNIST"/*-ubyte* "$context/docker/mnist/"
	fi
	# The format of Docker, since that of OCI has no HEALTHCHECK.
	b bud --pull-never --layers=false --format docker --network host \
		--secret "id=certificates,src=$certificates" -f "$context/docker/Dockerfile" -t wgslab "$context"
	rm -rf "$context"
}

