package submission

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An argument is one of the given paths.
type argument struct {
	path string // absolute
	mode fs.FileMode
	sole bool // the only one

	who     identity
	when    turn
	certain bool // the path says more about its student than the argument's own name
}

func (a argument) base() string { return filepath.Base(a.path) }

// stem returns the argument's name without a file extension.
func (a argument) stem() string {
	if a.mode.IsDir() {
		return a.base()
	}
	return stem(a.base())
}

// resolve returns what the paths and patterns match, each match once.
func resolve(paths []string) ([]argument, error) {
	if len(paths) == 0 {
		return nil, errors.New("nothing to read: give notebooks (.ipynb), zips or folders of them")
	}
	var found []argument
	for _, path := range paths {
		places, err := expand(path)
		if err != nil {
			return nil, err
		}
		for _, place := range places {
			a, err := at(place)
			if err != nil {
				return nil, err
			}
			found = append(found, a)
		}
	}
	found = outermost(found)
	if len(found) == 1 {
		if err := found[0].alone(); err != nil {
			return nil, err
		}
	}
	nameArguments(found)
	return found, nil
}

// outermost drops duplicate arguments, and arguments inside a folder that is also given.
func outermost(all []argument) []argument {
	folders, seen := map[string]bool{}, map[string]bool{}
	for _, a := range all {
		folders[a.path] = a.mode.IsDir()
	}
	return slices.DeleteFunc(all, func(a argument) bool {
		again := seen[a.path]
		seen[a.path] = true
		for inside := a.path; !again && inside != filepath.Dir(inside); {
			inside = filepath.Dir(inside)
			again = folders[inside]
		}
		return again
	})
}

// expand returns the places that a path names or a pattern matches.
func expand(path string) ([]string, error) {
	_, err := os.Lstat(path)
	if err == nil {
		return []string{path}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading a submission: %w", err)
	}
	if !strings.ContainsAny(path, "*?[") {
		return nil, fmt.Errorf("there is no %s", path)
	}
	places, err := filepath.Glob(path)
	if err != nil {
		return nil, fmt.Errorf("the pattern %s: %w", path, err)
	}
	places = slices.DeleteFunc(places, func(place string) bool { return skipped([]string{filepath.Base(place)}) })
	if len(places) == 0 {
		return nil, fmt.Errorf("nothing matches the pattern %s", path)
	}
	return places, nil
}

func at(place string) (argument, error) {
	path, err := filepath.Abs(place)
	if err != nil {
		return argument{}, fmt.Errorf("reading a submission: %w", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return argument{}, fmt.Errorf("reading a submission: %w", err)
	}
	return argument{path: path, mode: info.Mode()}, nil
}

// alone examines the only argument. If it is a link to a folder, it stands for the folder, because
// the caller typed it. With several arguments, students may have made some of the links.
func (a *argument) alone() error {
	a.sole = true
	if a.mode&fs.ModeSymlink == 0 {
		return nil
	}
	info, err := os.Stat(a.path)
	if err != nil || !info.IsDir() {
		return nil // a link that is not followed, like any other
	}
	a.mode = info.Mode()
	if a.path, err = filepath.EvalSymlinks(a.path); err != nil {
		return fmt.Errorf("reading a submission: %w", err)
	}
	return nil
}

// nameArguments finds out whose each argument is. The same name in two folders means two students:
// whoever hands in monday/ann.zip is not known to have handed in tuesday/ann.zip.
func nameArguments(all []argument) {
	common, shared := all[0].folders(), len(all) > 1
	for _, a := range all[1:] {
		n := 0
		for theirs := a.folders(); n < len(common) && n < len(theirs) && common[n] == theirs[n]; n++ {
		}
		common = common[:n]
		shared = shared && a.base() == all[0].base()
	}
	var nameless []*argument
	for i := range all {
		a := &all[i]
		switch {
		case a.readPath(len(common)):
		case shared, !a.mode.IsDir() && isNotebook(a.base()) && ofTheCourse(a.base()):
			nameless = append(nameless, a)
		default:
			a.who = inFolder(a.folders()[len(common):], a.stem())
		}
	}
	nameByFolder(nameless, len(common))
}

// readPath sets the student if the path names one in the format of nbgrader or a course system.
// common is the number of folders that all arguments are in.
func (a *argument) readPath(common int) bool {
	parts := append(a.folders(), a.base())
	if student := underSubmitted(parts, a.mode.IsDir()); student > 0 {
		a.who, a.certain = inFolder(parts[min(common, student-1):student-1], parts[student]), true
		return true
	}
	read := fileOf
	if a.mode.IsDir() {
		read = folderOf
	}
	a.who, a.when, a.certain = read(a.base())
	return a.certain
}

// nameByFolder names arguments whose own names say nothing, as in */homework.zip, by the folders
// that they are in: by the outermost ones that all differ, or else by all of them.
func nameByFolder(nameless []*argument, common int) {
	var sources [][]string
	for _, a := range nameless {
		if below := a.folders()[common:]; len(below) > 0 {
			sources = append(sources, below)
		}
	}
	slices.SortFunc(sources, slices.Compare)
	level := distinctLevel(slices.CompactFunc(sources, slices.Equal))
	for _, a := range nameless {
		folders := a.folders()
		below := folders[common:]
		switch {
		case len(folders) == 0:
			a.who = plain(a.stem())
		case len(below) == 0:
			a.who = plain(folders[len(folders)-1])
		case level < 0:
			a.who = plain(strings.Join(below, " - "))
		default:
			a.who = inFolder(below[:level], below[level])
		}
	}
}

// distinctLevel returns the first level at which all sources have different folders, or -1.
func distinctLevel(sources [][]string) int {
	for level := 0; ; level++ {
		seen := map[string]bool{}
		for _, folders := range sources {
			if level >= len(folders) {
				return -1
			}
			seen[folders[level]] = true
		}
		if len(seen) == len(sources) {
			return level
		}
	}
}

// inFolder returns the identity of a student who is known by a name in a folder.
func inFolder(folders []string, name string) identity {
	who := plain(name)
	who.id = strings.Join(folders, "/")
	return who
}

// folders returns the names of the folders that contain an argument.
func (a argument) folders() []string {
	return strings.FieldsFunc(filepath.ToSlash(filepath.Dir(a.path)), func(r rune) bool { return r == '/' })
}
