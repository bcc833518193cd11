// Package kernelspec finds and installs kernel specs: folders with a kernel.json that tell Jupyter
// how to start a kernel. It searches the same folders as Jupyter. It installs the notebooks' kernel
// in a clone: wgslab kernel, which runs GoNB. The spec's settings let cells import the clone's
// packages and find its tools, whatever the user's own environment says.
package kernelspec

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Spec is a kernel spec: how to start a kernel. The fields with a JSON name are the contents of
// kernel.json.
type Spec struct {
	Name string `json:"-"` // its folder's name, which notebooks refer to
	Dir  string `json:"-"` // the folder of kernel.json

	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"` // "signal" (also when empty) or "message"
	Env           map[string]string `json:"env"`
	Metadata      map[string]any    `json:"metadata,omitempty"` // "debugger": true turns JupyterLab's debugger on
}

// MissingError reports that no kernel spec has the requested name.
type MissingError struct {
	Name  string
	Known []string // the existing names
	Dirs  []string // the folders that were searched
}

func (e *MissingError) Error() string {
	known := "none is installed"
	if len(e.Known) > 0 {
		known = "there is " + strings.Join(e.Known, ", ")
	}
	return fmt.Sprintf("no kernel is named %q: %s (looked in %s)", e.Name, known, strings.Join(e.Dirs, ", "))
}

// Find returns the kernel spec with a name. It searches in Jupyter's order: JUPYTER_PATH,
// share/jupyter of each prefix (such as a virtual environment), the user's folder, the system's
// folders. If there is no such spec, the error is a *MissingError.
func Find(name string, prefixes ...string) (Spec, error) {
	dirs := dataDirs(prefixes)
	for _, dir := range dirs {
		spec, err := Read(filepath.Join(dir, "kernels", name))
		if !errors.Is(err, fs.ErrNotExist) {
			return spec, err
		}
	}
	return Spec{}, &MissingError{Name: name, Known: specNames(dirs), Dirs: dirs}
}

// Read reads the kernel spec in a folder.
func Read(dir string) (Spec, error) {
	path := filepath.Join(dir, "kernel.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return Spec{}, fmt.Errorf("reading a kernel spec: %w", err)
	}
	spec := Spec{Name: filepath.Base(dir), Dir: dir}
	if err := json.Unmarshal(data, &spec); err != nil {
		return Spec{}, fmt.Errorf("reading the kernel spec %s: %w", path, err)
	}
	if len(spec.Argv) == 0 {
		return Spec{}, fmt.Errorf("the kernel spec %s has no argv: it does not say what to start", path)
	}
	return spec, nil
}

func specNames(dirs []string) []string {
	var names []string
	for _, dir := range dirs {
		found, _ := filepath.Glob(filepath.Join(dir, "kernels", "*", "kernel.json")) // fails only on a bad pattern
		for _, path := range found {
			names = append(names, filepath.Base(filepath.Dir(path)))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// dataDirs returns Jupyter's data path.
func dataDirs(prefixes []string) []string {
	dirs := filepath.SplitList(os.Getenv("JUPYTER_PATH"))
	for _, prefix := range prefixes {
		dirs = append(dirs, filepath.Join(prefix, "share", "jupyter"))
	}
	if dir := UserDataDir(); dir != "" {
		dirs = append(dirs, dir)
	}
	return append(dirs, "/usr/local/share/jupyter", "/usr/share/jupyter")
}

// UserDataDir returns the folder where Jupyter looks for the user's own kernels and extensions. It
// returns "" if the user has no home.
func UserDataDir() string {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Jupyter")
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter")
	}
	return filepath.Join(home, ".local", "share", "jupyter")
}

// prefix returns the environment of the spec: the folder above share/jupyter/kernels/NAME, or "" if
// the spec is elsewhere.
func (s Spec) prefix() string {
	up, found := strings.CutSuffix(filepath.Dir(s.Dir), filepath.Join("share", "jupyter", "kernels"))
	if !found {
		return ""
	}
	return filepath.Clean(up)
}

// Environ returns the kernel's environment: ours, then the spec's variables, in which $NAME and
// ${NAME} stand for the values so far. As in an activated environment, PATH begins with the
// programs of the spec's prefix.
func (s Spec) Environ() map[string]string {
	env := make(map[string]string)
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		env[name] = value
	}
	if prefix := s.prefix(); prefix != "" {
		env["PATH"] = filepath.Join(prefix, "bin") + string(filepath.ListSeparator) + env["PATH"]
	}
	inherited := func(name string) (string, bool) { value, ok := env[name]; return value, ok }
	set := make(map[string]string, len(s.Env))
	for name, value := range s.Env {
		set[name] = expand(value, inherited)
	}
	for name, value := range set {
		env[name] = value
	}
	return env
}

var variable = regexp.MustCompile(`\$(?:\$|\w+|\{\w+\})`)

// expand replaces $NAME, ${NAME} and $$; it leaves unknown names.
func expand(text string, lookup func(string) (string, bool)) string {
	return variable.ReplaceAllStringFunc(text, func(match string) string {
		if match == "$$" {
			return "$"
		}
		if value, ok := lookup(strings.Trim(match, "${}")); ok {
			return value
		}
		return match
	})
}

// Command returns the program and the arguments that start the kernel. It searches for the program
// in the kernel's own PATH.
func (s Spec) Command(connectionFile string, env map[string]string) (string, []string, error) {
	fill := strings.NewReplacer(
		"{connection_file}", connectionFile,
		"{resource_dir}", s.Dir,
		"{prefix}", s.prefix(),
	)
	args := make([]string, len(s.Argv))
	for i, arg := range s.Argv {
		args[i] = fill.Replace(arg)
	}
	program, err := FindProgram(args[0], env["PATH"])
	if err != nil {
		return "", nil, fmt.Errorf("the kernel spec %s starts %q: %w", filepath.Join(s.Dir, "kernel.json"), args[0], err)
	}
	return program, args[1:], nil
}

// FindProgram returns the program of that name in path, a list of folders like PATH. A name with a
// folder is searched only there.
func FindProgram(name, path string) (string, error) {
	candidates := []string{name}
	if !strings.ContainsRune(name, filepath.Separator) {
		candidates = nil
		for _, dir := range filepath.SplitList(path) {
			candidates = append(candidates, filepath.Join(dir, name))
		}
	}
	for _, candidate := range candidates {
		info, err := os.Stat(candidate)
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return candidate, nil
		}
	}
	return "", errors.New("there is no such program")
}
