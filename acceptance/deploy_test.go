//go:build acceptance

package acceptance

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
)

// checker runs the linters of docker/check.lock for container files. They are not in
// the .venv, because learners do not need them.
type checker struct{ dir string }

func newChecker(t *testing.T) checker {
	t.Helper()
	return checker{lab.Wheels(t, "docker/check.lock")}
}

// run runs a linter in the clone, or a script that uses the linters' packages.
func (c checker) run(t *testing.T, program string, arguments ...string) (said string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, filepath.Join(c.dir, "bin", program), arguments...)
	if filepath.Ext(program) == ".py" {
		command = exec.CommandContext(ctx, filepath.Join(lab.Root(t), ".venv", "bin", "python"), append([]string{program}, arguments...)...)
	}
	command.Dir = lab.Root(t)
	command.Env = append(os.Environ(), "PYTHONPATH="+c.dir)
	out, err := command.CombinedOutput()
	return string(out), err
}

// spoiled writes a copy of a file with a mistake, to see that the linter finds it.
func spoiled(t *testing.T, path, old, mistake string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(lab.Root(t), path))
	require.NoError(t, err)
	require.Contains(t, string(text), old)
	copied := filepath.Join(t.TempDir(), filepath.Base(path))
	require.NoError(t, os.WriteFile(copied, []byte(strings.Replace(string(text), old, mistake, 1)), 0o644))
	return copied
}

func TestDockerScriptsAreLinted(t *testing.T) {
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("shellcheck is not installed: the containers' scripts were not checked")
	}
	arguments := []string{"-x"}
	for _, pattern := range []string{"docker/*.sh", "docker/*/*.sh", "acceptance/harness/*/*.sh"} {
		scripts, err := filepath.Glob(filepath.Join(lab.Root(t), filepath.FromSlash(pattern)))
		require.NoError(t, err)
		require.NotEmpty(t, scripts, pattern)
		arguments = append(arguments, scripts...)
	}
	shellcheck := exec.CommandContext(t.Context(), "shellcheck", arguments...)
	shellcheck.Dir = lab.Root(t)
	said, err := shellcheck.CombinedOutput()
	require.NoError(t, err, "%s", said)
}

func TestDockerfilesAreLinted(t *testing.T) {
	checker := newChecker(t)
	said, err := checker.run(t, "hadolint", "docker/Dockerfile", "binder/Dockerfile")
	require.NoError(t, err, "%s", said)

	_, err = checker.run(t, "hadolint", spoiled(t, "binder/Dockerfile", ":1.0.0", ""))
	require.Error(t, err, "an image without a tag is found")
}

func TestComposeFileMatchesItsSchema(t *testing.T) {
	checker := newChecker(t)
	check := func(path string) (string, error) {
		return checker.run(t, "check-jsonschema", "--builtin-schema", "vendor.compose-spec", path)
	}
	said, err := check("docker/compose.yaml")
	require.NoError(t, err, "%s", said)

	said, err = check(spoiled(t, "docker/compose.yaml", "profiles: [nvidia]", "profile: nvidia"))
	require.Error(t, err, "a misspelt property is found")
	require.Contains(t, said, "profile")
}

// The oldest Kubernetes whose Jobs can fail per index, and the newest that the validator
// knows.
var kubernetesVersions = []string{"1.33", "1.37"}

func TestManifestsMatchKubernetes(t *testing.T) {
	checker := newChecker(t)
	paths, err := filepath.Glob(filepath.Join(lab.Root(t), "docker", "grading", "*.yaml"))
	require.NoError(t, err)
	require.Len(t, paths, 3)
	for _, version := range kubernetesVersions {
		said, err := checker.run(t, "kubernetes-validate", append([]string{"--strict", "-k", version}, paths...)...)
		require.NoError(t, err, "Kubernetes %s: %s", version, said)

		said, err = checker.run(t, "kubernetes-validate", "--strict", "-k", version,
			spoiled(t, "docker/grading/job.yaml", "backoffLimitPerIndex: 2", "backoffLimitPerIndices: 2"))
		require.Error(t, err, "Kubernetes %s: a misspelt property is found", version)
		require.Contains(t, said, "backoffLimitPerIndices")
	}
}

