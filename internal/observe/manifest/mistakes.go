package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/preprocess"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Mistakes returns what is probably mistyped on the command line and in the projects of the shaders
// that were read: what names no file, and values that no shader uses. Each begins with where it is.
func (r *Reader) Mistakes() (list []string) {
	for _, folder := range r.Include {
		if !isFolder(folder) {
			list = append(list, fmt.Sprintf("-I %s: there is no such folder", folder))
		}
	}
	if len(r.mains) == 0 {
		return list
	}
	words, valued := r.words(), map[string]bool{}
	for name := range r.Values {
		valued[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		if _, used := words[name]; !used && words != nil {
			list = append(list, fmt.Sprintf("-D %s: no shader here uses it%s", name, nearest(name, words, valued)))
		}
	}
	seen := map[string]bool{}
	for _, folder := range slices.Sorted(maps.Keys(r.projects)) {
		if p := r.projects[folder].project; p != nil && !seen[absolute(p.Path)] {
			seen[absolute(p.Path)] = true
			list = append(list, p.mistakes(r, words)...)
		}
	}
	return list
}

// words returns the names for which a host can have values, of all files that were read. It returns
// nil if some of them are known to WESL alone, which reports features without a value itself.
func (r *Reader) words() map[string]bool {
	words := map[string]bool{}
	for _, file := range r.mains {
		if isWESL(file.Text) {
			return nil
		}
		r.kept.Words(file, words)
	}
	for _, file := range r.read {
		r.kept.Words(file, words)
	}
	r.wordsOf(r.Values, words)
	return words
}

// wordsOf adds the names in values.
func (r *Reader) wordsOf(values preprocess.Values, words map[string]bool) {
	for _, v := range values {
		r.kept.Words(syntax.NewSource("", v.Text), words)
	}
}

// nearest proposes a name that is used, for one that isn't: the end of a sentence.
// Names with values aren't meant.
func nearest(name string, words, valued map[string]bool) string {
	var ofHosts, others []string
	for _, w := range slices.Sorted(maps.Keys(words)) {
		if valued[w] {
			continue
		}
		if words[w] {
			ofHosts = append(ofHosts, w)
		} else if isUpper(w) == isUpper(name) {
			others = append(others, w)
		}
	}
	spaced := func(w string) bool { return strings.ReplaceAll(w, " ", "") == strings.ReplaceAll(name, " ", "") }
	near := cmp.Or(syntax.Closest(name, ofHosts), syntax.Closest(name, others))
	if i := slices.IndexFunc(ofHosts, spaced); i >= 0 {
		near = ofHosts[i]
	}
	if near == "" {
		return ""
	}
	return ". Did you mean " + near + "?"
}

func isUpper(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// at returns a mistake in the project's file.
func (p *Project) at(path []string, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: ", p.Path, lineOf(p.text, path...)) + fmt.Sprintf(format, args...)
}

func (p *Project) mistakes(r *Reader, words map[string]bool) (list []string) {
	for i, folder := range p.Include {
		if !isFolder(folder) {
			list = append(list, p.at([]string{"include", fmt.Sprint(i)}, "include: there is no folder %s", folder))
		}
	}
	if err := p.filesMissing(); err != nil {
		list = append(list, strings.Replace(err.Error(), ", line ", ":", 1))
	}
	for i, v := range p.Variants {
		for j, pattern := range v.Files {
			if !p.hasFile(r, pattern) {
				list = append(list, p.at([]string{"variant", fmt.Sprint(i), "files", fmt.Sprint(j)}, "files: no shader of the project is %s%s", pattern, p.nearFile(r, pattern)))
			}
		}
	}
	return append(list, p.unused(r, words)...)
}

// filesMissing returns an error for the first of the project's folders and files that isn't there.
func (p *Project) filesMissing() error {
	for i, file := range p.Files {
		found, err := filepath.Glob(file)
		if _, wrong := os.Stat(file); wrong != nil && (err != nil || len(found) == 0) {
			return fmt.Errorf("%s, line %d: files: there is no file or folder %s", p.Path, lineOf(p.text, "files", fmt.Sprint(i)), file)
		}
	}
	return nil
}

// unused returns the values that no shader of the project uses, each once.
func (p *Project) unused(r *Reader, words map[string]bool) (list []string) {
	all := sync.OnceValue(func() map[string]bool { return p.allWords(r, words) })
	said, valued := map[string]bool{}, map[string]bool{}
	for _, values := range p.allValues() {
		for name := range values {
			valued[name] = true
		}
	}
	check := func(name string, path ...string) {
		if _, used := words[name]; used || said[name] || all() == nil {
			return
		}
		if _, used := all()[name]; !used {
			said[name] = true
			list = append(list, p.at(append(path, name), "no shader of the project uses the value %s%s", name, nearest(name, all(), valued)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Values)) {
		check(name, "values")
	}
	for i, v := range p.Variants {
		for _, name := range slices.Sorted(maps.Keys(v.Values)) {
			check(name, "variant", fmt.Sprint(i), "values")
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return strings.Count(b, "?") - strings.Count(a, "?") }) // the typing mistakes
	if more := len(list) - mostUnused; more > 0 {
		list[mostUnused-1] += fmt.Sprintf("; nor %s", english.Count(more, "more value", "more values"))
		list = list[:mostUnused]
	}
	return list
}

// mostUnused is how many values without a use are named. A host may have the same ones for all of
// its shaders.
const mostUnused = 5

// allValues returns the values of the project and of each variant.
func (p *Project) allValues() []preprocess.Values {
	all := []preprocess.Values{p.Values}
	for _, v := range p.Variants {
		all = append(all, v.Values)
	}
	return all
}

// allWords adds the names in files of the project that weren't read: a command may be about one of
// its shaders. It returns nil if there are files of WESL.
func (p *Project) allWords(r *Reader, words map[string]bool) map[string]bool {
	if words == nil {
		return nil
	}
	words = maps.Clone(words)
	for _, values := range p.allValues() {
		r.wordsOf(values, words)
	}
	for _, file := range p.sources(r) {
		text, err := shader.ReadFile(file)
		switch {
		case err != nil:
		case isWESL(text):
			return nil
		default:
			r.kept.Words(syntax.NewSource(file, text), words)
		}
	}
	return words
}

// hasFile reports whether a pattern of a variant is for any shader.
func (p *Project) hasFile(r *Reader, pattern string) bool {
	for _, file := range r.mains {
		if p.matches([]string{pattern}, file.Name) {
			return true
		}
	}
	if _, err := os.Stat(filepath.Join(p.Folder(), filepath.FromSlash(pattern))); err == nil {
		return true
	}
	return slices.ContainsFunc(p.sources(r), func(file string) bool { return p.matches([]string{pattern}, file) })
}

// nearFile proposes the name of a shader for one that isn't there.
func (p *Project) nearFile(r *Reader, pattern string) string {
	ending := filepath.Ext(pattern)
	var names []string
	for _, file := range p.sources(r) {
		if name, same := strings.CutSuffix(filepath.Base(file), ending); same {
			names = append(names, name)
		}
	}
	near := syntax.Closest(strings.TrimSuffix(filepath.Base(pattern), ending), names)
	if near == "" || strings.ContainsAny(pattern, "*?[") {
		return ""
	}
	return ". Did you mean " + near + ending + "?"
}

// mostFiles is how many files and folders of a project are looked at.
const mostFiles = 20_000

// sources returns the files of the project that may be shaders or parts of them.
func (p *Project) sources(r *Reader) []string {
	if found, known := r.sources[p]; known {
		return found
	}
	var found []string
	looked := 0
	for _, root := range slices.Concat([]string{p.Folder()}, p.Include) {
		_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error { // what can't be read has no shader
			looked++
			switch {
			case looked > mostFiles:
				return fs.SkipAll
			case err != nil:
			case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules"):
				return fs.SkipDir
			case entry.Type().IsRegular() && slices.Contains(sourceEndings, filepath.Ext(path)):
				found = append(found, path)
			}
			return nil
		})
	}
	if r.sources == nil {
		r.sources = map[*Project][]string{}
	}
	r.sources[p] = found
	return found
}

var sourceEndings = []string{".wgsl", ".wesl", ".tmpl", ".template", ".inc", ".glsl", ".h"}

// sameNames returns an error if two variants that are for the same shaders have one name.
func (p *Project) sameNames() error {
	for i, v := range p.Variants {
		for _, w := range p.Variants[:i] {
			shared := func(pattern string) bool { return slices.Contains(w.Files, pattern) }
			if v.Name == w.Name && (len(v.Files) == 0 || len(w.Files) == 0 || slices.ContainsFunc(v.Files, shared)) {
				return fmt.Errorf("%s, line %d: two variants have the name %q: --variant can choose only one", p.Path, lineOf(p.text, "variant", fmt.Sprint(i), "name"), v.Name)
			}
		}
	}
	return nil
}

// beforePlace names the place of a file in a list of those before a shader.
func (p *Project) beforePlace(file string) string {
	path := []string{"before"}
	at := slices.Index(p.Before, file)
	for i := 0; at < 0 && i < len(p.Variants); i++ {
		path, at = []string{"variant", fmt.Sprint(i), "before"}, slices.Index(p.Variants[i].Before, file)
	}
	return fmt.Sprintf("%s, line %d: before", p.Path, lineOf(p.text, append(path, fmt.Sprint(at))...))
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || errors.Is(err, fs.ErrPermission)
}
