package setup_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
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
	"make packages":     {run: `make -s -C "$root" packages`, prints: ".whl: "},
	"make archives":     {never: "it downloads goreleaser: .github/workflows/release.yml runs it"},
	"make test":         {never: "it runs every package"},
	"make acceptance":   {never: "it runs this test"},
	"make hooks":        {run: copied + `git init -q && make hooks && git config core.hooksPath`, prints: "setup/hooks"},
	"make nightly":      {never: "it runs every test, which takes hours"},
	"make image-test":   {never: "it needs root, buildah, Docker and half an hour"},
	"make cluster-test": {never: "it needs root, buildah and an hour"},
	"make bench":        {run: `make -s -C "$root" bench ROUNDS=1 ARGS="--students 0 --out '$PWD/bench.json'"`, prints: "goal: at most"},
	"make bench-gpu":    {run: `make -s -C "$root" bench-gpu ARGS="--epochs 0 --rounds 1"`, prints: `"networks"`},
	"make soak":         {run: `make -s -C "$root" soak ARGS="--learners 1 --minutes 0.1 --out '$PWD/soak'"`, prints: "No reply was lost"},
	"make corpus":       {run: `make -s -C "$root" corpus FOLDER="$PWD/work"`, prints: "not read"},
	"make pictures":     {run: `make -s -C "$root" pictures TO="$PWD" && ls`, prints: "lesson-2.png"},
	"make doctor":       {run: `make -s -C "$root" doctor`, prints: "WebGPU adapter"},
	"make lock":         {never: "it downloads the newest versions, and changes the lock files"},
	"make clean":        {run: copied + `mkdir .build .venv && make clean && ! ls -d .build .venv`, prints: "rm -rf"},

	"wgslab exercises": {run: "wgslab exercises", prints: "vector-add"},
	"wgslab check":     {run: "wgslab check vector-add work/vector-add.wgsl", prints: "vector-add: right"},
	"wgslab watch":     {run: "exec wgslab watch", prints: "Next: ", serves: true},
	"wgslab vet":       {run: "wgslab vet work/vector-add.wgsl", prints: "nothing found"},
	"wgslab fmt":       {run: "wgslab fmt work/vector-add.wgsl", prints: "@compute"},
	"wgslab lsp":       {run: session, prints: `"capabilities"`, serves: true},
	"wgslab mcp":       {run: `echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | wgslab mcp`, prints: `"id":1,"result"`},
	"wgslab progress":  {run: "wgslab progress", prints: "vector-add"},
	"wgslab journal":   {run: "wgslab check vector-add && wgslab journal", prints: "journal.html"},
	"wgslab tutor":     {run: "wgslab tutor vector-add", prints: "tutor"},
	"wgslab run":       {run: "wgslab run tiny.ipynb", prints: "tiny.ipynb"},
	"wgslab exercise":  {run: "wgslab exercise test hello", prints: "nothing is wrong"},
	"wgslab site":      {run: `make -s -C "$root" site && exec wgslab site --work work`, prints: "http://127.0.0.1:", serves: true},
	"wgslab draw":      {run: "exec wgslab draw", prints: "http://127.0.0.1:", serves: true},
	"wgslab export":    {run: "wgslab export my-digits.html && ls", prints: "my-digits.html"},
	"wgslab write":     {run: `wgslab write "Once upon" --letters 9 --seed 1`, prints: "Once upon"},
	"wgslab train":     {run: "wgslab train --epochs 1 --out weights", prints: "of the test images", needs: "WGSLAB_MNIST"},
	"wgslab grade":     {run: "wgslab grade class", prints: "1 submission"},
	"wgslab release":   {run: "wgslab release released", prints: "README.md"},
	"wgslab lab":       {run: "exec wgslab lab -- --no-browser --port=0", prints: "http://127.0.0.1:", serves: true},
	"wgslab install":   {run: "wgslab install --prefix .", prints: "WGSL for JupyterLab"},
	"wgslab lessons":   {run: `cd "$root" && wgslab lessons "$OLDPWD/mine" && test -f "$OLDPWD/mine/beyond/10-train.ipynb"`, prints: "Work in them"},
	"wgslab doctor":    {run: "wgslab doctor", prints: "WebGPU adapter"},
	"wgslab bench":     {run: "wgslab bench --rounds 1 --students 0 --out bench.json", prints: "A LEARNER WAITS FOR"},
	"wgslab simulate":  {run: "wgslab simulate work/vector-add.wgsl --bind 0=f32[4] --bind 1=f32[4] --bind 2=f32[4]", prints: "0 2 4 6"},
	"wgslab test":      {run: `wgslab test || test $? = 2`, prints: "_test.toml"},
	"wgslab open":      {run: `printf '=== WebGPU Shader code [A] Start ===\nfn\n=== WebGPU Shader code [A] End ===\n' > a.log && wgslab open a.log`, prints: "1 shader"},
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

// Every command that we list is in tries, and nothing else is: make acceptance runs them.
func TestEveryListedCommandHasATry(t *testing.T) {
	commands := listed(t)
	for _, name := range commands {
		assert.Contains(t, tries, name, "add its shortest form to tries")
	}
	for name := range tries {
		assert.Contains(t, commands, name, "remove it from tries: nothing lists it any more")
	}
}
