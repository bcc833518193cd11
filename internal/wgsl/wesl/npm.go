package wesl

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A bundle is a package that npm installed: the texts of its modules, by their names. The packager
// of WESL puts them in JavaScript files, as an object of strings.
type bundle map[string]string

// Open implements fs.FS. A bundle is read by ReadFile.
func (b bundle) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadFile implements fs.ReadFileFS.
func (b bundle) ReadFile(name string) ([]byte, error) {
	if text, ok := b[name]; ok {
		return []byte(text), nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// bundleFile is what the packager calls each of a package's files.
const bundleFile = "weslBundle.js"

// inBundle matches a module in such a file: its name and its text.
var inBundle = regexp.MustCompile(`("(?:[^"\\]|\\.)+\.w[eg]sl")\s*:\s*("(?:[^"\\]|\\.)*")`)

// mostBundled limits what is read of a package's bundles, in bytes.
const mostBundled = 16 << 20

// readBundle reads the bundles below a folder of node_modules; nil if there are none.
func readBundle(folder string) bundle {
	var read bundle
	size := 0
	_ = filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what we may not read is no part of the package
		case entry.IsDir() && file != folder && (entry.Name() == modulesFolder || strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case entry.IsDir() || entry.Name() != bundleFile:
			return nil
		}
		text, err := os.ReadFile(file)
		if size += len(text); err != nil || size > mostBundled {
			return nil
		}
		for _, pair := range inBundle.FindAllSubmatch(text, -1) {
			var name, module string
			if json.Unmarshal(pair[1], &name) == nil && json.Unmarshal(pair[2], &module) == nil {
				if read == nil {
					read = bundle{}
				}
				read[filepath.ToSlash(filepath.Clean(name))] = module
			}
		}
		return nil
	})
	return read
}

// modulesFolder is where npm installs packages.
const modulesFolder = "node_modules"

// installed returns a package that npm installed for a folder, by its name in npm; nil if there is
// none. A package without bundles may have a wesl.toml.
func (in *Package) installed(name string) *Package {
	for at := in.disk; at != ""; at = filepath.Dir(at) {
		folder := filepath.Join(at, modulesFolder, filepath.FromSlash(name))
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			if read := readBundle(folder); read != nil {
				p := newPackage(folder)
				p.Files = read
				return p
			}
			if _, err := os.Stat(filepath.Join(folder, packageFile)); err == nil {
				p, err := open(folder, map[string]*Package{})
				if err == nil {
					return p
				}
			}
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	return nil
}

// named returns the package that modules of this one call by a name, or nil. In WESL, the package
// @scope/name of npm is scope__name.
func (in *Package) named(name string) *Package {
	if p, known := in.Packages[name]; known {
		return p
	}
	if in.Packages == nil {
		in.Packages = map[string]*Package{}
	}
	in.Packages[name] = nil
	names := []string{name}
	if actual := in.renamed[name]; actual != "" {
		names = []string{actual}
	} else if scope, rest, scoped := strings.Cut(name, "__"); scoped {
		names = append(names, "@"+scope+"/"+rest, "@"+strings.ReplaceAll(scope, "_", "-")+"/"+strings.ReplaceAll(rest, "_", "-"))
	} else if strings.Contains(name, "_") {
		names = append(names, strings.ReplaceAll(name, "_", "-"))
	}
	for _, n := range names {
		if p := in.installed(n); p != nil {
			in.Packages[name] = p
			return p
		}
	}
	return nil
}
