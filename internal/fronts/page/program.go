package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/fronts/page/cells"
	"github.com/wgslab/wgslab/internal/fronts/page/wasmjumps"
	"github.com/wgslab/wgslab/weights"
)

// workerScripts start the program in Web Workers.
var workerScripts = []string{"worker.js", "cell.js", "program.js", "files.js", "gpu.js"}

// The page to draw on, which a cell of lesson 8 shows in a frame.
const (
	sheetPage   = "draw.html"
	sheetScript = "draw.js"
)

// courseData lists the files that the program opens below /course/ when it needs them, by their
// path in the clone. A visitor who runs no cell that reads digits downloads none of them.
var courseData = []string{
	"internal/networks/mnist/t10k/t10k-images-idx3-ubyte.gz",
	"internal/networks/mnist/t10k/t10k-labels-idx1-ubyte.gz",
	"weights/" + weights.Name,
	"weights/" + weights.ConvName,
	"weights/" + weights.AttentionName,
	"weights/" + weights.LettersName,
}

// courseFiles returns their names.
func courseFiles() []string {
	var names []string
	for _, file := range courseData {
		names = append(names, path.Base(file))
	}
	return names
}

// makeProgram compiles the judge and the notebooks' cells, which are one program. It returns the
// program with the files that it needs, and their licences.
func makeProgram(ctx context.Context, root string, goCells *cells.GoSource) (program files, licences files, err error) {
	folder, err := os.MkdirTemp("", "wgslab-program-")
	if err != nil {
		return nil, nil, fmt.Errorf("compiling the judge: %w", err)
	}
	defer os.RemoveAll(folder)
	c, err := newCompiler(ctx, root, folder, goCells)
	if err != nil {
		return nil, nil, err
	}
	wasm, err := c.compile(ctx)
	if err != nil {
		return nil, nil, err
	}
	small, err := c.compress(ctx, wasm)
	if err != nil {
		return nil, nil, err
	}
	program = files{"judge.wasmgz": small}
	for _, name := range workerScripts {
		if program[name], err = readAsset(root, name); err != nil {
			return nil, nil, err
		}
	}
	for _, file := range courseData {
		if program[path.Base(file)], err = os.ReadFile(filepath.Join(root, filepath.FromSlash(file))); err != nil {
			return nil, nil, fmt.Errorf("reading what cells need: %w", err)
		}
	}
	goroot, err := c.goroot(ctx)
	if err != nil {
		return nil, nil, err
	}
	if program["wasm_exec.js"], err = os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, nil, fmt.Errorf("reading what starts the judge: %w", err)
	}
	licences, err = c.licences(ctx)
	if err == nil {
		licences["Go"], err = licenceIn(goroot)
	}
	return program, licences, err
}

// A compiler compiles the program for a browser.
type compiler struct {
	root, folder string
	flags        []string // of go build and go list
}

func newCompiler(ctx context.Context, root, folder string, goCells *cells.GoSource) (*compiler, error) {
	c := &compiler{root: root, folder: folder}
	modules, err := c.withOneFont(ctx)
	if err != nil {
		return nil, err
	}
	overlay, err := goCells.Overlay(root, folder)
	if err != nil {
		return nil, err
	}
	// With this tag, the plotting library links only the formats that we import: no writer of PDF.
	c.flags = []string{"-modfile=" + modules, "-overlay=" + overlay, "-tags=minimal"}
	return c, nil
}

// notInlined lists packages that run seldom. Without inlined calls they take less of the download:
// 300 kB of 9 MB after compression.
var notInlined = []string{
	"bufio", "codeberg.org/...", "context", "crypto/...", "encoding/...", "errors", "fmt", "git.sr.ht/...", "github.com/pelletier/...", "golang.org/x/...", "gonum.org/...",
	"html/...", "image/...", "internal/poll", "io/...", "log/...", "math", "math/big", "math/rand/...", "net/...", "os/...", "path/...", "regexp/...", "runtime/debug", "slices", "unique", "weak",
	"bytes", "cmp", "compress/...", "embed", "flag", "hash/...", "iter", "maps", "mime/...", "strings", "sync/...", "syscall/...", "text/...", "time", "unicode/...", "strconv", "reflect", "sort",
	"internal/bisect", "internal/filepathlite", "internal/fmtsort", "internal/godebug", "internal/reflectlite", "internal/strconv", "internal/sync", "internal/syscall/...",
	"github.com/aymanbagabas/...", "github.com/google/...", "github.com/rivo/...",
	module + "exercises", module + "pkg/...", module + "shaders", module + "weights", module + "internal/course/...", module + "internal/fronts/...", module + "internal/ground/...",
	module + "internal/networks/...", module + "internal/observe/...", module + "internal/wgsl/...", module + "internal/machine/engine/...", module + "internal/machine/shader",
	module + "internal/machine/sim/ir", "internal/runtime/maps", "internal/chacha8rand", "internal/trace/...", "internal/testlog", "internal/runtime/gc/...", "internal/stringslite", "internal/synctest", "internal/oserror", module + "internal/machine/sim/machinecode", module + "internal/machine/sim/texture", module + "internal/machine/sim/wasm",
	module + "internal/machine/webgpu/...",
}

