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

# Whether a GPU that was handed in is used, and if not, why, is worth a word.
if [[ -e /dev/nvidiactl ]] || compgen -G '/dev/dri/renderD*' >/dev/null; then
	while IFS= read -r line; do say "$line"; done < <(timeout 20 wgslab doctor 2>/dev/null | sed -n '/^[^ ]* GPU /,$p')
fi

exec "$@"
