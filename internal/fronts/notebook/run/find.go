package run

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// plan finds the requested notebooks, in the order of the arguments, and the file to write each to.
func (b *Batch) plan() ([]*Job, error) {
	if b.Parallel < 1 {
		return nil, fmt.Errorf("-j %d: at least 1 notebook must run at a time", b.Parallel)
	}
	found, err := b.find()
	if err != nil {
		return nil, err
	}
	toFolder, err := b.outIsFolder(found)
	if err != nil {
		return nil, err
	}
	var jobs []*Job
	seen, writers := make(map[string]bool), make(map[string]string)
	for _, f := range found {
		absolute, err := filepath.Abs(f.path)
		if err != nil {
			return nil, fmt.Errorf("finding %s: %w", f.path, err)
		}
		if seen[absolute] {
			continue
		}
		seen[absolute] = true
		job := &Job{Path: f.path, out: b.Out, ended: make(chan struct{})}
		if toFolder {
			job.out = filepath.Join(b.Out, f.name)
		}
		if other := writers[job.out]; job.out != "" && other != "" {
			return nil, fmt.Errorf("%s and %s would both be written to %s: use two runs with separate output folders",
				other, job.Path, job.out)
		}
		writers[job.out] = job.Path
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// foundNotebook is a requested notebook.
type foundNotebook struct {
	path  string
	name  string // its path in the requested folder, or its bare name
	alone bool   // its own path was an argument
}

func (b *Batch) find() ([]foundNotebook, error) {
	var found []foundNotebook
	for _, arg := range b.Notebooks {
		info, err := os.Stat(arg)
		var more []foundNotebook
		switch {
		case err == nil && info.IsDir():
			more, err = b.findInFolder(arg)
		case err == nil:
			more = []foundNotebook{{path: arg, name: filepath.Base(arg), alone: true}}
		case strings.ContainsAny(arg, "*?["):
			more, err = findByPattern(arg)
		default:
			err = fmt.Errorf("there is no notebook %s", arg)
		}
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// findInFolder finds the notebooks in a folder and its subfolders. It skips hidden folders, where
// Jupyter keeps copies, and the folder for the output.
func (b *Batch) findInFolder(folder string) ([]foundNotebook, error) {
	var found []foundNotebook
	out, outErr := os.Stat(b.Out)
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			info, err := entry.Info()
			if err != nil {
				return err
			}
			isOut := outErr == nil && os.SameFile(info, out)
			if name != "." && (isOut || strings.HasPrefix(entry.Name(), ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) == ".ipynb" {
			found = append(found, foundNotebook{path: filepath.Join(folder, name), name: name})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for notebooks in %s: %w", folder, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no notebook in the folder %s", folder)
	}
	return found, nil
}

func findByPattern(pattern string) ([]foundNotebook, error) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("the pattern %s: %w", pattern, err)
	}
	var found []foundNotebook
	for _, path := range paths {
		if filepath.Ext(path) == ".ipynb" {
			found = append(found, foundNotebook{path: path, name: filepath.Base(path)})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no notebook %s", pattern)
	}
	return found, nil
}

// outIsFolder reports whether -o names a folder. It does unless there is only one notebook, the
// argument is its own path, and no such folder exists.
func (b *Batch) outIsFolder(found []foundNotebook) (bool, error) {
	if b.Out == "" {
		return false, nil
	}
	info, err := os.Stat(b.Out)
	exists := err == nil
	several := len(found) > 1 || !found[0].alone
	if exists && several && !info.IsDir() {
		return false, fmt.Errorf("%s is a file: for several notebooks, name a folder", b.Out)
	}
	parent := filepath.Dir(b.Out)
	if info, err := os.Stat(parent); !exists && (err != nil || !info.IsDir()) {
		return false, fmt.Errorf("there is no folder %s for the output: make it first", parent)
	}
	return several || exists && info.IsDir(), nil
}
