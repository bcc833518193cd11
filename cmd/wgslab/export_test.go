package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/networks/draw"
)

func TestExportWritesOnePage(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll(filepath.Join("notebooks", "work"), 0o755))
	relu, err := exercises.Reference("relu")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join("notebooks", "work", "relu.wgsl"), []byte(relu), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join("notebooks", "work", "softmax.wgsl"), []byte("nothing yet"), 0o644))

	code, stdout, stderr := wgslab(t, "export", "page.html")
	require.Equal(t, exitOK, code, stderr)
	require.Regexp(t, `^wrote page\.html \(\d{3} kB\): open it in a browser\n$`, stdout)
	require.Contains(t, stderr, "relu: yours\n")
	require.Contains(t, stderr, "linear: the reference: yours is not written yet\n")
	require.Contains(t, stderr, "host: the page's: there is no "+filepath.Join("notebooks", "work", "host-digits.js")+" yet\n")
	require.Contains(t, stderr, "softmax: the reference: yours does not pass its check yet\n")
	info, err := os.Stat("page.html")
	require.NoError(t, err)
	require.LessOrEqual(t, info.Size(), int64(draw.MaxExport))
}

func TestExportSaysWhatIsWrongWithThePath(t *testing.T) {
	t.Chdir(t.TempDir())
	for path, says := range map[string]string{
		filepath.Join("nowhere", "page.html"): "there is no folder nowhere for the page",
		".":                                   ". is a folder: name the page, as in digits.html",
	} {
		code, stdout, stderr := wgslab(t, "export", path)
		require.Equal(t, exitAsked, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, says)
	}
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestExportNeedsAnAdapter(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("VK_DRIVER_FILES", "/nonexistent")
	t.Setenv("VK_ICD_FILENAMES", "/nonexistent")
	t.Setenv("WGSLAB_ENGINE", "cpu")
	code, stdout, stderr := wgslab(t, "export", "page.html")
	require.Equal(t, exitNoAdapter, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "cannot check your shaders here, so there is no export")
	require.NoFileExists(t, "page.html")
}
