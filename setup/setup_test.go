// Package setup_test runs the set-up scripts as a person would.
package setup_test

import (
	"go/build/constraint"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newClone copies the scripts into a folder of their own, where they may write.
func newClone(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "my course")
	require.NoError(t, os.MkdirAll(filepath.Join(root, "setup"), 0o755))
	for _, name := range []string{"go.mod", "setup/lib.sh", "setup/packages.sh"} {
		text, err := os.ReadFile(filepath.Join("..", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(root, name), text, 0o755))
	}
	return root
}

// bash runs a script in root, with path as its PATH when it is not "".
func bash(t *testing.T, root, path, script string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "bash", "-c", script)
	command.Dir = root
	command.Env = os.Environ()
	if path != "" {
		command.Env = append(command.Env, "PATH="+path)
	}
	out, err := command.CombinedOutput()
	return string(out), err
}

// onlyWith makes a folder that holds the named programs and nothing else.
func onlyWith(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range programs {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(dir, name)))
	}
	return dir
}

// plain are the programs that every Linux has.
var plain = []string{"bash", "cat", "cut", "dirname", "find", "head", "mkdir", "printf", "sed", "sha256sum", "sleep", "sort", "tail", "tr", "xargs"}

func TestAStepIsDoneAgainOnlyWhenItsInputsChange(t *testing.T) {
	root := newClone(t)
	const script = `source setup/lib.sh
key=$(hash_of input)
if is_stamped demo "$key"; then echo known; else echo new; stamp demo "$key"; fi`
	input := filepath.Join(root, "input")
	require.NoError(t, os.Mkdir(input, 0o755))
	expect := func(want, why string) {
		t.Helper()
		out, err := bash(t, root, "", script)
		require.NoError(t, err, out)
		require.Equal(t, want+"\n", out, why)
	}
	require.NoError(t, os.WriteFile(filepath.Join(input, "a file"), []byte("1"), 0o644))
	expect("new", "the first time")
	expect("known", "nothing changed")
	require.NoError(t, os.WriteFile(filepath.Join(input, "a file"), []byte("2"), 0o644))
	expect("new", "other contents")
	require.NoError(t, os.Rename(filepath.Join(input, "a file"), filepath.Join(input, "b")))
	expect("new", "another name")
	require.NoError(t, os.RemoveAll(filepath.Join(root, ".build")))
	expect("new", "the stamps are gone")
}

func TestAFailedStepShowsTheEndOfItsLog(t *testing.T) {
	root := newClone(t)
	out, err := bash(t, root, "", `source setup/lib.sh
broken() { seq 100; echo "no space left" >&2; return 3; }
step demo "The demonstration" broken || stop "It did not work." "Make room, then start again."`)
	require.Error(t, err)
	require.Contains(t, out, "✗ The demonstration failed. The end of .build/logs/demo.log:")
	require.Contains(t, out, "│ 100\n  │ no space left\n")
	require.NotContains(t, out, "│ 10\n", "only the end")
	require.Contains(t, out, "✗ It did not work.\n  → Make room, then start again.\n")
}

// A step that takes long says what it does while it runs, and nothing of it is left afterwards. A
// short one says only that it is done.
func TestALongStepSaysWhatItDoes(t *testing.T) {
	out, err := bash(t, newClone(t), "", `source setup/lib.sh
builds() { echo package/one; sleep 1.5; }
step demo "The demonstration" builds
step short "The short one" true
[[ -z $(jobs -pr) ]] && echo "no job is left"`)
	require.NoError(t, err, out)
	require.Regexp(t, `^• The demonstration: [12] s so far, package/one
✓ The demonstration \([12] s\)
✓ The short one \(0 s\)
no job is left
$`, out)
}

func TestVersionsAreComparedByNumber(t *testing.T) {
	for _, c := range []struct {
		have, want string
		enough     bool
	}{
		{"1.26.8", "1.26.0", true}, {"1.9.1", "1.21", false}, {"1.21", "1.21", true},
		{"25.0.7-2~bpo12+1", "24", true}, {"22.3.6-1+deb12u1", "24", false}, {"", "1.21", false},
	} {
		_, err := bash(t, newClone(t), "", `source setup/lib.sh; at_least "`+c.have+`" "`+c.want+`"`)
		require.Equal(t, c.enough, err == nil, "%s and %s", c.have, c.want)
	}
}

