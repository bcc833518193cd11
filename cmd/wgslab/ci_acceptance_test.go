//go:build acceptance

package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/junit"
)

// A project that isn't ours has shaders, their tests and the program, and nothing else. Its CI runs
// the commands of docs/any-shader.md in a clean clone.
func TestAForeignProjectInItsCI(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("left out: git makes the clone. Run: apt-get install git")
	}
	commands := workflow(t)
	origin := t.TempDir()
	program, err := os.ReadFile(buildCommand(t))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(origin, "wgslab"), program, 0o755))
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
		"wrong comments": {func() { edit("sum.wgsl", testedSum+"// test: y = 1 → out = 1\n") }, 2, "unreadable-file", []string{"✗ sum.wgsl can't be read: line 9: the shader has no binding y: its bindings are x, out"}},
	} {
		t.Run(name, func(t *testing.T) {
			edit("sum.wgsl", right)
			edit("sum_test.toml", asTheSlowOne)
			c.edit()
			in(t, origin, "git", "-c", "core.compression=0", "add", ".")
			in(t, origin, "git", "-c", "user.name=CI", "-c", "user.email=ci@example.org", "commit", "-q", "--allow-empty", "-m", name)
			clone := filepath.Join(t.TempDir(), "clone")
			in(t, origin, "git", "clone", "-q", origin, clone)

			code, out := ci(t, clone, commands[0])
			require.Equal(t, c.test, code, out)
			for _, want := range c.want {
				require.Contains(t, out, want)
			}
			report, err := os.ReadFile(filepath.Join(clone, "shaders.xml"))
			require.NoError(t, err)
			var tests junit.Outcomes
			require.NoError(t, xml.Unmarshal(report, &tests))
			rules := rulesIn(t, filepath.Join(clone, "shaders.sarif"))
			require.Len(t, rules, tests.Failures+tests.Errors)
			for _, rule := range rules {
				require.Equal(t, c.rule, rule)
			}

			code, out = ci(t, clone, commands[1])
			require.Equal(t, 0, code, out)
			require.Empty(t, rulesIn(t, filepath.Join(clone, "vet.sarif")))
		})
	}
}

// workflow returns the commands of the document's workflow.
func workflow(t *testing.T) (commands []string) {
	document, err := os.ReadFile("../../docs/any-shader.md")
	require.NoError(t, err)
	for _, run := range regexp.MustCompile(`(?m)^ +- run: ([^#\n]+)`).FindAllStringSubmatch(string(document), -1) {
		commands = append(commands, strings.TrimSpace(run[1]))
	}
	require.Len(t, commands, 2)
	return commands
}

// ci runs a line as GitHub's runners do.
func ci(t *testing.T, folder, line string) (code int, out string) {
	command := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", line)
	command.Dir = folder
	command.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + t.TempDir(), "CI=true"}
	said, err := command.CombinedOutput()
	if command.ProcessState == nil {
		require.NoError(t, err)
	}
	return command.ProcessState.ExitCode(), string(said)
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
