//go:build acceptance

package setup_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every command that we list works in its shortest form.
func TestEveryListedCommandWorks(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for name, c := range tries {
		t.Run(name, func(t *testing.T) {
			switch {
			case c.never != "":
				t.Skipf("%s isn't run: %s", name, c.never)
			case c.needs != "" && os.Getenv(c.needs) == "":
				t.Skipf("%s isn't run: set %s", name, c.needs)
			}
			t.Chdir(learnersFolder(t, root))
			c.check(t, root)
		})
	}
}

// learnersFolder makes a folder with two right shaders, a notebook and a hand-in.
func learnersFolder(t *testing.T, root string) string {
	t.Helper()
	folder := t.TempDir()
	for name, from := range map[string]string{
		"work/vector-add.wgsl":   "exercises/vector-add/reference.wgsl",
		"work/matmul.wgsl":       "exercises/matmul/reference.wgsl",
		"class/ada/02-add.ipynb": "notebooks/02-add.ipynb",
	} {
		text, err := os.ReadFile(filepath.Join(root, from))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), text, 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "tiny.ipynb"), []byte(tiny), 0o644))
	return folder
}

// check runs the command in the current folder.
func (c try) check(t *testing.T, root string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "bash", "-c", c.run)
	// Without a display, nothing opens in the browser of whoever runs the test.
	command.Env = append(os.Environ(), "root="+root, "PATH="+filepath.Join(root, ".build", "bin")+":"+os.Getenv("PATH"), "DISPLAY=", "WAYLAND_DISPLAY=")
	// In a group of its own, so that Ctrl-C and the deadline reach what make starts.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	said := &output{awaited: c.prints, seen: make(chan struct{})}
	command.Stdout, command.Stderr = said, said
	require.NoError(t, command.Start())
	if c.serves {
		select {
		case <-said.seen:
		case <-ctx.Done():
		}
		require.NoError(t, syscall.Kill(-command.Process.Pid, syscall.SIGINT))
	}
	err := command.Wait()
	require.NoError(t, ctx.Err(), "it does not end\n%s", said)
	require.Contains(t, said.String(), c.prints)
	if !c.serves { // make calls Ctrl-C an error
		require.NoError(t, err, "%s", said)
	}
}

// output collects what a command prints, and closes seen once it contains what is awaited.
type output struct {
	awaited string
	seen    chan struct{}

	mu   sync.Mutex
	text bytes.Buffer
	once sync.Once
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	if strings.Contains(o.text.String(), o.awaited) {
		o.once.Do(func() { close(o.seen) })
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
