package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/notebook/labextension"
	"github.com/wgslab/wgslab/internal/ground/repository"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), mode))
}

func works(context.Context) (*shader.Adapter, error) {
	return &shader.Adapter{Name: "an adapter", Kind: shader.CPU, Backend: "vulkan"}, nil
}

func partsByName(parts []Part) map[string]Part {
	named := map[string]Part{}
	for _, part := range parts {
		named[part.Name] = part
	}
	return named
}

func TestABareCloneLacksWhatTheSetUpMakes(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "go.mod"), "module github.com/wgslab/wgslab\n\ngo 1.26.0\n", 0o644)
	parts := Examine(t.Context(), root, works)

	var missing []string
	for _, part := range Missing(parts) {
		missing = append(missing, part.Name)
		require.NotEmpty(t, part.Fix, part.Name)
	}
	for _, name := range []string{"Python in .venv", "JupyterLab", "gonb", "goimports", "gopls", "Jupyter kernel"} {
		require.Contains(t, missing, name)
	}
	require.NotContains(t, missing, "Go")
	require.NotContains(t, missing, Adapter)
}

func TestAnOldGoDoesNotCount(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "go.mod"), "module m\n\ngo 1.26.0\n", 0o644)
	bin := t.TempDir()
	writeFile(t, filepath.Join(bin, "go"), "#!/bin/sh\necho go1.24.4\n", 0o755)
	t.Setenv("PATH", bin)
	part := place{root}.goCommand(t.Context())
	require.False(t, part.Found)
	require.Equal(t, "1.24.4", part.Version)
	require.Contains(t, part.Detail, "1.26.0")
}

func TestADriverThatFailsIsTold(t *testing.T) {
	part := adapter(nil, errors.New("it broke"))
	require.False(t, part.Found)
	require.True(t, part.Required)
	require.Equal(t, "it broke", part.Detail)
	require.Contains(t, part.Fix, "WGSLAB_ENGINE=simulator")
}

func TestTheSimulatorServes(t *testing.T) {
	simulator := &shader.Adapter{Name: "simulator", Kind: shader.Simulated}
	part := adapter(simulator, nil)
	require.True(t, part.Found)
	require.Equal(t, "simulator: serves", part.Version)
	require.Contains(t, part.Detail, "no driver answered")

	t.Setenv("WGSLAB_ENGINE", "simulator")
	require.Equal(t, "WGSLAB_ENGINE asks for it", adapter(simulator, nil).Detail)
}

func TestDriversAreThoseThatTheLoaderWouldUse(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "lvp_icd.x86_64.json")
	writeFile(t, file, "{}", 0o644)

	t.Setenv("VK_DRIVER_FILES", file)
	part := place{}.drivers(t.Context())
	require.True(t, part.Found)
	require.Equal(t, "lvp", part.Version)

	t.Setenv("VK_DRIVER_FILES", filepath.Join(dir, "gone.json"))
	require.False(t, place{}.drivers(t.Context()).Found)
}

func TestWGSLInJupyterLab(t *testing.T) {
	root := t.TempDir()
	part := place{root}.wgsl(t.Context())
	require.False(t, part.Found)
	require.False(t, part.Required, "notebooks run without it")
	require.Contains(t, part.Detail, "not installed")
	_, err := labextension.Install(root)
	require.NoError(t, err)
	part = place{root}.wgsl(t.Context())
	require.True(t, part.Found)
	require.Equal(t, filepath.Join(".venv", "share", "jupyter", "labextensions", "wgslab"), part.Detail)
}

