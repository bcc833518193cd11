// Package manifest reads a wgslab.toml, which describes the shaders of a project: where they are,
// the folders with what they include, the values that their host sets, and their variants. It
// expands shaders as the host would.
package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/wgslab/wgslab/internal/wgsl/preprocess"
)

// FileName is the name of the file that describes a project.
const FileName = "wgslab.toml"

// A Project is a wgslab.toml. It is read-only.
type Project struct {
	Path     string            // of the file
	Files    []string          // the folders, files and patterns of its shaders, from here
	Exclude  []string          // patterns of shaders that aren't the project's
	Include  []string          // the folders with included files, from here
	Before   []string          // the files whose text the host puts before each shader's, from here
	Target   string            // the implementations that it is for
	Values   preprocess.Values // of all variants
	Variants []Variant

	text []byte // of the file
}

// A Variant is one way in which the host builds some of the shaders.
type Variant struct {
	Name   string
	Files  []string // patterns of the shaders that it is for; none means all
	Before []string // the files whose text the host puts before the shader's, from here
	Values preprocess.Values
}

// described is a wgslab.toml as it is written.
type described struct {
	Files    []string       `toml:"files"`
	Exclude  []string       `toml:"exclude"`
	Include  []string       `toml:"include"`
	Before   []string       `toml:"before"`
	Target   string         `toml:"target"`
	Values   map[string]any `toml:"values"`
	Variants []struct {
		Name   string         `toml:"name"`
		Files  []string       `toml:"files"`
		Before []string       `toml:"before"`
		Values map[string]any `toml:"values"`
	} `toml:"variant"`
}

// Find returns the project of a folder: the wgslab.toml in it or in the nearest folder above. It
// returns nil if there is none.
func Find(folder string) (*Project, error) {
	whole, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("looking for %s: %w", FileName, err)
	}
	for {
		text, err := os.ReadFile(filepath.Join(whole, FileName))
		switch {
		case err == nil:
			return parse(shortest(filepath.Join(whole, FileName)), text)
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			return nil, fmt.Errorf("reading a project: %w", err)
		}
		above := filepath.Dir(whole)
		if above == whole {
			return nil, nil
		}
		whole = above
	}
}

// shortest returns a path from the current folder, if it is below that or near it.
func shortest(file string) string {
	here, err := os.Getwd()
	if err != nil {
		return file
	}
	if from, err := filepath.Rel(here, file); err == nil && strings.Count(from, "..") < 4 {
		return from
	}
	return file
}

func parse(file string, text []byte) (*Project, error) {
	var d described
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&d); err != nil {
		return nil, fmt.Errorf("%s, %w", file, located(err))
	}
	folder := filepath.Dir(file)
	p := &Project{Path: file, Target: d.Target, Exclude: d.Exclude, text: text}
	p.Files, p.Include, p.Before = within(folder, d.Files), within(folder, d.Include), within(folder, d.Before)
	var err error
	if p.Values, err = valuesOf(d.Values); err != nil {
		return nil, fmt.Errorf("%s, [values]: %w", file, err)
	}
	for i, v := range d.Variants {
		if v.Name == "" {
			return nil, fmt.Errorf("%s: [[variant]] number %d has no name", file, i+1)
		}
		values, err := valuesOf(v.Values)
		if err != nil {
			return nil, fmt.Errorf("%s, variant %q: %w", file, v.Name, err)
		}
		if err := patterns("files", v.Files); err != nil {
			return nil, fmt.Errorf("%s, variant %q: %w", file, v.Name, err)
		}
		p.Variants = append(p.Variants, Variant{v.Name, v.Files, within(folder, v.Before), values})
	}
	if err := patterns("exclude", p.Exclude); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, p.sameNames()
}

// patterns returns an error for the first pattern that can't be read.
func patterns(key string, all []string) error {
	for _, pattern := range all {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%s: the pattern %q: %w", key, pattern, err)
		}
	}
	return nil
}

// within returns the paths in a folder.
func within(folder string, paths []string) (from []string) {
	for _, f := range paths {
		from = append(from, filepath.Join(folder, filepath.FromSlash(f)))
	}
	return from
}

