// Command packages makes the packages for npm and pip from built programs. Two runs with the same
// inputs give the same bytes.
//
//	go run ./setup/packages                               # after setup/release.sh: what dist/ has
//	go run ./setup/packages -version 1.0.0 linux/amd64=.build/bin/wgslab
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	flags := flag.NewFlagSet("packages", flag.ExitOnError)
	flags.StringVar(&m.version, "version", "", "the packages' version (default: that of dist/metadata.json)")
	flags.StringVar(&m.out, "out", "dist", "the folder for the packages, in npm/ and pip/")
	flags.StringVar(&m.site, "site", filepath.Join(".build", "site"), "the folder of the course's page, which make site makes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := m.find(flags.Args()); err != nil {
		return err
	}
	if err := m.npm(); err != nil {
		return fmt.Errorf("making the packages for npm: %w", err)
	}
	if err := m.pip(); err != nil {
		return fmt.Errorf("making the packages for pip: %w", err)
	}
	return nil
}

// find sets the programs and the version: the given ones, or those in dist/.
func (m *maker) find(given []string) error {
	for _, one := range given {
		system, path, named := strings.Cut(one, "=")
		name, arch, whole := strings.Cut(system, "/")
		if !named || !whole {
			return fmt.Errorf("%q is no program: write it like linux/amd64=FILE", one)
		}
		m.programs = append(m.programs, program{name, arch, path})
	}
	if len(given) == 0 {
		if err := m.released(); err != nil {
			return err
		}
	}
	if m.version == "" {
		var release struct{ Version string }
		if err := readJSON(filepath.Join("dist", "metadata.json"), &release); err != nil {
			return err
		}
		m.version = release.Version
	}
	if m.version == "" || m.version[0] < '0' || m.version[0] > '9' {
		return fmt.Errorf("%q is no version: write it like 1.0.0", m.version)
	}
	return nil
}

// released adds the programs that GoReleaser has built.
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
