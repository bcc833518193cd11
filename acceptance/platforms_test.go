//go:build acceptance

package acceptance

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/checkout"
	"github.com/wgslab/wgslab/acceptance/internal/site"
)

// A platform is a system that wgslab is built for without C, and what starts its programs here.
type platform struct {
	os, arch string
	starter  []string
	env      []string
}

// build returns the program of a platform, outside of the clone as a release is.
func (p platform) build(t *testing.T) string {
	t.Helper()
	root := checkout.Root(t)
	program := filepath.Join(t.TempDir(), "wgslab")
	if p.os == "windows" {
		program += ".exe"
	}
	command := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", program, "./cmd/wgslab")
	command.Dir = root
	command.Env = append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// command returns a command of the program that works in dir.
func (p platform) command(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	line := append(append(p.starter[:len(p.starter):len(p.starter)], program), args...)
	command := exec.CommandContext(ctx, line[0], line[1:]...)
	command.Dir, command.Env = dir, append(append(os.Environ(), "HOME="+dir), p.env...)
	command.WaitDelay = time.Second
	return command
}

// learner returns a folder with a learner's work, which has the line ends of Windows.
func learner(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "Meine Übungen")
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write("work/vector-add.wgsl", strings.ReplaceAll(reference(t, "vector-add"), "\n", "\r\n"))
	return dir
}

// says runs a command, and returns its exit code and what it prints on stdout, or else on stderr.
func (p platform) says(t *testing.T, dir, program, line, stdin string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := p.command(ctx, dir, program, strings.Fields(line)...)
	var out, said bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(stdin), &out, &said
	err := command.Run()
	require.NotNil(t, command.ProcessState, "%v", err)
	text := out.String()
	if text == "" {
		text = said.String()
	}
	return command.ProcessState.ExitCode(), text
}

// Windows: a browser outside of Wine opens the page, which keeps its work in a folder of Windows;
// wgslab check sees it; and Ctrl-C ends the server.
func TestSiteOnWindows(t *testing.T) {
	p := wine(t)
	if p.starter == nil {
		t.Skip("Wine runs these tests: apt-get install wine wine64")
	}
	program, dir := p.build(t), learner(t)
	serving := p.command(t.Context(), dir, program, "site", "--no-browser", "--work", "work", "--dir", site.Dir(t))
	out, err := serving.StdoutPipe()
	require.NoError(t, err)
	serving.Stderr = os.Stderr
	require.NoError(t, serving.Start())
	address, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	address = strings.TrimSpace(address)

	response, err := http.Get(address)
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	response.Body.Close()
	require.NoError(t, err)
	require.Contains(t, string(text), `Meine Übungen\work"`)

	page, err := browser.For(t).Open(address + "02-add.html#vector-add")
	require.NoError(t, err)
	defer page.Close()
	require.NoError(t, page.Wait(`document.querySelector('#vector-add .cm-content')?.innerText.includes('a[i] + b[i]')`))
	_, err = browser.Evaluate[bool](page, `document.querySelector('#check-vector-add .start').click() ?? true`)
	require.NoError(t, err)
	require.NoError(t, page.Wait(`document.querySelector('#check-vector-add .verdict').innerText.includes('vector-add: right')`))
	require.Eventually(t, func() bool {
		return strings.Contains(textOf(filepath.Join(dir, "work", "progress.json")), "vector-add")
	}, time.Minute, 50*time.Millisecond)
	code, told := p.says(t, dir, program, "progress", "")
	require.Zero(t, code)
	require.Contains(t, told, "✓ vector-add")
	require.Equal(t, strings.ReplaceAll(reference(t, "vector-add"), "\n", "\r\n"), textOf(filepath.Join(dir, "work", "vector-add.wgsl")), "it was only shown")
	require.Empty(t, page.ConsoleErrors())

	require.NoError(t, serving.Process.Signal(os.Interrupt))
	_ = serving.Wait() // the code says how it ended
	require.Equal(t, 130, serving.ProcessState.ExitCode())
}