// The hub's spawner makes the pods of both profiles, and Kubernetes accepts every field.
// Helm checks the chart's other values against the chart's schema on installation.
func TestHubProfilesMakePods(t *testing.T) {
	checker := newChecker(t)
	script := filepath.Join("acceptance", "testdata", "deploy_pods.py")
	dir := t.TempDir()
	said, err := checker.run(t, script, "docker/jupyterhub/values.yaml", dir)
	require.NoError(t, err, "%s", said)
	for _, profile := range []string{"cpu", "gpu"} {
		path := filepath.Join(dir, profile+".yaml")
		said, err := checker.run(t, "kubernetes-validate", "--strict", path)
		require.NoError(t, err, "%s: %s", profile, said)
		pod := yamlFile(t, path)
		container := at(t, pod, "spec", "containers", 0).(map[string]any)
		require.NotContains(t, container, "command", "the image's own entry point brings the notebooks")
		require.Equal(t, false, at(t, pod, "spec", "automountServiceAccountToken"))
		limits := at(t, container, "resources", "limits").(map[string]any)
		require.Contains(t, limits, "cpu")
		require.Contains(t, limits, "memory")
		require.Equal(t, profile == "gpu", limits["nvidia.com/gpu"] == "1", "%s: %v", profile, limits)
	}

	said, err = checker.run(t, script, spoiled(t, "docker/jupyterhub/values.yaml", "mem_limit", "memory_limit"), t.TempDir())
	require.Error(t, err, "a misspelt override is found")
	require.Contains(t, said, "KubeSpawner has no memory_limit")
}

// handInLesson2 writes the hand-ins of five students, one of whom solved nothing.
func handInLesson2(t *testing.T, dir string) {
	t.Helper()
	root := lab.Root(t)
	nb := lab.Notebook(t, filepath.Join(root, "notebooks", "02-add.ipynb"))
	hand := func(student string) {
		folder := filepath.Join(dir, student)
		require.NoError(t, os.MkdirAll(folder, 0o755))
		require.NoError(t, nb.Write(filepath.Join(folder, "02-add.ipynb")))
	}
	hand("edsger")
	require.NoError(t, lab.Solve(root, nb))
	for _, student := range []string{"ada", "barbara", "grace", "katherine"} {
		hand(student)
	}
}

// built is a shell with this tree's wgslab first in PATH.
type built struct {
	dir string
	env []string
}

func buildWgslab(t *testing.T) built {
	t.Helper()
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "bin", "wgslab"), "./cmd/wgslab")
	build.Dir = lab.Root(t)
	said, err := build.CombinedOutput()
	require.NoError(t, err, "building wgslab: %s", said)
	return built{dir, append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))}
}

// run runs a program of the clone and returns its output and exit code.
func (b built) run(t *testing.T, program string, arguments ...string) (said string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "bash", append([]string{"-c", `exec "$@"`, "bash", program}, arguments...)...)
	command.Dir, command.Env, command.WaitDelay = b.dir, b.env, 10*time.Second
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		require.NoError(t, err, "%s: %s", program, out)
		return string(out), 0
	}
	require.NoError(t, ctx.Err(), "%s took too long: %s", program, out)
	return string(out), exit.ExitCode()
}

