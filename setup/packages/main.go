// Command packages makes the packages for npm and pip from built programs. Two runs with the same
// inputs give the same bytes.
//
//	go run ./setup/packages         # after setup/release.sh: packages of the programs in dist/
//	go run ./setup/packages -here   # of a program that it builds for this machine
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A program is wgslab, built for one system.
type program struct {
	os, arch string // as Go names them
	path     string
}

func (p program) name() string {
	if p.os == "windows" {
		return "wgslab.exe"
	}
	return "wgslab"
}

// A file is a file of a package.
type file struct {
	path       string // with slashes
	data       []byte
	executable bool
}

// maker makes packages of one version.
type maker struct {
	root, out, site string
	version         string // without a v, as in 1.0.0-rc.1
	programs        []program
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	m := maker{root: "."}
	var here bool
	flags := flag.NewFlagSet("packages", flag.ExitOnError)
	flags.BoolVar(&here, "here", false, "build the program for this machine, instead of those in dist/")
	flags.StringVar(&m.version, "version", "", "the packages' version (default: that of dist/metadata.json, or the commit)")
	flags.StringVar(&m.out, "out", "dist", "the folder for the packages, in npm/ and pip/")
	flags.StringVar(&m.site, "site", filepath.Join(".build", "site"), "the folder of the course's page, which make site makes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q: packages takes flags only", flags.Arg(0))
	}
	find := m.released
	if here {
		find = m.build
	}
	if err := find(); err != nil {
		return err
	}
	for _, kind := range []string{"npm", "pip"} { // packages of another version would be installed as well
		if err := os.RemoveAll(filepath.Join(m.out, kind)); err != nil {
			return err
		}
	}
	if err := m.npm(); err != nil {
		return fmt.Errorf("making the packages for npm: %w", err)
	}
	if err := m.pip(); err != nil {
		return fmt.Errorf("making the packages for pip: %w", err)
	}
	return nil
}

// released finds the programs that GoReleaser has built, and their version.
func (m *maker) released() error {
	var artifacts []struct{ Type, Path, Goos, Goarch string }
	if err := readJSON(filepath.Join("dist", "artifacts.json"), &artifacts); err != nil {
		return err
	}
	for _, a := range artifacts {
		if a.Type == "Binary" {
			m.programs = append(m.programs, program{a.Goos, a.Goarch, a.Path})
		}
	}
	if len(m.programs) == 0 {
		return errors.New("dist/artifacts.json lists no program: run make archives")
	}
	if m.version != "" {
		return nil
	}
	var release struct{ Version string }
	err := readJSON(filepath.Join("dist", "metadata.json"), &release)
	m.version = release.Version
	return err
}

// build builds the program for this machine as a release has it.
func (m *maker) build() error {
	if m.version == "" {
		commit, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
		if err != nil {
			return fmt.Errorf("asking git for the commit, which names the version (or name one with -version): %w", err)
		}
		m.version = "0.0.0-SNAPSHOT-" + strings.TrimSpace(string(commit))
	}
	p := program{os: runtime.GOOS, arch: runtime.GOARCH}
	p.path = filepath.Join(m.out, p.os+"-"+p.arch, p.name())
	m.programs = append(m.programs, p)
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", p.path, "./cmd/wgslab")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building wgslab: %w: %s", err, out)
	}
	return nil
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading what a release has made (make archives makes it): %w", err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

// read returns files of the repository, by their new paths.
func (m *maker) read(from map[string]string) (files []file, err error) {
	for path, name := range from {
		data, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		files = append(files, file{path: path, data: data})
	}
	return files, nil
}

// folder returns all files of a folder, below another path. It leaves out hidden files and what
// the learner wrote.
func folder(dir, below string) (files []file, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir(), strings.HasPrefix(name, "work/") && name != "work/README.md":
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		files = append(files, file{path: below + name, data: data})
		return err
	})
	return files, err
}

// save writes a package, and says how large it is.
func (m *maker) save(kind, name string, data []byte) error {
	dir := filepath.Join(m.out, kind)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	fmt.Printf("%s: %.1f MB\n", path, float64(len(data))/1e6)
	return os.WriteFile(path, data, 0o644)
}

// sorted returns the files in the order of their paths.
func sorted(files []file) []file {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return files
}
