package exercises

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Unfolded are folders of exercises whose solutions read as files: ID/wrong/NAME.wgsl is a section
// of ID/wrong.md. Real files in ID/wrong/ are there as well. Each right.md and wrong.md is read
// once, when the first of its solutions is wanted.
type Unfolded struct {
	fs.FS
	read  sync.Map // of func() ([]*Solution, error), by the path of the Markdown without .md
	bases sync.Map // of []string, by path: the bodies of programs that solutions edit
}

// Unfold returns folders of exercises with their solutions as files.
func Unfold(folders fs.FS) *Unfolded { return &Unfolded{FS: folders} }

// isSolutions reports whether a path is that of an exercise's solutions: "vector-add/wrong".
func isSolutions(name string) bool {
	kind := path.Base(name)
	return (kind == "wrong" || kind == "right") && path.Dir(name) != "."
}

// Solutions returns the sections of a right.md or a wrong.md, sorted by name. The path is that of
// the file without .md.
func (u *Unfolded) Solutions(name string) ([]*Solution, error) {
	read, _ := u.read.LoadOrStore(name, sync.OnceValues(func() ([]*Solution, error) {
		text, err := fs.ReadFile(u.FS, name+".md")
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		found, err := readSolutions(name+".md", string(text))
		if err != nil {
			return nil, err
		}
		return found, u.twice(name, found)
	}))
	return read.(func() ([]*Solution, error))()
}

// twice returns an error if a solution is also a file.
func (u *Unfolded) twice(name string, found []*Solution) error {
	if !fileExists(u.FS, name) {
		return nil
	}
	for _, s := range found {
		if file := path.Join(path.Dir(name), s.Name); fileExists(u.FS, file) {
			return &EditError{s.file, s.Line, file + " is a file as well: delete it, or give this solution another name"}
		}
	}
	return nil
}

func fileExists(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}

// Solution returns the section that a path names, or nil if there is none.
func (u *Unfolded) Solution(name string) (*Solution, error) {
	if !isSolutions(path.Dir(name)) {
		return nil, nil
	}
	all, err := u.Solutions(path.Dir(name))
	if err != nil {
		return nil, err
	}
	i, found := slices.BinarySearchFunc(all, path.Join(path.Base(path.Dir(name)), path.Base(name)), func(s *Solution, name string) int {
		return strings.Compare(s.Name, name)
	})
	if !found {
		return nil, nil
	}
	return all[i], nil
}

// ReadFile returns the text of a file or of a solution.
func (u *Unfolded) ReadFile(name string) ([]byte, error) {
	s, err := u.Solution(name)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	if s == nil {
		return fs.ReadFile(u.FS, name)
	}
	text, err := s.text(u.below(name))
	if err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// Edit returns the lines by which a solution differs from the program that it edits, in order. A
// whole program has none.
func (u *Unfolded) Edit(name string) ([]EditLine, error) {
	s, err := u.Solution(name)
	if err != nil || s == nil {
		return nil, err
	}
	body, edited, err := s.body(u.below(name))
	if err != nil {
		return nil, err
	}
	text, err := s.text(u.below(name))
	if err != nil {
		return nil, err
	}
	first := strings.Count(text, "\n") - strings.Count(body, "\n") + 1
	for i := range edited {
		edited[i].Line += first
	}
	return edited, nil
}

// Edited returns the lines of a solution on which its edit lies, from 1. Where the edit only
// removes lines, it is the line after them. A whole program has none.
func (u *Unfolded) Edited(name string) ([]int, error) {
	edit, err := u.Edit(name)
	var lines []int
	for _, l := range edit {
		lines = append(lines, l.Line)
	}
	return slices.Compact(lines), err
}

// below reads what solutions of the same exercise edit: the lines of another program's body.
func (u *Unfolded) below(name string) func(string) ([]string, error) {
	folder := path.Dir(path.Dir(name))
	return func(other string) ([]string, error) {
		other = path.Join(folder, other)
		if known, found := u.bases.Load(other); found {
			return known.([]string), nil
		}
		text, err := u.ReadFile(other)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(bodyOf(string(text), path.Ext(other)), "\n")
		u.bases.Store(other, lines)
		return lines, nil
	}
}

// Open opens a file, a folder or a solution.
func (u *Unfolded) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	s, err := u.Solution(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if s != nil {
		text, err := u.ReadFile(name)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &opened{strings.NewReader(string(text)), info{path.Base(name), int64(len(text))}}, nil
	}
	return u.FS.Open(name)
}

// Glob lists files and solutions. Unlike others it returns an error if the Markdown of a named
// exercise cannot be read.
func (u *Unfolded) Glob(pattern string) ([]string, error) {
	found, err := fs.Glob(struct{ fs.FS }{u.FS}, pattern)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, kind := range []string{"right", "wrong"} {
		folder := path.Dir(pattern)
		if matches, _ := path.Match(path.Base(folder), kind); matches {
			of, _ := fs.Glob(struct{ fs.FS }{u.FS}, path.Dir(folder)+"/"+kind+".md") // the pattern is right
			files = append(files, of...)
		}
	}
	for _, file := range files {
		solutions, err := u.Solutions(strings.TrimSuffix(file, ".md"))
		if err != nil {
			return nil, err
		}
		for _, s := range solutions {
			name := path.Join(path.Dir(file), s.Name)
			if matches, _ := path.Match(pattern, name); matches {
				found = append(found, name)
			}
		}
	}
	slices.Sort(found)
	return found, nil
}

// opened is a solution that is being read.
type opened struct {
	io.Reader
	info info
}

func (o *opened) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o *opened) Close() error               { return nil }

// info describes a solution as a file.
type info struct {
	name string
	size int64
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return 0o444 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }
