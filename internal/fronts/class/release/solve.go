package release

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// These lines delimit solutions. nbgrader removes them with everything in between. The learner's
// part around them stays unchanged.
const (
	beginSolution = "// BEGIN SOLUTION"
	endSolution   = "// END SOLUTION"
)

// solve writes the reference solutions into a lesson's notebook.
func solve(nb *nbformat.Notebook, l course.Lesson) error {
	for _, exercise := range l.Exercises() {
		cell := find(nb, answerCell(exercise))
		if cell == nil {
			return fmt.Errorf("%s has no cell %s to solve", l.Notebook, answerCell(exercise))
		}
		solved, err := solution(exercise, cell.Source)
		if err != nil {
			return fmt.Errorf("solving %s in %s: %w", exercise.ID, l.Notebook, err)
		}
		if withoutSolutions(solved) != cell.Source {
			return fmt.Errorf("solving %s in %s: without its solution the cell is not the one that ships", exercise.ID, l.Notebook)
		}
		cell.Source = solved
	}
	return nil
}

func solution(e *course.Exercise, shipped string) (string, error) {
	if e.IsOnHost() {
		right, err := e.ReferenceCell()
		return replaced(e, shipped, strings.Split(right, "\n")), err
	}
	reference, err := e.Reference()
	if err != nil {
		return "", err
	}
	given, right := read(shipped), read(strings.TrimSpace(reference.Text))
	switch {
	case e.Kind == course.Write && given.entry == nil:
		return appended(given, right), nil
	case e.Kind == course.FindBug || e.Kind == course.BreakIt || len(e.Later) > 0, !slices.Equal(given.head(), right.head()):
		return replaced(e, shipped, strings.Split(strings.TrimSpace(reference.Text), "\n")), nil
	}
	return solveShader(given, right)
}

// replaced adds the lines in which the reference differs: those of a repaired shader, of a case, of
// several entry points, or of one whose parameters the learner writes. Without the solution the
// given lines are back: it puts them into a comment.
func replaced(e *course.Exercise, shipped string, right []string) string {
	wrong := strings.Split(shipped, "\n")
	code := func(lines []string) []string {
		begin := slices.IndexFunc(lines, func(line string) bool { return bare(line) != "" && !strings.HasPrefix(line, "%%") })
		return lines[begin:]
	}
	head, before, after := wrong[:len(wrong)-len(code(wrong))], code(wrong), code(right)
	same := 0
	for same < min(len(before), len(after)) && bare(before[same]) == bare(after[same]) {
		same++
	}
	end := 0
	for end < min(len(before), len(after))-same && bare(before[len(before)-1-end]) == bare(after[len(after)-1-end]) {
		end++
	}
	if e.Kind == course.FindBug {
		head = slices.Concat(head, region("", right[:1])) // names the line
	}
	return strings.Join(slices.Concat(
		head,
		before[:same], region("", []string{"/*"}),
		before[same:len(before)-end], region("", slices.Concat([]string{"*/"}, after[same:len(after)-end])),
		before[len(before)-end:],
	), "\n")
}

// yourLines matches the comment that tells the learner where to write.
var yourLines = regexp.MustCompile(`^\s*// Your lines? go(es)? here`)

// A cellText is a shader, as a cell or a file holds it.
type cellText struct {
	lines  []string
	source *syntax.Source
	unit   *syntax.TranslationUnit
	entry  *syntax.FuncDecl // nil if there is none
}

// read reads a shader. A cell's first line, %%writefile, counts as a comment.
func read(text string) *cellText {
	c := &cellText{lines: strings.Split(text, "\n"), source: syntax.NewSource("", strings.Replace(text, "%%", "//", 1))}
	c.unit, _ = syntax.Parse(c.source)
	for _, d := range c.unit.Decls {
		if f, ok := d.(*syntax.FuncDecl); ok && syntax.FindAttribute(f.Attrs, "compute") != nil {
			c.entry = f
		}
	}
	return c
}

