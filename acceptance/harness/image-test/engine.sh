#!/usr/bin/env bash
# Runs the image under a real Docker: the exact commands of docs/deploy.md, and
# again the tests that acceptance/harness/image-test/image.sh runs with chroot. That script
# calls this one. The Docker engine is separate and its network is isolated, so
# the test touches no other engine, volume or port of this machine.
#   unshare --net --mount engine.sh WORK ARCHIVE
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/../../../setup/lib.sh"

work=$1 archive=$2
place=$work/docker
learner=1234 # a user of this machine with access through the socket's group
group=61234
export DOCKER_HOST=unix://$place/docker.sock
cd "$root"

start_engine() {
	local try
	rm -rf "$place" && mkdir -p "$place" && chmod 711 "$work" "$place"
	ip link set lo up
	dockerd --data-root "$place/data" --exec-root "$place/exec" --pidfile "$place/pid" \
		--host "$DOCKER_HOST" --group "$group" >"$place/log" 2>&1 &
	engine=$!
	trap stop_engine EXIT
	for ((try = 0; try < 60; try++)); do
		if docker version --format 'Docker {{.Server.Version}}' 2>/dev/null; then return; fi
		sleep 0.5
	done
	tail -n 20 "$place/log"
	stop "Docker's engine did not start."
}

stop_engine() {
	docker ps --quiet 2>/dev/null | xargs --no-run-if-empty docker kill >/dev/null || true
	kill "$engine"
	wait "$engine" || true
	rm -rf "$place"
}

# load loads the image under the guide's name.
load() {
	local name
	name=$(sed -n 's/^FROM \(wgslab.*\)/\1/p' binder/Dockerfile)
	docker load --quiet --input "$archive" >/dev/null
	docker tag localhost/wgslab "$name"
	printf '%s\n' "$name"
}

# commands HEADING N prints the Nth block of commands below a heading of the guide.
commands() {
	awk -v heading="## $1" -v want="$2" '
		/^## / { here = $0 == heading }
		/^```$/ { copying = 0 }
		copying
		here && /^```sh$/ { copying = ++count == want }' docs/deploy.md | grep . || stop "docs/deploy.md has no block $2 below $1."
}

get() { curl --silent --show-error --fail --max-time 30 "http://127.0.0.1:8888/$1"; }

# serve USER COMMANDS starts JupyterLab with commands of the guide, in the folder
# $place/person, and sets $lab to its container.
serve() {
	local person=$place/person log=$place/lab.log try token
	install -d -o "$1" "$person"
	ln -sfn "$root/docker" "$person/docker"
	(cd "$person" && exec setpriv --reuid "$1" --regid "$1" --groups "$group" env HOME="$person" bash -euo pipefail -c "$2") >"$log" 2>&1 &
	client=$!
	for ((try = 0; try < 120; try++)); do
		lab=$(docker ps --quiet --filter health=healthy)
		if [[ -n $lab ]] || ! kill -0 "$client" 2>/dev/null; then break; fi
		sleep 0.5
	done
	[[ -n $lab ]] || { cat "$log" && stop "JupyterLab did not become healthy."; }
	token=$(sed -n 's/.*127.0.0.1:8888.*token=\([0-9a-f]\{48\}\).*/\1/p' "$log" | head -n1)
	[[ $(get "api/contents/wgslab?token=$token") == *08-draw.ipynb* ]] || stop "The notebooks cannot be seen from outside."
	! get api/contents >/dev/null 2>&1 || stop "Without the token, the notebooks can be read."
	printf '  healthy; as %s, it serves the notebooks\n' "$(docker exec "$lab" id)"
}

# interrupt ends it as Ctrl-C does.
interrupt() {
	local began=$SECONDS
	docker kill --signal INT "$lab" >/dev/null
	wait "$client" || true
	((SECONDS - began < 10)) || stop "Ctrl-C took $((SECONDS - began)) s."
	printf '  ended by Ctrl-C in %s s\n' "$((SECONDS - began))"
}

laptop() {
	serve 0 "$(commands "A laptop" 1)"
	docker exec "$lab" sh -c 'echo mine >~/wgslab/02-add.ipynb'
	interrupt
	serve 0 "$(commands "A laptop" 1)"
	[[ $(docker exec "$lab" sh -c 'cat ~/wgslab/02-add.ipynb') == mine ]] || stop "The volume did not keep the work."
	interrupt
}

own_folder() {
	serve "$learner" "$(commands "A laptop" 2)"
	interrupt
	[[ $(stat -c %u "$place/person/lessons/wgslab/02-add.ipynb") == "$learner" ]] || stop "The notebooks in the own folder are another's."
}

compose() {
	if ! docker compose version; then
		say "  docker compose is not installed: skipped its command"
		return
	fi
	serve 0 "$(commands "A laptop" 3)"
	[[ $(docker exec "$lab" grep -cE '^(NoNewPrivs:.1|CapBnd:.0+)$' /proc/1/status) == 2 ]] || stop "Compose gave the container rights."
	interrupt
}

# forbidden_gpu passes a GPU that the image's user may not open.
forbidden_gpu() {
	local said device=$place/renderD128
	mknod -m 660 "$device" c 226 128 && chgrp 105 "$device"
	said=$(docker run --rm --device "$device:/dev/dri/renderD128" "$image" true 2>&1)
	printf '%s\n' "$said"
	[[ $said == *"has no access to /dev/dri/renderD128"*"--group-add 105"* ]] || stop "The start says nothing of a GPU without rights."
}

# whole_course runs a learner's whole course under the engine's own restrictions.
whole_course() {
	docker run --rm --network none --user "$learner:0" -v course:/home/jovyan -v "$root/acceptance/harness/image-test/inside.sh:/inside.sh:ro" "$image" bash /inside.sh learner
}

# grading sets the same limits on the engine as docker/grading/job.yaml on a cluster.
grading() {
	install -d -o 1000 "$place/grades"
	docker run --rm --network none --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
		-v "$work/class:/mnt:ro" -v "$place/grades:/srv" "$image" grade-shard 0 1 7 /mnt /srv
	docker run --rm --network none --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
		-v "$place/grades:/srv:ro" "$image" wgslab grade --merge /srv/part-0.json | tee "$place/table"
	grep -Eq '^ada .* ([1-9][0-9]*) of \1$' "$place/table" || stop "The solved notebooks did not get all points."
}

start_engine
image=$(load)
say "  A laptop" && laptop
say "  Your own folder" && own_folder
say "  Compose" && compose
say "  A GPU without rights" && forbidden_gpu
say "  The whole course" && whole_course
say "  Grading" && grading
