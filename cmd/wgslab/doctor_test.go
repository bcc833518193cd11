package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/cmd/wgslab/doctor"
)

// buildCommand builds wgslab, because the doctor runs itself as a child to ask the driver.
func buildCommand(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wgslab")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// askDoctor runs the doctor with a driver of the test's choice ("" is the
// machine's) and returns its exit code and its parts.
func askDoctor(t *testing.T, wgslab, driver string) (int, map[string]doctor.Part) {
	t.Helper()
	command := exec.CommandContext(t.Context(), wgslab, "doctor", "--json")
	if driver != "" {
		command.Env = append(os.Environ(), "VK_DRIVER_FILES="+driver)
	}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var exit *exec.ExitError
	if err != nil {
		require.ErrorAs(t, err, &exit)
	}
	require.Empty(t, stderr.String())

	var report struct{ Parts []doctor.Part }
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &report))
	named := map[string]doctor.Part{}
	for _, part := range report.Parts {
		named[part.Name] = part
	}
	return command.ProcessState.ExitCode(), named
}

// brokenDriver describes a Vulkan driver made of C code to the loader.
func brokenDriver(t *testing.T, code string) string {
	t.Helper()
	dir := t.TempDir()
	source, library, description := filepath.Join(dir, "driver.c"), filepath.Join(dir, "driver.so"), filepath.Join(dir, "driver_icd.json")
	require.NoError(t, os.WriteFile(source, []byte(code), 0o644))
	out, err := exec.Command("gcc", "-shared", "-fPIC", "-o", library, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err := json.Marshal(map[string]any{
		"file_format_version": "1.0.0",
		"ICD":                 map[string]string{"library_path": library, "api_version": "1.3.0"},
	})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(description, text, 0o644))
	return description
}

func TestDoctor(t *testing.T) {
	wgslab := buildCommand(t)

	t.Run("all is there", func(t *testing.T) {
		code, parts := askDoctor(t, wgslab, "")
		require.Equal(t, exitOK, code, "%+v", parts)
		require.NotEmpty(t, parts[doctor.Adapter].Version)
	})
	t.Run("a driver that drives nothing", func(t *testing.T) {
		code, parts := askDoctor(t, wgslab, brokenDriver(t, "int nothing;"))
		require.Equal(t, exitOK, code)
		require.True(t, parts["Vulkan drivers"].Found)
		require.Equal(t, "simulator: serves", parts[doctor.Adapter].Version)
	})
	t.Run("a driver that crashes", func(t *testing.T) {
		crash := "#include <stdlib.h>\n__attribute__((constructor)) static void crash(void) { abort(); }\n"
		code, parts := askDoctor(t, wgslab, brokenDriver(t, crash))
		require.Equal(t, exitNoAdapter, code)
		require.Contains(t, parts[doctor.Adapter].Detail, "the driver broke down")
	})
	t.Run("no driver", func(t *testing.T) {
		code, parts := askDoctor(t, wgslab, filepath.Join(t.TempDir(), "none.json"))
		require.Equal(t, exitOK, code)
		require.False(t, parts["Vulkan drivers"].Found)
		require.NotEmpty(t, parts["Vulkan drivers"].Fix)
		require.Equal(t, "simulator: serves", parts[doctor.Adapter].Version)
	})
	t.Run("no driver, and one is asked for", func(t *testing.T) {
		t.Setenv("WGSLAB_ENGINE", "cpu")
		code, parts := askDoctor(t, wgslab, filepath.Join(t.TempDir(), "none.json"))
		require.Equal(t, exitNoAdapter, code)
		require.False(t, parts[doctor.Adapter].Found)
		require.Contains(t, parts[doctor.Adapter].Detail, `WGSLAB_ENGINE is "cpu"`)
	})
}

// In an image and on a class's server users do not work inside the clone.
func TestAProgramOutsideItsCloneSpeaksOfIt(t *testing.T) {
	clone := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(clone, "go.mod"), []byte("module github.com/wgslab/wgslab\n\ngo 1.26.0\n"), 0o644))
	wgslab := filepath.Join(clone, ".build", "bin", "wgslab")
	require.NoError(t, os.MkdirAll(filepath.Dir(wgslab), 0o755))
	require.NoError(t, os.Rename(buildCommand(t), wgslab))
	require.NoError(t, os.MkdirAll(filepath.Join(clone, "weights"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(clone, "weights", "theirs.safetensors"), nil, 0o644))

	theirs := filepath.Join("weights", "theirs.safetensors")
	t.Chdir(t.TempDir())
	code, parts := askDoctor(t, wgslab, "")
	require.Equal(t, exitNotRight, code, "nothing was set up in that clone")
	require.Equal(t, theirs, parts["Trained weights"].Version)
	require.NotEmpty(t, parts[doctor.GPU].Version)

	// In a development container the user's clone has no set-up.
	require.NoError(t, os.WriteFile("go.mod", []byte("module github.com/wgslab/wgslab\n\ngo 1.26.0\n"), 0o644))
	_, parts = askDoctor(t, wgslab, "")
	require.False(t, parts["Trained weights"].Found, "neither is set up: it is about this clone")
	require.NoError(t, os.Mkdir(filepath.Join(clone, ".venv"), 0o755))
	_, parts = askDoctor(t, wgslab, "")
	require.Equal(t, theirs, parts["Trained weights"].Version)
	require.NoError(t, os.Mkdir(".venv", 0o755))
	_, parts = askDoctor(t, wgslab, "")
	require.False(t, parts["Trained weights"].Found, "each clone has its own set-up")
}

func TestVerdictOnWhatIsMissing(t *testing.T) {
	code := func(missing ...doctor.Part) int {
		var coded *codedError
		if errors.As(verdictOn(missing), &coded) {
			return coded.code
		}
		return exitOK
	}
	require.Equal(t, exitOK, code())
	require.Equal(t, exitNoAdapter, code(doctor.Part{Name: doctor.Adapter}))
	require.Equal(t, exitNotRight, code(doctor.Part{Name: "Go"}))
	require.Equal(t, exitNotRight, code(doctor.Part{Name: "Go"}, doctor.Part{Name: doctor.Adapter}))
}

func TestVersionNamesWhatAReportNeeds(t *testing.T) {
	var stdout, stderr strings.Builder
	require.Equal(t, exitOK, run(t.Context(), []string{"version"}, &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), "wgslab ")
	require.Contains(t, stdout.String(), "go1.")
}
