#!/usr/bin/env bash
# Runs a command in the image as a pod of docker/grading does. acceptance/harness/image-test/image.sh
# calls it in a separate mount namespace.
#   pod.sh ROOT SUBMISSIONS GRADES COMMAND...
set -euo pipefail
place=$1 submissions=$2 grades=$3
shift 3
mount --bind "$place" "$place"
mount --bind "$submissions" "$place/mnt" && mount -o remount,bind,ro "$place/mnt"
mount --bind "$grades" "$place/srv"
mount -t tmpfs tmpfs "$place/tmp"
mount -t proc proc "$place/proc"
mount --rbind /dev "$place/dev"
mount -o remount,bind,ro "$place"
exec chroot "$place" /usr/bin/env -i PATH=/opt/wgslab/.build/bin:/usr/local/bin:/usr/bin:/bin \
	HOME=/home/jovyan LANG=C.UTF-8 TINI_SUBREAPER=1 \
	setpriv --reuid 1000 --regid 100 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all tini -g -- start.sh "$@"
