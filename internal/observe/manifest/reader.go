package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/preprocess"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/wesl"
)

// A Reader expands shaders, each as its project says. It isn't safe for concurrent use.
type Reader struct {
	Values  preprocess.Values // those of the command line replace the project's
	Include []string          // more folders with included files
	Variant string            // the name of the only variant to read; empty for all

	orFirst bool // a shader that hasn't this variant is read as its first one

	projects  map[string]*found            // by folder
	modules   map[string]map[string]string // by folder: the file of each #define_import_path
	read      map[string]*syntax.Source    // the files that others include, by their path
	mains     []*syntax.Source             // the shaders
	sources   map[*Project][]string        // the files of projects
	kept      preprocess.Kept
	elsewhere map[string]map[string][]string // by folder: the files that declare a name
	parts     map[string]bool                // the files that others include, by their absolute path
}

// found is the project of a folder.
type found struct {
	project *Project
	err     error
}

// An Expanded shader is one variant of a file.
type Expanded struct {
	Variant string // its name; may be empty
	Source  *syntax.Source
}

// Again returns a reader with the same options that reads all files anew: they may have changed. It
// takes the first variant of a shader that hasn't the one of that name. The receiver may be nil.
func (r *Reader) Again() *Reader {
	if r == nil {
		return &Reader{}
	}
	return &Reader{Values: r.Values, Include: r.Include, Variant: r.Variant, orFirst: true}
}

// Project returns the project that a file belongs to, or nil.
func (r *Reader) Project(file string) (*Project, error) {
	folder := absolute(filepath.Dir(file))
	if r.projects == nil {
		r.projects = map[string]*found{}
	}
	if r.projects[folder] == nil {
		p, err := Find(folder)
		r.projects[folder] = &found{p, err}
	}
	return r.projects[folder].project, r.projects[folder].err
}

// All expands a shader as each of its variants, or as the one that the command line chose.
func (r *Reader) All(file, text string) ([]Expanded, error) {
	p, err := r.Project(file)
	if err != nil {
		return nil, err
	}
	variants := []Variant{{}}
	if p != nil {
		variants = p.Of(file)
	}
	if variants, err = r.chosen(p, file, variants); err != nil {
		return nil, err
	}
	var out []Expanded
	main := syntax.NewSource(file, text)
	r.mains = append(r.mains, main)
	for _, v := range variants {
		files := &included{reader: r, project: p}
		if p != nil {
			files.folders = p.Include
		}
		files.folders = append(slices.Clone(files.folders), r.Include...)
		files.roots = files.folders
		if p != nil {
			files.roots = append(files.roots, p.Folder())
		}
		before, err := files.before(file, v)
		if err != nil {
			return nil, err
		}
		source, err := expanded(main, merged(v.Values, r.Values), files, before)
		if err != nil {
			return nil, err
		}
		out = append(out, Expanded{v.Name, source})
	}
	return out, nil
}

// Format gives a shader one layout, as it is written: nothing is expanded.
func Format(text string) (string, error) {
	if isWESL(text) {
		return wesl.Format(text, preprocess.Format)
	}
	return preprocess.Format(text)
}

func isWESL(text string) bool { return wesl.Uses(text) && !imports.MatchString(text) }

// expanded expands a shader, and links it with what it imports if it is one of WESL. The values
// that are true or false are then features: their names are no names of the shader.
func expanded(main *syntax.Source, values preprocess.Values, files preprocess.Includer, before []*syntax.Source) (*syntax.Source, error) {
	if !isWESL(main.Text) {
		return preprocess.Expand(main, values, files, before...), nil
	}
	in, name, err := wesl.Open(main.Name)
	if err != nil {
		return nil, err
	}
	features, others := map[string]bool{}, preprocess.Values{}
	for name, v := range values {
		if value, err := strconv.ParseBool(v.Text); err == nil && (v.Text == "true" || v.Text == "false") {
			features[name] = value
			continue
		}
		others[name] = v
	}
	if main = preprocess.Expand(main, others, files, before...); len(main.Problems()) > 0 {
		return main, nil
	}
	return wesl.Link(main, name, in, features), nil
}

// imports matches the imports of hosts that have paths with :: and aren't those of WESL.
var imports = regexp.MustCompile(`(?m)^\s*#(import|define_import_path)\b`)

