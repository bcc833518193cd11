// This file builds the feedback that a shader cell shows when it runs, before any
// check: whether the shader compiles, the front end's findings and, for an exercise, what
// the simulator saw in the small cases.

package session

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view/mark"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/vet"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A Glance is the feedback on one shader.
type Glance struct {
	Headline string
	Mark     mark.Mark          // Neutral or Bad: only a check can say that a shader is right
	Findings []findings.Finding // the first ones, in the order of the text
	More     int                // how many findings are left out
	Next     string             // who says more; "" if nobody does

	source *shader.Source
	alone  bool // it has neither a cell nor an exercise
}

// maxFindings is how many findings the cell shows. After fixing these, the learner runs it again.
const maxFindings = 5

// Of examines source, a shader that was read. If there is an exercise, the watcher runs
// its small cases, drawn from seed; otherwise Of only reads the source. An error means that
// the look failed, not that the shader is wrong.
func Of(ctx context.Context, watcher shader.Backend, exercise *course.Exercise, source *shader.Source, seed uint64) (*Glance, error) {
	file := vet.Of(source)
	g, subject := &Glance{source: source}, filepath.ToSlash(source.Name)
	begun := course.Begun(g.source)
	for _, found := range file.Findings {
		if found.Severity != findings.Info && (begun || found.Certainty == findings.ByRule) {
			g.Findings = append(g.Findings, *found)
		}
	}
	switch {
	case exercise != nil && exercise.Break != nil:
		subject = exercise.ID
	case exercise != nil && exercise.Hides(source.Text):
		subject = exercise.ID
		g.Findings = slices.DeleteFunc(g.Findings, func(f findings.Finding) bool { return !f.IsError() })
	case exercise != nil:
		subject = exercise.ID
		if err := g.watch(ctx, watcher, exercise, source, seed); err != nil {
			return nil, err
		}
	}
	switch {
	case !file.Valid():
		g.Headline, g.Mark = subject+": does not compile", mark.Bad
	case g.Headline == "" && len(g.Findings) > 0:
		g.Headline = subject + ": compiles, but look again"
	case g.Headline == "":
		g.Headline = subject + ": compiles"
	}
	g.cut()
	return g, nil
}

// cut leaves out all findings but the first.
func (g *Glance) cut() {
	if g.More = max(0, len(g.Findings)-maxFindings); g.More > 0 {
		g.Findings = g.Findings[:maxFindings]
	}
}

// Ran is the feedback on a shader without an exercise: what the front end finds, and what the
// simulator saw in a run. Finished says whether the run came to its end; nil if nothing ran.
func Ran(source *shader.Source, seen []findings.Finding, finished *bool) *Glance {
	file, g := vet.Of(source), &Glance{source: source, alone: true}
	for _, found := range file.Findings {
		if found.Severity != findings.Info {
			g.Findings = append(g.Findings, *found)
		}
	}
	for _, found := range seen {
		if found.Kind != findings.NotCompiled || file.Valid() {
			g.dropWarnings(found.Line)
			found.Related = nil // its message mentions the other place
			g.Findings = append(g.Findings, found)
		}
	}
	slices.SortStableFunc(g.Findings, func(a, b findings.Finding) int { return int(a.Severity) - int(b.Severity) })
	wrong := slices.ContainsFunc(g.Findings, findings.Finding.IsError)
	switch {
	case !file.Valid() || wrong && finished == nil:
		g.Headline, g.Mark = source.Name+": does not compile", mark.Bad
	case wrong:
		g.Headline, g.Mark = source.Name+": goes wrong when it runs", mark.Bad
	case finished == nil:
		g.Headline = source.Name + ": compiles"
	case !*finished:
		g.Headline, g.Mark = source.Name+": did not come to its end", mark.Bad
	case len(g.Findings) > 0:
		g.Headline = source.Name + ": ran without an error, but look again"
	default:
		g.Headline = source.Name + ": ran, and nothing went wrong"
	}
	g.cut()
	return g
}

// Where names the line and the column of a finding.
func (g *Glance) Where(f findings.Finding) string {
	where := fmt.Sprintf("line %d, column %d", f.Line, f.Column)
	if g.alone {
		return where
	}
	return where + " of the cell"
}

