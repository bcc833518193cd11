package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every system of a release has its packages, and two runs give the same bytes.
func TestPackagesOfARelease(t *testing.T) {
	dir := t.TempDir()
	m := maker{root: filepath.Join("..", ".."), site: filepath.Join(dir, "site"), version: "1.0.0"}
	require.NoError(t, os.Mkdir(m.site, 0o755))
	for goos, arch := range map[string]string{"linux": "amd64", "darwin": "arm64", "windows": "amd64"} {
		p := program{goos, arch, filepath.Join(dir, goos)}
		require.NoError(t, os.WriteFile(p.path, []byte(goos), 0o755))
		m.programs = append(m.programs, p)
	}
	made := map[string][]byte{}
	for _, out := range []string{"first", "second"} {
		m.out = filepath.Join(dir, out)
		require.NoError(t, m.npm())
		require.NoError(t, m.pip())
		files, err := filepath.Glob(filepath.Join(m.out, "*", "*"))
		require.NoError(t, err)
		require.Len(t, files, 7)
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			if first, again := made[filepath.Base(file)]; again {
				require.True(t, bytes.Equal(first, data), file)
			}
			made[filepath.Base(file)] = data
		}
	}
	for _, name := range []string{
		"wgslab-1.0.0.tgz", "wgslab-linux-x64-1.0.0.tgz", "wgslab-darwin-arm64-1.0.0.tgz", "wgslab-win32-x64-1.0.0.tgz",
		"wgslab-1.0.0-py3-none-macosx_12_0_arm64.whl", "wgslab-1.0.0-py3-none-win_amd64.whl",
	} {
		require.Contains(t, made, name)
	}
	require.Contains(t, inWheel(t, made["wgslab-1.0.0-py3-none-macosx_12_0_arm64.whl"]), "wgslab-1.0.0.data/data/share/jupyter/kernels/gonb/kernel.json")
	windows := inWheel(t, made["wgslab-1.0.0-py3-none-win_amd64.whl"])
	require.Contains(t, windows, "wgslab-1.0.0.data/scripts/wgslab.exe")
	require.NotContains(t, strings.Join(windows, " "), "kernel.json", "the kernel doesn't run there")
	require.NotContains(t, strings.Join(windows, " "), "journal.jsonl", "what a learner wrote stays")
	require.Equal(t, "wgslab-1.0.0.dist-info/RECORD", windows[len(windows)-1])
}

func inWheel(t *testing.T, data []byte) (names []string) {
	t.Helper()
	wheel, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for _, f := range wheel.File {
		names = append(names, f.Name)
	}
	return names
}

func TestVersionsForPip(t *testing.T) {
	for version, want := range map[string]string{
		"1.0.0": "1.0.0", "1.0.0-rc.1": "1.0.0rc1", "2.1.0-beta2": "2.1.0b2", "0.0.0-SNAPSHOT-a1f19ac5": "0.0.0.dev0+a1f19ac5", "1.0": "", "v1.0.0": "", "1.0.0-odd": "",
	} {
		got, err := pipVersion(version)
		require.Equal(t, want, got)
		require.Equal(t, want == "", err != nil)
	}
}
