package jail

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// rightShader returns the task of checking a right shader on a CPU's driver.
func rightShader(t *testing.T) Task {
	t.Helper()
	exercise, err := course.Find("add")
	require.NoError(t, err)
	source, err := exercise.Reference()
	require.NoError(t, err)
	return Task{
		Exercise: "add", Name: "add.wgsl", Source: source.Text,
		Deadline: time.Minute, Engine: shader.CPU,
	}
}

// A driver compiles in jail, and what it keeps for the next shader is gone: that may be another
// student's.
func TestDriverKeepsNothing(t *testing.T) {
	task := rightShader(t)
	var r TaskResult
	var left []os.DirEntry
	inJail(t, func(j *Jail) (err error) {
		if r, err = j.Run(context.Background(), task); err == nil {
			left, err = os.ReadDir(j.scratch)
		}
		return err
	})
	require.True(t, r.Verdict.Passed(), r.Verdict.Message)
	require.Empty(t, left)
}

// A driver that only the environment names runs in jail: in a folder of the grader's.
func TestDriverElsewhere(t *testing.T) {
	manifests := globbed("/usr/share/vulkan/icd.d/lvp_icd*.json")
	if len(manifests) == 0 {
		t.Skip("Mesa's CPU driver is not in /usr/share/vulkan: install mesa-vulkan-drivers, " +
			"then run the test again")
	}
	var manifest map[string]any
	text, err := os.ReadFile(manifests[0])
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &manifest))
	driver := manifest["ICD"].(map[string]any)
	name := filepath.Base(driver["library_path"].(string))
	installed := globbed("/usr/lib/*/"+name, "/usr/lib64/"+name, "/usr/lib/"+name)
	require.NotEmpty(t, installed)

	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "lib"), 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "share"), 0o755))
	library, err := os.ReadFile(installed[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lib", name), library, 0o755))
	driver["library_path"] = "../lib/" + name
	text, err = json.Marshal(manifest)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "share", "here.json"), text, 0o644))

	links := t.TempDir()
	driver["library_path"] = filepath.Join(dir, "lib", name)
	text, err = json.Marshal(manifest)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lib", "there.json"), text, 0o644))
	require.NoError(t, os.Symlink(filepath.Join(dir, "lib", "there.json"), filepath.Join(links, "link.json")))

	for what, path := range map[string]string{
		"file": filepath.Join(dir, "share", "here.json"), "folder": filepath.Join(dir, "share"), "links": links,
	} {
		t.Run(what, func(t *testing.T) {
			t.Setenv("VK_DRIVER_FILES", path)
			task := rightShader(t)
			var r TaskResult
			inJail(t, func(j *Jail) (err error) {
				r, err = j.Run(context.Background(), task)
				return err
			})
			require.True(t, r.Verdict.Passed(), r.Verdict.Message)
		})
	}
}

// NVIDIA's Vulkan driver opens no device unless it can read EGL's manifests as well.
func TestManifestsOfEGL(t *testing.T) {
	elsewhere, links := t.TempDir(), t.TempDir()
	file, link := filepath.Join(elsewhere, "vendor.json"), filepath.Join(links, "10_link.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"ICD": {"library_path": "libEGL_vendor.so.0"}}`), 0o644))
	require.NoError(t, os.Symlink(file, link))
	for _, variable := range []string{"__EGL_VENDOR_LIBRARY_FILENAMES=" + file, "__EGL_VENDOR_LIBRARY_DIRS=" + links} {
		name, path, _ := strings.Cut(variable, "=")
		require.Contains(t, environment([]string{variable}, 1), variable)
		t.Setenv(name, path)
	}
	for _, path := range []string{file, link} {
		require.Contains(t, neededFiles(), rule{path, readingFiles})
	}
}
