#!/usr/bin/env bash
# Builds the parts of a Kubernetes of one node and the image, then has
# acceptance/cluster run on it what docs/deploy.md says of a cluster. Needs root.
# The parts take half an hour to build the first time, and the image as long.
#   make cluster-test
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/../../setup/lib.sh"
cd "$root"

work=$build/cluster
parts=$work/bin
storage=$build/image
kubernetes=k8s.io/kubernetes/cmd
programs=("$kubernetes"/{kube-apiserver,kube-controller-manager,kube-scheduler,kubectl,kubeadm,kubelet})
etcd=go.etcd.io/etcd/server/v3
mkdir -p "$parts"

((EUID == 0)) || stop "A node mounts and makes namespaces, which needs root." "Run it as root: make cluster-test"
for program in buildah containerd ctr runc ip; do
	type -P "$program" >/dev/null || stop "There is no $program." "Debian: apt-get install buildah debootstrap containerd containernetworking-plugins iproute2 runc"
done
[[ -x /usr/lib/cni/bridge ]] || stop "There is no CNI plugin in /usr/lib/cni." "Debian: apt-get install containernetworking-plugins"

# build_parts builds Kubernetes, which must be told its version, and etcd.
build_parts() {
	local version stamps=() variable
	cd "$root/tools/kubernetes"
	version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
	for variable in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
		stamps+=(-X "$variable.gitVersion=$version" -X "$variable.gitMajor=1" -X "$variable.gitMinor=$(cut -d. -f2 <<<"$version")")
	done
	CGO_ENABLED=0 go build -p 1 -o "$parts/etcd" -ldflags='-s -w' "$etcd"
	local program
	for program in "${programs[@]}"; do
		CGO_ENABLED=0 go build -p 1 -o "$parts/" -ldflags="-s -w ${stamps[*]}" "$program"
	done
}

parts_step() {
	local key
	key="$(hash_of "$root"/tools/kubernetes/go.{mod,sum}) $go_version"
	is_stamped cluster "$key" && return
	step cluster "Kubernetes and etcd" build_parts || stop "Kubernetes could not be built." "Is the network up? Then start again: make cluster-test"
	stamp cluster "$key"
}

b() { buildah --root "$storage/storage" --runroot "$storage/run" --storage-driver vfs "$@"; }

# archive_images writes the course's image under the name that the guide gives it, and
# the one that holds a pod's network.
archive_images() {
	local name from
	name=$(sed -n 's/^ *image: \(wgslab.*\)/\1/p' docker/grading/job.yaml)
	rm -f "$work/wgslab.tar" "$parts/pause.tar"
	b inspect --type image wgslab &>/dev/null || bash docker/test/image.sh build
	b push -q wgslab "docker-archive:$work/wgslab.tar:docker.io/$name"
	CGO_ENABLED=0 go build -ldflags='-s -w' -o "$parts/pause" ./acceptance/cluster/pause
	from=$(b from scratch)
	b copy -q "$from" "$parts/pause" /pause
	b config --entrypoint '["/pause"]' --user 65535:65535 "$from"
	b commit -q --rm "$from" "docker-archive:$parts/pause.tar:localhost/pause:1"
}

bash setup/setup.sh
use_go
parts_step
step images "The images, for the node" archive_images || stop "The images could not be made."
go build -o "$parts/cluster" ./acceptance/cluster
export PATH=$build/bin:$PATH
exec "$parts/cluster" "$parts" "$work/wgslab.tar" "$work/run"