// rows returns the lines of a span, both counted from 0: its first, and the one after its last.
func (c *cellText) rows(span syntax.Span) (from, to int) {
	return c.source.LineOf(span.Start) - 1, c.source.LineOf(span.End - 1)
}

// head returns the tokens before the body of the entry point; none if there is no entry point.
func (c *cellText) head() (tokens []string) {
	if c.entry == nil {
		return nil
	}
	for _, t := range syntax.Tokens(c.source) {
		if t.Start >= c.entry.Span().Start && t.Start < c.entry.Body.Span().Start {
			tokens = append(tokens, c.source.Slice(t))
		}
	}
	return tokens
}

// appended adds what a shader lacks whose entry point the learner writes.
func appended(given, right *cellText) string {
	return strings.Join(slices.Concat(given.lines, region("", right.missing(0, len(right.lines), known(given.source.Text)))), "\n")
}

// solveShader adds the reference's solution to the learner's shader: the body of main below the
// comment that asks for it, and other declarations above main.
func solveShader(given, right *cellText) (string, error) {
	if right.entry == nil {
		return "", errors.New("its reference has no entry point")
	}
	from, to := right.rows(right.entry.Span())
	opens, closes := right.rows(right.entry.Body.Span())
	if closes-opens < 2 {
		return "", errors.New("its reference has no main over several lines")
	}
	has := known(blockComment.ReplaceAllString(given.source.Text, ""))
	body := right.lines[opens+1 : closes-1]
	for len(body) > 0 && has[bare(body[0])] {
		body = body[1:] // the learner has it already
	}
	if given.entry == nil {
		return "", errNowhere
	}
	begins, end := given.rows(given.entry.Span())
	ask := slices.IndexFunc(given.lines[begins:end], yourLines.MatchString) // one above is about declarations
	if ask < 0 {
		return "", errNowhere
	}
	lines := slices.Insert(slices.Clone(given.lines), begins+ask+1, region("    ", body)...)
	if declared := slices.Concat(right.missing(0, from, has), right.lines[to:]); len(declared) > 0 {
		lines = slices.Insert(lines, begins, region("", declared)...)
	}
	return strings.Join(lines, "\n"), nil
}

// errNowhere says that a cell has no place for a solution.
var errNowhere = fmt.Errorf("the cell has no entry point with a comment in it like %q", "// Your lines go here.")

// blockComment matches a comment that holds lines to put in order.
var blockComment = regexp.MustCompile(`(?s)/\*.*?\*/`)

// known returns the lines that a shader has, without comments and spaces.
func known(text string) map[string]bool {
	lines := map[string]bool{"": true}
	for line := range strings.SplitSeq(text, "\n") {
		lines[bare(line)] = true
	}
	return lines
}

// missing returns those of its lines that a shader doesn't have yet. A declaration whose first line
// it doesn't have stays whole.
func (c *cellText) missing(from, to int, has map[string]bool) (kept []string) {
	whole := from
	for at := from; at < to; at++ {
		if at >= whole && has[bare(c.lines[at])] {
			continue
		}
		kept = append(kept, c.lines[at])
		for _, d := range c.unit.Decls {
			if begins, end := c.rows(d.Span()); begins == at && at >= whole {
				whole = end
			}
		}
	}
	return kept
}

// region puts the delimiters around the lines of a solution.
func region(indent string, lines []string) []string {
	return slices.Concat([]string{indent + beginSolution}, lines, []string{indent + endSolution})
}

// bare returns a line without its comment and spaces.
func bare(line string) string {
	code, _, _ := strings.Cut(line, "//")
	return strings.Join(strings.Fields(code), "")
}

// withoutSolutions removes solutions as nbgrader does with our settings.
func withoutSolutions(source string) string {
	var kept []string
	inside := false
	for _, line := range strings.Split(source, "\n") {
		switch {
		case strings.Contains(line, beginSolution):
			inside = true
		case strings.Contains(line, endSolution):
			inside = false
		case !inside:
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
