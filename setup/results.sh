# shellcheck shell=bash disable=SC2154,SC2034 # build, kind, tags, link and reruns come from the script that sources this
# Runs Go's tests and reports how they ended. setup/test.sh sources it.

# tests NAME PACKAGES ARGUMENT... runs go test under gotestsum. A failed test runs once more, alone.
# A package that doesn't build, a panic and a data race are never bad luck: then nothing is rerun.
# Three packages run at a time: many tests wait, but several drive the same CPU adapter, and each
# has its own deadlines. go vet has run by then. All of them have the low priority that grading has:
# shaders of hand-ins would hardly get a processor beside other tests. Nor may Chromium raise its
# own priority, as it does for root: its pages would move on, and all servers and kernels wait.
tests() {
	local code=0 low=(nice -n 10)
	if ((EUID == 0)) && command -v setpriv >/dev/null; then low+=(setpriv --bounding-set -sys_nice); fi
	"${low[@]}" gotestsum --format pkgname --format-hide-empty-pkg --hide-summary skipped --jsonfile "$build/$kind-$1.json" \
		--rerun-fails="$reruns" --rerun-fails-run-root-test --rerun-fails-abort-on-data-race --packages "$2" -- \
		-p 3 -vet=off "-ldflags=$link" -timeout 75m "${tags[@]}" "${@:3}" || code=$?
	[[ -z $(outcomes unexplained "$1") ]] || code=1
	return "$code"
}

# raced names the packages that make test runs under the race detector: their goroutines share data,
# and they take few seconds. Make acceptance runs those in raced_slowly, and make nightly all that
# start goroutines.
raced=(
	./internal/observe/editor
	./internal/ground/fence
	./internal/fronts/notebook/kernel
	./internal/fronts/notebook/languageserver
	./internal/fronts/notebook/workerpool
)
raced_slowly=(
	./internal/fronts/class/grade
	./internal/fronts/class/jail
	./internal/observe/dap
	./internal/fronts/desk
	./internal/fronts/tutor
	./internal/networks/draw
	./internal/machine/engine/gpu
	./internal/course/session
	./internal/fronts/notebook/jupyter
	./internal/fronts/notebook/kernel/debugger
	./internal/fronts/notebook/run
	./internal/fronts/notebook/workerpool/serve
)

# longest names the packages that take longest.
longest=(./internal/course/judge/zoo ./internal/course/authoring ./cmd/wgslab)

# suite prints the argument of setup/test.sh that chooses the suite, with a space.
suite() { [[ $kind == test ]] || printf '%s ' "$kind"; }

# starts_goroutines lists the packages whose code, tests aside, starts goroutines, as ./folder.
starts_goroutines() {
	git grep -lE --untracked '^[[:space:]]*go (func|[A-Za-z_.]+\()|\.Go\(|\.AfterFunc\(' -- '*.go' ':!*_test.go' ':!*/testdata/*' |
		xargs -n 1 dirname | sort -u | sed 's|^|./|'
}

# outcomes WHICH [NAME] prints a line per test, "PACKAGE TEST", in the order of the failures:
#   failed       each test that ended with a failure
#   lucky        each that failed and then passed when it was rerun
#   unexplained  each package that failed although none of its tests did, without TEST, and each
#                test that never ended. gotestsum would take their rerun for a success.
# A test whose subtest failed is left out.
outcomes() {
	local name=${2:-*}
	# shellcheck disable=SC2086 # the name is a pattern
	awk -F'"' -v which="$1" -v reruns="$reruns" '
		/"Action":"(run|pass|fail|skip)"/ {
			package = test = action = ""
			for (i = 2; i < NF; i++) {
				if ($i == "Action") action = $(i + 2)
				if ($i == "Package") package = $(i + 2)
				if ($i == "Test") test = $(i + 2)
			}
			key = package " " test
			if (reruns || !(key in failed)) last[key] = action
			if (!(key in number)) { number[key] = ++n; keys[n] = key }
			if (action == "run") began[key]++
			else ended[key]++
			if (action == "fail") {
				if (!(key in failed)) order[++m] = key
				failed[key] = 1
				if (test != "") blamed[package] = 1
			}
		}
		function whole(key,    j) {
			for (j = 1; j <= m; j++) if (index(order[j], key "/") == 1) return 1
			return 0
		}
		END {
			for (i = 1; i <= n; i++)
				if (began[keys[i]] > ended[keys[i]]) {
					split(keys[i], part, " ")
					blamed[part[1]] = 1
					if (which == "unexplained") print keys[i]
				}
			for (i = 1; i <= m; i++) {
				key = order[i]
				split(key, part, " ")
				if (key ~ / $/) {
					if (which == "unexplained" && !(part[1] in blamed)) print part[1]
				} else if (!whole(key) && which == (last[key] == "pass" ? "lucky" : "failed")) print key
			}
		}' "$build/$kind"-$name.json | sed 's|^github.com/wgslab/wgslab|.|'
}