func TestWithoutAptWhatIsMissingIsNamed(t *testing.T) {
	out, err := bash(t, newClone(t), onlyWith(t, plain...), "bash setup/packages.sh")
	require.Error(t, err)
	require.Contains(t, out, "✗ This machine lacks:")
	require.Contains(t, out, "    a C compiler with its headers\n")
	require.Contains(t, out, "    git\n")
	require.Contains(t, out, "→ Install it with this system's package manager, then start again.")
}

func TestWithoutAptItGoesOnWhenAllIsThere(t *testing.T) {
	path := onlyWith(t, append([]string{"git", "gcc", "go", "python3"}, plain...)...)
	out, err := bash(t, newClone(t), path, "bash setup/packages.sh")
	require.NoError(t, err, out)
	require.Contains(t, out, "Going on without:\n    mold,")
}

// Without a driver, shaders run in the simulator: the set-up tries once to install one,
// says so and continues. If a part without a replacement is missing, it stops.
func TestADriverThatCannotBeHadIsDoneWithout(t *testing.T) {
	root := newClone(t)
	script := filepath.Join(root, "setup", "packages.sh")
	text, err := os.ReadFile(script)
	require.NoError(t, err)
	without := strings.NewReplacer("/usr/share/vulkan/", "/nonexistent/", "/etc/vulkan/", "/nonexistent/").Replace(string(text))
	require.NotEqual(t, string(text), without)
	require.NoError(t, os.WriteFile(script, []byte(without), 0o755))
	t.Setenv("VK_DRIVER_FILES", "")
	t.Setenv("VK_ICD_FILENAMES", "")

	fakes := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(fakes, "apt-get"), []byte("#!/bin/sh\necho asked \"$@\" >>'"+root+"/asked'\nexit 100\n"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(fakes, "sudo"), []byte("#!/bin/sh\n[ \"$1\" = -v ] || exec \"$@\"\n"), 0o755))
	needed := append([]string{"env", "gcc", "go", "python3"}, plain...)
	complete := fakes + ":" + onlyWith(t, append(needed, "git")...)

	out, err := bash(t, root, complete, "bash setup/packages.sh")
	require.NoError(t, err, out)
	require.Contains(t, out, "Installing what this machine lacks:\n    a Vulkan driver")
	require.Contains(t, out, "Going on without:\n    a Vulkan driver")
	require.Contains(t, out, "Shaders will run in the simulator")
	asked, err := os.ReadFile(filepath.Join(root, "asked"))
	require.NoError(t, err)
	require.NotEmpty(t, asked)

	out, err = bash(t, root, complete, "bash setup/packages.sh")
	require.NoError(t, err, out)
	require.NotContains(t, out, "Installing")
	require.Contains(t, out, "Going on without:\n    a Vulkan driver")
	again, err := os.ReadFile(filepath.Join(root, "asked"))
	require.NoError(t, err)
	require.Equal(t, asked, again, "it asks once")

	out, err = bash(t, root, fakes+":"+onlyWith(t, needed...), "bash setup/packages.sh")
	require.Error(t, err)
	require.Contains(t, out, "✗ The system's packages could not be installed.", "git is needed")
}

