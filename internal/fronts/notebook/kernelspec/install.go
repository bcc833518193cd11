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

	"github.com/wgslab/wgslab/internal/ground/atomicfile"
)

// Name is the name of the notebooks' kernel, in their metadata and in Jupyter's commands.
const Name = "gonb"

// Toolchain names the tools that build cells.
type Toolchain struct {
	GoRoot string   // GOROOT of the Go that go.mod names
	Mold   bool     // whether the mold linker is installed
	Path   []string // more folders of programs that a build calls
}

//go:embed logo-svg.svg
var logo []byte

// Dir returns the folder of the kernel spec of the clone at root.
func Dir(root string) string {
	return filepath.Join(root, ".venv", "share", "jupyter", "kernels", Name)
}

// Install writes the clone's kernel spec and returns its folder. It does not rewrite unchanged
// files. With plain, the spec is for GoNB alone.
func Install(root string, plain bool) (string, error) {
	tools, err := findToolchain(root)
	if err != nil {
		return "", err
	}
	spec := New(root, tools)
	if plain {
		spec = Plain(root, tools)
	}
	return write(Dir(root), spec)
}

// InstallIn writes the spec of a program without a clone to a folder of Jupyter's data, such as
// share/jupyter of a virtual environment. It returns the spec's folder.
func InstallIn(data, program string) (string, error) {
	return write(filepath.Join(data, "kernels", Name), Installed(program))
}

func write(dir string, spec Spec) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("writing the kernel spec: %w", err)
	}
	for name, data := range Files(spec) {
		if err := writeChanged(filepath.Join(dir, name), data); err != nil {
			return "", fmt.Errorf("writing the kernel spec: %w", err)
		}
	}
	return dir, nil
}

// Files returns the files of a kernel spec by their names in its folder.
func Files(spec Spec) map[string][]byte {
	text, _ := json.MarshalIndent(spec, "", "  ") // a spec has only strings and a flag
	return map[string][]byte{"kernel.json": append(text, '\n'), "logo-svg.svg": logo}
}

func writeChanged(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == string(data) {
		return nil
	}
	return atomicfile.Write(path, data, 0o644)
}

// New returns the spec of the kernel of the clone at root: wgslab kernel, which starts GoNB. It has
// GoNB's name, so that notebooks work in either kernel.
func New(root string, tools Toolchain) Spec {
	spec := Plain(root, tools)
	spec.Argv = append(
		[]string{Program(root), "kernel", "--connection-file", "{connection_file}", "--"},
		goNB(root)...)
	spec.Metadata = map[string]any{"debugger": true}
	return spec
}

// Plain returns the spec of GoNB alone, for the clone at root.
func Plain(root string, tools Toolchain) Spec {
	return Spec{
		Name:        Name,
		Argv:        append(goNB(root), "--kernel", "{connection_file}"),
		DisplayName: "Go (gonb)",
		Language:    "go",
		// An interrupt_request message stops a running cell.
		InterruptMode: "message",
		Env:           environment(root, tools),
	}
}

// Installed returns the spec of the kernel of a program that was installed without a clone. It
// answers shader cells and checks. It looks for GoNB itself when it starts.
func Installed(program string) Spec {
	return Spec{
		Name:          Name,
		Argv:          []string{program, "kernel", "--connection-file", "{connection_file}"},
		DisplayName:   "WGSL (wgslab)",
		Language:      "go",
		InterruptMode: "message",
		Env:           map[string]string{},
		Metadata:      map[string]any{"debugger": true},
	}
}

// Program returns the path of the wgslab that serves the notebooks of the clone at root.
func Program(root string) string { return filepath.Join(root, ".build", "bin", "wgslab") }

// goNB returns the command that starts GoNB, without the connection file.
func goNB(root string) []string {
	return []string{
		filepath.Join(root, ".build", "bin", "gonb"),
		// Cells import the clone's packages offline.
		"-go_work=" + root,
		// GoNB would write its log to stderr, the terminal that runs JupyterLab. Messages
		// for the learner are in the notebook.
		"-logtostderr=false", "-log_file=" + os.DevNull, "-stderrthreshold=FATAL",
	}
}

// environment returns variables with which cells build the same way in JupyterLab, in nbgrader and
// on the command line, whatever the user's own settings are.
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
		// Mesa's device-select layer chooses among GPUs for a display. It complains on
		// stderr if there is no display. wgslab makes its own choice.
		"NODEVICE_SELECT": "1",
	}
}

// linkFlags returns flags that make linking a cell faster: 0.4 s instead of 1.1 s for one that uses
// the GPU. They apply only to the link, so cells share every compiled package with a plain go
// build.
func linkFlags(tools Toolchain) string {
	// Omit the debugger's tables and the system's build id. For each such option that Go passes
	// on, it first makes a trial run of the C compiler.
	flags := "-w -B none -compressdwarf=false"
	if tools.Mold {
		// mold puts all notes in one segment. Go cannot find its own note there if the
		// system's build id comes first. It would then consider every binary outdated and
		// link an unchanged cell again.
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

// findToolchain asks the go command in PATH for its GOROOT in the clone, and for the C compiler and
// the linker.
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
