//go:build acceptance

package main

import (
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/junit"
)

// A project that isn't ours has shaders and their tests, and nothing else. Its CI runs the steps of
// our action in a clean clone, as GitHub's runners do.
func TestAForeignProjectInItsCI(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("left out: git makes the clone. Run: apt-get install git")
	}
	runner := newRunner(t)
	code, out := runner.step(t, t.TempDir(), "get.sh", "VERSION=v1.2.3")
	require.Equal(t, 0, code, out)
	origin := t.TempDir()
	const right = testedSum + "// test: x = 1 to 4 → out = 1, 3, 6, 10\n"
	edit := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(origin, name), []byte(text), 0o644))
	}
	edit("sum.wgsl", right)
	edit("slow.wgsl", testedSum)
	edit("sum_test.toml", asTheSlowOne)
	in(t, origin, "git", "init", "-q")

	for name, c := range map[string]struct {
		edit func()
		test int      // its exit code
		rule string   // of each failure
		want []string // in the first lines that CI shows
	}{
		"passes": {func() {}, 0, "", []string{"3 tests passed, 0 failed"}},
		"fails": {func() {
			edit("sum.wgsl", strings.Replace(right, "out[id.x] = sum;", "out[0] = f32(id.x); out[id.x] = sum;", 1))
		}, 1, "race", []string{"sum.wgsl:7:", "0 tests passed, 3 failed"}},
		"can't be read":  {func() { edit("sum_test.toml", "cases = 3") }, 2, "unreadable-file", []string{"✗ sum_test.toml can't be read: line 1:", "1 test passed, 0 failed, 1 could not run"}},
		"wrong comments": {func() { edit("sum.wgsl", testedSum+"// test: y = 1 → out = 1\n") }, 2, "unreadable-file", []string{"✗ sum.wgsl, line 9: the shader has no binding y: its bindings are x, out"}},
	} {
		t.Run(name, func(t *testing.T) {
			edit("sum.wgsl", right)
			edit("sum_test.toml", asTheSlowOne)
			c.edit()
			in(t, origin, "git", "-c", "core.compression=0", "add", ".")
			in(t, origin, "git", "-c", "user.name=CI", "-c", "user.email=ci@example.org", "commit", "-q", "--allow-empty", "-m", name)
			clone := filepath.Join(t.TempDir(), "clone")
			in(t, origin, "git", "clone", "-q", origin, clone)

			code, out := runner.step(t, clone, "run.sh", "PATHS=.", "VET=.", "REPORTS=reports of CI")
			require.Equal(t, c.test, code, out)
			for _, want := range c.want {
				require.Contains(t, out, want)
			}
			require.Contains(t, runner.read(t, "output"), "sarif=reports of CI\njunit=reports of CI/tests.xml\n")
			report, err := os.ReadFile(filepath.Join(clone, "reports of CI", "tests.xml"))
			require.NoError(t, err)
			var tests junit.Outcomes
			require.NoError(t, xml.Unmarshal(report, &tests))
			rules := rulesIn(t, filepath.Join(clone, "reports of CI", "tests.sarif"))
			require.Len(t, rules, tests.Failures+tests.Errors)
			for _, rule := range rules {
				require.Equal(t, c.rule, rule)
			}

			require.Empty(t, rulesIn(t, filepath.Join(clone, "reports of CI", "vet.sarif")))
		})
	}
}

