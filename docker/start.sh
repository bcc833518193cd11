#!/usr/bin/env bash
# Prepares the container for its user, then becomes the command. It runs before
# every command, including a JupyterHub's.
set -euo pipefail

wgslab=/opt/wgslab

say() { printf 'wgslab: %s\n' "$*" >&2; }

# Any user may run this image. A user who can't write to the home folder gets
# another one, which lasts as long as the container.
if ! [[ -d $HOME && -w $HOME && -x $HOME ]]; then
	if other=$(mktemp -d /tmp/home.XXXXXX 2>/dev/null); then
		say "user $(id -u) cannot write to $HOME: your work goes to $other, and is lost when this container ends."
		export HOME=$other
		cd "$HOME"
	else
		say "user $(id -u) can write neither to $HOME nor to /tmp: only commands that write no files will work."
	fi
fi

# A home without notebooks gets all of them, or none after a failure. An existing
# folder belongs to the learner, whatever it contains.
if [[ -w $HOME && ! -e $HOME/wgslab && ! -L $HOME/wgslab ]]; then
	new=$(mktemp -d "$HOME/.wgslab.XXXXXX")
	cp -r "$wgslab/notebooks/." "$new/"
	chmod -R u+w "$new"
	chmod 0755 "$new"
	mv -nT "$new" "$HOME/wgslab"
	rm -rf "$new"
fi

# JupyterLab looks for a style sheet only in the user's settings.
style=$HOME/.jupyter/custom
if [[ -w $HOME && ! -e $style && ! -L $style ]]; then
	mkdir -p "$HOME/.jupyter"
	ln -s "$wgslab/.venv/etc/jupyter/custom" "$style"
fi

# If the container was given a GPU, say whether it is used and, if not, why.
if [[ -e /dev/nvidiactl ]] || compgen -G '/dev/dri/renderD*' >/dev/null; then
	while IFS= read -r line; do say "$line"; done < <(timeout 20 wgslab doctor 2>/dev/null | sed -n '/^[^ ]* GPU /,$p')
fi

exec "$@"
