package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// plan finds the notebooks that are to be run, in the order in which they were
// asked for, and where each is to be written.
func (r *notebookRun) plan() ([]*notebookJob, error) {
	if r.workers < 1 {
		return nil, fmt.Errorf("-j %d: at least 1 notebook has to run at a time", r.workers)
	}
	found, err := r.find()
	if err != nil {
		return nil, err
	}
	toFolder, err := r.outIsFolder(found)
	if err != nil {
		return nil, err
	}
	var jobs []*notebookJob
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
		job := &notebookJob{path: f.path, out: r.out, ended: make(chan struct{})}
		if toFolder {
			job.out = filepath.Join(r.out, f.name)
		}
		if other := writers[job.out]; job.out != "" && other != "" {
			return nil, fmt.Errorf("%s and %s would both be written to %s: give each a folder of its own, in two runs",
				other, job.path, job.out)
		}
		writers[job.out] = job.path
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// foundNotebook is a notebook that was asked for.
type foundNotebook struct {
	path  string
	name  string // its path below the folder that was asked for, or its bare name
	alone bool   // it was asked for by its own path
}

func (r *notebookRun) find() ([]foundNotebook, error) {
	var found []foundNotebook
	for _, arg := range r.args {
		info, err := os.Stat(arg)
		var more []foundNotebook
		switch {
		case err == nil && info.IsDir():
			more, err = r.findInFolder(arg)
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

// findInFolder finds the notebooks in a folder and in those below it, but for
// hidden ones, in which Jupyter keeps copies, and for the one that is written to.
func (r *notebookRun) findInFolder(folder string) ([]foundNotebook, error) {
	var found []foundNotebook
	out, outErr := os.Stat(r.out)
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

// outIsFolder says whether -o names a folder: for all but one notebook that was
// asked for by its path, and for that one too when there is such a folder.
func (r *notebookRun) outIsFolder(found []foundNotebook) (bool, error) {
	if r.out == "" {
		return false, nil
	}
	info, err := os.Stat(r.out)
	exists := err == nil
	several := len(found) > 1 || !found[0].alone
	if exists && several && !info.IsDir() {
		return false, fmt.Errorf("%s is a file: several notebooks are written to a folder", r.out)
	}
	parent := filepath.Dir(r.out)
	if info, err := os.Stat(parent); !exists && (err != nil || !info.IsDir()) {
		return false, fmt.Errorf("there is no folder %s for the output: make it first", parent)
	}
	return several || exists && info.IsDir(), nil
}