// The action gets a release, and uses nothing that isn't the release's.
func TestTheActionGetsARelease(t *testing.T) {
	runner := newRunner(t)
	for name, c := range map[string]struct {
		set  []string
		want string
	}{
		"no such release": {[]string{"VERSION=v9.9.9"}, "v9.9.9/checksums.txt could not be downloaded. Look whether the release has it"},
		"another file":    {[]string{"VERSION=v1.2.4"}, "is not the file that checksums.txt lists"},
		"no Go":           {[]string{"VERSION=main"}, "is no release of wgslab, and Go, which could build it, isn't there"},
		"no program":      {[]string{"PROGRAM=none"}, "There is no program none"},
		"another machine": {[]string{"VERSION=v1.2.3", "RUNNER_ARCH=ARM"}, "wgslab has no program for ARM"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out := runner.step(t, t.TempDir(), "get.sh", c.set...)
			require.NotZero(t, code)
			require.Contains(t, out, "::error::")
			require.Contains(t, out, c.want)
			require.Empty(t, runner.read(t, "path"))
		})
	}
}

// A runner is a machine that runs an action's steps, and knows two releases. The archive of the
// second isn't the one in its list of checksums.
type runner struct{ dir string }

func newRunner(t *testing.T) runner {
	r := runner{t.TempDir()}
	const name = "wgslab_1.2.3_linux_amd64"
	releases, packed := filepath.Join(r.dir, "releases"), filepath.Join(r.dir, name)
	for _, folder := range []string{packed, filepath.Join(releases, "v1.2.3"), filepath.Join(releases, "v1.2.4"), filepath.Join(r.dir, "temp")} {
		require.NoError(t, os.MkdirAll(folder, 0o755))
	}
	program, err := os.ReadFile(buildCommand(t))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(packed, "wgslab"), program, 0o755))
	in(t, r.dir, "tar", "--use-compress-program=gzip -1", "-cf", filepath.Join(releases, "v1.2.3", name+".tar.gz"), name)
	archive, err := os.ReadFile(filepath.Join(releases, "v1.2.3", name+".tar.gz"))
	require.NoError(t, err)
	sums := fmt.Sprintf("%064d  other.zip\n%x  %s.tar.gz\n", 0, sha256.Sum256(archive), name)
	for path, text := range map[string]string{"v1.2.3/checksums.txt": sums, "v1.2.4/checksums.txt": sums, "v1.2.4/wgslab_1.2.4_linux_amd64.tar.gz": "other"} {
		require.NoError(t, os.WriteFile(filepath.Join(releases, path), []byte(text), 0o644))
	}
	return r
}

// step runs a script of the action in a folder. Its PATH begins with what earlier steps have added.
func (r runner) step(t *testing.T, folder, script string, set ...string) (code int, out string) {
	action, err := filepath.Abs("../../.github/actions/test")
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", filepath.Join(action, script))
	command.Dir = folder
	command.Env = append([]string{
		"PATH=" + strings.ReplaceAll(strings.TrimSpace(r.read(t, "path")), "\n", ":") + ":/usr/bin:/bin", "HOME=" + t.TempDir(), "CI=true",
		"GITHUB_ACTION_PATH=" + action, "GITHUB_PATH=" + filepath.Join(r.dir, "path"), "GITHUB_OUTPUT=" + filepath.Join(r.dir, "output"),
		"RUNNER_TEMP=" + filepath.Join(r.dir, "temp"), "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "WGSLAB_RELEASES=file://" + filepath.Join(r.dir, "releases"),
	}, set...)
	said, err := command.CombinedOutput()
	if command.ProcessState == nil {
		require.NoError(t, err)
	}
	return command.ProcessState.ExitCode(), string(said)
}

// read returns what steps have written to a file of the runner; "" if there is none.
func (r runner) read(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	return string(text)
}

// rulesIn returns the rule of each result in a SARIF log.
func rulesIn(t *testing.T, name string) (rules []string) {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var log struct {
		Runs []struct{ Results []struct{ RuleID string } }
	}
	require.NoError(t, json.Unmarshal(text, &log))
	for _, result := range log.Runs[0].Results {
		rules = append(rules, result.RuleID)
	}
	return rules
}

func in(t *testing.T, folder string, command ...string) {
	t.Helper()
	run := exec.CommandContext(t.Context(), command[0], command[1:]...)
	run.Dir = folder
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
}
