package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
)

// yamlFile reads a file of one YAML document, or a JSON one, by its path in the clone
// or a whole one. Go reads it and Python only parses it, so that Go's test cache
// knows of the file.
func yamlFile(t *testing.T, path string) map[string]any {
	t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(lab.Root(t), path)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	python := exec.CommandContext(t.Context(), filepath.Join(lab.Root(t), ".venv", "bin", "python"), "-c",
		"import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)")
	python.Stdin = bytes.NewReader(text)
	out, err := python.Output()
	require.NoError(t, err, path)
	var document map[string]any
	require.NoError(t, json.Unmarshal(out, &document))
	return document
}

// at follows a path of keys and indices.
func at(t *testing.T, value any, path ...any) any {
	t.Helper()
	for i, step := range path {
		switch step := step.(type) {
		case string:
			object, ok := value.(map[string]any)
			require.True(t, ok && object[step] != nil, "there is no %v", path[:i+1])
			value = object[step]
		case int:
			list, ok := value.([]any)
			require.True(t, ok && len(list) > step, "there is no %v", path[:i+1])
			value = list[step]
		}
	}
	return value
}

// A submission is untrusted data: the pod that grades it may do nothing else.
func TestGradingPodsMayDoNothingElse(t *testing.T) {
	labels := map[string]any{"app.kubernetes.io/name": "wgslab-grading"}
	policy := yamlFile(t, "docker/grading/network.yaml")
	require.Equal(t, labels, at(t, policy, "spec", "podSelector", "matchLabels"))
	require.Equal(t, []any{"Ingress", "Egress"}, at(t, policy, "spec", "policyTypes"))
	require.Empty(t, at(t, policy, "spec", "ingress"))
	require.Empty(t, at(t, policy, "spec", "egress"))

	for _, path := range []string{"docker/grading/job.yaml", "docker/grading/merge.yaml"} {
		job := yamlFile(t, path)
		require.Positive(t, at(t, job, "spec", "activeDeadlineSeconds"), path)
		require.Equal(t, labels, at(t, job, "spec", "template", "metadata", "labels"), "the network policy holds for %s", path)
		pod := at(t, job, "spec", "template", "spec")
		require.Equal(t, false, at(t, pod, "automountServiceAccountToken"), path)
		require.Equal(t, true, at(t, pod, "securityContext", "runAsNonRoot"), path)
		require.Equal(t, "RuntimeDefault", at(t, pod, "securityContext", "seccompProfile", "type"), path)
		container := at(t, pod, "containers", 0)
		require.Equal(t, map[string]any{
			"allowPrivilegeEscalation": false,
			"readOnlyRootFilesystem":   true,
			"capabilities":             map[string]any{"drop": []any{"ALL"}},
		}, at(t, container, "securityContext"), path)
		require.NotEmpty(t, at(t, container, "resources", "limits", "memory"), path)
	}

	job := yamlFile(t, "docker/grading/job.yaml")
	require.Equal(t, "Indexed", at(t, job, "spec", "completionMode"))
	container := at(t, job, "spec", "template", "spec", "containers", 0)
	require.Equal(t, "SHARDS", at(t, container, "env", 0, "name"))
	require.Equal(t, fmt.Sprint(at(t, job, "spec", "completions")), at(t, container, "env", 0, "value"), "as many indices as shards")
	require.Equal(t, true, at(t, container, "volumeMounts", 0, "readOnly"), "submissions are read, and nothing else")
}

// A version pinned in several places is the same everywhere.
func TestPinsAgree(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join(lab.Root(t), path))
		require.NoError(t, err)
		return string(text)
	}
	find := func(path, pattern string) string {
		match := regexp.MustCompile(pattern).FindStringSubmatch(read(path))
		require.NotNil(t, match, "%s in %s", pattern, path)
		return match[1]
	}
	require.Equal(t, find("go.mod", `(?m)^toolchain go(\S+)$`), find("docker/Dockerfile", `(?m)^FROM golang:(\S+)-trixie AS go$`), "Go")

	image := at(t, yamlFile(t, "docker/compose.yaml"), "services", "cpu", "image")
	require.Equal(t, image, find("binder/Dockerfile", `(?m)^FROM (\S+)$`))
	require.Equal(t, image, find("docker/grading/job.yaml", `(?m)^ +image: (\S+)$`))
	require.Equal(t, image, find("docker/grading/merge.yaml", `(?m)^ +image: (\S+)$`))
	hub := at(t, yamlFile(t, "docker/jupyterhub/values.yaml"), "singleuser", "image")
	require.Equal(t, image, fmt.Sprint(at(t, hub, "name"), ":", at(t, hub, "tag")))

	packages := func(path string) map[string]string {
		found := map[string]string{}
		for _, match := range regexp.MustCompile(`(?m)^([a-z0-9.-]+)==(\S+)`).FindAllStringSubmatch(read(path), -1) {
			found[match[1]] = match[2]
		}
		return found
	}
	lab, added := packages("setup/requirements.lock"), packages("docker/requirements.lock")
	require.Contains(t, added, "jupyterhub")
	for name, version := range added {
		if have, both := lab[name]; both {
			require.Equal(t, have, version, "%s: the image adds packages, and changes none", name)
		}
	}
}

// Every file that the development container refers to exists.
func TestDevcontainer(t *testing.T) {
	root := lab.Root(t)
	text, err := os.ReadFile(filepath.Join(root, ".devcontainer", "devcontainer.json"))
	require.NoError(t, err)
	var config struct {
		Build struct{ Dockerfile, Context string }
		User  string `json:"remoteUser"`
		Ports []int  `json:"forwardPorts"`

		Customizations struct{ VSCode struct{ Extensions []string } }
	}
	plain := regexp.MustCompile(`(?m)^\s*//.*$`).ReplaceAll(text, nil)
	require.NoError(t, json.Unmarshal(plain, &config), "JSON with comments")
	dockerfile, err := os.ReadFile(filepath.Join(root, ".devcontainer", config.Build.Dockerfile))
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(root, ".devcontainer", config.Build.Context, "go.mod"))
	require.Contains(t, string(dockerfile), "useradd --uid 1000 --gid users --no-create-home --shell /bin/bash "+config.User)
	require.Contains(t, string(dockerfile), fmt.Sprint("EXPOSE ", config.Ports[0]))
	require.Contains(t, string(dockerfile), "bash setup/vscode.sh "+config.Customizations.VSCode.Extensions[1]+" ")
}

// The workflows run third-party actions at reviewed commits, with the least permissions.
func TestWorkflowsArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40}$`)
	for _, file := range []string{".github/workflows/pages.yml", ".github/workflows/test.yml", ".github/workflows/release.yml"} {
		workflow := yamlFile(t, file)
		require.Empty(t, workflow["permissions"])
		for name, job := range at(t, workflow, "jobs").(map[string]any) {
			for permission, to := range at(t, job, "permissions").(map[string]any) {
				publishes := name == "release" && permission == "contents" // it makes the release
				require.True(t, to == "read" || permission == "pages" || permission == "id-token" || publishes, "%s: %s may %s %s", file, name, to, permission)
			}
			for _, step := range at(t, job, "steps").([]any) {
				if uses := step.(map[string]any)["uses"]; uses != nil {
					require.Regexp(t, pinned, uses)
				}
			}
		}
	}
}
