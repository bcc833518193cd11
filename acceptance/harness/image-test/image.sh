#!/usr/bin/env bash
# Builds the image and runs it offline, as a learner, another user, a hub and a
# grader would. It needs no container engine: buildah builds and runs with chroot.
# This script makes the two base images from Debian's mirror and the Go in use. It
# needs root, and 20 GB in .build/image.
#   make image-test
#   image.sh build     only the image, for make cluster-test
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/../../../setup/lib.sh"
cd "$root"

work=$build/image
log=$build/image-test.log
here=$root/acceptance/harness/image-test
export TMPDIR=$work/tmp BUILDAH_ISOLATION=chroot
mkdir -p "$TMPDIR" && chmod 1777 "$TMPDIR"
exec > >(tee "$log") 2>&1

((EUID == 0)) || stop "The image is built with chroot, which needs root." "Run it as root: make image-test"
for program in buildah debootstrap ip setpriv unshare; do
	type -P "$program" >/dev/null || stop "There is no $program." "Debian: apt-get install buildah debootstrap iproute2 util-linux"
done

b() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
has_image() { b inspect --type image "$1" &>/dev/null; }

# debian_image replaces Debian's own image: the same packages, from this machine's
# mirror, and also without manuals and translations.
debian_image() {
	local name=docker.io/library/debian:trixie-slim mirror from
	! has_image "$name" || return 0
	# shellcheck disable=SC2016 # apt's own variable
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | sed -n '/security\|backports/!{p;q}')
	debootstrap --variant=minbase trixie "$work/trixie" ${mirror:+"$mirror"}
	printf 'path-exclude /usr/share/%s/*\n' doc info locale man >"$work/trixie/etc/dpkg/dpkg.cfg.d/slim"
	printf 'path-include /usr/share/doc/*/copyright\n' >>"$work/trixie/etc/dpkg/dpkg.cfg.d/slim"
	rm -rf "$work/trixie"/var/{lib/apt/lists,cache/apt}/* "$work/trixie"/usr/share/{info,locale,man}/*
	from=$(b from scratch)
	b add -q "$from" "$work/trixie" / && b commit -q --format docker --rm "$from" "$name"
	rm -rf "$work/trixie"
}

# go_image replaces Go's own image, of which we use only Go.
go_image() {
	local version goroot from name
	name=docker.io/library/$(sed -n 's/^FROM \(golang:\S*\).*/\1/p' docker/Dockerfile)
	! has_image "$name" || return 0
	version=${name#*:}
	goroot=$(GOTOOLCHAIN=go${version%-*} "$(find_go)" env GOROOT)
	from=$(b from scratch)
	b add -q "$from" "$goroot" /usr/local/go && b commit -q --format docker --rm "$from" "$name"
}

# build_image builds from the files that git tracks or would add, so that no other
# file of this clone gets into the image.
build_image() {
	local context=$work/context certificates=/etc/ssl/certs/ca-certificates.crt
	rm -rf "$context" && mkdir -p "$context"
	git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -c | tar -x -C "$context"
	# Docker's format, because OCI's has no HEALTHCHECK.
	b bud --pull-never --layers=false --force-rm --format docker --network host \
		--secret "id=certificates,src=$certificates" -f "$context/docker/Dockerfile" -t wgslab "$context"
	rm -rf "$context"
}

# offline runs a command with only the loopback network.
offline() { unshare --net -- sh -c 'ip link set lo up && exec "$@"' sh "$@"; }

# run_as USER COMMAND... runs a command in the container as an engine would:
# through the image's entry point, with a volume over home and a fresh /tmp.
run_as() {
	local user=$1 home=$work/home-${1%:*}
	shift
	find "$place/tmp" -mindepth 1 -delete
	offline buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs run --user "$user" --env TINI_SUBREAPER=1 \
		-v "$home:/home/jovyan" -v "$here/inside.sh:/inside.sh:ro" "$container" -- tini -g -- start.sh "$@"
}

# learn_as USER:GROUP runs a learner's whole course, starting with an empty home.
learn_as() {
	rm -rf "$work/home-${1%:*}" && install -d -o "${1%:*}" -g "${1#*:}" "$work/home-${1%:*}"
	run_as "$1" bash /inside.sh learner
}

