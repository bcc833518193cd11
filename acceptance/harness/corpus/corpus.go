package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A fileNote is a file with one sentence about it.
type fileNote struct{ path, note string }

// shaders returns the folder's shaders, and what it can't read. Only a folder that can't be read at
// all is an error.
func shaders(folder string) (paths []string, unread []fileNote, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && path == folder:
			return fmt.Errorf("reading the corpus: %w", err)
		case err != nil:
			unread = append(unread, fileNote{path, err.Error()})
			return nil
		case entry.IsDir() || filepath.Ext(path) != ".wgsl" || strings.HasSuffix(path, tintOutcome):
			return nil
		}
		if problem := unreadable(path); problem != "" {
			unread = append(unread, fileNote{path, problem})
			return nil
		}
		paths = append(paths, path)
		return nil
	})
	return paths, unread, err
}

// unreadable says why a file can't be read as a shader, or "".
func unreadable(path string) string {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err.Error()
	case !info.Mode().IsRegular():
		return "it is no regular file"
	case info.Size() > syntax.MaxSource:
		return fmt.Sprintf("it has %d KiB; the limit is %d KiB", info.Size()>>10, syntax.MaxSource>>10)
	}
	return ""
}

// A corpus is a folder of shaders, and who judges them.
type corpus struct {
	folder     string
	executable string // this program
	limit      time.Duration
	judges     []judge
	run        bool   // the shaders' entry points as well
	engine     string // whose driver runs them beside the simulator; "" for none
}

// A result is what everyone says about one shader.
type result struct {
	path string
	reading
	crash   string // the first line of what the process wrote, or ""
	slow    bool
	answers []opinion // in the order of the judges
	runs    []*entryRun
}

// read reads the shaders, several at once. After an interruption it returns those that it has read.
// Their order is that of the paths.
func (c corpus) read(ctx context.Context, paths []string, jobs int, step func()) []*result {
	results := make([]*result, len(paths))
	queue := make(chan int)
	var group sync.WaitGroup
	for range jobs {
		group.Go(func() {
			for i := range queue {
				r := c.one(ctx, paths[i])
				if ctx.Err() != nil {
					continue
				}
				results[i] = r
				step()
			}
		})
	}
	for i := range paths {
		if ctx.Err() != nil {
			break
		}
		queue <- i
	}
	close(queue)
	group.Wait()
	var done []*result
	for _, r := range results {
		if r != nil {
			done = append(done, r)
		}
	}
	return done
}

// one reads a shader in a process of its own, asks the judges, and runs it in another process.
func (c corpus) one(ctx context.Context, path string) *result {
	r := &result{path: path}
	written, err := c.process(ctx, c.limit, oneFile, path)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		r.slow = true
	case err != nil:
		r.crash = err.Error()
	default:
		if err := json.Unmarshal(written, &r.reading); err != nil {
			r.crash = fmt.Sprintf("its process wrote no result: %v", err)
		}
	}
	for _, j := range c.judges {
		judged, cancel := context.WithTimeout(ctx, c.limit)
		r.answers = append(r.answers, j.answer(judged, path))
		cancel()
	}
	if c.run {
		r.runs = c.runsOf(ctx, path)
	}
	return r
}

// process runs this program with a command for one file, and returns what it wrote to stdout. The
// error holds the first line that it wrote to stderr.
func (c corpus) process(ctx context.Context, limit time.Duration, arguments ...string) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	command := exec.CommandContext(limited, c.executable, arguments...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	switch {
	case limited.Err() != nil:
		err = limited.Err()
	case err != nil:
		first, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		err = errors.Join(err, errors.New(first))
	}
	return stdout.Bytes(), err
}

// runsOf runs the entry points of a shader. Those without a result are not in the list if the
// process ended early; a last one says why.
func (c corpus) runsOf(ctx context.Context, path string) (runs []*entryRun) {
	arguments := []string{oneRun, path}
	if c.engine != "" {
		arguments = append(arguments, "--engine", c.engine)
	}
	written, err := c.process(ctx, fileTime, arguments...)
	decoder := json.NewDecoder(bytes.NewReader(written))
	for decoder.More() {
		r := &entryRun{}
		if decoder.Decode(r) != nil {
			break
		}
		if i := slices.IndexFunc(runs, func(known *entryRun) bool { return known.Entry == r.Entry }); i >= 0 {
			runs[i] = r // with the driver's answer
		} else {
			runs = append(runs, r)
		}
	}
	switch {
	case err == nil:
	case len(runs) == 0:
		runs = []*entryRun{{Entry: "*", Outcome: tooLong, Why: err.Error()}}
	default:
		for _, r := range runs {
			if r.Outcome == clean && r.Driver == "" {
				r.Driver, r.Differs = failed, err.Error()
			}
		}
	}
	return runs
}

// newProgress returns a function to call after each file. On a terminal it rewrites one line.
func newProgress(out io.Writer, total int) func() {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func() {}
	}
	var mutex sync.Mutex
	done := 0
	return func() {
		mutex.Lock()
		defer mutex.Unlock()
		done++
		fmt.Fprintf(out, "\r%d of %d shaders", done, total)
		if done == total {
			fmt.Fprintln(out)
		}
	}
}
