#!/usr/bin/env bash
# Prints what a pod of docker/grading/job.yaml may do, seen from inside it.
#   probe.sh ADDRESS PORT     of a server that the pod must not reach
can() {
	local what=$1
	shift
	if "$@" &>/dev/null; then printf 'may %s\n' "$what"; else printf 'may not %s\n' "$what"; fi
}
printf 'user %s, group %s\n' "$(id -u)" "$(id -g)"
sed -nE 's/^(CapEff|CapBnd|NoNewPrivs|Seccomp):\t/\1 /p' /proc/self/status
can "write to the root" touch /opt/x
can "write to the submissions" touch /submissions/x
can "write to the grades" touch /grades/x
can "write to /tmp" touch /tmp/x
can "read a token" test -e /var/run/secrets
can "make a namespace" unshare --user true
can "reach $1:$2" timeout 5 bash -c "</dev/tcp/$1/$2"
