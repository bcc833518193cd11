//go:build acceptance

package acceptance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool"
)

// The tests of this file run the notebooks' kernel on a machine in trouble. What a learner then
// sees must say what to do, and nothing but the running cell's output may be lost. docs/deploy.md
// has the table of faults.

// A troubled is a kernel whose machine has a fault.
type troubled struct {
	t      *testing.T
	kernel *jupyter.Kernel
	dir    string
}

// inTrouble starts the notebooks' kernel after some lines of shell, which make the trouble. They
// run in the notebook's folder.
func inTrouble(t *testing.T, lines string, prefix ...string) *troubled {
	t.Helper()
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(lab.Root(t), ".venv"))
	require.NoError(t, err, "run `make setup` first")
	spec.Argv = slices.Concat(prefix, []string{"/bin/sh", "-ec", lines + "\nexec \"$@\"", "sh"}, spec.Argv)
	dir, err := os.MkdirTemp("/tmp", "faults") // short enough for sockets
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	n := &troubled{t: t, dir: dir}
	require.NoError(t, os.Mkdir(filepath.Join(n.dir, "work"), 0o755))
	n.kernel, err = jupyter.Start(t.Context(), spec, n.dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, n.kernel.Shutdown(context.Background())) })
	return n
}

// inOwnMounts is like inTrouble, but the lines can mount folders that only the kernel sees.
func inOwnMounts(t *testing.T, lines string) *troubled {
	t.Helper()
	own := []string{"unshare", "--mount"}
	if os.Getuid() != 0 {
		own = append(own, "--map-root-user")
	}
	if out, err := exec.Command(own[0], append(own[1:], "mount", "-t", "tmpfs", "none", "/mnt")...).CombinedOutput(); err != nil {
		t.Skipf("this user can't mount: unshare: %v: %s; run as root, or allow user namespaces", err, out)
	}
	return inTrouble(t, lines, own...)
}

// run runs a cell, and returns the status of its reply and all that it showed.
func (n *troubled) run(code string) (status, shown string) {
	n.t.Helper()
	var text strings.Builder
	reply, err := n.kernel.Execute(n.t.Context(), jupyter.Request{Code: code, Deadline: 2 * time.Minute, Output: func(m jupyter.Message) error {
		fmt.Fprintf(&text, "%s\n", m.Content)
		return nil
	}})
	require.NoError(n.t, err)
	return reply.Status, text.String() + reply.EName + ": " + reply.EValue
}

func (n *troubled) write(id string) (status, shown string) {
	n.t.Helper()
	source, err := exercises.Reference(id)
	require.NoError(n.t, err)
	return n.run("%%writefile work/" + id + ".wgsl\n" + source)
}

func (n *troubled) check(id string) (status, shown string) {
	n.t.Helper()
	return n.run(fmt.Sprintf("import \"github.com/wgslab/wgslab/pkg/check\"\n\n%%%%\ncheck.Exercise(%q)", id))
}

// passes writes the right shader and checks it.
func (n *troubled) passes(id string) {
	n.t.Helper()
	status, shown := n.write(id)
	require.Equal(n.t, "ok", status, shown)
	status, shown = n.check(id)
	require.Equal(n.t, "ok", status, shown)
	require.Contains(n.t, shown, id+": right")
}

// process returns the id of the kernel's process of a program, whose first argument is given; "" is
// any.
func (n *troubled) process(program, argument string) (int, error) {
	for _, p := range lab.Descendants(os.Getpid()) {
		arguments := p.Arguments()
		dir, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", p.PID))
		if p.Name == program && strings.HasPrefix(dir, n.dir) && (argument == "" || len(arguments) > 1 && arguments[1] == argument) {
			return p.PID, nil
		}
	}
	return 0, fmt.Errorf("there is no process %s %s", program, argument)
}

func (n *troubled) kill(program, argument string, signal syscall.Signal) error {
	pid, err := n.process(program, argument)
	if err != nil {
		return err
	}
	return syscall.Kill(pid, signal)
}

// killSoon kills a process while the next cell runs. The cell must not end by itself.
func (n *troubled) killSoon(program, argument string, signal syscall.Signal) <-chan error {
	killed := make(chan error, 1)
	time.AfterFunc(2*time.Second, func() { killed <- n.kill(program, argument, signal) })
	return killed
}

const goCell = "%noautoget\n%%\nfmt.Println(\"it ran\")"

// The shader that was there before stays, and works once there is room again.
func TestTheDiskIsFull(t *testing.T) {
	n := inOwnMounts(t, "mount -t tmpfs -o size=256k none work")
	source, err := exercises.Reference("relu")
	require.NoError(t, err)
	long := source + strings.Repeat("// a long shader\n", 1000) // half of its try finds room
	status, shown := n.run("%%writefile work/relu.wgsl\n" + long)
	require.Equal(t, "ok", status, shown)
	status, shown = n.check("relu")
	require.Equal(t, "ok", status, shown)
	_, _ = n.run("%noautoget\n!cat /dev/zero >work/filler")
	status, shown = n.write("leaky-relu")
	require.Equal(t, "error", status)
	require.Contains(t, shown, "The disk is full. Delete files")
	status, shown = n.run("%%writefile work/relu.wgsl\nnot this")
	require.Equal(t, "error", status)
	require.Contains(t, shown, "The disk is full. Delete files")
	status, shown = n.check("relu")
	require.Equal(t, "ok", status, shown)
	require.Contains(t, shown, "relu: right", "the shader from before")
	require.Contains(t, shown, "no space left on device", "the try isn't saved")
	_, _ = n.run("%noautoget\n!rm work/filler")
	n.passes("leaky-relu")
	require.NoError(t, os.Mkdir(filepath.Join(n.dir, "seen"), 0o755)) // outside of the kernel's mount
	status, shown = n.run("%noautoget\n!cp -r work/. seen")
	require.Equal(t, "ok", status, shown)
	tries, damaged, err := learner.ReadJournal(filepath.Join(n.dir, "seen"))
	require.NoError(t, err)
	require.Zero(t, damaged)
	require.Len(t, tries, 2)
}