// Shards arrive in any order, some twice and some never, as on a cluster.
func TestShardsMergeToOneTable(t *testing.T) {
	b := buildWgslab(t)
	shard := filepath.Join(lab.Root(t), "docker", "grading", "shard.sh")
	handInLesson2(t, filepath.Join(b.dir, "submissions"))
	require.NoError(t, os.Mkdir(filepath.Join(b.dir, "grades"), 0o755))
	grade := func(index string) {
		said, code := b.run(t, shard, index, "3", "7", "submissions", "grades")
		require.Zero(t, code, "shard %s: %s", index, said)
	}
	merge := func(parts ...string) (table []string, said string, code int) {
		out := filepath.Join(b.dir, "grades.csv")
		require.NoError(t, os.RemoveAll(out))
		said, code = b.run(t, "wgslab", append([]string{"grade", "--merge", "--format", "csv", "-o", out}, parts...)...)
		text, err := os.ReadFile(out)
		require.NoError(t, err, "%s", said)
		return strings.Split(strings.TrimSpace(string(text)), "\n"), said, code
	}

	grade("2")
	grade("0")
	first, err := os.ReadFile(filepath.Join(b.dir, "grades", "part-0.json"))
	require.NoError(t, err)
	grade("0") // once more, as after a node went away
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "grades", "part-0-before.json"), first, 0o644))

	table, said, code := merge("grades/part-2.json", "grades/part-0.json", "grades/part-0-before.json")
	require.Equal(t, 1, code, "%s", said)
	missing := regexp.MustCompile(`shard 1 of 3 is missing: (.+)`).FindStringSubmatch(said)
	require.NotNil(t, missing, "the gap has a name: %s", said)
	absent := strings.Split(missing[1], ", ")
	require.Equal(t, 1+5-len(absent), len(table), "a line each for who was graded: %s", table)
	for _, line := range table[1:] {
		require.NotContains(t, absent, strings.Split(line, ",")[0])
	}

	grade("1")
	whole, said, code := merge("grades/part-1.json", "grades/part-0-before.json", "grades/part-2.json", "grades/part-0.json")
	require.Zero(t, code, "%s", said)
	other, _, _ := merge("grades/part-0.json", "grades/part-1.json", "grades/part-2.json")
	require.Equal(t, other, whole, "order and repetition change nothing")

	said, code = b.run(t, "wgslab", "grade", "submissions", "--seed", "7", "--format", "csv", "-o", "alone.csv")
	require.Zero(t, code, "%s", said)
	alone, err := os.ReadFile(filepath.Join(b.dir, "alone.csv"))
	require.NoError(t, err)
	require.Equal(t, strings.Split(strings.TrimSpace(string(alone)), "\n"), whole, "as if one machine had graded them all")
	requireClassPoints(t, alone)
}

func requireClassPoints(t *testing.T, table []byte) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	require.NoError(t, err)
	points := slices.Index(rows[0], "points")
	require.Positive(t, points, rows[0])
	require.Len(t, rows, 1+5)
	for _, row := range rows[1:] {
		if row[0] == "edsger" {
			require.Equal(t, "0", row[points], row)
		} else {
			require.Equal(t, "5", row[points], "lesson 2 in full: %s", row)
		}
	}
}

// Every command block of docs/deploy.md runs here, or the document says that it does not or
// where it does (make image-test needs root and time).
func TestDeployGuide(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(lab.Root(t), "docs", "deploy.md"))
	require.NoError(t, err)
	b := buildWgslab(t)
	require.NoError(t, os.Symlink(filepath.Join(lab.Root(t), "docker"), filepath.Join(b.dir, "docker")))
	handInLesson2(t, filepath.Join(b.dir, "submitted"))

	elsewhere := regexp.MustCompile(`^(# not run here: |# run by |make image-test )`)
	ran := 0
	for _, match := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		block := match[1]
		if elsewhere.MatchString(block) {
			continue
		}
		if strings.Contains(block, "parallel.sh") && !hasGNUParallel() {
			t.Logf("GNU parallel is not installed: this was not run:\n%s", block)
			require.NoError(t, os.Mkdir(filepath.Join(b.dir, "grades"), 0o755))
			continue
		}
		said, code := b.run(t, "bash", "-euo", "pipefail", "-c", block)
		require.Zero(t, code, "%s\n%s", block, said)
		_, table, found := strings.Cut(said, "student,")
		require.True(t, found, "%s ends in a table: %s", block, said)
		table, _, _ = strings.Cut("student,"+table, "\nwgslab:")
		requireClassPoints(t, []byte(table))
		ran++
	}
	require.Positive(t, ran)
}

func hasGNUParallel() bool {
	out, err := exec.Command("parallel", "--version").Output()
	return err == nil && strings.HasPrefix(string(out), "GNU parallel")
}