# on_the_shelf ages the image by a month, and uses it.
on_the_shelf() {
	local cache=$place/opt/wgslab/.build/go/cache
	find "$cache" -exec touch -d '30 days ago' {} +
	date -d '30 days ago' +%s >"$cache/trim.txt"
	run_as 1234:0 bash /inside.sh old
}

# grade_read_only grades a class of two as docker/grading/job.yaml does: with a
# read-only root, no network, no new privileges, and only /tmp and a volume
# writable. One shard, barbara's, runs twice; the other, ada's, comes late.
grade_read_only() {
	local class=$work/class grades=$work/grades
	rm -rf "$class" "$grades" && mkdir -p "$class/ada" "$class/barbara" && install -d -o 1000 -g 100 "$grades"
	cp "$work"/home-1000/solved/*.ipynb "$class/ada/"
	cp notebooks/*.ipynb "$class/barbara/"
	in_pod() { offline unshare --mount bash "$here/pod.sh" "$place" "$class" "$grades" "$@"; }
	in_pod grade-shard 0 2 7 /mnt /srv
	in_pod grade-shard 0 2 7 /mnt /srv
	if in_pod wgslab grade --merge /srv/part-0.json; then stop "A lost shard was not missed."; fi
	in_pod grade-shard 1 2 7 /mnt /srv
	in_pod wgslab grade --merge /srv/part-1.json /srv/part-0.json
}

# docker_too repeats the main tests and the guide's commands under a real engine.
docker_too() {
	if ! type -P dockerd docker >/dev/null; then
		say "  Docker is not installed: skipped the tests with it. Debian 13: apt-get install docker.io docker-cli docker-compose"
		return
	fi
	rm -f "$work/wgslab.tar"
	b push -q wgslab "docker-archive:$work/wgslab.tar:localhost/wgslab:latest"
	unshare --net --mount bash "$here/engine.sh" "$work" "$work/wgslab.tar"
}

# sizes lists the large parts of the image.
sizes() {
	(
		cd "$place"
		du -sm --apparent-size --total usr/local/go usr/lib/*/libLLVM* usr/lib/gcc usr/libexec/gcc usr/bin usr/lib usr/share usr/include \
			opt/wgslab/.venv opt/wgslab/.build/go/cache opt/wgslab/.build/go/mod opt/wgslab/.build/bin 2>/dev/null | sed '$d' | sort -rn
		printf '%s MB in total, %s MB compressed\n' "$(du -sm --apparent-size . | cut -f1)" "$(($(tar -c . | gzip -1 | wc -c) / 1000000))"
	)
	# The image must contain nothing of this machine or of the build.
	! cmp -s "$place/etc/ssl/certs/ca-certificates.crt" /etc/ssl/certs/ca-certificates.crt || say "• The image has this machine's certificates: they are Debian's own, or the build left them there."
	[[ -z $(find "$place"/root/{go,.cache} -type f 2>/dev/null) ]] || stop "The build left files in /root."
}

b rm --all >/dev/null # remains of an interrupted run
say "• Base images" && debian_image && go_image
say "• The image" && build_image
if [[ ${1:-} == build ]]; then exit; fi
say "$(b inspect --type image --format '  user {{.Docker.Config.User}}, entry {{.Docker.Config.Entrypoint}} {{.Docker.Config.Cmd}}, health {{.Docker.Config.Healthcheck.Test}}' wgslab)"
container=$(b from --pull-never wgslab)
place=$(b mount "$container")
say "• Its size" && sizes
say "• jovyan" && learn_as 1000:100
say "• Another user" && learn_as 1234:0
say "• After a month" && on_the_shelf
say "• Batch grading" && grade_read_only
say "• Docker" && docker_too
b rm --all >/dev/null
rm -rf "$TMPDIR" "$work"/home-* "$work"/{class,grades,wgslab.tar}
say "✓ The image works. The log is in ${log#"$root"/}; rm -rf ${work#"$root"/} frees $(du -sh "$work" | cut -f1)."
