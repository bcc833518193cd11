package cell_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// A cell gets another name for a package whose name an earlier cell has taken, on the same lines.
func TestRenamed(t *testing.T) {
	const imports = "import \"github.com/wgslab/wgslab/pkg/check\"\n"
	const aliased = "import wgslab_check \"github.com/wgslab/wgslab/pkg/check\"\n"
	taken := []string{"check", "gpu", "other"}
	for code, want := range map[string]string{
		imports + "%%\ncheck.Host(\"host-add\", f)":                                                                        aliased + "%%\nwgslab_check.Host(\"host-add\", f)",
		"%noautoget\n" + imports + "\n%%\nx := check.Own // check.Own\n":                                                   "%noautoget\n" + aliased + "\n%%\nx := wgslab_check.Own // check.Own\n",
		imports + "var s = \"check.Host\"; var h = check.Host; var _ check.A":                                              aliased + "var s = \"check.Host\"; var h = wgslab_check.Host; var _ wgslab_check.A",
		"import (\n\t\"fmt\"\n\t\"github.com/wgslab/wgslab/pkg/gpu\"\n)\nfunc f() { é := gpu.Default; _ = é; gpu.Must() }": "import (\n\t\"fmt\"\n\twgslab_gpu \"github.com/wgslab/wgslab/pkg/gpu\"\n)\nfunc f() { é := wgslab_gpu.Default; _ = é; wgslab_gpu.Must() }",
		imports + "func f(check int) { check.Host() }":                                                                     "",
		imports + "func check() {}\n":                                                                                      "",
		"import c \"github.com/wgslab/wgslab/pkg/check\"\nvar _ = c.A":                                                     "",
		"import \"github.com/wgslab/wgslab/pkg/show\"\nvar _ = show.A":                                                     "",
		"import \"example.com/check\"\nvar _ = check.A":                                                                    "",
		"%%\ncheck.Host()":           "",
		imports + "%%\ncheck.Host(":  "",
		"%%writefile work/a.wgsl\nx": "",
	} {
		if want == "" {
			want = code
		}
		require.Equal(t, want, cell.Read(code).Renamed(taken), code)
	}
	code := imports + "%%\ncheck.Host()"
	require.Equal(t, code, cell.Read(code).Renamed(nil))
}

func TestPackagesAreAll(t *testing.T) {
	paths, err := filepath.Glob("../../../../pkg/*")
	require.NoError(t, err)
	var folders []string
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			folders = append(folders, filepath.Base(path))
		}
	}
	require.Equal(t, folders, cell.Packages)
}
