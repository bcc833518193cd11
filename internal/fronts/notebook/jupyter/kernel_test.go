package jupyter

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// The tests of this file drive the notebooks' kernel: wgslab kernel, which runs GoNB.

// goNB finds the kernel spec that the set-up installs in the repository.
func goNB(t *testing.T) kernelspec.Spec {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	require.NoError(t, err)
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(root, ".venv"))
	require.NoError(t, err, "run `make setup` first: it builds and installs the kernel")
	_, err = os.ReadFile(filepath.Join(root, ".build", "stamps", "gonb")) // for Go's test cache: another GoNB, another result
	require.NoError(t, err)
	return spec
}

// start starts a kernel, and makes sure that none of its processes is left.
func start(t *testing.T, spec kernelspec.Spec) *Kernel {
	t.Helper()
	k, err := Start(t.Context(), spec, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, k.Shutdown(context.Background()))
		requireGone(t, k)
	})
	return k
}

func requireGone(t *testing.T, k *Kernel) {
	t.Helper()
	require.Empty(t, processesOf(k), "processes of the kernel")
	require.Nil(t, k.process.guard, "the kernel's guard")
	require.NoDirExists(t, k.process.scratch)
}

func processesOf(k *Kernel) []int { return kernelProcesses(k.process.session(), k.process.mark) }

// outcome is the result of some code.
type outcome struct {
	reply    Reply
	err      error
	streams  map[string]string
	messages []Message
}

// execute runs code with a deadline that no code of these tests should need.
func execute(t *testing.T, k *Kernel, code string) outcome {
	t.Helper()
	return executeFor(t, k, code, 2*time.Minute)
}

func executeFor(t *testing.T, k *Kernel, code string, deadline time.Duration) outcome {
	t.Helper()
	o := outcome{streams: map[string]string{}}
	o.reply, o.err = k.Execute(t.Context(), Request{Code: code, Deadline: deadline, Output: func(m Message) error {
		o.messages = append(o.messages, m)
		if m.Header.Type == "stream" {
			var content struct{ Name, Text string }
			require.NoError(t, json.Unmarshal(m.Content, &content))
			o.streams[content.Name] += content.Text
		}
		return nil
	}})
	return o
}

func (o outcome) of(kind string) []Message {
	var found []Message
	for _, m := range o.messages {
		if m.Header.Type == kind {
			found = append(found, m)
		}
	}
	return found
}

const noAutoGet = "%noautoget\n"

func TestGoNB(t *testing.T) {
	k := start(t, goNB(t))
	require.Equal(t, "wgslab", k.Info.Implementation)
	require.Contains(t, string(k.Info.LanguageInfo), `"go"`)
	setUp := execute(t, k, noAutoGet)
	require.NoError(t, setUp.err)

	t.Run("runs a cell", func(t *testing.T) {
		got := execute(t, k, "func answer() int { return 42 }\n%%\nfmt.Println(answer())")
		require.NoError(t, got.err)
		require.Equal(t, "ok", got.reply.Status)
		require.Equal(t, "42\n", got.streams["stdout"])
		require.Empty(t, got.streams["stderr"])
		require.Len(t, got.of("execute_input"), 1)
		require.NotNil(t, got.reply.ExecutionCount)
	})

	t.Run("keeps declarations", func(t *testing.T) {
		got := execute(t, k, "%%\nfmt.Println(answer() + 1)")
		require.NoError(t, got.err)
		require.Equal(t, "43\n", got.streams["stdout"])
	})

	t.Run("a cell that does not compile", func(t *testing.T) {
		got := execute(t, k, "%%\nvar x int = \"text\"")
		require.NoError(t, got.err)
		require.Equal(t, "error", got.reply.Status)
		require.Len(t, got.of("error"), 1)
		require.Len(t, got.of("display_data"), 1)
	})

	t.Run("a cell that panics", func(t *testing.T) {
		got := execute(t, k, "%%\npanic(\"oh no\")")
		require.NoError(t, got.err)
		require.Equal(t, "error", got.reply.Status)
		require.Contains(t, got.streams["stderr"], "oh no")
		require.Len(t, got.of("error"), 1)
	})

	t.Run("a cell that displays", func(t *testing.T) {
		got := execute(t, k, `import "github.com/janpfeifer/gonb/gonbui"
%%
gonbui.DisplayHTML("<b>bold</b>")
gonbui.Sync()`)
		require.NoError(t, got.err)
		require.Equal(t, "ok", got.reply.Status, got.streams["stderr"])
		displays := got.of("display_data")
		require.Len(t, displays, 1)
		require.Contains(t, string(displays[0].Content), "bold")
	})

	t.Run("an endless cell is interrupted at its deadline", func(t *testing.T) {
		const deadline = 4 * time.Second // enough to build it
		begin := time.Now()
		got := executeFor(t, k, "%%\nfmt.Println(\"before\")\nfor {\n}", deadline)
		var late *DeadlineError
		require.ErrorAs(t, got.err, &late)
		require.NotErrorIs(t, got.err, ErrStuck)
		require.Equal(t, "before\n", got.streams["stdout"])
		require.Less(t, time.Since(begin), deadline+interruptPatience)

		after := execute(t, k, "%%\nfmt.Println(\"still here\")")
		require.NoError(t, after.err)
		require.Equal(t, "still here\n", after.streams["stdout"])
	})

	t.Run("a cell that asks for input", func(t *testing.T) {
		got := execute(t, k, "%with_inputs\n!read name")
		require.ErrorIs(t, got.err, ErrInput)
	})

	t.Run("a cell whose output is refused", func(t *testing.T) {
		_, err := k.Execute(t.Context(), Request{
			Code: "%%\nfor {\nfmt.Println(\"more\")\n}",
			Output: func(m Message) error {
				if m.Header.Type == "stream" {
					return os.ErrInvalid
				}
				return nil
			},
		})
		require.ErrorIs(t, err, os.ErrInvalid)
		require.NotErrorIs(t, err, ErrStuck)
	})

	t.Run("writes a file into its folder", func(t *testing.T) {
		got := execute(t, k, "%%writefile shader.wgsl\n@compute fn main() {}")
		require.NoError(t, got.err)
		require.Empty(t, got.streams, "without a word")
		written, err := os.ReadFile(filepath.Join(k.process.cmd.Dir, "shader.wgsl"))
		require.NoError(t, err)
		require.Equal(t, "@compute fn main() {}\n", string(written))
	})
}

