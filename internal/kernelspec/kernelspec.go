// Package kernelspec installs the notebooks' kernel into a clone of this
// repository: GoNB, told to let cells import the clone's packages and to find
// its tools, whatever the user's own environment says. A kernel spec is how
// Jupyter learns to start a kernel: one folder with a kernel.json.
package kernelspec

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
)

// Name is the kernel's name in notebooks' metadata and on Jupyter's commands.
const Name = "gonb"

// Spec is the contents of a kernel.json.
type Spec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
}

// Toolchain is what cells are built with.
type Toolchain struct {
	GoRoot string   // GOROOT of the Go that go.mod names
	Mold   bool     // whether the mold linker is there
	Path   []string // further folders of programs that a build calls
}

//go:embed logo-svg.svg
var logo []byte

// Root finds the clone that a command is for: the one that holds the folder dir,
// or else one of the others, or else the program that runs.
func Root(dir string, others ...string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding the clone of wgslab: %w", err)
	}
	for _, start := range append([]string{dir}, others...) {
		if start, err = filepath.Abs(start); err != nil {
			return "", fmt.Errorf("finding the clone of wgslab: %w", err)
		}
		if root, ok := around(start); ok {
			return root, nil
		}
	}
	if root, ok := programs(); ok {
		return root, nil
	}
	return "", fmt.Errorf("%s is not inside a clone of wgslab: start this command there, or as the clone's own .build/bin/wgslab", dir)
}

// SetUp is the clone whose .venv and tools serve the clone at root: itself, or
// that of the program that runs where root has none, as in a development
// container, which brings the tools and opens a fresh clone.
func SetUp(root string) string {
	if isSetUp(root) {
		return root
	}
	if other, ok := programs(); ok && isSetUp(other) {
		return other
	}
	return root
}

func isSetUp(root string) bool {
	info, err := os.Stat(filepath.Join(root, ".venv"))
	return err == nil && info.IsDir()
}

// programs is the clone that holds the program that runs.
func programs() (string, bool) {
	program, err := os.Executable()
	if err != nil {
		return "", false
	}
	return around(filepath.Dir(program))
}

// around finds the nearest folder above dir whose go.mod is this module's.
func around(dir string) (string, bool) {
	for at := dir; ; at = filepath.Dir(at) {
		if text, err := os.ReadFile(filepath.Join(at, "go.mod")); err == nil && isOurs(string(text)) {
			return at, true
		}
		if at == filepath.Dir(at) {
			return "", false
		}
	}
}

func isOurs(goMod string) bool {
	return slices.Contains(strings.Split(goMod, "\n"), "module github.com/wgslab/wgslab")
}

// Dir is the folder of the clone's kernel spec.
func Dir(root string) string {
	return filepath.Join(root, ".venv", "share", "jupyter", "kernels", Name)
}

// Read reads the clone's kernel spec.
func Read(root string) (Spec, error) {
	var spec Spec
	path := filepath.Join(Dir(root), "kernel.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return spec, fmt.Errorf("reading the kernel spec: %w", err)
	}
	if err := json.Unmarshal(text, &spec); err != nil {
		return spec, fmt.Errorf("reading the kernel spec %s: %w", path, err)
	}
	return spec, nil
}

// Install writes the clone's kernel spec and returns its folder. What is in it
// already is not written again.
func Install(root string) (string, error) {
	tools, err := findToolchain(root)
	if err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(New(root, tools), "", "  ")
	if err != nil {
		return "", fmt.Errorf("writing the kernel spec: %w", err)
	}
	dir := Dir(root)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("writing the kernel spec: %w", err)
	}
	for name, data := range map[string][]byte{"kernel.json": append(text, '\n'), "logo-svg.svg": logo} {
		if err := writeChanged(filepath.Join(dir, name), data); err != nil {
			return "", fmt.Errorf("writing the kernel spec: %w", err)
		}
	}
	return dir, nil
}

func writeChanged(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == string(data) {
		return nil
	}
	return renameio.WriteFile(path, data, 0o644)
}

// New describes the kernel of the clone at root.
func New(root string, tools Toolchain) Spec {
	return Spec{
		Argv: []string{
			filepath.Join(root, ".build", "bin", "gonb"),
			"--kernel", "{connection_file}",
			// Cells import the clone's packages with no network.
			"-go_work=" + root,
			// GoNB tells its diary on stderr, in the terminal that JupyterLab runs
			// in; what concerns the learner is in the notebook.
			"-logtostderr=false", "-log_file=" + os.DevNull, "-stderrthreshold=FATAL",
		},
		DisplayName: "Go (gonb)",
		Language:    "go",
		// GoNB stops a cell on the interrupt_request message.
		InterruptMode: "message",
		Env:           environment(root, tools),
	}
}

// environment makes cells build the same way in JupyterLab, in nbgrader and on
// the command line, whatever the user's own settings are.
func environment(root string, tools Toolchain) map[string]string {
	path := []string{
		filepath.Join(root, ".build", "bin"), // goimports and gopls
		filepath.Join(root, ".venv", "bin"),
		filepath.Join(tools.GoRoot, "bin"),
	}
	path = append(path, tools.Path...)
	path = append(path, "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
	return map[string]string{
		"PATH":        strings.Join(unique(path), string(os.PathListSeparator)),
		"GOFLAGS":     linkFlags(tools),
		"GOTOOLCHAIN": "local", // the Go in PATH is the right one: no look at go.mod needed
		"GOWORK":      "",      // GoNB's own go.work, not the user's
		"CGO_ENABLED": "1",     // WebGPU is a C library
		// Mesa's device-select layer chooses among GPUs for a display, and
		// complains on stderr where there is no display. wgslab chooses itself.
		"NODEVICE_SELECT": "1",
	}
}

// linkFlags makes cells link fast: 0.4 s instead of 1.1 s for one that uses the
// GPU. They are flags of the link alone, so that cells share every compiled
// package with a plain go build.
func linkFlags(tools Toolchain) string {
	// No tables for a debugger, and no system's build id: each such option that
	// Go would pass on costs a trial run of the C compiler first.
	flags := "-w -B none -compressdwarf=false"
	if tools.Mold {
		// mold puts all notes in one segment, in which Go loses its way to its own
		// note when the system's build id comes before it. Go would then take
		// every binary for an outdated one and link an unchanged cell again.
		flags += ` "-extldflags=-fuse-ld=mold -Wl,--build-id=none"`
	}
	return "'-ldflags=" + flags + "'"
}

func unique(list []string) []string {
	var kept []string
	for _, entry := range list {
		if !slices.Contains(kept, entry) {
			kept = append(kept, entry)
		}
	}
	return kept
}

// findToolchain asks the go command in PATH what it is in the clone, and where
// the C compiler and the linker are.
func findToolchain(root string) (Toolchain, error) {
	command := exec.Command("go", "env", "GOROOT")
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
		}
		return Toolchain{}, fmt.Errorf("asking go for its GOROOT (run make setup): %w", err)
	}
	tools := Toolchain{GoRoot: strings.TrimSpace(string(out))}
	for _, program := range []string{"gcc", "mold"} {
		path, err := exec.LookPath(program)
		if err != nil {
			continue
		}
		tools.Path = append(tools.Path, filepath.Dir(path))
		tools.Mold = tools.Mold || program == "mold"
	}
	return tools, nil
}
