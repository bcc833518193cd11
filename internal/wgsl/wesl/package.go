package wesl

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// packageFile describes a package (WeslToml in WESL's specification).
const packageFile = "wesl.toml"

// hostFiles are those that WESL's tools look for where there is no wesl.toml.
var hostFiles = []string{"package.json", "Cargo.toml", "deno.json"}

// Open returns the package that a file is in, and the file's name in it. The package is the root
// that the nearest wesl.toml names. Without one it is the folder shaders beside the nearest
// package.json, Cargo.toml or deno.json, or else the file's own folder.
func Open(file string) (in *Package, name string, err error) {
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, "", fmt.Errorf("looking for the package of %s: %w", file, err)
	}
	opened := map[string]*Package{}
	root := folder
	for at := folder; ; at = filepath.Dir(at) {
		found := false
		for _, host := range append([]string{packageFile}, hostFiles...) {
			info, err := os.Stat(filepath.Join(at, host))
			found = found || err == nil && !info.IsDir()
		}
		if found {
			if in, err = open(at, opened); err != nil {
				return nil, "", err
			}
			if name, ok := below(in.disk, filepath.Join(folder, filepath.Base(file))); ok {
				return in, name, nil
			}
			break
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	alone := newPackage(root)
	if in != nil {
		alone.Packages, alone.renamed = in.Packages, in.renamed
	}
	return alone, filepath.Base(file), nil
}

// below returns the path of a file below a folder, with slashes.
func below(folder, file string) (name string, ok bool) {
	name, err := filepath.Rel(folder, file)
	return filepath.ToSlash(name), err == nil && filepath.IsLocal(name)
}

func newPackage(folder string) *Package {
	shown := folder
	if here, err := os.Getwd(); err == nil {
		if name, err := filepath.Rel(here, folder); err == nil && (filepath.IsLocal(name) || strings.Count(name, "..") < 4) {
			shown = name
		}
	}
	if shown == "." {
		shown = ""
	}
	return &Package{Files: os.DirFS(folder), Folder: filepath.ToSlash(shown), disk: folder}
}

// A description is the contents of a wesl.toml, as far as they say where modules are. The keys of
// [package] may also stand alone, as in the editions up to 2025.
type description struct {
	Root         string                `toml:"root"`
	Package      struct{ Root string } `toml:"package"`
	Dependencies any                   `toml:"dependencies"`
}

// open reads the package whose wesl.toml is in a folder. Packages may depend on each other.
func open(folder string, opened map[string]*Package) (*Package, error) {
	if in := opened[folder]; in != nil {
		return in, nil
	}
	var d description
	text, err := os.ReadFile(filepath.Join(folder, packageFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the package: %w", err)
	}
	if err := toml.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(folder, packageFile), err)
	}
	root := filepath.FromSlash(cmp.Or(d.Package.Root, d.Root, "shaders"))
	in := newPackage(filepath.Join(folder, root))
	opened[folder] = in
	listed, ok := d.Dependencies.(map[string]any)
	if !ok {
		return in, nil // none, a list, or "auto": npm's go by their own names
	}
	in.Packages, in.renamed = map[string]*Package{}, map[string]string{}
	for name, value := range listed {
		entry, _ := value.(map[string]any)
		at, ok := entry["path"].(string)
		if !ok {
			in.renamed[name], _ = entry["package"].(string)
			continue
		}
		if in.Packages[name], err = open(filepath.Join(folder, filepath.FromSlash(at)), opened); err != nil {
			return nil, fmt.Errorf("%s, the package %s: %w", filepath.Join(folder, packageFile), name, err)
		}
	}
	return in, nil
}