# skipped prints a line per reason why tests were skipped, with one of these tests and the number of
# the others.
skipped() {
	awk '
		# value returns the string of a field, with what JSON escapes.
		function value(field) {
			if (!match($0, "\"" field "\":\"([^\"\\\\]|\\\\.)*\"")) return ""
			return substr($0, RSTART + length(field) + 4, RLENGTH - length(field) - 5)
		}
		function plain(text) {
			sub(/^ *[A-Za-z0-9_]+\.go:[0-9]+: /, "", text)
			sub(/\\n$/, "", text)
			gsub(/\\t/, " ", text); gsub(/\\u003c/, "<", text); gsub(/\\u003e/, ">", text); gsub(/\\u0026/, "\\&", text)
			gsub(/\\"/, "\"", text); gsub(/\\\\/, "\\", text)
			return text
		}
		/"Action":"output"/ && /"Output":" *[A-Za-z0-9_]+\.go:[0-9]+: / {
			said[value("Package") " " value("Test")] = plain(value("Output"))
		}
		/"Action":"skip"/ && /"Test":"/ {
			key = value("Package") " " value("Test")
			reason = key in said ? said[key] : "no reason is told"
			if (done[key]++) next
			if (!count[reason]++) { first[reason] = key; reasons[++n] = reason }
		}
		END {
			for (i = 1; i <= n; i++) {
				more = count[reasons[i]] - 1
				printf "%s (%s%s)\n", reasons[i], first[reasons[i]], more ? " and " more " more" : ""
			}
		}' "$build/$kind"-*.json | sed 's|github.com/wgslab/wgslab/|./|'
}

# conclude CODE prints what to look at after a run that ended with CODE: why tests were skipped, each
# test that passed only at its second try, each package that failed without a failed test, and for each failed test the
# command that runs it again. Then it returns CODE, or 1 if more than two tests needed a second try:
# that is no bad luck any more.
conclude() {
	local skipped lucky unexplained failed package test code=$1
	skipped=$(skipped) lucky=$(outcomes lucky) unexplained=$(outcomes unexplained) failed=$(outcomes failed)
	if [[ -n $skipped ]]; then
		printf '\nSkipped by make %s:\n' "$kind"
		printf '  %s\n' "${skipped//$'\n'/$'\n'  }"
	fi | tee "$build/$kind-skipped.txt"
	if [[ -n $unexplained ]]; then
		printf '\nEnded before their tests did, or failed without a failed test; never rerun:\n'
		printf '  %s\n' "${unexplained//$'\n'/$'\n'  }"
	fi
	if [[ -n $failed ]]; then
		printf '\nTo run only the failed tests again:\n'
		while read -r package test; do
			# shellcheck disable=SC2001 # a class of characters
			test=$(sed 's/[][().*+?{}|^$]/\\&/g; s|/|$/^|g; s/\x27/\x27\\\x27\x27/g' <<<"$test")
			printf "  bash setup/test.sh %s-run '^%s\$' %s\n" "$(suite)" "$test" "$package"
		done <<<"$failed"
	fi
	if [[ -n $lucky ]]; then
		printf '\nPASSED ONLY AT THE SECOND TRY, so mend them:\n'
		printf '  %s\n' "${lucky//$'\n'/$'\n'  }"
	fi | tee "$build/$kind-lucky.txt"
	if (($(wc -l <"$build/$kind-lucky.txt") > 2 + 2)); then # under an empty line and a heading
		printf '\nMore than two tests passed only at the second try.\n'
		code=1
	fi
	return "$code"
}