// One expands a shader as the variant that the command line chose, or as its first one.
func (r *Reader) One(file, text string) (Expanded, error) {
	all, err := r.All(file, text)
	if err != nil {
		return Expanded{}, err
	}
	return all[0], nil
}

// chosen returns the variant with the name that the command line has.
func (r *Reader) chosen(p *Project, file string, variants []Variant) ([]Variant, error) {
	of := func(v Variant) bool { return v.Name == r.Variant }
	if r.Variant == "" || r.orFirst && !slices.ContainsFunc(variants, of) {
		return variants, nil
	}
	if p == nil {
		return nil, fmt.Errorf("there is no variant %q of %s, because no %s is in its folder or above", r.Variant, file, FileName)
	}
	i := slices.IndexFunc(variants, of)
	if i < 0 {
		return nil, fmt.Errorf("%s has no variant %q of %s: choose from %s", p.Path, r.Variant, file, Names(variants))
	}
	return variants[i : i+1], nil
}

// IsPart reports whether a shader that was read includes this file. It is incomplete on its own.
func (r *Reader) IsPart(file string) bool { return r.parts[absolute(file)] }

// included finds the files that a shader includes: beside the file that names them, and then in the
// folders of the project.
type included struct {
	reader  *Reader
	project *Project // may be nil
	folders []string
	roots   []string // and below these, where modules are
}

// Kept implements preprocess.Keeper.
func (f *included) Kept() *preprocess.Kept { return &f.reader.kept }

// Include implements preprocess.Includer.
func (f *included) Include(from *syntax.Source, name string) (*syntax.Source, error) {
	folders := append([]string{filepath.Dir(from.Name)}, f.folders...)
	for _, folder := range folders {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if filepath.IsAbs(name) {
			file = name
		}
		source, err := f.open(file)
		if !errors.Is(err, fs.ErrNotExist) {
			return source, err
		}
	}
	return nil, fmt.Errorf("there is no file %s in %s: list its folder under include in %s, or pass it with -I", name, strings.Join(folders, ", "), FileName)
}

// Module implements preprocess.Modules: it looks below the shader's folder and the project's.
func (f *included) Module(from *syntax.Source, path string) *syntax.Source {
	for _, root := range append([]string{filepath.Dir(from.Name)}, f.roots...) {
		file := f.reader.modulesBelow(root)[path]
		if file == "" {
			continue
		}
		if source, err := f.open(file); err == nil {
			return source
		}
	}
	return nil
}

// importPath matches the line in which a module names itself.
var importPath = regexp.MustCompile(`(?m)^[ \t]*#define_import_path[ \t]+([\w:]+)`)

// modulesBelow returns the modules in a folder and below it.
func (r *Reader) modulesBelow(folder string) map[string]string {
	folder = filepath.Clean(folder)
	if found, known := r.modules[folder]; known {
		return found
	}
	found := map[string]string{}
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error { // what can't be read has no module
		switch {
		case err != nil:
		case entry.IsDir() && path != folder && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.IsDir() && filepath.Ext(path) == ".wgsl":
			text, _ := shader.ReadFile(path)
			if named := importPath.FindStringSubmatch(text); named != nil && found[named[1]] == "" {
				found[named[1]] = path
			}
		}
		return nil
	})
	if r.modules == nil {
		r.modules = map[string]map[string]string{}
	}
	r.modules[folder] = found
	return found
}

// before returns the files whose text is put before a shader's. A file isn't put before itself.
func (f *included) before(file string, v Variant) (before []*syntax.Source, err error) {
	for _, path := range v.Before {
		if absolute(path) == absolute(file) {
			continue
		}
		source, err := f.open(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.project.beforePlace(path), err)
		}
		before = append(before, source)
	}
	return before, nil
}

func (f *included) open(file string) (*syntax.Source, error) {
	if source := f.reader.read[file]; source != nil {
		return source, nil
	}
	text, err := shader.ReadFile(file)
	if err != nil {
		return nil, err
	}
	source := syntax.NewSource(file, text)
	if f.reader.read == nil {
		f.reader.read = map[string]*syntax.Source{}
	}
	f.reader.read[file] = source
	if f.reader.parts == nil {
		f.reader.parts = map[string]bool{}
	}
	f.reader.parts[absolute(file)] = true
	return source, nil
}
