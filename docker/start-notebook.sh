#!/usr/bin/env bash
# Starts JupyterLab with the arguments. Under a JupyterHub it starts the
# single-user server.
set -euo pipefail
if [[ -n ${JUPYTERHUB_API_TOKEN:-} ]]; then exec jupyterhub-singleuser "$@"; fi
exec jupyter lab "$@"
