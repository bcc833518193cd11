package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
)

// A watched is a running wgslab watch in a folder of its own.
type watched struct {
	t       *testing.T
	command *exec.Cmd
	lock    sync.Mutex
	said    bytes.Buffer
	read    int // how much of it await has returned
}

func (w *watched) Write(text []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.said.Write(text)
}

// startWatch starts wgslab watch as a process.
func startWatch(t *testing.T, dir string, args ...string) *watched {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	w := &watched{t: t, command: exec.Command(program, append([]string{"watch", "--engine", "simulator"}, args...)...)}
	w.command.Dir, w.command.Stdout, w.command.Stderr = dir, w, w
	require.NoError(t, w.command.Start())
	t.Cleanup(func() { _ = w.command.Process.Kill() })
	return w
}

// await waits until watch has printed text since the last call, and returns all up to there.
func (w *watched) await(text string) string {
	w.t.Helper()
	var fresh string
	require.Eventually(w.t, func() bool {
		w.lock.Lock()
		defer w.lock.Unlock()
		fresh = w.said.String()[w.read:]
		i := strings.Index(fresh, text)
		if i < 0 {
			return false
		}
		fresh = fresh[:i+len(text)]
		w.read += len(fresh)
		return true
	}, 30*time.Second, 10*time.Millisecond, "%s", text)
	return fresh
}

// Each save gets one verdict, in whatever way an editor saves, and a save during a check ends that
// check.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	require.NoError(t, os.Mkdir(work, 0o755))
	save := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(work, name), []byte(text), 0o600))
	}
	solution := func(name string) string {
		text, err := exercises.Files.ReadFile(name)
		require.NoError(t, err)
		return string(text)
	}
	save("add.wgsl", "fn")
	w := startWatch(t, dir)
	w.await("Next: hello, in lesson 1.\n")
	w.await("Edit work/hello.wgsl. It is new")
	began, err := os.ReadFile(filepath.Join(work, "hello.wgsl"))
	require.NoError(t, err)
	require.Equal(t, solution("hello/skeleton.wgsl"), string(began))

	save("hello.wgsl", solution("hello/reference.wgsl")) // in place
	said := w.await("Next: host-device, in lesson 1.\n")
	require.Contains(t, said, "── work/hello.wgsl, saved at ")
	require.Equal(t, 1, strings.Count(said, "✓ hello: right"), said)
	require.NotContains(t, said, "stub")
	w.await("Edit work/host-device.js. It is new") // Go needs a clone

	save(".add.wgsl.swp", solution("add/reference.wgsl"))
	require.NoError(t, os.Rename(filepath.Join(work, ".add.wgsl.swp"), filepath.Join(work, "add.wgsl"))) // over it
	said = w.await("Next: host-device")
	require.Equal(t, 1, strings.Count(said, "add: "), said)

	save("vector-add.wgsl", solution("vector-add/reference.wgsl")) // twice at once
	time.Sleep(20 * time.Millisecond)
	save("vector-add.wgsl", solution("vector-add/reference.wgsl"))
	said = w.await("Next: host-device")
	require.Equal(t, 1, strings.Count(said, "vector-add: right"), said)

	for range 2 {
		save("notes.wgsl", "a")
		save("relu.go", "a")
		save("host-add.wgsl", "a")
		save("notes.txt", "a")
		time.Sleep(2 * quiet)
	}
	save("host-add.js", "async function addVectors() { while (true); }")
	said = w.await("── work/host-add.js, saved at ")
	for _, line := range []string{
		"work/notes.wgsl is not checked: no exercise is called \"notes\"",
		"work/relu.go is not checked: relu is a shader, so name its file relu.wgsl.",
		"work/host-add.wgsl is not checked: host-add is a program",
	} {
		require.Equal(t, 1, strings.Count(said, line), "%s\n%s", line, said)
	}
	require.NotContains(t, said, "notes.txt")

	save("host-add.js", solution("host-add/reference.js"))
	said = w.await("✓ host-add: right")
	require.Contains(t, said, "You saved again: this check has ended.")
	require.NotContains(t, said, "✗")

	save("host-add.js", strings.Replace(solution("host-add/reference.js"), "addVectors(", "addVectors(...all) { return own(...all); }\nasync function own(", 1))
	w.await("✓ host-add: right")
	save("host.js", "// none of the program's pieces") // a save of the pieces checks the program again
	w.await("── work/host-add.js again, with work/host.js, saved at ")
	w.await("✓ host-add: right")

	save("host-add.js", "function addVectors() {")
	w.await("✗ host-add: does not compile")
	save("host-add.js", "async function addVectors() { while (true); }")
	w.await("── work/host-add.js, saved at ")
	require.NoError(t, w.command.Process.Signal(os.Interrupt))
	begin := time.Now()
	_ = w.command.Wait() // the code says how it ended
	require.Equal(t, exitInterrupted, w.command.ProcessState.ExitCode())
	require.Less(t, time.Since(begin), 5*time.Second, "Ctrl-C ends the check as well")
}

// Without a folder to watch, the error says how to get one. The folder may be named in three ways.
func TestWatchedFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	code, stdout, stderr := wgslab(t, "watch")
	require.Equal(t, exitAsked, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "there is no folder work here or in lessons/")
	code, _, stderr = wgslab(t, "watch", "nosuch")
	require.Equal(t, exitAsked, code)
	require.Contains(t, stderr, "nosuch")

	require.NoError(t, os.MkdirAll(filepath.Join("clone", "lessons", "work"), 0o755))
	for folder, shown := range map[string]string{"clone": filepath.Join("lessons", "work"), filepath.Join("clone", "lessons"): "work", filepath.Join("clone", "lessons", "work"): "work"} {
		w := startWatch(t, dir, folder)
		w.await("Watching " + shown + ": ")
		w.await("Edit ")
		require.NoError(t, w.command.Process.Kill())
		_ = w.command.Wait() // it was killed
	}
	require.FileExists(t, filepath.Join("clone", "lessons", "work", "hello.wgsl"))
	w := startWatch(t, dir, "clone")
	w.await("Edit ")
	require.NoError(t, os.Rename(filepath.Join("clone", "lessons"), "moved"))
	require.NoError(t, os.RemoveAll(filepath.Join("moved", "work")))
	w.await("the folder " + filepath.Join("lessons", "work") + " is gone")
	_ = w.command.Wait() // the code says how it ended
	require.Equal(t, exitNotRight, w.command.ProcessState.ExitCode())
}
