package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
)

// A report holds the files of each row of the table.
type report struct {
	folder string
	read   int
	judges []judge
	counts [][4]int // of each judge: accepted by both, refused by both, accepted by us only, by it only
	silent []int    // without an answer, of each judge
	rows   []row
}

// A row is a list of files with one thing in common.
type row struct {
	title string
	fault bool // of this front end
	files []fileNote
}

// The places of the counts.
const (
	bothAccept = iota
	bothRefuse
	oursOnly
	theirsOnly
)

func newReport(folder string, judges []judge, results []*result, unread []fileNote) *report {
	r := &report{folder: folder, read: len(results), judges: judges, counts: make([][4]int, len(judges)), silent: make([]int, len(judges))}
	for i, j := range judges {
		r.compare(i, j, results)
	}
	r.add("crashes", true, results, func(f *result) string { return f.crash })
	r.add("too slow", true, results, func(f *result) string {
		if f.slow {
			return "it was ended at the limit"
		}
		return ""
	})
	r.add("formatter not stable", true, results, func(f *result) string { return f.Layout })
	r.add("verdict changed by white space", true, results, func(f *result) string { return f.WhiteSpace })
	r.rows = append(r.rows, row{title: "not read", files: unread})
	return r
}

// compare counts how often this front end and a judge agree, and lists where they don't. It leaves
// out files without a verdict of either.
func (r *report) compare(i int, j judge, results []*result) {
	ours, theirs := row{title: "accepted by wgslab, refused by " + j.name}, row{title: "accepted by " + j.name + ", refused by wgslab"}
	for _, f := range results {
		answer := f.answers[i]
		switch {
		case answer == noAnswer || f.crash != "" || f.slow:
			r.silent[i]++
		case f.Accepted && answer == accepts:
			r.counts[i][bothAccept]++
		case !f.Accepted && answer == refuses:
			r.counts[i][bothRefuse]++
		case f.Accepted:
			r.counts[i][oursOnly]++
			ours.files = append(ours.files, fileNote{path: f.path})
		default:
			r.counts[i][theirsOnly]++
			theirs.files = append(theirs.files, fileNote{f.path, f.Error})
		}
	}
	r.rows = append(r.rows, ours, theirs)
}

// add adds a row of the files about which note says something.
func (r *report) add(title string, fault bool, results []*result, note func(*result) string) {
	added := row{title: title, fault: fault}
	for _, f := range results {
		if text := note(f); text != "" {
			added.files = append(added.files, fileNote{f.path, text})
		}
	}
	r.rows = append(r.rows, added)
}

// faults counts the files with a fault of this front end; one file may count several times.
func (r *report) faults() int {
	n := 0
	for _, row := range r.rows {
		if row.fault {
			n += len(row.files)
		}
	}
	return n
}

// write prints the two tables, and then the files of each row that has some.
func (r *report) write(w io.Writer) error {
	header := []string{english.Count(r.read, "shader", "shaders")}
	agreement := [][]string{{"accepted by both"}, {"refused by both"}, {"accepted by wgslab only"}, {"accepted by the other only"}}
	silent := []string{"no answer"}
	for i, j := range r.judges {
		header = append(header, j.name)
		for k := range agreement {
			agreement[k] = append(agreement[k], fmt.Sprint(r.counts[i][k]))
		}
		silent = append(silent, fmt.Sprint(r.silent[i]))
	}
	if err := plaintext.Table(w, append(append([][]string{header}, agreement...), silent)); err != nil {
		return err
	}
	for _, j := range r.judges {
		fmt.Fprintln(w, j.state())
	}
	fmt.Fprintln(w)
	var rows [][]string
	for _, row := range r.rows {
		if row.fault || row.title == "not read" {
			rows = append(rows, []string{row.title, fmt.Sprint(len(row.files))})
		}
	}
	if err := plaintext.Table(w, rows); err != nil {
		return err
	}
	for _, row := range r.rows {
		row.write(w, r.folder)
	}
	return nil
}

// write lists the row's files, relative to the folder.
func (r row) write(w io.Writer, folder string) {
	if len(r.files) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", r.title)
	for _, f := range r.files {
		name := f.path
		if relative, err := filepath.Rel(folder, f.path); err == nil {
			name = relative
		}
		if f.note != "" {
			name += ": " + f.note
		}
		fmt.Fprintln(w, "  "+plaintext.OneLine(name))
	}
}
