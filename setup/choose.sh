# shellcheck shell=bash disable=SC2154 # build and packages come from the script that sources this
# Chooses what a suite looks at: what changed since tests last passed, and which tests are slow.
# setup/test.sh sources it.

# since prints the commit whose tests passed last, as far as this clone knows it: the one that is
# named, that of the last make acceptance, the one that landed last, or one that is a day old.
since() {
	local commit
	for commit in "${WGSLAB_SINCE:-}" "$(cat "$build/passed" 2>/dev/null)" \
		"$(git merge-base HEAD origin/main 2>/dev/null)" "$(git rev-list -1 --before='1 day ago' HEAD)"; do
		if [[ -n $commit ]] && git merge-base --is-ancestor "$commit" HEAD 2>/dev/null; then
			git rev-parse "$commit" && return
		fi
	done
}

# take_shares tells long tests what changed, and the number of the day.
take_shares() {
	local since touched
	since=$(since)
	touched=$({ git ls-files --others --exclude-standard && git diff --name-only "${since:-HEAD}"; } | LC_ALL=C sort -u)
	export WGSLAB_TURN=$(($(date +%s) / 86400)) WGSLAB_TOUCHED=$build/touched.txt
	# Go's test cache looks at the time of the file.
	[[ -f $WGSLAB_TOUCHED && $touched == "$(<"$WGSLAB_TOUCHED")" ]] || printf '%s' "${touched:+$touched$'\n'}" >"$WGSLAB_TOUCHED"
	say "• Long tests run on the $(wc -l <"$WGSLAB_TOUCHED") files that changed since ${since:-HEAD}, and on share $((WGSLAB_TURN % 8 + 1)) of 8"
}

# passed notes the commit for the next run's since.
passed() { [[ -n $(git status --porcelain) ]] || git rev-parse HEAD >"$build/passed"; }

# changed_packages prints the folders of the packages that changed, or ./... if a library did.
changed_packages() {
	if grep -q '^go\.' "$WGSLAB_TOUCHED"; then
		printf './...\n'
	else
		sed -n 's|^\(.*\)/[^/]*\.go$|./\1|p' "$WGSLAB_TOUCHED" | sort -u | grep -xFf <(printf '%s\n' "${packages[@]}") || true
	fi
}

# importers_of FOLDER... prints the packages in the folders, and those that import one of them.
importers_of() {
	[[ $1 != ./... ]] || { printf './...\n' && return; }
	local module
	module=$(go list -m)
	go list -tags acceptance -f '{{.ImportPath}}{{range .Imports}} {{.}}{{end}}{{range .TestImports}} {{.}}{{end}}{{range .XTestImports}} {{.}}{{end}}' ./... |
		awk -v names="${*/#./$module}" 'BEGIN { n = split(names, all, " "); for (i = 1; i <= n; i++) changed[all[i]] }
			{ for (i = 1; i <= NF; i++) if ($i in changed) { print $1; next } }'
}

# acceptance_files lists the test files that make test leaves out, or skips because a
# variable names no data.
acceptance_files() {
	git grep -lE --untracked '^//go:build .*\bacceptance\b|WGSLAB_(CTS|MNIST|VIBE_WEIGHTS)' -- '*_test.go'
}
acceptance_packages() { acceptance_files | xargs -n 1 dirname | sort -u | sed 's|^|./|'; }

# acceptance_tests prints a pattern of the tests in these files. If a file has an init that raises a
# number, such as that of the seeds, the tests of its package that use the number count as well: make
# test has run all others.
acceptance_tests() {
	local file raised
	acceptance_files | while read -r file; do
		sed -nE 's/^func (Test[A-Za-z0-9_]+)\(.*/\1/p' "$file"
		sed -nE 's/^func init\(\) \{ ([A-Za-z0-9_]+) = .*/\1/p' "$file" | while read -r raised; do
			tests_that_use "$raised" "${file%/*}"/*_test.go
		done
	done | sort -u | paste -sd '|' | sed 's/.*/^(&)$/'
}

# tests_that_use NAME FILE... lists the tests that use a name, themselves or through other functions.
tests_that_use() {
	awk -v name="$1" '
		/^func / { at = $0; sub(/^func (\([^)]*\) )?/, "", at); sub(/[^A-Za-z0-9_].*/, "", at) }
		/^}/ { at = "" }
		at != "" { line = $0; sub(/\/\/.*/, "", line); text[at] = text[at] " " line }
		END {
			uses[name]
			do {
				more = 0
				for (f in text) if (!(f in uses)) for (u in uses) if (text[f] ~ "[^A-Za-z0-9_.]" u "[^A-Za-z0-9_]") { uses[f]; more = 1; break }
			} while (more)
			for (f in uses) if (f ~ /^Test/) print f
		}' "${@:2}"
}
