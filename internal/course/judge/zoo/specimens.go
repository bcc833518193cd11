// Package zoo knows where the course's wrong shaders are wrong, and measures how many verdicts show
// the right line. Its tests judge all right and wrong shaders of the course.
package zoo

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
)

// A MistakeKind is a kind of mistake, by what has to change.
type MistakeKind string

// The kinds. A mistake is of the first that fits it.
const (
	Waiting     MistakeKind = "barrier"
	Lanes       MistakeKind = "subgroup"
	Missing     MistakeKind = "missing statement"
	Control     MistakeKind = "condition or loop"
	Declared    MistakeKind = "declaration"
	Indexing    MistakeKind = "index"
	Calculating MistakeKind = "expression"
	Several     MistakeKind = "several lines" // the true lines are unknown
)

// A Specimen is a wrong shader.
type Specimen struct {
	Exercise *course.Exercise `json:"-"`
	Name     string           `json:"name"` // vector-add/wrong/copies-a.wgsl
	Text     string           `json:"-"`
	Kind     MistakeKind      `json:"kind"`
	Lines    []int            `json:"lines"` // where the mistake is, from 1; none if unknown
	Mistake  string           `json:"-"`     // in words
	Named    bool             `json:"-"`     // its diagnosis counts: no misconception of the exercise is the same text
}

// Planted returns the wrong shaders of the course, sorted by name, with the lines that the edits in
// wrong.md change. An edit of more than mostEdited lines has no true lines: not all of them have to
// be wrong. Exercises in which the learner looks for a line are left out: no verdict tells it.
func Planted() ([]Specimen, error) {
	var all []Specimen
	for _, e := range course.All() {
		if e.Kind == course.Host || e.Bug != nil || e.Break != nil {
			continue
		}
		names, err := exercises.Files.Glob(e.ID + "/wrong/*.wgsl")
		if err != nil {
			return nil, fmt.Errorf("listing the wrong shaders of %s: %w", e.ID, err)
		}
		for _, name := range names {
			s, err := planted(e, name)
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", name, err)
			}
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Specimen) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// Share returns one of so many specimens, drawn by a seed.
func Share(all []Specimen, oneOf int, seed uint64) []Specimen {
	drawn := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))
	drawn = drawn[:(len(all)+oneOf-1)/max(oneOf, 1)]
	slices.Sort(drawn)
	var share []Specimen
	for _, i := range drawn {
		share = append(share, all[i])
	}
	return share
}

// mostEdited is the most lines of an edit with true lines.
const mostEdited = 2

func planted(e *course.Exercise, name string) (Specimen, error) {
	text, err := exercises.Files.ReadFile(name)
	if err != nil {
		return Specimen{}, err
	}
	edit, err := exercises.Files.Edit(name)
	if err != nil {
		return Specimen{}, err
	}
	s := Specimen{Exercise: e, Name: path.Join(e.ID, "wrong", path.Base(name)), Text: string(text), Kind: Several, Mistake: strings.ReplaceAll(strings.TrimSuffix(path.Base(name), ".wgsl"), "-", " ")}
	lines, size := trueLines(s.Text, edit)
	told := wordsAbove(s.Text)
	s.Text = strings.Join(strings.SplitAfter(s.Text, "\n")[told:], "")
	if 0 < size && size <= mostEdited {
		for i := range lines {
			lines[i] -= told
		}
		s.Lines, s.Kind = lines, kindOf(edit)
	}
	return s, nil
}

// wordsAbove returns how many lines of comments are above a shader: they tell the mistake.
func wordsAbove(text string) (n int) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "//") {
			break
		}
		n++
	}
	return n
}

// hasCode reports whether a line has more than braces and comments.
func hasCode(line string) bool {
	code, _, _ := strings.Cut(line, "//")
	return strings.Trim(code, "{} \t\r") != ""
}

// trueLines returns the lines at which an edit is, and how many of them it changes. Where a line is
// missing, the lines on both sides are true.
func trueLines(text string, edit []exercises.EditLine) (lines []int, size int) {
	for len(edit) > 0 {
		n, removed, added := 0, 0, []int{}
		for next := edit[0].Line; n < len(edit) && edit[n].Line == next; n++ {
			switch l := edit[n]; {
			case l.Added:
				next++
				if hasCode(l.Text) {
					added = append(added, l.Line)
				}
			case hasCode(l.Text):
				removed++
			}
		}
		lines, size = append(lines, added...), size+max(removed, len(added))
		if removed > len(added) {
			last := edit[n-1]
			first, end := edit[0].Line, last.Line
			if last.Added {
				end++
			}
			lines = append(lines, sides(text, first, end)...)
		}
		edit = edit[n:]
	}
	slices.Sort(lines)
	return slices.Compact(lines), size
}

// sides returns the last line with code before first, and the first one from end on.
func sides(text string, first, end int) (found []int) {
	lines := strings.Split(text, "\n")
	for n := first - 1; n >= 1; n-- {
		if hasCode(lines[n-1]) {
			found = append(found, n)
			break
		}
	}
	for n := end; n <= len(lines); n++ {
		if hasCode(lines[n-1]) {
			return append(found, n)
		}
	}
	return found
}

var (
	subgroups = regexp.MustCompile(`subgroup|shuffle`)
	controls  = regexp.MustCompile(`^\s*(\} else )?(if|for|while|loop|switch|break|continue|return;)\b|^\s*return;`)
	declares  = regexp.MustCompile(`^\s*(@|var<|const |override |struct |fn |alias |enable )|@builtin|@workgroup_size`)
	brackets  = regexp.MustCompile(`\[[^\]]*\]`)
)

// kindOf returns what kind of mistake an edit makes.
func kindOf(edit []exercises.EditLine) MistakeKind {
	var removed, added []string
	for _, l := range edit {
		switch {
		case !hasCode(l.Text):
		case l.Added:
			added = append(added, l.Text)
		default:
			removed = append(removed, l.Text)
		}
	}
	both := slices.Concat(removed, added)
	some := func(of *regexp.Regexp) bool { return slices.ContainsFunc(both, of.MatchString) }
	withoutIndices := func(lines []string) string { return brackets.ReplaceAllString(strings.Join(lines, "\n"), "[]") }
	switch {
	case strings.Contains(strings.Join(both, ""), "Barrier"):
		return Waiting
	case some(subgroups):
		return Lanes
	case len(added) < len(removed):
		return Missing
	case some(controls):
		return Control
	case some(declares):
		return Declared
	case withoutIndices(removed) == withoutIndices(added):
		return Indexing
	}
	return Calculating
}
