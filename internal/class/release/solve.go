package release

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ipynb/nbformat"
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
	switch {
	case e.Kind == course.Write && len(entryOf(shipped)) == 0:
		return appended(shipped, reference.Text), nil
	case e.Kind == course.FindBug || e.Kind == course.BreakIt || len(e.Later) > 0, !slices.Equal(entryOf(shipped), entryOf(reference.Text)):
		return replaced(e, shipped, strings.Split(strings.TrimSpace(reference.Text), "\n")), nil
	}
	return solveShader(shipped, reference.Text)
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

// blockComment matches a comment that holds lines to put in order.
var blockComment = regexp.MustCompile(`(?s)/\*.*?\*/`)

// appended adds what a shader lacks whose entry point the learner writes.
func appended(shipped, reference string) string {
	known := map[string]bool{"": true}
	lines := strings.Split(shipped, "\n")
	for _, line := range lines {
		known[bare(line)] = true
	}
	return strings.Join(slices.Concat(lines, region("", unknown(strings.Split(strings.TrimSpace(reference), "\n"), known))), "\n")
}

// entryOf returns the lines that begin a shader's entry point, without comments and spaces; none if
// it has no entry point.
func entryOf(shader string) (head []string) {
	lines := strings.Split(shader, "\n")
	for _, line := range lines[max(0, slices.IndexFunc(lines, isEntry)):] {
		if code := bare(line); code != "" && (isEntry(line) || len(head) > 0) {
			head = append(head, code)
		}
		if len(head) > 0 && opens(line) {
			break
		}
	}
	return head
}

// solveShader adds the reference's solution to the learner's shader: the body of main below the
// comment that asks for it, and other declarations above main.
func solveShader(shipped, reference string) (string, error) {
	before, body, after, err := takeApart(reference)
	if err != nil {
		return "", err
	}
	lines := strings.Split(shipped, "\n")
	known := map[string]bool{"": true}
	for line := range strings.SplitSeq(blockComment.ReplaceAllString(shipped, ""), "\n") {
		known[bare(line)] = true
	}
	before = unknown(before, known)
	for len(body) > 0 && known[bare(body[0])] {
		body = body[1:] // the learner has it already
	}

	entry := slices.IndexFunc(lines, isEntry)
	ask := entry + slices.IndexFunc(lines[max(entry, 0):], yourLines.MatchString) // one above is about declarations
	if entry < 0 || ask < entry {
		return "", fmt.Errorf("the cell has no entry point with a comment in it like %q", "// Your lines go here.")
	}
	lines = slices.Insert(lines, ask+1, region("    ", body)...)
	if declared := slices.Concat(before, after); len(declared) > 0 {
		lines = slices.Insert(lines, entry, region("", declared)...)
	}
	return strings.Join(lines, "\n"), nil
}

// region puts the delimiters around the lines of a solution.
func region(indent string, lines []string) []string {
	return slices.Concat([]string{indent + beginSolution}, lines, []string{indent + endSolution})
}

// unknown returns the lines that the cell doesn't have yet. A function that it doesn't have stays
// whole: its last line is that of every block.
func unknown(lines []string, known map[string]bool) (kept []string) {
	inside := false
	for _, line := range lines {
		if !inside && known[bare(line)] {
			continue
		}
		kept = append(kept, line)
		inside = line != "}" && (inside || opens(line))
	}
	return kept
}

// takeApart returns the body of a shader's main, and the lines before and after it.
func takeApart(shader string) (before, body, after []string, err error) {
	lines := strings.Split(strings.TrimSpace(shader), "\n")
	entry := slices.IndexFunc(lines, isEntry)
	if entry < 0 {
		return nil, nil, nil, errors.New("its reference has no line that begins with @compute")
	}
	before, main := lines[:entry], lines[entry:]
	begin, end := slices.IndexFunc(main, opens), slices.Index(main, "}")
	if begin < 0 || end < begin {
		return nil, nil, nil, errors.New("its reference has no main over several lines")
	}
	return before, main[begin+1 : end], main[end+1:], nil
}

func opens(line string) bool { return strings.HasSuffix(line, "{") }

func isEntry(line string) bool { return strings.HasPrefix(line, "@compute") }

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
