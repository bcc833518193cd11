#!/usr/bin/env bash
# Tests a container of the image for any user. acceptance/harness/image-test/image.sh runs this
# inside the container, offline and with an empty home.
#   inside.sh learner     the notebooks, JupyterLab, stored work
#   inside.sh old         the image after a month on a shelf
set -euo pipefail

step() { printf '• %s\n' "$*"; }
fail() { printf '✗ %s\n' "$*" >&2 && exit 1; }
now() { date +%s.%N; }
since() { awk -v began="$1" -v now="$(now)" 'BEGIN { printf "%.1f s", now - began }'; }

clean_doctor() {
	local said
	said=$(wgslab doctor) || { printf '%s\n' "$said" && fail "wgslab doctor finds a part missing"; }
	printf '%s\n' "$said"
	[[ $said != *[✗–]* ]] || fail "wgslab doctor is not clean"
}

no_network() {
	local interfaces
	interfaces=$(sed -n 's/^ *\([^ ]*\):.*/\1/p' /proc/net/dev)
	[[ $interfaces == lo ]] || fail "there is a network: $interfaces"
}

# first_check solves the first exercise as a learner does, in a new kernel, and
# measures the waiting times.
first_check() {
	python3 - "$HOME/wgslab/01-bootstrap.ipynb" <<'PYTHON'
import json, sys, time
from jupyter_client.manager import start_new_kernel

cells = json.load(open(sys.argv[1]))["cells"]
sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
began = time.monotonic()
manager, client = start_new_kernel(kernel_name="gonb", startup_timeout=60, cwd=sys.argv[1].rsplit("/", 1)[0])
print(f"  kernel ready after {time.monotonic() - began:.1f} s")
try:
    for source in sources:
        began = time.monotonic()
        reply = client.execute_interactive(source, timeout=120, output_hook=lambda message: None)
        took = time.monotonic() - began  # an error, since nothing is written yet
        print(f"  {took:5.1f} s  {reply['content']['status']:5}  {source.strip().splitlines()[-1][:60]}")
        if "check.Exercise" in source:
            break
    else:
        sys.exit("there is no check in the first notebook")
finally:
    client.stop_channels()
    manager.shutdown_kernel()
if took > 10:
    sys.exit("the first check took more than ten seconds")
PYTHON
}

solved_notebooks() {
	local began notebook count=0 course=/tmp/course-$UID
	rm -rf "$course"
	wgslab release "$course" >/dev/null
	mkdir "$HOME/solved"
	for notebook in /opt/wgslab/notebooks/*.ipynb; do
		cp "$course"/source/*/"${notebook##*/}" "$HOME/solved/" || fail "the release has no ${notebook##*/}"
		count=$((count + 1))
	done
	mkdir -p "$HOME/solved/work"
	began=$(now)
	wgslab run "$HOME/solved" -o "/tmp/executed-$UID" || fail "a solved notebook does not pass"
	printf '  %d solved notebooks in %s\n' "$count" "$(since "$began")"
}

kept_work() {
	local notebook=$HOME/wgslab/01-bootstrap.ipynb
	printf 'mine\n' >"$notebook"
	rm "$HOME/wgslab/02-add.ipynb"
	start.sh true
	[[ $(<"$notebook") == mine ]] || fail "a second start wrote over a learner's notebook"
	[[ ! -e $HOME/wgslab/02-add.ipynb ]] || fail "a second start brought back what a learner removed"
	cp /opt/wgslab/notebooks/{01-bootstrap,02-add}.ipynb "$HOME/wgslab/"
}

# until_healthy SERVER LOG waits for the health check to pass, as an engine does.
until_healthy() {
	local try
	for ((try = 0; try < 120; try++)); do
		if healthcheck.py 2>/dev/null; then return; fi
		if ! kill -0 "$1" 2>/dev/null; then break; fi
		sleep 0.5
	done
	cat "$2"
	fail "the server is not healthy"
}

