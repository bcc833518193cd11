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

// Name is the name of the notebooks' kernel, in their metadata and on Jupyter's
// commands.
const Name = "gonb"

// Toolchain is what cells are built with.
type Toolchain struct {
	GoRoot string   // GOROOT of the Go that go.mod names
	Mold   bool     // whether the mold linker is there
	Path   []string // further folders of programs that a build calls
}

//go:embed logo-svg.svg
var logo []byte

// Dir is the folder of the kernel spec of the clone at root.
func Dir(root string) string {
	return filepath.Join(root, ".venv", "share", "jupyter", "kernels", Name)
}

// Install writes the clone's kernel spec and returns its folder. What is in it
// already is not written again. Plain is GoNB alone.
func Install(root string, plain bool) (string, error) {
	tools, err := findToolchain(root)
	if err != nil {
		return "", err
	}
	spec := New(root, tools)
	if plain {
		spec = Plain(root, tools)
	}
	text, err := json.MarshalIndent(spec, "", "  ")
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

// New describes the kernel of the clone at root: wgslab kernel, with GoNB behind it.
// Its name is GoNB's, so that notebooks need not know which of the two they run in.
func New(root string, tools Toolchain) Spec {
	spec := Plain(root, tools)
	spec.Argv = append(
		[]string{Program(root), "kernel", "--connection-file", "{connection_file}", "--"},
		goNB(root)...)
	spec.Metadata = map[string]any{"debugger": true}
	return spec
}

// Plain describes GoNB alone, for the clone at root.
func Plain(root string, tools Toolchain) Spec {
	return Spec{
		Name:        Name,
		Argv:        append(goNB(root), "--kernel", "{connection_file}"),
		DisplayName: "Go (gonb)",
		Language:    "go",
		// A running cell is stopped by the interrupt_request message.
		InterruptMode: "message",
		Env:           environment(root, tools),
	}
}

// Program is the wgslab that serves the notebooks of the clone at root.
func Program(root string) string { return filepath.Join(root, ".build", "bin", "wgslab") }

// goNB is the command that starts GoNB, but for the connection file.
func goNB(root string) []string {
	return []string{
		filepath.Join(root, ".build", "bin", "gonb"),
		// Cells import the clone's packages with no network.
		"-go_work=" + root,
		// GoNB tells its diary on stderr, in the terminal that JupyterLab runs
		// in; what concerns the learner is in the notebook.
		"-logtostderr=false", "-log_file=" + os.DevNull, "-stderrthreshold=FATAL",
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