func TestAKernelThatWouldNotStartIsNotFound(t *testing.T) {
	root := t.TempDir()
	at := place{root}
	path := t.TempDir()
	writeFile(t, filepath.Join(path, "bin", "go"), "", 0o755)
	spec := kernelspec.New(root, kernelspec.Toolchain{GoRoot: path})
	require.Empty(t, at.wrongWith(spec))

	require.Empty(t, at.wrongWith(kernelspec.Plain(root, kernelspec.Toolchain{GoRoot: path})))

	moved := kernelspec.New("/elsewhere", kernelspec.Toolchain{GoRoot: path})
	require.Contains(t, at.wrongWith(moved), "another clone")

	spec.Env["PATH"] = t.TempDir()
	require.Contains(t, at.wrongWith(spec), "is gone")
}

var trainingFiles = []string{"train-images-idx3-ubyte", "train-labels-idx1-ubyte"}

func TestTheTrainingImagesMayBeMissing(t *testing.T) {
	t.Setenv("WGSLAB_MNIST", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_DATA_DIRS", t.TempDir())
	part := place{}.mnist(t.Context())
	require.True(t, part.Found, "the test images ship")
	require.Equal(t, "10,000 test images", part.Version)
	require.Equal(t, "wgslab train downloads 60,000 for training", part.Detail)
}

func TestTheTrainingImagesThatTheUserNames(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("WGSLAB_MNIST", dir)
	writeFile(t, filepath.Join(dir, trainingFiles[0]+".gz"), "", 0o644)
	part := place{}.mnist(t.Context())
	require.False(t, part.Found, "one of two files is none to train on")
	require.False(t, part.Required)
	require.Contains(t, part.Detail, dir)
	require.Contains(t, part.Fix, "WGSLAB_MNIST")

	writeFile(t, filepath.Join(dir, trainingFiles[1]), "", 0o644)
	part = place{}.mnist(t.Context())
	require.True(t, part.Found)
	require.Equal(t, "60,000 for training in "+dir, part.Detail)
}

func TestTheTrainingImagesOfTheMachineCount(t *testing.T) {
	machine := t.TempDir()
	t.Setenv("WGSLAB_MNIST", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_DATA_DIRS", machine)
	folder := filepath.Join(machine, "wgslab", "mnist")
	for _, name := range trainingFiles {
		writeFile(t, filepath.Join(folder, name+".gz"), "", 0o644)
	}
	part := place{}.mnist(t.Context())
	require.True(t, part.Found)
	require.Equal(t, "60,000 for training in "+folder, part.Detail)
}

func TestPrintAlignsAndSaysWhatToDo(t *testing.T) {
	var out strings.Builder
	Print(&out, []Part{
		{Name: "Go", Found: true, Required: true, Version: "1.26.8"},
		{Name: "C compiler", Required: true, Fix: "install gcc"},
		{Name: "mold", Version: "0.1", Detail: "too old", Fix: "upgrade it"},
		{Name: "MNIST", Found: true, Detail: "/cache"},
	})
	require.Equal(t, strings.Join([]string{
		"✓ Go          1.26.8",
		"✗ C compiler  not found",
		"              → install gcc",
		"– mold        0.1 (too old)",
		"              → upgrade it",
		"✓ MNIST       /cache",
		"",
	}, "\n"), out.String())
}

func TestCompareVersions(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"1.26.8", "1.26.0", 1}, {"1.9", "1.10", -1}, {"25.0.7", "24", 1}, {"22.3.6", "24", -1}, {"24", "24", 0},
	} {
		require.Equal(t, c.want, compareVersions(c.a, c.b), "%s and %s", c.a, c.b)
	}
}

func TestPartsOfThisClone(t *testing.T) {
	root, err := repository.Root(".")
	require.NoError(t, err)
	named := partsByName(Examine(t.Context(), root, works))
	for _, name := range []string{"Go", "C compiler", "Vulkan loader", "Vulkan drivers", "Python in .venv", "JupyterLab", "gonb", "goimports", "gopls", "Jupyter kernel", "WGSL in JupyterLab"} {
		require.True(t, named[name].Found, "%s: %+v (make setup makes it)", name, named[name])
	}
	require.Equal(t, "0.11.4", named["gonb"].Version)
}