# jupyterlab starts the server as the image does, and sends the requests of a
# browser and of the engine's health check.
jupyterlab() {
	local server log=/tmp/server-$UID.log token page
	# The entry point has already run; it becomes this command.
	start-notebook.sh >"$log" 2>&1 &
	server=$!
	until_healthy "$server" "$log"
	printf '  healthy: %s\n' "$(curl_get http://127.0.0.1:8888/api)"
	token=$(sed -n 's/.*token=\([0-9a-f]\{48\}\).*/\1/p' "$log" | head -n1)
	[[ -n $token ]] || { cat "$log" && fail "JupyterLab has no token"; }
	[[ $(grep -Eo '(http|file)://\S+' "$log") == "http://127.0.0.1:8888/lab?token=$token" ]] || { cat "$log" && fail "it prints addresses that do not open from outside"; }
	! curl_get http://127.0.0.1:8888/api/contents >/dev/null 2>&1 || fail "without the token, the notebooks can be read"
	page=$(curl_get "http://127.0.0.1:8888/api/contents/wgslab?token=$token")
	[[ $page == *08-draw.ipynb* ]] || fail "the notebooks are not to be seen: $page"
	page=$(curl_get "http://127.0.0.1:8888/api/kernelspecs?token=$token")
	[[ $page == *'"default": "gonb"'* ]] || fail "the kernel is not the one for new notebooks: $page"
	page=$(curl_get "http://127.0.0.1:8888/lab?token=$token")
	[[ $page == *JupyterLab* ]] || fail "/lab does not answer"
	[[ $page == *'"name": "wgslab"'* ]] || fail "JupyterLab does not know WGSL"
	kill "$server"
	wait "$server" || true
	! healthcheck.py 2>/dev/null || fail "the health check passes with no server"
}

# hub starts the server as a JupyterHub does. This fake hub only answers with its
# version, the only request of a server before a login.
hub() {
	local stub server log=/tmp/hub-$UID.log place
	python3 - >/dev/null 2>&1 <<'PYTHON' &
import http.server
class Hub(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"version": "5.5.4"}')
    do_POST = do_GET
http.server.HTTPServer(("127.0.0.1", 8081), Hub).serve_forever()
PYTHON
	stub=$!
	JUPYTERHUB_API_TOKEN=secret JUPYTERHUB_API_URL=http://127.0.0.1:8081/hub/api JUPYTERHUB_BASE_URL=/ \
		JUPYTERHUB_CLIENT_ID=jupyterhub-user-ada JUPYTERHUB_USER=ada JUPYTERHUB_SERVICE_PREFIX=/user/ada/ \
		JUPYTERHUB_SERVICE_URL=http://0.0.0.0:8888/user/ada/ JUPYTERHUB_OAUTH_CALLBACK_URL=/user/ada/oauth_callback \
		JUPYTERHUB_OAUTH_ACCESS_SCOPES='["access:servers!server=ada/"]' start.sh jupyterhub-singleuser >"$log" 2>&1 &
	server=$!
	until_healthy "$server" "$log"
	place=$(python3 -c '
import http.client
c = http.client.HTTPConnection("127.0.0.1", 8888, timeout=30)
c.request("GET", "/user/ada/lab")
print(c.getresponse().getheader("Location"))')
	printf '  healthy; an anonymous visitor is sent to %s\n' "${place%%\?*}"
	[[ $place == /hub/api/oauth2/authorize* ]] || { cat "$log" && fail "a stranger is let in"; }
	kill "$server" "$stub"
	wait "$server" "$stub" || true
}

curl_get() { python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=30).read().decode())' "$1"; }

learner() {
	step "as user $(id -u), group $(id -g), home $HOME"
	no_network
	[[ $(id -u) != 0 ]] || fail "the image runs as root"
	grep -q '^Seccomp:.*2' /proc/self/status && printf "  under the engine's own seccomp filter\n"
	[[ -e $HOME/wgslab/08-draw.ipynb && -e $HOME/wgslab/work/README.md ]] || fail "the notebooks did not come into the empty home"
	step "the first check"
	first_check
	step "wgslab doctor"
	clean_doctor
	step "JupyterLab"
	jupyterlab
	step "the notebooks of the lessons, solved"
	solved_notebooks
	step "grading, under that filter"
	wgslab grade "$HOME/solved" --seed 7 --jobs 2 | sed -n '1,2p'
	step "a second start"
	kept_work
	step "jupyterhub-singleuser $(jupyterhub-singleuser --version)"
	hub
}

# old tests that Go's clean-up keeps the image's compiled packages. It may remove
# the learner's own.
old() {
	local before after dir
	before=$(find "$GOCACHE" -name '*-d' -user root | wc -l)
	dir=$(mktemp -d)
	printf 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("a month later") }\n' >"$dir/main.go"
	(cd "$dir" && GOWORK=off GO111MODULE=off go run main.go)
	[[ $(<"$GOCACHE/trim.txt") -gt $(($(date +%s) - 3600)) ]] || fail "Go did not tidy up, so that nothing was tried"
	after=$(find "$GOCACHE" -name '*-d' -user root | wc -l)
	printf '  compiled packages: %d before, %d after\n' "$before" "$after"
	((after == before)) || fail "Go took away what the image brought"
}

"$1"
