package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// The tests of this file use a real GoNB.

const (
	noAutoGet   = "%noautoget\n"
	endlessCell = noAutoGet + "%%\nfmt.Println(\"begun\")\nfor {\n}"
)

func TestGoCells(t *testing.T) {
	k := overGoNB(t)
	c := k.connect()

	got := c.execute(noAutoGet + "func answer() int { return 42 }\n%%\nfmt.Println(answer())")
	require.Equal(t, []string{"busy", "execute_input", "stream", "idle"}, got.types())
	require.Equal(t, "42\n", got.text())
	require.Equal(t, 1.0, got.reply["execution_count"])
	require.Equal(t, "ok", c.execute("%%say result").reply["status"])
	got = c.execute("%%\nfmt.Println(answer() + 1)")
	require.Equal(t, "43\n", got.text())
	require.Equal(t, 3.0, got.reply["execution_count"], "GoNB has counted two")

	t.Run("a cell that fails", func(t *testing.T) {
		got := c.execute("%%\npanic(\"oh no\")")
		require.Equal(t, "error", got.reply["status"])
		require.Contains(t, got.text(), "oh no")
		require.Contains(t, got.types(), "error")
		require.Equal(t, 4.0, got.reply["execution_count"])
	})
	t.Run("a cell that displays", func(t *testing.T) {
		got := c.execute("import \"github.com/janpfeifer/gonb/gonbui\"\n%%\n" +
			"gonbui.UpdateHTML(\"id\", \"<b>one</b>\")\ngonbui.UpdateHTML(\"id\", \"<b>two</b>\")\ngonbui.Sync()")
		require.Equal(t, []string{"busy", "execute_input", "display_data", "update_display_data", "idle"}, got.types())
	})
	t.Run("a shader goes where GoNB is", func(t *testing.T) {
		require.NoError(t, os.Mkdir(filepath.Join(k.dir, "elsewhere"), 0o755))
		require.Equal(t, "ok", c.execute("%cd elsewhere").reply["status"])
		require.Equal(t, "ok", c.execute("%%writefile a.wgsl\nx").reply["status"])
		require.FileExists(t, filepath.Join(k.dir, "elsewhere", "a.wgsl"))
	})
}

// A cell that doesn't compile takes its function with it: the next cell must not run the last
// version. GoNB's errors have the numbers of the notebook's cells.
func TestAFunctionGoesWithItsCell(t *testing.T) {
	t.Parallel()
	c := overGoNB(t).connect()
	require.Equal(t, "ok", c.execute("%%say result").reply["status"], "GoNB doesn't count this cell")
	call := noAutoGet + "%%\nfmt.Println(train())"
	for _, broken := range []string{"err = 43\n\treturn err\n}", "return 43\n"} {
		require.Equal(t, "ok", c.execute(noAutoGet + "func train() int {\n\terr := 42\n\treturn err\n}").reply["status"])
		require.Equal(t, "42\n", c.execute(call).text())
		failed := c.execute(noAutoGet + "func train() int {\n\t" + broken)
		require.Equal(t, "error", failed.reply["status"])
		got := c.execute(call)
		require.Equal(t, "error", got.reply["status"])
		require.Contains(t, got.text(), fmt.Sprintf("`train` doesn't exist now: cell [%v], which defines it, did not compile.", failed.reply["execution_count"]))
	}
	require.Equal(t, "ok", c.execute(noAutoGet + "func train() int {\n\treturn 44\n}").reply["status"])
	require.Equal(t, "44\n", c.execute(call).text())

	panicking := c.execute(noAutoGet + "func train() int {\n\treturn 45\n}\n%%\npanic(train())")
	require.Contains(t, panicking.shown(), fmt.Sprintf("cell [%v], line ", panicking.reply["execution_count"]), "the notebook's number")
	require.Equal(t, "45\n", c.execute(call).text(), "a program that fails has compiled")
}

