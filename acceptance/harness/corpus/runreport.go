package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A runReport counts what became of the entry points.
type runReport struct {
	projects map[string]*tally
	stops    map[string]*tally // by what stopped them
	errors   map[string]int    // entry points by the kind of error
	driver   map[agreed]int
	refusals map[string]int // of the driver, by its reason
	differs  []fileNote
}

// A tally counts shaders and their entry points. A shader ran if all its entry points did.
type tally struct {
	shaders, entries       int
	valid                  int // shaders that Tint accepts
	shadersRan, entriesRan int
	entriesClean           int
}

func newRunReport(folder string, results []*result) *runReport {
	r := &runReport{
		projects: map[string]*tally{}, stops: map[string]*tally{}, errors: map[string]int{},
		driver: map[agreed]int{}, refusals: map[string]int{},
	}
	for _, f := range results {
		name := relative(folder, f.path)
		project, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		entryOf(r.projects, project).add(f)
		r.addStops(f)
		for _, e := range f.runs {
			r.addRun(name, e)
		}
	}
	return r
}

// entryOf returns the tally of a key, which it makes if there is none.
func entryOf(tallies map[string]*tally, key string) *tally {
	if tallies[key] == nil {
		tallies[key] = &tally{}
	}
	return tallies[key]
}

// add counts a shader.
func (t *tally) add(f *result) {
	t.shaders++
	if f.tint() == accepts {
		t.valid++
	}
	all := true
	for _, e := range f.runs {
		t.entries++
		if all = all && e.Outcome.ran(); e.Outcome.ran() {
			t.entriesRan++
		}
		if e.Outcome == clean {
			t.entriesClean++
		}
	}
	if all {
		t.shadersRan++
	}
}

// addStops counts the reasons that stopped a shader, each once, and its entry points.
func (r *runReport) addStops(f *result) {
	seen := map[string]bool{}
	for _, e := range f.runs {
		if e.Outcome.ran() {
			continue
		}
		why := f.stop(e)
		t := entryOf(r.stops, why)
		if t.entries++; !seen[why] {
			t.shaders++
		}
		seen[why] = true
	}
}

// stop returns what stopped an entry point. If the front end refuses it, Tint's opinion decides
// whose fault that is: many files are templates, or parts of a shader.
func (f *result) stop(e *entryRun) string {
	switch {
	case e.Outcome != refused:
		return e.group()
	case f.tint() == accepts:
		return "the front end refuses it, Tint does not"
	case f.tint() == noAnswer:
		return "the front end refuses it"
	case e.Kind == string(findings.UnknownName):
		return "no whole shader: names from other files (Tint refuses it as well)"
	}
	return "no WGSL: a template, or old (Tint refuses it as well)"
}

// tint returns Tint's verdict.
func (f *result) tint() opinion {
	if len(f.answers) == 0 {
		return noAnswer
	}
	return f.answers[0]
}

func (r *runReport) addRun(name string, e *entryRun) {
	for _, kind := range e.Kinds {
		r.errors[kind]++
	}
	if e.Driver == "" {
		return
	}
	r.driver[e.Driver]++
	switch e.Driver {
	case noDriver, failed:
		r.refusals[named.ReplaceAllString(strings.SplitN(e.Differs, "\n", 2)[0], "…")]++
	case differs, unordered, rounded:
		r.differs = append(r.differs, fileNote{name, fmt.Sprintf("%s: %s: %s", e.Entry, e.Driver, e.Differs)})
	}
}

// write prints the tables, and then the entry points that differ on the driver.
func (r *runReport) write(w io.Writer) error {
	total := &tally{}
	rows := [][]string{{"project", "shaders", "Tint accepts", "ran", "entry points", "ran", "without errors"}}
	for _, project := range slices.Sorted(maps.Keys(r.projects)) {
		t := r.projects[project]
		rows = append(rows, t.row(project))
		total.plus(t)
	}
	rows = append(rows, total.row(english.Count(len(r.projects), "project", "projects")))
	stops := [][]string{{"what stops the others", "shaders", "entry points"}}
	for _, why := range slices.SortedFunc(maps.Keys(r.stops), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.stops[b].entries, r.stops[a].entries), cmp.Compare(a, b))
	}) {
		stops = append(stops, []string{why, fmt.Sprint(r.stops[why].shaders), fmt.Sprint(r.stops[why].entries)})
	}
	for _, table := range [][][]string{
		rows, stops, counted("errors found in a run", r.errors), counted("beside the driver", r.driver), counted("the driver's reasons", r.refusals),
	} {
		if len(table) == 1 {
			continue
		}
		fmt.Fprintln(w)
		if err := plaintext.Table(w, table); err != nil {
			return err
		}
	}
	row{title: "differs on the driver", files: r.differs}.write(w, "")
	return nil
}

func (t *tally) plus(other *tally) {
	t.shaders += other.shaders
	t.valid += other.valid
	t.shadersRan += other.shadersRan
	t.entries += other.entries
	t.entriesRan += other.entriesRan
	t.entriesClean += other.entriesClean
}

func (t *tally) row(title string) []string {
	row := []string{title}
	for _, n := range []int{t.shaders, t.valid, t.shadersRan, t.entries, t.entriesRan, t.entriesClean} {
		row = append(row, fmt.Sprint(n))
	}
	return row
}

// counted returns a table of counts, the largest first.
func counted[K ~string](title string, counts map[K]int) [][]string {
	table := [][]string{{title, "entry points"}}
	for _, key := range slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	}) {
		table = append(table, []string{string(key), fmt.Sprint(counts[key])})
	}
	return table
}

// relative returns a path relative to the folder, as far as it is in it.
func relative(folder, path string) string {
	if name, err := filepath.Rel(folder, path); err == nil {
		return name
	}
	return path
}

// writeList writes a line of JSON for each shader.
func writeList(path, folder string, results []*result) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	encoder := json.NewEncoder(file)
	for _, f := range results {
		line := struct {
			Path    string      `json:"path"`
			Answers []opinion   `json:"answers"` // of Tint and naga: 1 accepts, 2 refuses
			Runs    []*entryRun `json:"runs"`
		}{relative(folder, f.path), f.answers, f.runs}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return file.Close()
}
