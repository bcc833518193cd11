// This file writes a table of points as text for people, and as JSON, CSV and JUnit for
// programs.

package gradebook

import (
	"fmt"
	"io"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
)

// Text writes the table for people: one line per student with a sign per exercise, then what could
// not be read, and how the class did in each exercise. It is at most width columns wide if
// possible; a width of 0 means no limit.
func Text(w io.Writer, t *ClassTable, width int) error {
	var b strings.Builder
	if len(t.Submissions) > 0 { // a part of a class may be empty
		writeSubmissions(&b, t, width)
	}
	fmt.Fprintf(&b, "%s\nseed %d, %s\n", t.Overall(), t.Seed, plaintext.OneLine(t.Adapter))
	_, err := io.WriteString(w, b.String())
	return err
}

func writeSubmissions(b *strings.Builder, t *ClassTable, width int) {
	groups := t.Columns()
	rows := [][]string{{"student"}}
	for _, g := range groups {
		rows[0] = append(rows[0], g.Title)
	}
	rows[0] = append(rows[0], "points")
	longest := 0
	for _, s := range t.Submissions {
		longest = max(longest, len(FormatPoints(s.Points)))
	}
	for _, s := range t.Submissions {
		row := []string{plaintext.OneLine(s.Student)}
		for _, g := range groups {
			signs := ""
			for _, m := range g.Statuses(s) {
				signs += m.Sign
			}
			row = append(row, signs)
		}
		rows = append(rows, append(row, fmt.Sprintf("%*s of %s", longest, FormatPoints(s.Points), FormatPoints(s.MaxPoints))))
	}
	plaintext.Columns(b, rows, width)
	writeLegend(b, t, width)
	writeProblems(b, t, width)
	b.WriteString("\n")
	if len(t.Submissions) == 1 {
		writeExercises(b, t.Submissions[0], width)
	} else {
		writeSummary(b, t, width)
	}
	b.WriteString("\n")
}

func writeLegend(b *strings.Builder, t *ClassTable, width int) {
	parts := []string{"a column is a lesson"}
	if t.Beyond() {
		parts = append(parts, fmt.Sprintf("from %d on they are not in the points", course.Core+1))
	}
	for _, m := range t.Legend() {
		parts = append(parts, m.Sign+" "+m.Words)
	}
	b.WriteString("\n" + plaintext.Fill(parts, "   ", "", width))
}

func writeProblems(b *strings.Builder, t *ClassTable, width int) {
	began := false
	for _, s := range t.Submissions {
		for _, problem := range s.Problems {
			if !began {
				b.WriteString("\nProblems\n")
				began = true
			}
			b.WriteString(plaintext.Fill(strings.Fields(plaintext.OneLine(s.Student)+": "+plaintext.OneLine(problem)), " ", "  ", width))
		}
	}
}

// writeExercises writes the results of a single submission.
func writeExercises(b *strings.Builder, s Student, width int) {
	rows := [][]string{{"exercise", "lesson", "points", "", "diagnosis"}}
	if s.Costs() {
		rows[0] = append(rows[0], "costs")
	}
	for _, e := range s.Exercises {
		row := []string{e.ID, LessonOf(e.ID), FormatPoints(e.Points) + " of " + FormatPoints(e.MaxPoints), e.Status().Sign + " " + e.Status().Words, e.Diagnosis}
		if s.Costs() {
			row = append(row, e.Costs.Words())
		}
		rows = append(rows, row)
	}
	plaintext.Columns(b, rows, width)
}

// writeSummary writes how the class did in each exercise.
func writeSummary(b *strings.Builder, t *ClassTable, width int) {
	rows := [][]string{{"exercise", "lesson", "right", "in part", "not right", "not done", "most often"}}
	if t.Costs() {
		rows[0] = append(rows[0], "all goals")
	}
	for _, s := range t.Summary() {
		row := []string{
			s.ID, s.Lesson, fmt.Sprintf("%5d", s.Right), fmt.Sprintf("%7d", s.Partial),
			fmt.Sprintf("%9d", s.Wrong), fmt.Sprintf("%8d", s.NotDone), s.MostOften,
		}
		if t.Costs() {
			row = append(row, fmt.Sprintf("%9d", s.Cheap))
		}
		rows = append(rows, row)
	}
	plaintext.Columns(b, rows, width)
}
