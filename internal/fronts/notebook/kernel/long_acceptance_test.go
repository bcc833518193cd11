//go:build acceptance

package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAShaderOfAHundredMegabytes(t *testing.T) {
	t.Parallel()
	k := overFake(t)
	c := k.connect()
	huge := strings.Repeat("// a line of a hundred megabytes\n", 100<<20/33)
	require.Equal(t, "ok", c.execute("%%writefile huge.wgsl\n" + huge).reply["status"])
	info, err := os.Stat(filepath.Join(k.dir, "huge.wgsl"))
	require.NoError(t, err)
	require.Equal(t, int64(len(huge)+1), info.Size())
}

// GoNB helps with Go, after its language server has read the modules.
func TestCompletionAndInspectionOfGo(t *testing.T) {
	t.Parallel()
	c := overGoNB(t).connect()
	require.Equal(t, "ok", c.execute(noAutoGet + "func answer() int { return 42 }").reply["status"])
	cell := "func twice() int { return answer() }"
	at := strings.Index(cell, "answer") + 3
	for try := 0; ; try++ { // on a busy machine the first tries come before gopls is ready
		require.Less(t, try, 5)
		help := c.result(c.ask(c.sockets.Shell, "complete_request", map[string]any{"code": cell, "cursor_pos": at}))
		if help.reply["status"] == "ok" {
			break
		}
	}
	help := c.result(c.ask(c.sockets.Shell, "inspect_request", map[string]any{"code": cell, "cursor_pos": at}))
	require.Contains(t, fmt.Sprint(help.reply["data"]), "answer")
}

// GoNB as it comes first connects to gopls after 12 s. Set-up builds it with a shorter pause.
func TestTheFirstCompletionOfGoComesSoon(t *testing.T) {
	c := overGoNB(t).connect()
	const cell = "import \"strings\"\n%%\nstrings.ToUp"
	asked := time.Now()
	help := c.result(c.ask(c.sockets.Shell, "complete_request", map[string]any{"code": cell, "cursor_pos": len(cell)}))
	took := time.Since(asked)
	require.Contains(t, help.reply["matches"], "ToUpper")
	require.Less(t, took, 12*time.Second)
	t.Logf("the first completion took %.1f s", took.Seconds())
}