// A stand-in for brew shows what the set-up asks Homebrew for on a Mac: what is missing, once, and
// without root. What Homebrew lacks is named.
func TestWithoutAptHomebrewInstalls(t *testing.T) {
	root := newClone(t)
	fakes := t.TempDir()
	fake := func(name, script string) {
		require.NoError(t, os.WriteFile(filepath.Join(fakes, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	const installs = `echo "$@" >>asked; for p; do case $p in git) ln -s "$(readlink -f "$0")" "${0%/*}/git";; esac; done`
	fake("brew", installs)
	fake("sudo", "echo sudo >>asked")
	t.Setenv("OSTYPE", "darwin24")
	t.Setenv("SSL_CERT_FILE", "/etc/ssl/cert.pem")
	path := fakes + ":" + onlyWith(t, append([]string{"go", "python3", "ln", "readlink"}, plain...)...)

	out, err := bash(t, root, path, "bash setup/packages.sh")
	require.Error(t, err)
	require.Contains(t, out, "Installing what this machine lacks:\n    git\n    a C compiler with its headers\n")
	require.Contains(t, out, "✗ Still missing after the installation:\n    a C compiler with its headers\n")
	require.Contains(t, out, "→ Install Homebrew and the compiler (xcode-select --install), then start again.\n")

	fake("xcrun", "echo /usr/bin/clang")
	out, err = bash(t, root, path, "bash setup/packages.sh")
	require.NoError(t, err, out)
	require.Empty(t, out, "neither Vulkan nor mold is missing on a Mac")
	asked, err := os.ReadFile(filepath.Join(root, "asked"))
	require.NoError(t, err)
	require.Equal(t, "install git\n", string(asked))
}

// reads tells Go's test cache which files a program reads that a test starts.
func reads(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		_, err := os.ReadFile(path)
		require.NoError(t, err)
	}
}

// A second start must cost nothing: make lab is on its way to the learner.
func TestASecondSetUpDoesNothing(t *testing.T) {
	reads(t, "setup.sh", "packages.sh", "lib.sh")
	out, err := bash(t, "..", "", "bash setup/setup.sh")
	require.NoError(t, err, out)

	began := time.Now()
	out, err = bash(t, "..", "", "bash setup/setup.sh")
	require.NoError(t, err, out)
	require.Empty(t, out)
	require.Less(t, time.Since(began), 3*time.Second)
}

// results runs a script that sourced results.sh, with build as the folder of the reports.
func results(t *testing.T, build, folder, script string) (string, error) {
	t.Helper()
	reads(t, "results.sh")
	here, err := os.Getwd()
	require.NoError(t, err)
	path := filepath.Join(here, "..", ".build", "bin") + ":" + os.Getenv("PATH")
	return bash(t, folder, path, "source '"+filepath.Join(here, "results.sh")+"'; build='"+build+"' kind=acceptance tags=(-tags acceptance) reruns=1 link=-s\n"+script)
}

// The report of a run with failures ends with the commands that run just those again.
func TestWhatFailedCanBeRunAgain(t *testing.T) {
	build := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(build, "acceptance-raced.json"), []byte(`{"Action":"pass","Package":"github.com/wgslab/wgslab/pkg/gpu","Test":"TestGood"}
{"Action":"fail","Package":"github.com/wgslab/wgslab/pkg/gpu","Test":"TestDeadline/while_(timing)"}
{"Action":"fail","Package":"github.com/wgslab/wgslab/pkg/gpu","Test":"TestDeadline"}
{"Action":"fail","Package":"github.com/wgslab/wgslab/pkg/gpu","Test":"TestDeadlines"}
{"Action":"fail","Package":"github.com/wgslab/wgslab/setup","Test":"TestOdd/it's"}
{"Action":"fail","Package":"github.com/wgslab/wgslab/setup"}
`), 0o644))
	out, err := results(t, build, ".", "conclude 0")
	require.NoError(t, err, out)
	require.Equal(t, `
To run only the failed tests again:
  bash setup/test.sh acceptance -run '^TestDeadline$/^while_\(timing\)$' ./pkg/gpu
  bash setup/test.sh acceptance -run '^TestDeadlines$' ./pkg/gpu
  bash setup/test.sh acceptance -run '^TestOdd$/^it'\''s$' ./setup
`, out)
}

// The report begins with the reasons for which tests were skipped.
func TestSkippedTestsAreListedByTheirReason(t *testing.T) {
	module, build := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(module, "go.mod"), []byte("module github.com/wgslab/wgslab\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(module, "a_test.go"), []byte(`package a
import "testing"
func TestDriver(t *testing.T) { t.Log("looking"); t.Skip("put \"tint\" <1.0> & C:\\x on the PATH\nor install it") }
func TestParts(t *testing.T) {
	t.Run("a \"b\"", func(t *testing.T) { t.Skip("put \"tint\" <1.0> & C:\\x on the PATH") })
	t.Run("silent", func(t *testing.T) { t.Log("this is no reason"); t.Run("inner", func(t *testing.T) { t.SkipNow() }) })
}
func TestFine(t *testing.T) { t.Log("no skip") }`), 0o644))
	out, err := results(t, build, module, `code=0; tests plain . -count=1 || code=$?; conclude "$code"`)
	require.NoError(t, err, out)
	const report = `
Skipped by make acceptance:
  put "tint" <1.0> & C:\x on the PATH (github.com/wgslab/wgslab TestDriver and 1 more)
  no reason is told (github.com/wgslab/wgslab TestParts/silent/inner)
`
	require.True(t, strings.HasSuffix(out, report), out)
	saved, err := os.ReadFile(filepath.Join(build, "acceptance-skipped.txt"))
	require.NoError(t, err)
	require.Equal(t, report, string(saved))
}

// A failed test runs once more. One that passes then doesn't fail the run, but the report ends with
// its name. Whatever isn't the bad luck of one test fails the run.
func TestOnlyAFailedTestGetsASecondTry(t *testing.T) {
	const unlucky = `
func unluckyOnce(t *testing.T) {
	if os.Mkdir("seen", 0o755) == nil {
		t.Error("bad luck")
	}
}
`
	files := map[string]string{
		"go.mod": "module example\ngo 1.26\n",
		"once/a_test.go": "package once\nimport (\"os\"; \"testing\")\n" + unlucky + `
func TestFine(t *testing.T) {}
func TestParts(t *testing.T) {
	t.Setenv("FIRST", "")
	t.Run("first", func(t *testing.T) { os.Setenv("FIRST", "ran") })
	t.Run("second", func(t *testing.T) {
		if os.Getenv("FIRST") == "" {
			t.Fatal("the first did not run")
		}
		unluckyOnce(t)
	})
}`,
		"twice/a_test.go": "package twice\nimport \"testing\"\nfunc TestTwice(t *testing.T) { t.Error(\"wrong\") }",
		"leaves/a_test.go": "package leaves\nimport (\"os\"; \"testing\")\n" + unlucky + `
func TestFine(t *testing.T) {}
func TestMain(m *testing.M) {
	if m.Run(); os.Mkdir("seen", 0o755) == nil {
		os.Exit(1)
	}
}`,
		"exits/a_test.go": "package exits\nimport (\"os\"; \"testing\")\n" + `
func TestEnds(t *testing.T) {
	if os.Mkdir("seen", 0o755) == nil {
		os.Exit(1)
	}
}
func TestNeverBegins(t *testing.T) { t.Error("wrong") }`,
		"often/a_test.go": "package often\nimport (\"os\"; \"testing\")\n" + `
func TestThings(t *testing.T) {
	for _, name := range []string{"a", "b", "c"} {
		t.Run(name, func(t *testing.T) {
			if os.Mkdir(name, 0o755) == nil {
				t.Error("bad luck")
			}
		})
	}
}`,
		"broken/a_test.go": "package broken\nfunc TestX() { undefined() }",
	}
	const lucky = "\nPASSED ONLY AT THE SECOND TRY, so mend them:\n  example/once TestParts/second\n"
	for _, c := range []struct {
		packages string
		passes   bool
		end      string
	}{
		{"./once", true, lucky},
		{"./once ./twice", false, "\nTo run only the failed tests again:\n  bash setup/test.sh acceptance -run '^TestTwice$' example/twice\n" + lucky},
		{"./often", false, "\nPASSED ONLY AT THE SECOND TRY, so mend them:\n  example/often TestThings/a\n  example/often TestThings/b\n" +
			"  example/often TestThings/c\n\nMore than two tests passed only at the second try.\n"},
		{"./leaves ./exits", false, "never rerun:\n  example/exits TestEnds\n  example/leaves\n"},
		{"./once ./broken", false, "never rerun:\n  example/broken\n\nTo run only the failed tests again:\n" +
			"  bash setup/test.sh acceptance -run '^TestParts$/^second$' example/once\n"},
	} {
		t.Run(c.packages, func(t *testing.T) {
			t.Parallel()
			module := t.TempDir()
			for name, text := range files {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(module, name)), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(module, name), []byte(text), 0o644))
			}
			out, err := results(t, t.TempDir(), module, `code=0; tests plain "`+c.packages+`" -count=1 || code=$?; conclude "$code"`)
			require.Equal(t, c.passes, err == nil, out)
			require.True(t, strings.HasSuffix(out, c.end), out)
		})
	}
}

// A suite counts changes from the commit that passed last, as far as the clone knows one.
func TestWhatChangedSinceTestsPassed(t *testing.T) {
	reads(t, "choose.sh")
	here, err := os.Getwd()
	require.NoError(t, err)
	root := t.TempDir()
	run := func(script string) string {
		t.Helper()
		out, err := bash(t, root, "", "set -euo pipefail; source '"+filepath.Join(here, "choose.sh")+"'; say() { :; }; build=.build\n"+script)
		require.NoError(t, err, out)
		return strings.TrimSpace(out)
	}
	run(`git init -q -b main . && git config user.name test && git config user.email test@localhost
mkdir -p a/testdata b c .build && echo /.build >.gitignore
printf 'module example\n' >go.mod
for p in a b c a/testdata; do echo "package ${p##*/}" >$p/$p.go 2>/dev/null || echo 'package x' >$p/x.go; done
printf 'package b\nimport _ "example/a"\n' >b/b.go
git add -A && git commit -q -m first --date='3 days ago'
echo '// two' >>a/a.go && git commit -qam second
echo '// three' >>c/c.go && git commit -qam third`)
	first, second := run("git rev-parse HEAD~2"), run("git rev-parse HEAD~1")
	run("git update-ref refs/remotes/origin/main HEAD~1")
	require.Equal(t, second, run("since"), "the one that landed last")
	run("git rev-parse HEAD~2 >.build/passed")
	require.Equal(t, first, run("since"), "the one that passed here")
	require.Equal(t, second, run("WGSLAB_SINCE=HEAD~1 since"), "the one that is named")
	require.Equal(t, first, run("WGSLAB_SINCE=0000000000000000000000000000000000000000 since"), "an unknown one doesn't count")
	run("git checkout -q --orphan other && git commit -qm other --allow-empty && git rev-parse HEAD >.build/passed && git checkout -q main")
	require.Equal(t, second, run("since"), "nor does one of another branch")
	run("git update-ref -d refs/remotes/origin/main")
	require.Empty(t, run("since"), "no commit is known: all are younger than a day")

	const list = `packages=(./a ./b ./c) && take_shares && changed_packages`
	require.Empty(t, run(list), "nothing changed")
	require.FileExists(t, filepath.Join(root, ".build", "touched.txt"))
	require.Equal(t, "./c", run("WGSLAB_SINCE=HEAD~1; "+list))
	require.Equal(t, "./a\n./c", run("WGSLAB_SINCE=HEAD~2; "+list))
	run("echo '// more' >>a/testdata/x.go; echo 'package b' >b/new.go")
	require.Equal(t, "./b", run(list), "a new file counts, and testdata is no package")
	require.Equal(t, "example/a\nexample/b", run("importers_of ./a"))
	run("echo '// more' >>go.mod")
	require.Equal(t, "./...", run(list), "a library")
	require.Equal(t, "./...", run("importers_of ./..."))
	before, err := os.Stat(filepath.Join(root, ".build", "touched.txt"))
	require.NoError(t, err)
	run(list)
	after, err := os.Stat(filepath.Join(root, ".build", "touched.txt"))
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime(), "Go's test cache would notice")
}

// Make acceptance runs every test in a file that only its build tag compiles, and those that do
// more with it.
func TestEverySlowTestIsChosen(t *testing.T) {
	reads(t, "choose.sh")
	out, err := bash(t, "..", "", "set -euo pipefail; source setup/choose.sh; acceptance_tests")
	require.NoError(t, err, out)
	chosen := regexp.MustCompile(strings.TrimSpace(out))
	require.True(t, chosen.MatchString("TestNoRightAnswerIsPoison"), "more seeds")
	require.False(t, chosen.MatchString("TestZoo"))
	declared := regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(t `)
	files, err := bash(t, "..", "", "git grep -l --untracked '^//go:build' -- '*_test.go'")
	require.NoError(t, err, files)
	isHere := func(tag string) bool {
		return slices.Contains([]string{runtime.GOOS, runtime.GOARCH, "unix", "cgo"}, tag)
	}
	found := 0
	for path := range strings.FieldsSeq(files) {
		text, err := os.ReadFile(filepath.Join("..", path))
		require.NoError(t, err)
		first, _, _ := strings.Cut(string(text), "\n")
		needs, err := constraint.Parse(first)
		if err != nil || needs.Eval(isHere) || !needs.Eval(func(tag string) bool { return tag == "acceptance" || isHere(tag) }) {
			continue // make test has it, or another platform
		}
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			assert.True(t, chosen.MatchString(m[1]), "%s: %s", path, m[1])
			found++
		}
	}
	require.Greater(t, found, 100)
}

