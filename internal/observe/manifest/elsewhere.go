package manifest

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// declaration matches a line that declares a name of a module, or defines one.
var declaration = regexp.MustCompile(`^(?:[ \t]*#[ \t]*define[ \t]+|(?:@\w+(?:\([^)]*\))?[ \t]*)*(?:fn|struct|const|override|alias|var(?:<[^>]*>)?)[ \t]+)(\w+)`)

// stage matches an entry point: a file that has one is a shader, and no part of others.
var stage = regexp.MustCompile(`@(compute|vertex|fragment)\b`)

// branch matches a directive that begins or ends a branch, and the one name that it asks for.
var branch = regexp.MustCompile(`^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b[ \t]*(?:(?:if|ifdef)\b[ \t]*)?(?:defined\b[ \t(]*)?(\w*)[ \t)]*(.*)$`)

// Missing says in a sentence where a shader may get a name that it lacks: from a branch of its own
// text, or from a file beside it or in its project. It returns "" if it found the name nowhere.
func (r *Reader) Missing(file, text, name string) string {
	if flags := flagsFor(text, name); len(flags) > 0 {
		return fmt.Sprintf("A branch of this file has it: pass %s, or write a [[variant]] in %s.", shortList(flags, "or", "-D "), FileName)
	}
	var files []string
	for _, path := range r.declared(file)[name] {
		if shown, err := filepath.Rel(absolute(filepath.Dir(file)), path); err == nil && absolute(file) != path {
			files = append(files, filepath.ToSlash(shown))
		}
	}
	if len(files) == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s it: include that file, or list it under before in %s.", shortList(files, "and", ""), english.Form(len(files), "declares", "declare"), FileName)
}

// shortList lists the first of some names.
func shortList(names []string, and, before string) string {
	const few = 3
	var shown []string
	for _, name := range names[:min(len(names), few)] {
		shown = append(shown, "`"+before+name+"`")
	}
	if more := len(names) - few; more > 0 {
		shown = append(shown, english.Count(more, "other", "others"))
	}
	last := len(shown) - 1
	if last == 0 {
		return shown[0]
	}
	return strings.Join(shown[:last], ", ") + " " + and + " " + shown[last]
}

// flagsFor returns the names with which #ifdef and its kin choose a branch that declares a name.
func flagsFor(text, name string) (flags []string) {
	var open []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if found := branch.FindStringSubmatch(line); found != nil {
			if kind := found[1]; kind != "if" && kind != "ifdef" && kind != "ifndef" && len(open) > 0 {
				open = open[:len(open)-1]
			}
			flag := found[2]
			if found[3] != "" || strings.HasSuffix(found[1], "ndef") {
				flag = ""
			}
			if found[1] != "endif" {
				open = append(open, flag)
			}
			continue
		}
		if found := declaration.FindStringSubmatch(line); found == nil || found[1] != name || len(open) == 0 {
			continue
		}
		if flag := open[len(open)-1]; flag != "" && !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	return flags
}

// declared returns the files that declare a name and have no entry point, by that name: those in
// the folder of a shader, and those of its project.
func (r *Reader) declared(file string) map[string][]string {
	folder := absolute(filepath.Dir(file))
	if found, known := r.elsewhere[folder]; known {
		return found
	}
	found := map[string][]string{}
	add := func(path string, entry fs.DirEntry) {
		if entry.IsDir() || filepath.Ext(path) != ".wgsl" {
			return
		}
		text, err := shader.ReadFile(path)
		if err != nil || stage.MatchString(text) {
			return
		}
		for line := range strings.Lines(text) {
			if name := declaration.FindStringSubmatch(line); name != nil && !slices.Contains(found[name[1]], path) {
				found[name[1]] = append(found[name[1]], path)
			}
		}
	}
	root := folder
	if p, err := r.Project(file); err == nil && p != nil {
		root = absolute(p.Folder())
	}
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error { // what can't be read declares nothing
		switch {
		case err != nil:
		case entry.IsDir() && path != root && (root == folder || strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules"):
			return fs.SkipDir
		default:
			add(path, entry)
		}
		return nil
	})
	if r.elsewhere == nil {
		r.elsewhere = map[string]map[string][]string{}
	}
	r.elsewhere[folder] = found
	return found
}
