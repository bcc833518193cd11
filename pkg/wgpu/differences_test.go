package wgpu_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/host/script"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A difference is a row of the table in notebooks/webgpu.md: what a program does, and what comes of
// it here, in the Go binding and in JavaScript. A cell may say more after a comma.
type difference struct{ does, here, there, script string }

func tableOfDifferences(t *testing.T) (rows []difference) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "notebooks", "webgpu.md"))
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "\n|---|---|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	for _, row := range regexp.MustCompile(`(?m)^\| (.+?) \| (.+?)(?:,.*?)? \| (.+?)(?:,.*?)? \| (.+?)(?:,.*?)? \|$`).FindAllStringSubmatch(table, -1) {
		rows = append(rows, difference{row[1], row[2], row[3], row[4]})
	}
	require.Len(t, rows, strings.Count(strings.TrimSpace(table), "\n")+1)
	return rows
}

// programsOf returns the names of the programs in Go.
func programsOf(rows []difference) (names []string) {
	for _, r := range rows {
		if missing[r.does] == "" {
			names = append(names, r.does)
		}
	}
	return names
}

// missing are the rows about what the Go binding doesn't have, with its name in the source.
var missing = map[string]string{
	"Constants of a pipeline":     `(?m)^\tConstants\b`,
	"Error scopes":                `\bfunc \(p \*Device\) PushErrorScope`,
	"`TimestampWrites` of a pass": `(?m)^\tTimestampWrites\b`,
	"`FeatureNameSubgroups`":      `\bFeatureNameSubgroups\b`,
}

// sources returns the text of the two packages' files for this machine.
func sources(t *testing.T) (mine, theirs string) {
	t.Helper()
	folders, err := exec.Command("go", "list", "-f", "{{.Dir}}", ours, real).Output()
	require.NoError(t, err)
	texts := [2]string{}
	for i, folder := range strings.Fields(string(folders)) {
		paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, path := range paths {
			if !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, "_js.go") {
				file, err := os.ReadFile(path)
				require.NoError(t, err)
				texts[i] += string(file)
			}
		}
		require.Contains(t, texts[i], "package wgpu")
	}
	return texts[0], texts[1]
}

// Each row of the table of differences is what its program does here and in the page's JavaScript,
// and whether the Go binding has the name. Each program has a row.
func TestTheTableOfDifferences(t *testing.T) {
	rows := tableOfDifferences(t)
	mine, theirs := sources(t)
	for _, r := range rows {
		if pattern, ok := missing[r.does]; ok {
			for text, cell := range map[string]string{mine: r.here, theirs: r.there} {
				require.Contains(t, []string{"works", "missing"}, cell)
				require.Equal(t, cell == "works", regexp.MustCompile(pattern).MatchString(text), r.does)
			}
		}
	}
	run := programsOf(rows)
	said := become(t, build(t, "differences", ours), "simulator", run...)
	require.Len(t, said, len(run), "a row has no program")
	for _, r := range rows {
		if slices.Contains(run, r.does) {
			require.Equal(t, r.here, said[r.does], r.does)
		}
	}
	source, err := os.ReadFile(filepath.Join("testdata", "differences", "main.go"))
	require.NoError(t, err)
	require.Len(t, regexp.MustCompile("(?m)^\t\"[^\"]+\": +func").FindAll(source, -1), len(run), "a program has no row")
	t.Run("JavaScript", func(t *testing.T) {
		said := inJavaScript(t)
		for _, r := range rows {
			if r.script != "no such call" {
				require.Equal(t, r.script, said[r.does], r.does)
				delete(said, r.does)
			}
		}
		require.Empty(t, said, "a program has no row")
	})
}

// become runs programs in a process that may end too early, and returns what became of each.
func become(t *testing.T, binary, engine string, names ...string) map[string]string {
	t.Helper()
	command := exec.Command(binary, names...)
	command.Env = append(os.Environ(), "WGSLAB_ENGINE="+engine, "NODEVICE_SELECT=1")
	out, err := command.Output()
	if command.ProcessState.ExitCode() == 3 {
		t.Skipf("left out: %s", out)
	}
	said := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, outcome, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		said[name] = outcome
	}
	if err != nil {
		require.Len(t, names, 1)
		said[names[0]] = "ends the process"
	}
	return said
}

// inJavaScript runs the programs in JavaScript on the page's navigator.gpu.
func inJavaScript(t *testing.T) (said map[string]string) {
	t.Helper()
	programs, err := os.ReadFile(filepath.Join("testdata", "differences", "programs.js"))
	require.NoError(t, err)
	text := scripted(t, "async function addVectors() { throw new Error(JSON.stringify(await differences(navigator.gpu, true))); }\n"+string(programs))
	require.NoError(t, json.Unmarshal([]byte(text), &said), text)
	return said
}

// scripted runs a program in JavaScript and returns the message of the error that it throws.
func scripted(t *testing.T, program string) string {
	t.Helper()
	classes, err := os.ReadFile(filepath.Join("..", "..", "internal", "fronts", "page", "assets", "gpu.js"))
	require.NoError(t, err)
	require.NoError(t, script.Open(string(classes)))
	p, err := script.NewProgram("host-add", "program.js", program)
	require.NoError(t, err)
	p.Kind = shader.Simulated
	var thrown *host.Thrown
	func() {
		defer func() {
			err, _ = recover().(error)
		}()
		_, err = p.Call()
		require.NoError(t, err)
	}()
	require.ErrorAs(t, err, &thrown)
	return thrown.Message
}
