package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/plaintext"
)

// showFailures shows the cells that failed, and drops them: they can be large.
func (j *Job) showFailures(w io.Writer, named, colours bool) {
	if len(j.failures) > 0 && named {
		fmt.Fprintf(w, "%s:\n\n", j.Path)
	}
	for _, failure := range j.failures {
		printFailure(w, failure, j.Cells, colours)
	}
	j.nb, j.failures = nil, nil
}

// conclude reports the result of the only notebook.
func (j *Job) conclude(ctx context.Context, stdout io.Writer) error {
	switch {
	case j.stopped(ctx) && j.written:
		return fmt.Errorf("stopped before the end; %s contains the outputs so far", j.out)
	case j.stopped(ctx):
		return errors.New("stopped before the end; wgslab wrote nothing")
	case j.failed > 0:
		return fmt.Errorf("%s: %d of %d cells failed after %s", j.Path, j.failed, j.Cells, j.took)
	case j.err != nil:
		return j.err
	}
	_, err := fmt.Fprintf(stdout, "%s: all %d cells ran in %s\n", j.Path, j.Cells, j.took)
	return err
}

// concludeAll prints the table of several notebooks.
func concludeAll(ctx context.Context, jobs []*Job, stdout io.Writer) error {
	rows := [][]string{{"notebook", "cells run", "failed", "time", "result"}}
	wrong := 0
	for _, job := range jobs {
		rows = append(rows, []string{
			printable(job.Path, false), fmt.Sprintf("%d of %d", job.Begun, job.Cells), strconv.Itoa(job.failed), job.took.String(), job.outcome(ctx),
		})
		if job.err != nil {
			wrong++
		}
	}
	if err := plaintext.Table(stdout, rows); err != nil {
		return err
	}
	switch {
	case wrong > 0 && ctx.Err() != nil:
		return fmt.Errorf("stopped before the end; %d of %d notebooks ran without an error", len(jobs)-wrong, len(jobs))
	case wrong > 0:
		return fmt.Errorf("%d of %d notebooks failed", wrong, len(jobs))
	}
	return nil
}

// outcome describes a notebook's result in one line.
func (j *Job) outcome(ctx context.Context) string {
	const longest = 100 // characters
	var text string
	switch {
	case j.err == nil:
		return "ok"
	case j.stopped(ctx) && j.Begun > 0:
		return "stopped"
	case j.stopped(ctx):
		return "not run"
	case j.Begun == 0:
		text = "not run: " + j.err.Error()
	default:
		text = j.err.Error()
	}
	text = strings.Join(strings.Fields(printable(text, false)), " ")
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return text
}

// How much of a failed cell is shown, in lines.
const (
	sourceHead = 6
	outputTail = 60
)

// printFailure shows a cell that failed: its first lines, and the end of its output, which says
// why.
func printFailure(w io.Writer, failure *CellError, cells int, colours bool) {
	fmt.Fprintf(w, "Cell %d of %d (id %s) failed:\n", failure.Number, cells, printable(failure.Cell.ID, false))
	source := strings.Split(strings.TrimSpace(printable(failure.Cell.Source, false)), "\n")
	for _, line := range source[:min(len(source), sourceHead)] {
		fmt.Fprintln(w, "  |", line)
	}
	if more := len(source) - sourceHead; more > 0 {
		fmt.Fprintf(w, "  | … %d more lines\n", more)
	}
	fmt.Fprintln(w)

	var shown strings.Builder
	for _, output := range failure.Cell.Outputs {
		shown.WriteString(strings.TrimRight(printable(output.Plain(), colours), "\n") + "\n")
	}
	lines := strings.Split(strings.TrimRight(shown.String(), "\n"), "\n")
	if cut := len(lines) - outputTail; cut > 0 {
		fmt.Fprintf(w, "… %d lines before\n", cut)
		lines = lines[cut:]
	}
	fmt.Fprintln(w, strings.Join(lines, "\n"))
	fmt.Fprintln(w)
}
