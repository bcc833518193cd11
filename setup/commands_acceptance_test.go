//go:build acceptance

package setup_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A try is the shortest form of a command.
type try struct {
	run    string // for bash in a learner's folder; $root is the clone
	prints string // its output contains this
	serves bool   // it runs until Ctrl-C
	needs  string // the environment variable without which it cannot run
	never  string // why this test does not run it
}

// tries holds each command that make help or a page lists.
var tries = map[string]try{
	"make help":         {run: `make -s -C "$root" help`, prints: "make lab"},
	"make lab":          {run: `make -s -C "$root" lab ARGS="-- --no-browser --port=0"`, prints: "http://127.0.0.1:", serves: true},
	"make setup":        {run: `make -s -C "$root" setup`},
	"make site":         {run: `make -s -C "$root" site`, prints: "MB in total"},
	"make vscode":       {run: `make -s -C "$root" vscode`, prints: "wgslab.vsix"},
	"make archives":     {never: "it downloads goreleaser: .github/workflows/release.yml runs it"},
	"make test":         {never: "it runs every package"},
	"make acceptance":   {never: "it runs this test"},
	"make hooks":        {run: copied + `git init -q && make hooks && git config core.hooksPath`, prints: "setup/hooks"},
	"make image-test":   {never: "it needs root, buildah, Docker and half an hour"},
	"make cluster-test": {never: "it needs root, buildah and an hour"},
	"make bench":        {run: `make -s -C "$root" bench ROUNDS=1 ARGS="--students 0 --out '$PWD/bench.json'"`, prints: "goal: at most"},
	"make bench-gpu":    {run: `make -s -C "$root" bench-gpu ARGS="--epochs 0 --rounds 1"`, prints: `"networks"`},
	"make soak":         {run: `make -s -C "$root" soak ARGS="--learners 1 --minutes 0.1 --out '$PWD/soak'"`, prints: "No reply was lost"},
	"make corpus":       {run: `make -s -C "$root" corpus FOLDER="$PWD/work"`, prints: "not read"},
	"make doctor":       {run: `make -s -C "$root" doctor`, prints: "WebGPU adapter"},
	"make lock":         {never: "it downloads the newest versions, and changes the lock files"},
	"make clean":        {run: copied + `mkdir .build .venv && make clean && ! ls -d .build .venv`, prints: "rm -rf"},

	"wgslab exercises": {run: "wgslab exercises", prints: "vector-add"},
	"wgslab check":     {run: "wgslab check vector-add work/vector-add.wgsl", prints: "vector-add: right"},
	"wgslab vet":       {run: "wgslab vet work/vector-add.wgsl", prints: "nothing found"},
	"wgslab fmt":       {run: "wgslab fmt work/vector-add.wgsl", prints: "@compute"},
	"wgslab lsp":       {run: session, prints: `"capabilities"`, serves: true},
	"wgslab progress":  {run: "wgslab progress", prints: "vector-add"},
	"wgslab journal":   {run: "wgslab journal", prints: "journal.html"},
	"wgslab tutor":     {run: "wgslab tutor vector-add", prints: "tutor"},
	"wgslab run":       {run: "wgslab run tiny.ipynb", prints: "tiny.ipynb"},
	"wgslab exercise":  {run: "wgslab exercise test hello", prints: "nothing is wrong"},
	"wgslab site":      {run: `make -s -C "$root" site && exec wgslab site --work work`, prints: "http://127.0.0.1:", serves: true},
	"wgslab draw":      {run: "exec wgslab draw", prints: "http://127.0.0.1:", serves: true},
	"wgslab export":    {run: "wgslab export my-digits.html && ls", prints: "my-digits.html"},
	"wgslab train":     {run: "wgslab train --epochs 1 --out weights", prints: "of the test images", needs: "WGSLAB_MNIST"},
	"wgslab grade":     {run: "wgslab grade class", prints: "1 submission"},
	"wgslab release":   {run: "wgslab release released", prints: "README.md"},
	"wgslab lab":       {run: "exec wgslab lab -- --no-browser --port=0", prints: "http://127.0.0.1:", serves: true},
	"wgslab doctor":    {run: "wgslab doctor", prints: "WebGPU adapter"},
	"wgslab bench":     {run: "wgslab bench --rounds 1 --students 0 --out bench.json", prints: "A LEARNER WAITS FOR"},
	"wgslab simulate":  {run: "wgslab simulate work/vector-add.wgsl --bind 0=f32[4] --bind 1=f32[4] --bind 2=f32[4]", prints: "0 2 4 6"},
	"wgslab trace":     {run: "wgslab trace matmul", prints: "written once"},
	"wgslab cost":      {run: "wgslab cost matmul", prints: "Limited by"},
	"wgslab debug":     {run: "wgslab debug vector-add </dev/null", prints: "vector-add, n = "},
	"wgslab race":      {run: "wgslab race --n 64 work/matmul.wgsl", prints: "Memory to memory"},
}

// copied goes to a copy of what make needs for a target that changes its clone.
const copied = `mkdir copy && cp -r "$root/Makefile" "$root/setup" copy && cd copy && `

// session greets a language server and keeps the connection open.
const session = `hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
{ printf 'Content-Length: %d\r\n\r\n%s' "${#hello}" "$hello"; sleep 300; } | wgslab lsp`

// tiny is a notebook with one cell.
const tiny = `{"cells": [{"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": null, "source": "%%\nfmt.Println(6 * 7)"}],
"metadata": {"kernelspec": {"name": "gonb", "display_name": "Go", "language": "go"}}, "nbformat": 4, "nbformat_minor": 5}`

// pages are what lists commands, besides make help.
var pages = []string{"README.md", "CONTRIBUTING.md", "docs/platforms.md"}

// A page lists a command as code: at the beginning of a line, after another command, or in
// backticks.
var (
	inBlock     = regexp.MustCompile("(?m)^```[a-z]*\n((?s:.*?))^```$")
	commandLine = regexp.MustCompile(`(?m)(?:^ *|&& )` + ours)
	inBackticks = regexp.MustCompile("`" + ours)
)

// ours matches the beginning of one of our commands.
const ours = `(?:\.build/bin/|\./)?((?:make|wgslab) [a-z][a-z-]*)`

// listed returns the commands that make help and the pages list.
func listed(t *testing.T) []string {
	t.Helper()
	help, err := bash(t, "..", "", "make -s help")
	require.NoError(t, err, help)
	found := commandLine.FindAllStringSubmatch(help, -1)
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join("..", page))
		require.NoError(t, err)
		found = append(found, inBackticks.FindAllStringSubmatch(string(text), -1)...)
		for _, block := range inBlock.FindAllStringSubmatch(string(text), -1) {
			found = append(found, commandLine.FindAllStringSubmatch(block[1], -1)...)
		}
	}
	names := map[string]bool{}
	for _, m := range found {
		names[m[1]] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// Every command that we list works in its shortest form.
func TestEveryListedCommandWorks(t *testing.T) {
	commands := listed(t)
	for name := range tries {
		require.Contains(t, commands, name, "remove it from tries: nothing lists it any more")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for _, name := range commands {
		t.Run(name, func(t *testing.T) {
			c, known := tries[name]
			require.True(t, known, "add its shortest form to tries")
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
