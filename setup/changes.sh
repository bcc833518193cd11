# shellcheck shell=bash disable=SC2154 # build and packages come from the script that sources this
# Finds what changed since tests last passed, for the checks and the long tests that need not look
# at the rest. setup/test.sh sources it.

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