// What a program prints never ends GoNB, however much it looks like a message of the compiler.
func TestAProgramsErrorsAreNotTheCompilers(t *testing.T) {
	t.Parallel()
	c := overGoNB(t).connect()
	require.Equal(t, "ok", c.execute(noAutoGet + "import \"log\"\nfunc kept() int { return 42 }").reply["status"])
	lines := []string{"main.go:5, oh", "main.go:5:0: oh", "main.go:5:13: oh", "main.go:99999999999999999999:999999999999: oh", "at main_test.go:5:1: oh", "/tmp/x/main.go:3 +0x1d", "panic: not one"}
	for _, line := range lines {
		for _, print := range []string{"log.Println", "println"} {
			got := c.execute(noAutoGet + "%%\n" + print + "(kept(), `" + line + "`)")
			require.Equal(t, "ok", got.reply["status"], line)
			require.Contains(t, got.text(), "42 "+line)
		}
	}
	fatal := c.execute(noAutoGet + "%%\nlog.Fatal(\"main.go:12, `x`: no buffer\")")
	require.Contains(t, fatal.text(), "main.go:12, `x`: no buffer", "the error's text stays")
	require.Equal(t, "The program ended with an error.", fatal.reply["evalue"])
	require.Equal(t, "42\n", c.execute(noAutoGet+"%%\nprintln(kept())").text(), "definitions stay")
}

// GoNB's errors come with the cell's own number, line and column, without temporary files and exit
// statuses, and with what to do.
func TestGoErrorsAreAboutCells(t *testing.T) {
	t.Parallel()
	c := overGoNB(t).connect()
	require.Equal(t, "ok", c.execute("%%say result").reply["status"], "GoNB doesn't count this cell")
	require.Equal(t, "ok", c.execute(noAutoGet).reply["status"])
	for _, one := range []struct{ cell, shown, raised string }{
		{"%%\nx := 1\nprintln(y)", "  2 | x := 1\n    | ^\n  declared and not used: x", "This cell doesn't compile: cell [3], line 2: declared and not used: x (and 1 more)."},
		{"func f() int {\n\treturn undefinedName\n}", "cell [4], line 2, column 9\n  2 |     return undefinedName\n    |            ^", "This cell doesn't compile: cell [4], line 2: undefined: undefinedName."},
		{"func f( {", "cell [5], line 1, column 9", "This cell doesn't compile: cell [5], line 1: expected ')', found '{'."},
		{"%%\ncheck.Host(\"host-grid\", iota2D)", "No cell that has run defines `iota2D`. If another cell defines it", "This cell doesn't compile: cell [6], line 2: undefined: iota2D."},
		{"func deep(s []int) int {\n\treturn s[3]\n}\n%%\nprintln(deep(nil))", "cell [7], line 2\n  2 |     return s[3]", "The program panicked: runtime error: index out of range [3] with length 0"},
		{"import \"os\"\n%%\nos.Exit(3)", "", "The program ended early: exit status 3."},
		{"import \"errors\"\n%%\npanic(errors.New(\"no device\"))", "panic: ", "The program panicked: no device"},
	} {
		got := c.execute(one.cell)
		require.Contains(t, got.shown(), one.shown, one.cell)
		require.Equal(t, one.raised, got.reply["evalue"], one.cell)
		for _, noise := range []string{"main.go", "/tmp", "exit status 1\n", "# gonb"} {
			require.NotContains(t, got.shown(), noise, one.cell)
		}
	}
}

// A cell does not wait for help that was asked for before it.
func TestACellGoesBeforeHelp(t *testing.T) {
	t.Parallel()
	c := overGoNB(t).connect()
	help := c.ask(c.sockets.Shell, "complete_request", map[string]any{"code": "fmt.Pri", "cursor_pos": 7})
	require.Equal(t, "ok", c.execute("%%say result").reply["status"])
	require.Equal(t, "Interrupted", c.result(help).reply["ename"])
}

