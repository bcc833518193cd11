package jail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Builder builds learners' programs in Go from packages that are compiled already.
type Builder struct {
	Version string // of Go

	compile, link string   // the programs
	imports, all  []string // lines of importcfg: of what a program imports, and of all that it links
	files         []string // of the packages
}

// FindBuilder compiles what programs in Go import, with the packages of the clone at root, and
// keeps it in Go's cache. The first time that takes a minute. Nothing of it links C: a program runs
// its shaders in the simulator. program is Go's command; "" is the one in PATH.
func FindBuilder(ctx context.Context, root, program string) (*Builder, error) {
	switch {
	case !Confines:
		return nil, errors.New("this system can't confine them. Linux and the Docker image can")
	case root == "":
		return nil, errors.New("they are built with the packages of a clone of wgslab, and this program isn't in one")
	}
	t := &Builder{}
	said, err := runGo(ctx, root, program, "env", "GOVERSION", "GOTOOLDIR")
	if err != nil {
		return nil, err
	}
	version, tools, _ := strings.Cut(strings.TrimSpace(said), "\n")
	t.Version, t.compile, t.link = version, filepath.Join(tools, "compile"), filepath.Join(tools, "link")
	packages := append(Importable(), insidePackage)
	listed, err := runGo(ctx, root, program, append([]string{"list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}}={{.Export}}{{end}}"}, packages...)...)
	if err != nil {
		return nil, err
	}
	direct := append(packages, "runtime") // of mainOf
	for line := range strings.Lines(listed) {
		path, file, found := strings.Cut(strings.TrimSpace(line), "=")
		if !found {
			continue
		}
		entry := "packagefile " + path + "=" + file
		t.all, t.files = append(t.all, entry), append(t.files, file)
		if slices.Contains(direct, path) {
			t.imports = append(t.imports, entry)
		}
	}
	return t, nil
}

// runGo returns what Go's command prints. It looks nothing up in the network, and runs in a clone,
// whose go.mod decides.
func runGo(ctx context.Context, root, program string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, cmp.Or(program, "go"), arguments...)
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOTOOLCHAIN=local", "GOPROXY=off", "GOEXPERIMENT=")
	said, err := command.Output()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return "", errors.New("there is no go command: install Go, or run make setup in the clone")
	case errors.As(err, &failed):
		first, _, _ := strings.Cut(strings.TrimSpace(string(failed.Stderr)), "\n")
		return "", fmt.Errorf("go %s in %s: %s", arguments[0], root, first)
	case err != nil:
		return "", fmt.Errorf("running Go: %w", err)
	}
	return string(said), nil
}