// Shaders need no temporary files. A Go cell does, and says what is wrong.
func TestTemporaryFilesCannotBeWritten(t *testing.T) {
	for name, c := range map[string]struct{ lines, says string }{
		"read-only": {"mkdir t; mount -t tmpfs -o ro none t", "The folder is read-only. If it is the one for temporary files, set TMPDIR"},
		"full":      {"mkdir t; mount -t tmpfs -o size=64k none t; cat /dev/zero >t/filler 2>/dev/null || true", "The disk is full. Delete files"},
	} {
		t.Run(name, func(t *testing.T) {
			n := inOwnMounts(t, c.lines+"\nexport TMPDIR=$PWD/t")
			n.passes("relu")
			status, shown := n.run(goCell)
			require.Equal(t, "error", status)
			require.Contains(t, shown, "GoNB, which runs the Go cells, did not start: ")
			require.Contains(t, shown, c.says)
			n.passes("relu")
		})
	}
}

// While the kernel can open no file, cells fail and say why. Once it can, they work again.
func TestNoFileDescriptorsAreLeft(t *testing.T) {
	n := inTrouble(t, "")
	n.passes("relu")
	front, err := n.process("wgslab", "kernel")
	require.NoError(t, err)
	limit := func(soft uint64) {
		var old unix.Rlimit
		require.NoError(t, unix.Prlimit(front, unix.RLIMIT_NOFILE, nil, &old))
		require.NoError(t, unix.Prlimit(front, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: soft, Max: old.Max}, nil))
	}
	limit(3)
	require.NoError(t, n.kill("wgslab", workerpool.Command, syscall.SIGKILL))
	status, shown := n.check("relu")
	require.Equal(t, "error", status)
	require.Contains(t, shown, "Too many files are open. Shut down other notebooks, then run this cell again")
	status, shown = n.run("%%writefile work/relu.wgsl\nnot this")
	require.Equal(t, "error", status)
	require.Contains(t, shown, "Too many files are open")
	limit(1024)
	status, shown = n.check("relu")
	require.Equal(t, "ok", status, shown)
	require.Contains(t, shown, "relu: right", "the shader from before")
}

// endless is a shader that takes hours in the large cases. It takes so many steps in the small ones
// that the simulator runs no other.
const endless = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let n = arrayLength(&out);
  if (id.x >= n) {
    return;
  }
  var x = 1u;
  let rounds = select(20000u, 4000000000u, n > 100u);
  for (var i = 0u; i < rounds; i++) {
    x = (x ^ i) * 1664525u + 1013904223u;
  }
  out[id.x] = select(a[id.x] + b[id.x], 0.0, x == 12345u);
}`

// With Mesa's driver, the adapter is part of the worker.
func TestTheAdapterIsLostMidCheck(t *testing.T) {
	n := inTrouble(t, "")
	n.passes("vector-add")
	status, shown := n.run("%%writefile work/vector-add.wgsl\n" + endless)
	require.Equal(t, "ok", status, shown)
	killed := n.killSoon("wgslab", workerpool.Command, syscall.SIGSEGV)
	status, shown = n.check("vector-add")
	require.NoError(t, <-killed)
	require.Equal(t, "error", status)
	require.Contains(t, shown, "The worker that ran your shader has ended: it crashed (")
	require.Contains(t, shown, "Run this cell again.")
	n.passes("vector-add")
}

func TestGoNBIsKilledMidCell(t *testing.T) {
	n := inTrouble(t, "")
	status, shown := n.run(goCell)
	require.Equal(t, "ok", status, shown)
	killed := n.killSoon("gonb", "", syscall.SIGKILL)
	status, shown = n.run("%noautoget\nimport \"time\"\n%%\nfmt.Println(\"begun\")\ntime.Sleep(time.Hour)")
	require.NoError(t, <-killed)
	require.Equal(t, "error", status)
	require.Contains(t, shown, "GoNB, which runs the Go cells, has died (signal: killed). It is starting again.")
	n.passes("relu")
	status, shown = n.run(goCell)
	require.Equal(t, "ok", status, shown)
}

// Each test that the table of faults names exists.
func TestTheTableOfFaultsNamesTests(t *testing.T) {
	_, table, _ := strings.Cut(lab.Read(t, filepath.Join(lab.Root(t), "docs", "deploy.md")), "### When something breaks\n")
	table, _, _ = strings.Cut(table, "\n## ")
	names := regexp.MustCompile(`\bTest\w+`).FindAllString(table, -1)
	require.NotEmpty(t, names)
	found, err := exec.Command("git", "-C", lab.Root(t), "grep", "-hoE", `^func Test\w+`, "--", "*_test.go").Output()
	require.NoError(t, err)
	for _, name := range names {
		require.Contains(t, strings.Fields(string(found)), name)
	}
}
