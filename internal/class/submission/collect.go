package submission

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An argument is one of the given paths.
type argument struct {
	path   string // absolute
	mode   fs.FileMode
	sole   bool   // the only one
	shared bool   // all arguments have the same name, as in */homework.zip, so it names no student
	holder string // the folder whose name distinguishes it from the others
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
	tellFolders(found)
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

// tellFolders finds for each argument the folder whose name distinguishes it from the others: the
// first one below their common path.
func tellFolders(all []argument) {
	common, shared := all[0].folders(), len(all) > 1
	for _, a := range all[1:] {
		n := 0
		for theirs := a.folders(); n < len(common) && n < len(theirs) && common[n] == theirs[n]; n++ {
		}
		common = common[:n]
		shared = shared && a.base() == all[0].base()
	}
	for i, a := range all {
		all[i].shared = shared
		all[i].holder = a.stem()
		if own := a.folders(); len(own) > 0 {
			all[i].holder = own[max(0, min(len(common), len(own)-1))]
		}
	}
}

// folders returns the names of the folders that contain an argument.
func (a argument) folders() []string {
	return strings.FieldsFunc(filepath.ToSlash(filepath.Dir(a.path)), func(r rune) bool { return r == '/' })
}

// named returns what an argument's path says about its student. certain is false if that is only
// the argument's own name.
func (a argument) named() (who identity, when turn, certain bool) {
	name := a.base()
	if student, ok := underSubmitted(a.path, a.mode.IsDir()); ok {
		return plain(student), turn{}, true
	}
	read := fileOf
	if a.mode.IsDir() {
		read = folderOf
	}
	if who, when, ok := read(name); ok {
		return who, when, true
	}
	if a.shared || !a.mode.IsDir() && isNotebook(name) && ofTheCourse(name) {
		return plain(a.holder), turn{}, false
	}
	return plain(a.stem()), turn{}, false
}

// A found is a thing together with its student.
type found struct {
	thing
	who  identity
	when turn
	root int // the folder or zip that contained it
}

// A collector gathers the hand-ins.
type collector struct {
	found []found
	roots int
	zips  []io.Closer // the zips of whole classes, read until the end
}

func (c *collector) close() {
	for _, file := range c.zips {
		file.Close()
	}
}

func (c *collector) newRoot() int {
	c.roots++
	return c.roots
}

func (c *collector) add(f found) { c.found = append(c.found, f) }

// empty reports whether the collector found nothing that a student could have written.
func (c *collector) empty() bool {
	return !slices.ContainsFunc(c.found, func(f found) bool { return f.kind != folder && f.kind != other })
}

// take adds the contents of one argument.
func (c *collector) take(a argument) error {
	who, when, certain := a.named()
	t := thing{path: []string{a.base()}, shown: []string{a.base()}}
	switch t.judge(a.path, a.mode); t.kind {
	case folder:
		return c.takeFolder(a, who, when, certain)
	case archive:
		if c.takeZip(a, t, who, certain) {
			return nil
		}
	case other:
		if !certain {
			return nil
		}
	}
	c.add(found{t, who, when, c.newRoot()})
	return nil
}

func (c *collector) takeFolder(a argument, who identity, when turn, certain bool) error {
	things, err := walk(a.path)
	if err != nil {
		return fmt.Errorf("reading the submissions in %s: %w", a.path, err)
	}
	if class := a.class(things, certain); class != nil {
		c.class(who.name, class, true)
		return nil
	}
	root := c.newRoot()
	c.add(found{thing{path: []string{a.base()}}, who, when, root})
	for _, t := range things {
		t.shown = append([]string{a.base()}, t.shown...)
		c.add(found{t, who, when, root})
	}
	return nil
}

// takeZip adds the contents of a zip if it holds a class, and reports whether it does.
func (c *collector) takeZip(a argument, t thing, who identity, certain bool) bool {
	return !certain && c.look(t, func(things []thing) []thing { return a.class(things, false) }, who.name)
}

// class returns the contents of the argument if it is a class, or nil if it is one student's.
func (a argument) class(things []thing, certain bool) []thing {
	if certain {
		return nil
	}
	inner := unwrap(a.stem(), things)
	switch {
	case a.sole && isOwn(inner):
		return nil
	case a.sole:
		return belowSubmitted(inner)
	case bulk(inner):
		return inner
	}
	return nil
}

// look opens a zip on disk and adds its contents if choose finds a class there. It reports whether
// it did. It ignores unreadable zips: reading them for a student reports the error.
func (c *collector) look(t thing, choose func([]thing) []thing, name string) bool {
	file, err := t.open()
	if err != nil {
		return false
	}
	names := int64(maxDirectory)
	things, err := listFile(file, &names)
	class := choose(things)
	if err != nil || len(class) == 0 {
		file.Close()
		return false
	}
	c.zips = append(c.zips, file)
	for i := range class {
		class[i].shown = slices.Concat(t.shown, class[i].shown)
	}
	c.class(name, class, false)
	return true
}

// class adds the contents of a class's folder or zip, each to its student. In a folder, a zip may
// be a separate bulk download.
func (c *collector) class(name string, things []thing, isFolder bool) {
	root := c.newRoot()
	for _, t := range things {
		who, when := t.owner(name)
		isDownload := isFolder && t.kind == archive && len(t.path) == 1 && who.system == "" && c.look(t, bulkIn(who.name), who.name)
		if !isDownload {
			c.add(found{t, who, when, root})
		}
	}
}

// bulkIn selects the contents of a course system's bulk download.
func bulkIn(name string) func([]thing) []thing {
	return func(things []thing) []thing {
		if inner := unwrap(name, things); bulk(inner) {
			return inner
		}
		return nil
	}
}