const module = "github.com/wgslab/wgslab/"

func (c *compiler) compile(ctx context.Context) ([]byte, error) {
	out := filepath.Join(c.folder, "judge.wasm")
	arguments := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", out}, c.flags...)
	for _, packages := range notInlined {
		arguments = append(arguments, "-gcflags="+packages+"=-l")
	}
	if _, err := c.goTool(ctx, append(arguments, "./"+cells.Program)...); err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("compiling the judge: %w", err)
	}
	if wasm, err = wasmjumps.Straighten(wasm); err != nil {
		return nil, fmt.Errorf("making the judge faster: %w", err)
	}
	return wasm, nil
}

// compressor is libdeflate's gzip. It needs 5 s for 30 MB, and leaves 5 % less than Go's.
const compressor = "libdeflate-gzip"

// compress compresses the program as well as the format allows.
func (c *compiler) compress(ctx context.Context, wasm []byte) ([]byte, error) {
	file := filepath.Join(c.folder, "straight.wasm")
	if err := os.WriteFile(file, wasm, 0o644); err != nil {
		return nil, fmt.Errorf("compressing the judge: %w", err)
	}
	const best = "-12"
	small, err := exec.CommandContext(ctx, compressor, best, "-c", file).Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, fmt.Errorf("compressing the judge: %w: bash setup/packages.sh site installs it", err)
	}
	if err != nil {
		return nil, fmt.Errorf("compressing the judge: %w", err)
	}
	return small, nil
}

func (c *compiler) goroot(ctx context.Context) (string, error) {
	home, err := c.goTool(ctx, "env", "GOROOT")
	return strings.TrimSpace(string(home)), err
}

// licences returns the licences of the modules that the program links, except our own.
func (c *compiler) licences(ctx context.Context) (files, error) {
	const format = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}"
	list, err := c.goTool(ctx, append(append([]string{"list", "-deps", "-f", format}, c.flags...), "./"+cells.Program)...)
	if err != nil {
		return nil, err
	}
	found := files{}
	for line := range strings.Lines(string(list)) {
		name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || found[name] != nil {
			continue
		}
		if found[name], err = licenceIn(dir); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// The plotting library links twelve fonts, 2.4 MB compressed. pkg/show/plot uses only one of them.
const (
	fonts   = "codeberg.org/go-fonts/liberation"
	theFont = "liberationsansregular"
)

// withOneFont makes a copy of the fonts' module with that font in all twelve places. It returns a
// go.mod that uses the copy.
func (c *compiler) withOneFont(ctx context.Context) (string, error) {
	found, err := c.goTool(ctx, "list", "-m", "-f", "{{.Dir}}", fonts)
	if err != nil {
		return "", err
	}
	module := filepath.Join(c.folder, "fonts")
	if err := os.CopyFS(module, os.DirFS(strings.TrimSpace(string(found)))); err != nil {
		return "", fmt.Errorf("leaving fonts out: %w", err)
	}
	others, err := filepath.Glob(filepath.Join(module, "*", "data.go"))
	if err != nil {
		return "", err
	}
	for _, file := range others {
		name := filepath.Base(filepath.Dir(file))
		if name == theFont {
			continue
		}
		source := fmt.Sprintf("package %s\n\nimport font %q\n\nvar TTF = font.TTF\n", name, fonts+"/"+theFont)
		if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
			return "", fmt.Errorf("leaving fonts out: %w", err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(c.root, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(c.folder, name), data, 0o644)
		}
		if err != nil {
			return "", fmt.Errorf("leaving fonts out: %w", err)
		}
	}
	modules := filepath.Join(c.folder, "go.mod")
	_, err = c.goTool(ctx, "mod", "edit", "-replace="+fonts+"="+module, modules)
	return modules, err
}

// goTool runs the go command with the browser as its target.
func (c *compiler) goTool(ctx context.Context, arguments ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = c.root
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", "GOWORK=")
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("compiling the judge and the cells: go %s: %w: %s", arguments[0], err, said.String())
	}
	return out, nil
}
