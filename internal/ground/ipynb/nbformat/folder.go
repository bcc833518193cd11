package nbformat

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/atomicfile"
)

// bases is the folder, in that of the copies, which holds each file as the course had it when its
// copy was made or last updated.
const bases = ".course"

// work is the folder of the learner's shaders; readme is the only file in it that the course ships.
const (
	work   = "work"
	readme = "README.md"
)

// A FolderUpdate says what Folder did. Files are relative to the folder, with slashes.
type FolderUpdate struct {
	Made    bool                // the folder is new
	Updated []string            // the files that have changed
	Both    map[string][]string // by file, the cells that the learner and the course have changed; none for a text
	Trouble []error             // files that could not be read; they are as they were
}

// Folder makes copies of the course's files in the folder from, such as notebooks and images, in
// the folder to. It updates the copies that are there already. A copy that was deleted is made
// again, as the course has it now.
//
// The first time it also copies the learner's shaders: before there were copies, learners worked in
// from.
func Folder(from, to string) (*FolderUpdate, error) {
	report := &FolderUpdate{Both: map[string][]string{}}
	if _, err := os.Stat(to); errors.Is(err, fs.ErrNotExist) {
		report.Made = true
	}
	if err := os.MkdirAll(filepath.Join(to, work), 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of your lessons: %w", err)
	}
	err := fs.WalkDir(os.DirFS(from), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			return skip(entry)
		case entry.IsDir():
			return nil
		case strings.HasPrefix(name, work+"/") && name != work+"/"+readme:
			if !report.Made {
				return nil
			}
			return copyFile(filepath.Join(from, name), filepath.Join(to, name))
		}
		return report.update(from, to, name)
	})
	if err != nil {
		return nil, fmt.Errorf("copying the lessons to %s: %w", to, err)
	}
	return report, nil
}

func skip(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// update brings one file of the course up to date.
func (r *FolderUpdate) update(from, to, name string) error {
	theirs, err := os.ReadFile(filepath.Join(from, name))
	if err != nil {
		return err
	}
	path, base := filepath.Join(to, name), filepath.Join(to, bases, name)
	mine, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return err
	}
	was, err := os.ReadFile(base)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	merged := mine
	switch {
	case missing:
		merged = theirs
	case bytes.Equal(was, theirs):
		return nil
	case bytes.Equal(mine, was):
		merged = theirs
	case filepath.Ext(name) == ".ipynb":
		var both []string
		if merged, both, err = mergeNotebooks(was, path, theirs); err != nil {
			r.Trouble = append(r.Trouble, err)
			return nil
		}
		if len(both) > 0 {
			r.Both[name] = both
		}
	case !bytes.Equal(mine, theirs):
		r.Both[name] = nil
	}
	if !bytes.Equal(merged, mine) || missing {
		r.Updated = append(r.Updated, name)
		if err := write(path, merged); err != nil {
			return err
		}
	}
	return write(base, theirs)
}

// mergeNotebooks returns the contents of the copy in the file path after the update from was to
// theirs.
func mergeNotebooks(was []byte, path string, theirs []byte) (merged []byte, both []string, err error) {
	mine, err := Read(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: it was not updated; move it away, and you get the course's", err)
	}
	today, err := Decode(theirs)
	if err != nil {
		return nil, nil, fmt.Errorf("the course's version of %s: %w", path, err)
	}
	base := &Notebook{} // unknown: the learner keeps each cell that is not as it is today
	if was != nil {
		if base, err = Decode(was); err != nil {
			return nil, nil, fmt.Errorf("the version of %s before: %w", path, err)
		}
	}
	both = Merge(base, mine, today)
	merged, err = mine.Encode()
	return merged, both, err
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return write(to, data)
}

func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.WriteUnsynced(path, data, 0o644)
}
