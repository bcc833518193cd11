//go:build acceptance

package acceptance

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
	"github.com/wgslab/wgslab/internal/course/coursetest"
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
	root := lab.Root(t)
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

// learnersWork returns a folder with a learner's work, which has the line ends of Windows.
func learnersWork(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "Meine Übungen")
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write("work/vector-add.wgsl", strings.ReplaceAll(reference(t, "vector-add"), "\n", "\r\n"))
	write("work/saxpy.wgsl", lab.Read(t, filepath.Join(lab.Root(t), "exercises", "saxpy", "wrong", "no-guard.wgsl")))
	write("work/relu.wgsl", strings.Replace(reference(t, "relu"), ";", "", 1))
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

// qemu returns the platform linux/arm64. Without qemu's user mode, it skips the test.
func qemu(t *testing.T) platform {
	t.Helper()
	p := platform{os: "linux", arch: "arm64"}
	program, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		t.Skip("left out: qemu runs this test. Run: apt-get install qemu-user")
	}
	p.starter = []string{program}
	return p
}

// ofPlatforms are the folders whose code differs by platform, or may.
var ofPlatforms = []string{
	"go.mod", "cmd/", "internal/ground/atomicfile/", "internal/ground/childprocess/", "internal/machine/engine/", "internal/course/learner/",
	"internal/fronts/page/server/", "internal/fronts/page/workfolder/", "internal/fronts/class/submission/", "internal/ground/repository/",
}

// TestCommandsSayTheSameEverywhere compares what a learner's commands print on each system, and
// their exit codes, with the same program for Linux on this machine's processor.
func TestCommandsSayTheSameEverywhere(t *testing.T) {
	coursetest.NeedsChange(t, ofPlatforms...)
	commands := []struct{ line, stdin string }{
		{"check vector-add --json --seed 7", ""},
		{"check saxpy --seed 7", ""}, // no guard
		{"cost vector-add", ""},
		{"simulate work/vector-add.wgsl --json", ""},
		{"check relu --json --seed 7", ""}, // does not compile
		{"check softmax --seed 7", ""},     // there is no such file
		{"vet work/vector-add.wgsl work/relu.wgsl", ""},
		{"trace vector-add", ""},
		{"debug vector-add --seed 7", "b 13\ncontinue\nprint i\nquit\n"},
		{"exercises", ""},
		{"progress", ""},
		{"check nothing", ""},
		{"check", ""},
		{"check vector-add --engine gpu", ""},
	}
	const computing = 4 // the first ones: qemu is slow, and only what a processor computes may differ there
	here := platform{os: "linux", arch: "amd64"}
	program := here.build(t)
	say := func(p platform, program string, count int) []string {
		dir := learnersWork(t)
		var all []string
		for _, c := range commands[:count] {
			code, text := p.says(t, dir, program, c.line, c.stdin)
			all = append(all, fmt.Sprintf("wgslab %s ends with %d:\n%s", c.line, code, system.Replace(times.ReplaceAllString(text, "0 ms"))))
		}
		return all
	}
	want := say(here, program, len(commands))
	for name, there := range map[string]func(*testing.T) platform{"windows-amd64": wine, "linux-arm64": qemu} {
		t.Run(name, func(t *testing.T) {
			p := there(t)
			count := len(commands)
			if p.os == here.os {
				count = computing
			}
			for i, got := range say(p, p.build(t), count) {
				assert.Equal(t, want[i], got)
			}
		})
	}
}

// Systems write the same text, apart from times and their own paths.
var (
	times  = regexp.MustCompile(`"ms": ?[0-9.]+|[0-9.]+ (ms|s)\b`)
	system = strings.NewReplacer("\r\n", "\n", `work\\`, "work/", `work\`, "work/")
)

// Windows: a browser outside of Wine opens the page, which keeps its work in a folder of Windows;
// wgslab check sees it; and Ctrl-C ends the server.
func TestSiteOnWindows(t *testing.T) {
	coursetest.NeedsChange(t, ofPlatforms...)
	p := wine(t)
	program, dir := p.build(t), learnersWork(t)
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

// macOS with its GPU: the program with cgo and Metal type-checks, as far as that goes without a
// Mac. Go reads all packages from their sources, for macOS on Arm. Only the linker and Apple's
// libraries are left out.
func TestMacOSTypeChecks(t *testing.T) {
	coursetest.NeedsChange(t, ofPlatforms...)
	here := build.Default
	t.Cleanup(func() { build.Default = here })
	build.Default.GOOS, build.Default.GOARCH, build.Default.CgoEnabled = "darwin", "arm64", true
	folder := filepath.Join(lab.Root(t), "cmd", "wgslab")
	program, err := build.Default.ImportDir(folder, 0)
	require.NoError(t, err)
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range program.GoFiles {
		file, err := parser.ParseFile(set, filepath.Join(folder, name), nil, 0)
		require.NoError(t, err)
		files = append(files, file)
	}
	sources := importer.ForCompiler(set, "source", nil)
	check := types.Config{Importer: sources, Sizes: types.SizesFor("gc", "arm64")}
	_, err = check.Check("main", set, files, nil)
	require.NoError(t, err)
	device, err := sources.Import("github.com/wgslab/wgslab/internal/machine/engine/gpu")
	require.NoError(t, err)
	webgpu, err := sources.Import("github.com/cogentcore/webgpu/wgpu")
	require.NoError(t, err)
	require.Contains(t, device.Imports(), webgpu, "it is built with cgo")
}