// watch runs the small cases and adds what the watcher saw.
func (g *Glance) watch(ctx context.Context, watcher shader.Backend, exercise *course.Exercise, source *shader.Source, seed uint64) error {
	seen, refused, err := judge.Look(ctx, watcher, exercise, source, seed)
	if err != nil {
		return err
	}
	if refused != nil && refused.Slug == verdict.Stub {
		if refused.Stage == verdict.StageCompile { // without an entry point
			g.Headline, g.Findings = exercise.ID+": nothing to run yet", nil
		}
		return nil
	}
	if refused != nil {
		v := verdict.Verdict{Exercise: exercise.ID}
		v.Fail(*refused)
		g.Headline, g.Mark = v.Headline(), mark.Bad
		g.dropWarnings(refused.Line)
		if !g.tells(refused.Line) {
			g.Findings = append(g.Findings, findings.Finding{
				Kind: findings.Kind(refused.Slug), Message: refused.Message, Hint: refused.Try, Location: findings.Location{Region: refused.Region},
			})
		}
	}
	for _, finding := range seen {
		g.dropWarnings(finding.Line)
		if exercise.ReadsInside && finding.Kind == findings.OutOfBoundsRead {
			finding.Severity = findings.Error // here it is, whatever depends on it
		}
		g.Findings = append(g.Findings, glimpse(finding))
	}
	if len(seen) > 0 {
		g.Headline, g.Mark = exercise.ID+": compiles, and goes wrong when it runs", mark.Bad
		g.Next = "The check says what happened, and why that is wrong."
	}
	return nil
}

// glimpse returns a finding of a run in a few words: what goes wrong at its place. The check below
// the cell tells the rest, and would only repeat it.
func glimpse(f findings.Finding) findings.Finding {
	short, of := f.Message, ""
	if f.Variable != "" {
		of = "`" + f.Variable + "` "
	}
	switch {
	case f.Kind == findings.OutOfBoundsWrite:
		short = "this writes " + of + "out of bounds"
	case f.Kind == findings.OutOfBoundsRead:
		short = "this reads " + of + "out of bounds"
	case f.Parts:
		short = "several invocations write parts of one vector here"
	case f.Kind == findings.RaceWorkgroup || f.Kind == findings.RaceStorage:
		short = "several invocations use the same element " + strings.TrimSpace("of "+of) + ", and none waits for another"
		if of == "" {
			short = "several invocations use the same memory here, and none waits for another"
		}
	case f.Kind == findings.DivergentBarrier:
		short = "not every invocation of a workgroup comes to this barrier"
	case f.Kind == findings.LostUpdate:
		short = "updates " + strings.TrimSpace("of "+of) + " get lost here"
	case f.Kind == findings.ArrivalOrder:
		short = "the result depends on which invocation comes here first"
	}
	if f.Case != "" {
		short += " (case " + f.Case + ")"
	}
	f.Message, f.Hint, f.Related = short, "", nil
	return f
}

// dropWarnings removes the warnings about a line: an error there makes them redundant.
func (g *Glance) dropWarnings(line int) {
	g.Findings = slices.DeleteFunc(g.Findings, func(f findings.Finding) bool {
		return f.Severity == findings.Warning && f.Line == line
	})
}

// tells reports whether there is already a finding about a line.
func (g *Glance) tells(line int) bool {
	return slices.ContainsFunc(g.Findings, func(f findings.Finding) bool { return f.Line == line })
}

// Excerpt returns the line of a finding with carets; "" where it has no place.
func (g *Glance) Excerpt(f findings.Finding) string {
	line, _ := g.source.Line(f.Line)
	return f.Region.Excerpt(line)
}

// Sentence returns what a finding says, and what to do.
func (g *Glance) Sentence(f findings.Finding) string {
	what := f.Severity.String()
	if g.alone && f.Kind != "" {
		what = fmt.Sprintf("%s (%s)", f.Kind, f.Severity) // as wgslab simulate and wgslab vet name it
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %s %s", what, english.Sentence(f.Message), f.Hint))
}

// Text formats the glance for a terminal, without a final newline.
func (g *Glance) Text() string {
	lines := []string{g.Mark.Sign() + " " + g.Headline}
	for _, f := range g.Findings {
		lines = append(lines, "")
		if excerpt := g.Excerpt(f); excerpt != "" {
			lines = append(lines, fmt.Sprintf("  line %d, column %d", f.Line, f.Column), "  "+strings.ReplaceAll(excerpt, "\n", "\n  "))
		}
		lines = append(lines, "  "+g.Sentence(f))
		for _, r := range f.Related {
			lines = append(lines, fmt.Sprintf("  line %d: %s", r.Line, r.Message))
		}
	}
	if g.More > 0 {
		lines = append(lines, "", "  "+g.LeftOut())
	}
	if g.Next != "" {
		lines = append(lines, "", "  "+g.Next)
	}
	return verdict.Visible(strings.Join(lines, "\n"))
}

// LeftOut says how many findings are left out; "" if none are.
func (g *Glance) LeftOut() string {
	if g.More == 0 {
		return ""
	}
	return fmt.Sprintf("… and %d more.", g.More)
}