// A Go cell asks its own client for input, and gets the answer from it.
func TestInput(t *testing.T) {
	t.Parallel()
	k := overGoNB(t)
	other, c := k.connect(), k.connect()
	id := c.ask(c.sockets.Shell, "execute_request", map[string]any{"code": "%with_inputs\n!read name; echo it is $name", "allow_stdin": true})
	asked := c.wait(&c.stdin, func(m jupyter.Message) bool { return m.Parent.ID == id })
	require.Equal(t, "input_request", asked.Header.Type)
	reply, err := jupyter.NewMessage("input_reply", c.session, asked.Header, map[string]any{"value": "Ada"})
	require.NoError(t, err)
	// GoNB sends its question before it registers who takes the answer (PromptInput), and drops one
	// that comes between the two.
	require.Eventually(t, func() bool {
		require.NoError(t, c.sockets.Stdin.Send(reply))
		return c.has(&c.shell, id)
	}, patience, 50*time.Millisecond)
	got := c.result(id)
	require.Equal(t, "ok", got.reply["status"])
	require.Equal(t, "it is Ada\n", got.text())
	other.mu.Lock()
	defer other.mu.Unlock()
	require.Empty(t, other.stdin)
}

func TestAGoCellIsInterrupted(t *testing.T) {
	t.Parallel()
	k := overGoNB(t)
	c := k.connect()
	endless := c.run(endlessCell)
	c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Parent.ID == endless && m.Header.Type == "stream" })
	behind := c.run("%%\nfmt.Println()")
	interrupt := c.ask(c.sockets.Control, "interrupt_request", struct{}{}) // control doesn't wait for the cell
	require.Equal(t, "ok", c.resultOn(&c.control, interrupt).reply["status"])
	require.Equal(t, "error", c.result(endless).reply["status"])
	require.Equal(t, "aborted", c.result(behind).reply["status"])
	require.Equal(t, "4\n", c.execute("%%\nfmt.Println(2 + 2)").text())
}

// One that is interrupted while it is being compiled hears it later.
func TestACellIsInterruptedBeforeItRuns(t *testing.T) {
	t.Parallel()
	k := overGoNB(t)
	c := k.connect()
	endless := c.run("%%\n_ = \"another\"\nfor {\n}")
	c.wait(&c.iopub, func(m jupyter.Message) bool { // the kernel has it, and begins to compile
		return m.Parent.ID == endless && m.Header.Type == "status" && strings.Contains(string(m.Content), "busy")
	})
	c.resultOn(&c.control, c.ask(c.sockets.Control, "interrupt_request", struct{}{}))
	require.Equal(t, "error", c.result(endless).reply["status"])
}

// If GoNB is killed, its cell fails and the learner is told.
func TestGoNBIsKilledInACell(t *testing.T) {
	t.Parallel()
	k := overGoNB(t)
	c := k.connect()
	endless := c.run(endlessCell)
	c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Parent.ID == endless && m.Header.Type == "stream" })
	before := k.processes()
	require.NoError(t, syscall.Kill(k.named("gonb"), syscall.SIGKILL))
	got := c.result(endless)
	require.Equal(t, "GoNBDied", got.reply["ename"])
	require.Equal(t, "begun\n", got.text())
	require.Equal(t, "4\n", c.execute("%%\nfmt.Println(2 + 2)").text())
	left := func() (alive []int) {
		for _, pid := range before {
			if syscall.Kill(pid, 0) == nil {
				alive = append(alive, pid)
			}
		}
		return alive
	}
	require.Eventually(t, func() bool { return len(left()) == 1 }, patience, 20*time.Millisecond, "of what was there before, the front alone is left")
}

func TestTheFrontIsKilledInACell(t *testing.T) {
	t.Parallel()
	k := overGoNB(t)
	c := k.connect()
	endless := c.run(endlessCell + "\n// a daemon is left, too")
	c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Parent.ID == endless && m.Header.Type == "stream" })
	require.GreaterOrEqual(t, len(k.processes()), 3, "front, GoNB and cell")
	require.NoError(t, k.process.Signal(syscall.SIGKILL))
	k.requireNothingLeft()
}

// A hundred thousand lines come complete and in order.
func TestAHundredThousandLines(t *testing.T) {
	t.Parallel()
	k := overGoNB(t)
	c := k.connect()
	got := c.execute(noAutoGet + "%%\nfor i := range 100_000 {\nfmt.Println(\"line\", i)\n}")
	require.Equal(t, "ok", got.reply["status"])
	var want strings.Builder
	for i := range 100_000 {
		fmt.Fprintln(&want, "line", i)
	}
	require.True(t, want.String() == got.text(), "%d messages, %d bytes of %d", len(got.messages), len(got.text()), want.Len())
}
