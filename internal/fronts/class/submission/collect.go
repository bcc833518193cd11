package submission

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
)

// A found is a thing together with its student.
type found struct {
	thing
	who  identity
	when turn
	root int // the folder or zip that contained it
}

// A collector gathers the hand-ins.
type collector struct {
	found   []found
	roots   int
	folders map[string]int // the roots of arguments, by the folder that contains them
	zips    []io.Closer    // the zips of whole classes, read until the end
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

// rootOf returns the root of an argument. Those in the same folder came in one download.
func (c *collector) rootOf(a argument) int {
	folder := filepath.Dir(a.path)
	if c.folders[folder] == 0 {
		c.folders[folder] = c.newRoot()
	}
	return c.folders[folder]
}

func (c *collector) add(f found) { c.found = append(c.found, f) }

// empty reports whether the collector found nothing that a student could have written.
func (c *collector) empty() bool {
	return !slices.ContainsFunc(c.found, func(f found) bool { return f.kind != folder && f.kind != other })
}

// take adds the contents of one argument.
func (c *collector) take(a argument) error {
	who, when, certain := a.who, a.when, a.certain
	t := thing{path: []string{a.base()}, shown: []string{a.base()}}
	switch t.classify(a.path, a.mode); t.kind {
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
	c.add(found{t, who, when, c.rootOf(a)})
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
	root := c.rootOf(a)
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
