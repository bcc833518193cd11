package main

import (
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
