package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	fmtBefore = "fn f(){\nlet a=1;}\n"
	fmtAfter  = "fn f() {\n    let a = 1;\n}\n"
)

func TestFmt(t *testing.T) {
	before := map[string]string{"a.wgsl": fmtBefore, "b.wgsl": fmtAfter, "wrong.wgsl": "fn f() {\n    let a = ;\n}\n"}
	const mistake = "wrong.wgsl: line 2: "
	for name, c := range map[string]struct {
		args           []string
		code           int
		stdout, stderr string
		writes         bool // a.wgsl
	}{
		"prints":       {[]string{"a.wgsl"}, exitOK, fmtAfter, "", false},
		"writes":       {[]string{"-w", "a.wgsl", "b.wgsl"}, exitOK, "", "", true},
		"lists":        {[]string{"-l", "a.wgsl", "b.wgsl"}, exitOK, "a.wgsl\n", "", false},
		"differs":      {[]string{"-d", "a.wgsl", "b.wgsl"}, exitNotRight, "--- a.wgsl\n+++ a.wgsl formatted\n@@ -1,2 +1,3 @@\n-fn f(){\n-let a=1;}\n+fn f() {\n+    let a = 1;\n+}\n", "", false},
		"no layout":    {[]string{"-w", "."}, exitNotRight, "", mistake, true},
		"no such file": {[]string{"c.wgsl"}, exitAsked, "", "there is no file c.wgsl", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, text := range before {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			}
			code, stdout, stderr := wgslab(t, append([]string{"fmt"}, c.args...)...)
			require.Equal(t, c.code, code)
			require.Equal(t, c.stdout, stdout)
			require.Contains(t, stderr, c.stderr)
			for file, text := range before {
				if file == "a.wgsl" && c.writes {
					text = fmtAfter
				}
				left, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, text, string(left), file)
			}
		})
	}
}

// A file that can't be read or written stops no other.
func TestFmtGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	said := unreadable(t, "bad")
	require.NoError(t, os.WriteFile("a.wgsl", []byte(fmtBefore), 0o600))
	require.NoError(t, os.WriteFile("wrong.wgsl", []byte("fn f() {\n    let a = ;\n}\n"), 0o600))
	for _, flags := range [][]string{{"-l"}, {"-d"}, {"-w"}, nil} {
		require.NoError(t, os.WriteFile("a.wgsl", []byte(fmtBefore), 0o600))
		code, stdout, stderr := wgslab(t, append(append([]string{"fmt"}, flags...), "bad", "none.wgsl", "wrong.wgsl", "a.wgsl")...)
		require.Equal(t, exitAsked, code, flags)
		for _, why := range said {
			require.Contains(t, stderr, why, flags)
		}
		require.Contains(t, stderr, "there is no file none.wgsl\n", flags)
		require.Contains(t, stderr, "wrong.wgsl: line 2: ", flags)
		require.Contains(t, stderr, fmt.Sprintf("wgslab: %d files could not be read or written\n", len(said)+1), flags)
		left, err := os.ReadFile("a.wgsl")
		require.NoError(t, err)
		if len(flags) > 0 && flags[0] == "-w" {
			require.Equal(t, fmtAfter, string(left))
		} else {
			require.NotEmpty(t, stdout, flags)
		}
	}
}

// A file in a folder that can't be written is named, and the next one is formatted.
func TestFmtWritesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("locked", 0o755))
	for _, name := range []string{"locked/a.wgsl", "b.wgsl"} {
		require.NoError(t, os.WriteFile(name, []byte(fmtBefore), 0o600))
	}
	require.NoError(t, os.Chmod("locked", 0o555))
	t.Cleanup(func() { _ = os.Chmod("locked", 0o755) })
	if os.Geteuid() == 0 {
		t.Skip("left out: root writes into every folder; run this test as another user")
	}
	code, _, stderr := wgslab(t, "fmt", "-w", "locked", "b.wgsl")
	require.Equal(t, exitAsked, code)
	require.Contains(t, stderr, "writing locked/a.wgsl: ")
	left, err := os.ReadFile("b.wgsl")
	require.NoError(t, err)
	require.Equal(t, fmtAfter, string(left))
}