// CI keeps its clone at one path, with what set-up made in it, and tests the commit alone.
func TestCIKeepsItsClone(t *testing.T) {
	reads(t, "../.ci/run")
	root, fakes := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("PATH", fakes+":"+os.Getenv("PATH"))
	require.NoError(t, os.WriteFile(filepath.Join(fakes, "make"), []byte(`#!/bin/sh
mkdir -p .build && touch .build/test-skipped.txt .build/acceptance-skipped.txt .build/test-lucky.txt .build/acceptance-lucky.txt
echo "$1 in $PWD: $(ls | tr '\n' ' ')"
touch junk
`), 0o755))
	run := func(script string) string {
		t.Helper()
		out, err := bash(t, root, "", script)
		require.NoError(t, err, out)
		return out
	}
	script, err := os.ReadFile("../.ci/run")
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(root, ".ci"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".ci", "run"), script, 0o755))
	run(`git init -q -b main . && git config user.name test && git config user.email test@localhost && printf '/.build\n' >.gitignore
touch one && git add -A && git commit -qm first`)
	clone := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "wgslab-ci", "clone")
	require.Equal(t, "test in "+clone+": one \nacceptance in "+clone+": junk one \n", run(".ci/run"))
	require.NoError(t, os.WriteFile(filepath.Join(clone, ".build", "kept"), nil, 0o644))
	run("git mv one two && git commit -qm second && touch three")
	require.Equal(t, "• What is not committed is not tested.\ntest in "+clone+": two \nacceptance in "+clone+": junk two \n", run(".ci/run"))
	require.FileExists(t, filepath.Join(clone, ".build", "kept"))
	require.NoError(t, os.WriteFile(filepath.Join(clone, ".git", "HEAD"), []byte("broken"), 0o644))
	require.Contains(t, run(".ci/run"), "test in "+clone+": two \n", "a broken clone is made anew")
	require.NoFileExists(t, filepath.Join(clone, ".build", "kept"))
}

func TestHelpListsTheTwoCommands(t *testing.T) {
	reads(t, "../Makefile")
	out, err := bash(t, "..", "", "make -s")
	require.NoError(t, err, out)
	for _, target := range []string{"lab", "test"} {
		require.Contains(t, out, "\n  make "+target+" ", strings.TrimSpace(out))
	}
}

// The lock file must work for everyone who installs it, wherever their packages
// come from.
func TestTheLockFileHasAHashForEachPackageAndNamesNoHost(t *testing.T) {
	text, err := os.ReadFile("requirements.lock")
	require.NoError(t, err)
	require.NotContains(t, string(text), "://")
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	packages := 0
	for i, line := range lines {
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "#") {
			packages++
			require.Regexp(t, `^[a-z0-9._-]+==`, line)
			require.Regexp(t, `^    --hash=sha256:[0-9a-f]{64}`, lines[i+1])
		}
	}
	require.Greater(t, packages, 50)
}
