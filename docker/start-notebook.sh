#!/usr/bin/env bash
# Starts JupyterLab, as a JupyterHub's single-user server where there is a hub.
# Arguments go to it.
set -euo pipefail
if [[ -n ${JUPYTERHUB_API_TOKEN:-} ]]; then exec jupyterhub-singleuser "$@"; fi
exec jupyter lab "$@"
