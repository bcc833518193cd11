#!/usr/bin/env bash
# Makes the container ready for whoever it runs as, then becomes the command.
# It runs before every command, also before a JupyterHub's.
set -euo pipefail

wgslab=/opt/wgslab

say() { printf 'wgslab: %s\n' "$*" >&2; }

# Any user may run this image. One who may not write to the home folder gets
# another, for as long as the container lasts.
if ! [[ -d $HOME && -w $HOME && -x $HOME ]]; then
	if other=$(mktemp -d /tmp/home.XXXXXX 2>/dev/null); then
		say "user $(id -u) may not write to $HOME: what you do is kept in $other, and ends with this container."
		export HOME=$other
		cd "$HOME"
	else
		say "user $(id -u) may write neither to $HOME nor to /tmp: only commands that write nothing will work."
	fi
fi

# The notebooks come into a home that has none: whole, or not at all. A folder
# that is there is the learner's, whatever is in it.
if [[ -w $HOME && ! -e $HOME/wgslab && ! -L $HOME/wgslab ]]; then
	new=$(mktemp -d "$HOME/.wgslab.XXXXXX")
	cp -r "$wgslab/notebooks/." "$new/"
	chmod -R u+w "$new"
	chmod 0755 "$new"
	mv -nT "$new" "$HOME/wgslab"
	rm -rf "$new"
fi

# JupyterLab looks for a style sheet in the user's settings and nowhere else.
style=$HOME/.jupyter/custom
if [[ -w $HOME && ! -e $style && ! -L $style ]]; then
	mkdir -p "$HOME/.jupyter"
	ln -s "$wgslab/.venv/etc/jupyter/custom" "$style"
fi

if [[ -z ${WGSLAB_MNIST:-} && -d $wgslab/.build/mnist ]]; then export WGSLAB_MNIST=$wgslab/.build/mnist; fi

# A GPU that was handed in and cannot be used is worth a word.
for device in /dev/dri/renderD*; do
	if [[ -e $device && ! (-r $device && -w $device) ]]; then
		say "$device is there, but user $(id -u) may not use it: add --group-add $(stat -c %g "$device")"
	fi
done
if [[ -e /dev/nvidiactl ]] && ! compgen -G '/usr/share/vulkan/icd.d/nvidia*' >/dev/null && ! compgen -G '/etc/vulkan/icd.d/nvidia*' >/dev/null; then
	say "an NVIDIA GPU is there, but not its Vulkan driver: NVIDIA_DRIVER_CAPABILITIES must include graphics (it is ${NVIDIA_DRIVER_CAPABILITIES:-not set}), and the host needs the driver's graphics libraries."
fi

exec "$@"
