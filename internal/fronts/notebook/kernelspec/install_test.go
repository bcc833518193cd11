package kernelspec

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// newClone makes a folder that looks like a clone, with an awkward path such as users have.
func newClone(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	root = filepath.Join(root, "my course ü")
	require.NoError(t, os.Mkdir(root, 0o755))
	writeFile(t, filepath.Join(root, "go.mod"), "// a comment\nmodule github.com/wgslab/wgslab\n\ngo 1.26.0\n")
	return root
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestInstallWritesWhatJupyterReads(t *testing.T) {
	root := newClone(t)
	dir, err := Install(root, false)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(root, ".venv/share/jupyter/kernels/gonb"), dir)
	require.FileExists(t, filepath.Join(dir, "logo-svg.svg"))

	spec, err := Read(Dir(root))
	require.NoError(t, err)
	gonb := filepath.Join(root, ".build/bin/gonb")
	require.Equal(t, []string{
		filepath.Join(root, ".build/bin/wgslab"), "kernel", "--connection-file", "{connection_file}", "--", gonb,
	}, spec.Argv[:6])
	require.Contains(t, spec.Argv, "-go_work="+root)
	require.Equal(t, "go", spec.Language)
	require.Equal(t, "message", spec.InterruptMode)

	path := filepath.SplitList(spec.Env["PATH"])
	require.Equal(t, filepath.Join(root, ".build/bin"), path[0], "goimports and gopls come first")
	require.Equal(t, filepath.Join(root, ".venv/bin"), path[1])
	require.FileExists(t, filepath.Join(path[2], "go"))
	require.Contains(t, path, "/usr/bin")
}

func TestInstallPlainIsGoNBAlone(t *testing.T) {
	root := newClone(t)
	_, err := Install(root, false)
	require.NoError(t, err)
	ours, err := Read(Dir(root))
	require.NoError(t, err)
	_, err = Install(root, true)
	require.NoError(t, err)
	plain, err := Read(Dir(root))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(root, ".build/bin/gonb"), plain.Argv[0])
	require.Equal(t, []string{"--kernel", "{connection_file}"}, plain.Argv[len(plain.Argv)-2:])

	require.Equal(t, map[string]any{"debugger": true}, ours.Metadata)
	plain.Argv, ours.Argv, ours.Metadata = nil, nil, nil
	require.Equal(t, ours, plain, "the name, the environment and all else are the same, but that GoNB has no debugger")
}

func TestInstallAgainTouchesNothing(t *testing.T) {
	root := newClone(t)
	dir, err := Install(root, false)
	require.NoError(t, err)
	before, err := os.Stat(filepath.Join(dir, "kernel.json"))
	require.NoError(t, err)

	_, err = Install(root, false)
	require.NoError(t, err)
	after, err := os.Stat(filepath.Join(dir, "kernel.json"))
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after))
}

func TestReadSaysWhichFileIsBroken(t *testing.T) {
	root := newClone(t)
	writeFile(t, filepath.Join(Dir(root), "kernel.json"), "{")
	_, err := Read(Dir(root))
	require.ErrorContains(t, err, "kernel.json")
}

// An unchanged check cell must not be linked again. A linker can arrange the binary so that Go
// cannot see that it is up to date.
func TestAnUnchangedCellIsNotLinkedAgain(t *testing.T) {
	tools, err := findToolchain("../../../..")
	require.NoError(t, err)
	for _, mold := range []bool{false, true} {
		if mold && !tools.Mold {
			t.Log("mold is not installed: only the system's linker was tested")
			continue
		}
		tools.Mold = mold
		cell := t.TempDir()
		writeFile(t, filepath.Join(cell, "go.mod"), "module cell\n")
		writeFile(t, filepath.Join(cell, "main.go"), "package main\n\nimport \"C\"\n\nfunc main() {}\n")
		build := func() string {
			command := exec.Command("go", "build", "-x", "-o", "cell")
			command.Dir = cell
			command.Env = os.Environ()
			for name, value := range New("/clone", tools).Env {
				if name != "PATH" { // this test's own go, gcc and mold
					command.Env = append(command.Env, name+"="+value)
				}
			}
			out, err := command.CombinedOutput()
			require.NoError(t, err, "%s", out)
			return string(out)
		}
		const link = "/link -o"
		require.Contains(t, build(), link, "the first build links")
		require.NotContains(t, build(), link, "mold: %v", mold)
	}
}

func TestWithoutMoldTheSystemsLinkerIsUsed(t *testing.T) {
	require.NotContains(t, linkFlags(Toolchain{}), "mold")
	require.True(t, strings.Contains(linkFlags(Toolchain{Mold: true}), "-fuse-ld=mold"))
}