// located says in which line an error of the TOML reader is.
func located(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		row, _ := first.Position()
		return fmt.Errorf("line %d: there is no key %s: choose files, exclude, include, before, target, values or variant", row, strings.Join(first.Key(), "."))
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		row, _ := wrong.Position()
		text := strings.TrimPrefix(wrong.Error(), "toml: ")
		if key := wrong.Key(); strings.HasPrefix(text, "cannot ") && len(key) > 0 { // and then Go's types
			text = mistyped(key[len(key)-1])
		}
		return fmt.Errorf("line %d: %s", row, text)
	}
	return err
}

// mistyped says what to write for a key that has a value of another type.
func mistyped(key string) string {
	switch key {
	case "variant":
		return "variants are tables: write [[variant]] above each, and a name"
	case "values":
		return "values are a table: write [values], or values = {WG_SIZE = 256}"
	case "target", "name":
		return fmt.Sprintf("%s is a text: write %s = \"…\"", key, key)
	}
	return fmt.Sprintf("%s is a list of texts: write %s = [\"…\"]", key, key)
}

// valuesOf returns values as TOML has them. True and false say whether a name is defined.
func valuesOf(written map[string]any) (preprocess.Values, error) {
	values := preprocess.Values{}
	for name, value := range written {
		switch v := value.(type) {
		case bool:
			values[name] = preprocess.Definition{Text: strconv.FormatBool(v), Flag: true}
		case string:
			values[name] = preprocess.Definition{Text: v}
		case int64:
			values[name] = preprocess.Definition{Text: strconv.FormatInt(v, 10)}
		case float64:
			text := strconv.FormatFloat(v, 'g', -1, 64)
			if !strings.ContainsAny(text, ".e") {
				text += ".0"
			}
			values[name] = preprocess.Definition{Text: text}
		default:
			return nil, fmt.Errorf("the value of %s is no text, number, true or false", name)
		}
	}
	return values, nil
}

// Folder returns the folder of the wgslab.toml.
func (p *Project) Folder() string { return filepath.Dir(p.Path) }

// Shaders returns the folders, files and patterns of the project's shaders; without a list, those
// of its folder. It returns an error if one isn't there.
func (p *Project) Shaders() ([]string, error) {
	if len(p.Files) == 0 {
		return []string{p.Folder()}, nil
	}
	return p.Files, p.filesMissing()
}

// Has reports whether the project doesn't exclude a shader.
func (p *Project) Has(file string) bool { return len(p.Exclude) == 0 || !p.matches(p.Exclude, file) }

// Of returns the variants of a shader, with the values of all of them. There is at least one; it
// has no name if the project names none.
func (p *Project) Of(file string) []Variant {
	var found []Variant
	for _, v := range p.Variants {
		if len(v.Files) == 0 || p.matches(v.Files, file) {
			found = append(found, Variant{Name: v.Name, Before: slices.Concat(p.Before, v.Before), Values: merged(p.Values, v.Values)})
		}
	}
	if found == nil {
		return []Variant{{Before: p.Before, Values: p.Values}}
	}
	return found
}

// merged returns values, of which later ones replace earlier ones.
func merged(all ...preprocess.Values) preprocess.Values {
	out := preprocess.Values{}
	for _, values := range all {
		for name, v := range values {
			out[name] = v
		}
	}
	return out
}

// matches reports whether a pattern is for a shader: its path from the project's folder, its name,
// or a folder above it.
func (p *Project) matches(patterns []string, file string) bool {
	from, err := filepath.Rel(absolute(p.Folder()), absolute(file))
	if err != nil {
		from = file
	}
	from = filepath.ToSlash(from)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern = strings.TrimSuffix(path.Clean(pattern), "/")
		whole, _ := path.Match(pattern, from)
		name, _ := path.Match(pattern, path.Base(from))
		return whole || name || pattern == "." || strings.HasPrefix(from, pattern+"/")
	})
}

func absolute(file string) string {
	whole, err := filepath.Abs(file)
	if err != nil {
		return filepath.Clean(file)
	}
	return whole
}

// Names returns the names of variants for a message.
func Names(variants []Variant) string {
	var names []string
	for _, v := range variants {
		names = append(names, cmp.Or(v.Name, "(without a name)"))
	}
	return strings.Join(names, ", ")
}