func TestKernelKilledMidCell(t *testing.T) {
	k := start(t, goNB(t))
	cell := startEndlessCell(t, k, func(int) {
		require.NoError(t, syscall.Kill(k.process.session(), syscall.SIGKILL))
	})
	var dead *DeadError
	require.ErrorAs(t, cell.err, &dead)
	require.Equal(t, "signal: killed", dead.State)
	require.Empty(t, processesOf(k), "the cell must go with its kernel")

	again := execute(t, k, "%%\n")
	require.ErrorAs(t, again.err, &dead, "and every later cell fails at once")
}

func TestKillTakesTheCellAlong(t *testing.T) {
	k := start(t, goNB(t))
	ctx, cancel := context.WithCancel(t.Context())
	var members []int
	_, err := k.Execute(ctx, Request{Code: endlessCell, Output: whenPrinted(func(pid int) {
		members = processesOf(k)
		require.Contains(t, members, pid)
		cancel()
	})})
	require.ErrorIs(t, err, context.Canceled)
	require.Greater(t, len(members), 1)

	begin := time.Now()
	require.NoError(t, k.kill())
	require.Less(t, time.Since(begin), 2*time.Second)
	requireGone(t, k)
}

// daemon is a cell that leaves a process running outside the kernel's session.
const daemon = noAutoGet + "!setsid sleep 1000 >/dev/null 2>&1 &"

func TestShutdownTakesDaemonsAlong(t *testing.T) {
	k := start(t, goNB(t))
	require.NoError(t, execute(t, k, daemon).err)
	require.Eventually(t, func() bool { // it has left
		return slices.ContainsFunc(processesOf(k), func(pid int) bool {
			return !inSession(filepath.Join("/proc", strconv.Itoa(pid)), k.process.session())
		})
	}, 5*time.Second, time.Millisecond)
	require.NoError(t, k.Shutdown(t.Context()))
	requireGone(t, k)
}

// TestOwnerKilled kills the process that owns a kernel: the kernel, its endless cell, its daemon
// and its folder must disappear as well.
func TestOwnerKilled(t *testing.T) {
	goNB(t)
	owner, lines := startOwner(t)
	kernel, mark, scratch := readOwned(t, lines)
	left := func() []int { return kernelProcesses(kernel, mark) }
	require.GreaterOrEqual(t, len(left()), 3, "kernel, daemon and cell")

	require.NoError(t, owner.Process.Kill())
	_ = owner.Wait()
	require.Eventually(t, func() bool {
		_, err := os.Stat(scratch)
		return len(left()) == 0 && os.IsNotExist(err)
	}, 10*time.Second, 10*time.Millisecond)
}

const endlessCell = noAutoGet + "%%\nfmt.Println(\"pid\", os.Getpid())\nfor {\n}"

// whenPrinted calls do with the process id that the endless cell prints.
func whenPrinted(do func(pid int)) func(Message) error {
	return func(m Message) error {
		_, text, found := strings.Cut(string(m.Content), "pid ")
		if !found || m.Header.Type != "stream" {
			return nil
		}
		text, _, _ = strings.Cut(text, `\n`)
		pid, err := strconv.Atoi(text)
		if err == nil {
			do(pid)
		}
		return err
	}
}

// startEndlessCell runs a cell that never ends, and calls do with its process
// id once it runs.
func startEndlessCell(t *testing.T, k *Kernel, do func(pid int)) outcome {
	t.Helper()
	var o outcome
	o.reply, o.err = k.Execute(t.Context(), Request{
		Code: endlessCell, Deadline: 2 * time.Minute, Output: whenPrinted(do),
	})
	return o
}
