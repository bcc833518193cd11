// Package glance is what a learner is told of a shader as soon as its cell has run,
// before any check: that it compiles, or what the compiler says, and for an exercise
// what the simulator saw in the small cases.
package glance

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/mark"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/vet"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Glance is what was seen at a first look.
type Glance struct {
	Headline string
	Mark     mark.Mark // neutral, or bad: only a check says that a shader is right
	Remarks  []Remark  // in the order of the text, and at most some
	More     int       // that were left out
}

// A Remark is one thing that was seen.
type Remark struct {
	Severity     string // "error", "warning" or "info"
	Line, Column int    // of the file, from 1; 0 when it is about no place
	Excerpt      string // the line with carets
	Message      string
	Hint         string   // what to do; may be ""
	Related      []string // the other places that belong to it
}

// most is how many remarks are shown: who mends these runs the cell again.
const most = 5

// Of looks at source, in the file name. An exercise has its small cases run on the
// watcher, with what seed draws; without one, source is only read. An error means
// that nobody could look.
func Of(ctx context.Context, watcher shader.Backend, exercise *lesson.Exercise, name, source string, seed uint64) (*Glance, error) {
	file := vet.Read(name, source)
	g := &Glance{Headline: filepath.ToSlash(name) + ": compiles"}
	stub := isStub(name, source, file)
	for _, found := range file.Findings {
		if found.Severity != syntax.Info && !(stub && found.Rule != nil) {
			g.Remarks = append(g.Remarks, read(file, found))
		}
	}
	if exercise != nil {
		g.Headline = exercise.ID + ": compiles"
		if err := g.watch(ctx, watcher, exercise, name, source, seed); err != nil {
			return nil, err
		}
	}
	switch {
	case !file.Valid():
		g.Headline, g.Mark = strings.TrimSuffix(g.Headline, "compiles")+"does not compile", mark.Bad
	case len(g.Remarks) > 0 && g.Mark == mark.Neutral:
		g.Headline += ", but look again"
	}
	if g.More = max(0, len(g.Remarks)-most); g.More > 0 {
		g.Remarks = g.Remarks[:most]
	}
	return g, nil
}

// isStub says that nobody has begun yet: the shader uses nothing of what it declares.
func isStub(name, source string, file *vet.File) bool {
	module, err := shader.Read(name, source).Module()
	if err != nil || len(module.Bindings) == 0 {
		return false
	}
	unused := 0
	for _, found := range file.Findings {
		if found.Rule != nil && found.Rule.Name == "unused-binding" {
			unused++
		}
	}
	return unused == len(module.Bindings)
}

// watch has the small cases run, and adds what was seen.
func (g *Glance) watch(ctx context.Context, watcher shader.Backend, exercise *lesson.Exercise, name, source string, seed uint64) error {
	seen, refused, err := judge.Look(ctx, watcher, exercise, name, source, seed)
	if err != nil {
		return err
	}
	if refused != nil && !g.tells(refused.Line) {
		v := verdict.Verdict{Exercise: exercise.ID}
		v.Fail(*refused)
		g.Headline, g.Mark = v.Headline(), mark.Bad
		g.Remarks = append(g.Remarks, Remark{
			Severity: "error", Line: refused.Line, Column: refused.Column, Excerpt: refused.Excerpt,
			Message: refused.Message, Hint: refused.Try,
		})
	}
	for _, finding := range seen {
		g.Remarks = slices.DeleteFunc(g.Remarks, func(r Remark) bool { // what was seen need not be suspected, too
			return r.Severity == syntax.Warning.String() && r.Line == finding.Line
		})
		g.Remarks = append(g.Remarks, watched(source, finding))
	}
	if len(seen) > 0 {
		g.Headline, g.Mark = g.Headline+", and goes wrong when it runs", mark.Bad
	}
	return nil
}

// tells says whether a line has a remark already.
func (g *Glance) tells(line int) bool {
	return slices.ContainsFunc(g.Remarks, func(r Remark) bool { return r.Line == line })
}

// read is what was found in the text.
func read(file *vet.File, found vet.Finding) Remark {
	at := file.Place(found)
	r := Remark{
		Severity: found.Severity.String(), Line: at.Line, Column: at.Column,
		Excerpt: file.Excerpt(at), Message: verdict.Sentence(found.Message), Hint: found.Hint,
	}
	for _, other := range found.Related {
		at := file.Place(vet.Finding{Diagnostic: &syntax.Diagnostic{Span: other.Span}})
		r.Related = append(r.Related, fmt.Sprintf("line %d: %s", at.Line, other.Message))
	}
	return r
}

// watched is what was seen while the shader ran.
func watched(source string, f verdict.Finding) Remark {
	r := Remark{Severity: "error", Line: f.Line, Column: f.Column, Message: verdict.Sentence(f.Message)}
	if f.Line > 0 {
		at := shader.Span{Line: f.Line, Column: f.Column, EndLine: f.EndLine, EndColumn: f.EndColumn}
		line, _ := shader.Read("", source).Line(f.Line)
		r.Excerpt = at.Excerpt(line)
	}
	return r
}

// Place is where a remark stands, in words; "" for none.
func (r Remark) Place() string {
	if r.Line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d, column %d", r.Line, r.Column)
}

// Text is the glance for a terminal, with no newline at the end.
func (g *Glance) Text() string {
	lines := []string{g.Mark.Sign() + " " + g.Headline}
	for _, r := range g.Remarks {
		lines = append(lines, "")
		if r.Excerpt != "" {
			lines = append(lines, "  "+r.Place(), "  "+strings.ReplaceAll(r.Excerpt, "\n", "\n  "))
		}
		lines = append(lines, "  "+r.Severity+": "+strings.TrimSpace(r.Message+" "+r.Hint))
		for _, related := range r.Related {
			lines = append(lines, "  "+related)
		}
	}
	if g.More > 0 {
		lines = append(lines, "", "  "+g.LeftOut())
	}
	return verdict.Visible(strings.Join(lines, "\n"))
}

// LeftOut says how much more there is; "" when that is nothing.
func (g *Glance) LeftOut() string {
	if g.More == 0 {
		return ""
	}
	return fmt.Sprintf("… and %d more.", g.More)
}
