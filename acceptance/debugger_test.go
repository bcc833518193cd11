//go:build acceptance

package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/shaders"
)

// A learner debugs lesson 2's vector-add by mouse, in JupyterLab's own panel.
func TestDebuggerInJupyterLab(t *testing.T) {
	for _, theme := range []string{"Light", "Dark"} {
		t.Run(theme, func(t *testing.T) { testDebugger(t, theme) })
	}
}

func testDebugger(t *testing.T, theme string) {
	server, clone, browser := startLab(t)
	require.NoError(t, clone.Set("@jupyterlab/apputils-extension/themes", `{"theme": "JupyterLab `+theme+`"}`))
	page := open(t, server, clone, browser, "02-add.ipynb")
	shot := func(name string) {
		if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
			require.NoError(t, page.Screenshot(filepath.Join(dir, name+"-"+strings.ToLower(theme)+".png")))
		}
	}
	shader, err := page.Cell("vector-add-shader")
	require.NoError(t, err)
	check, err := page.Cell("vector-add-check")
	require.NoError(t, err)
	source, err := shaders.Source("vector-add")
	require.NoError(t, err)
	cell := "%%writefile work/vector-add.wgsl\n" + strings.TrimSuffix(source, "\n")
	line := func(text string) int {
		before, _, found := strings.Cut(cell, text)
		require.True(t, found)
		return strings.Count(before, "\n") + 1
	}
	require.NoError(t, page.Type(shader, cell))
	require.NoError(t, page.Run(shader))

	require.NoError(t, page.TurnDebuggerOn())
	require.NoError(t, page.ClickBeside(shader, line("let i"), 1))
	shot("breakpoint")
	require.NoError(t, page.Start(check))
	require.NoError(t, page.WaitStanding(shader, line("let i")))
	require.NoError(t, page.WaitVariable("id: vec3u(0u, 0u, 0u)"))
	shot("stop")
	frames, err := page.Frames()
	require.NoError(t, err)
	require.Greater(t, len(frames), 1, "the neighbours are in the call stack")
	require.NoError(t, page.DebuggerButton("debugger:next"))
	require.NoError(t, page.WaitStanding(shader, line("if (i")))
	require.NoError(t, page.WaitVariable("i: 0u"))
	require.NoError(t, page.WaitText(check, "vector-add"))
	shot("step")
	require.NoError(t, page.DebuggerButton("debugger:stepIn"))
	require.NoError(t, page.WaitStanding(shader, line("out[i] =")))
	require.NoError(t, page.ClickFrame(1))
	require.NoError(t, page.WaitStanding(shader, line("let i")))
	shot("neighbour")
	require.NoError(t, page.DebuggerButton("debugger:continue"))
	require.NoError(t, page.WaitText(check, "Invocation 1,0,0 of workgroup 0,0,0 at line"))
	require.NoError(t, page.WaitStanding(shader, line("let i")))
	require.NoError(t, page.WaitVariable("id: vec3u(1u, 0u, 0u)"))
	_, err = page.Text(check) // scrolls there
	require.NoError(t, err)
	shot("picture")
	// The others would stop there, too.
	require.NoError(t, page.ClickBeside(shader, line("let i"), 0))
	require.NoError(t, page.DebuggerButton("debugger:continue"))
	require.NoError(t, page.WaitText(check, "✓ vector-add: right"))
	require.NoError(t, page.WaitStanding(shader, 0))
	_, err = page.Text(check)
	require.NoError(t, err)
	shot("end")

	require.NoError(t, page.ClickBeside(shader, line("let i"), 1))
	require.NoError(t, page.Start(check))
	require.NoError(t, page.WaitStanding(shader, line("let i")))
	require.NoError(t, page.Console("id.x + 40u", "40u"))
	require.NoError(t, page.Console("invocation 5", "Invocation 5,0,0 of workgroup 0,0,0 at line"))
	require.NoError(t, page.WaitVariable("id: vec3u(5u, 0u, 0u)"))
	require.NoError(t, page.Console("nonsense", "`nonsense`"))
	shot("console")
	require.NoError(t, page.DebuggerButton("debugger:evaluate")) // closes it
	require.NoError(t, page.DebuggerButton("debugger:terminate"))
	require.NoError(t, page.WaitStanding(shader, 0))
	require.NoError(t, page.WaitText(check, "✓ vector-add: right"))
	requireQuiet(t, page)
}
