package reasons

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/edit"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// questions are about the place of an edit, by its kind. They name the line.
var questions = map[edit.MutationKind]string{
	edit.Argument:   "Which argument comes first in the call on line %d?",
	edit.Assignment: "Should line %d replace the value that was there, or add to it?",
	edit.Barrier:    "Which invocations have to wait near line %d, and what for?",
	edit.Beside:     "What belongs together with what line %d stores?",
	edit.Binding:    "In which order does the task list what line %d declares?",
	edit.Bound:      "For which value should the loop on line %d run for the last time?",
	edit.Builtin:    "What does the builtin value on line %d count, and from where?",
	edit.Comparison: "Which side of the comparison on line %d should be the larger one? What should happen when they are equal?",
	edit.Component:  "Which direction does the component on line %d count in?",
	edit.Condition:  "For which invocations is the condition on line %d true? For which should it be?",
	edit.Constant:   "What does the number on line %d stand for?",
	edit.Delete:     "What would change without the statement on line %d?",
	edit.Function:   "What does the function on line %d return here? Which value do you need?",
	edit.Graft:      "Work out what line %d does for one invocation. What does the task need there?",
	edit.Guard:      "Which invocations should do what line %d does, and which should not?",
	edit.Index:      "Work out the index on line %d by hand for one invocation. Which element does the task name there?",
	edit.Initial:    "With which value does the variable on line %d have to start?",
	edit.Keep:       "What has to be remembered when the condition on line %d is true?",
	edit.Leave:      "After line %d, should the loop go on with its next round, or end?",
	edit.Limit:      "Which number should the condition on line %d compare with?",
	edit.Move:       "How often should the statement on line %d run, and when?",
	edit.Name:       "Which variable do you need on line %d?",
	edit.Operand:    "What does each operand on line %d stand for? Which of them does the task ask for?",
	edit.Operator:   "Which operator does the calculation on line %d need?",
	edit.Order:      "Which has to happen first: line %d or what comes before it?",
	edit.Otherwise:  "What is stored where the condition on line %d is false? What was there before?",
	edit.Repeat:     "How often does line %d have to happen?",
	edit.Sign:       "Which sign should the value on line %d have?",
	edit.Size:       "How many invocations should a workgroup have? See line %d.",
	edit.Start:      "With which value should the loop on line %d start?",
	edit.Step:       "How far should the loop on line %d step each time?",
	edit.Store:      "Line %d changes only a copy. Which line writes it back to the element?",
	edit.Surplus:    "Who needs what line %d does, and whom does it keep away?",
}

// nearestTold puts a candidate into words.
func (r *finder) nearestTold(c *candidate) *Nearest {
	n := &Nearest{
		Region: c.region, Kind: c.Kind, Text: c.Text,
		Question: fmt.Sprintf(questions[c.Kind], c.region.Line), Edit: r.inWords(c.Mutation),
	}
	if c.adds() {
		n.Between = r.linesAround(c.Span.Start)
	}
	if first, last := r.linesAround(c.gap[0]), r.linesAround(c.gap[1]); c.gap[0] > 0 && first != nil && last != nil {
		n.Between = []int{first[0], last[1]}
	}
	if c.Kind == edit.Barrier && n.Between != nil {
		n.Question = fmt.Sprintf("Which invocations have to wait between lines %d and %d, and what for?", n.Between[0], n.Between[1])
	}
	if c.Kind == edit.Beside && n.Between != nil {
		n.Question = fmt.Sprintf(questions[edit.Beside], n.Between[0])
	}
	if c.Kind == edit.Guard && n.Between == nil {
		n.Between = r.linesAround(c.Span.Start)
	}
	if c.Kind == edit.Graft {
		n.Edit = "" // it would show a part of a solution
		n.Region = r.wholeExpr(c.Span)
		n.Question = fmt.Sprintf(questions[r.graftKind(c)], n.Region.Line)
	}
	if c.Kind == edit.Graft && n.Between != nil {
		n.Question = fmt.Sprintf("What has to happen between lines %d and %d?", n.Between[0], n.Between[1])
	}
	if old := r.Shader.Source.Text[c.Span.Start:c.Span.End]; c.Kind == edit.Comparison && (strings.Contains(old, "==") || strings.Contains(old, "!=")) {
		n.Question = fmt.Sprintf("For which value should the comparison on line %d be true, and what happens then?", c.region.Line)
	}
	if race := r.waitedFor(c.Span.Start); c.Kind == edit.Barrier && race != nil {
		n.Question, n.Waits = WaitingQuestion(race), true
	}
	if c.Kind == edit.Barrier && c.adds() {
		if condition := r.onlyAt(c.Span.Start, c.gap[0], c.gap[1]); condition != nil {
			n.Region, n.Between = r.Shader.Source.Region(condition.Span()), nil
		}
	}
	if c.also != nil {
		line := r.Shader.Source.Region(c.also.Span).Line
		n.Edit += fmt.Sprintf(", and on line %d %s", line, r.inWords(*c.also))
	}
	return n
}

// graftKind returns the kind of edit that a graft is, as far as its place tells: then the question
// is about that.
func (r *finder) graftKind(c *candidate) edit.MutationKind {
	if first, last := c.Changes[0], c.Changes[len(c.Changes)-1]; len(c.Changes) == 2 && first.Span.Len() == 0 && last.Span.Len() == 0 &&
		strings.HasPrefix(strings.TrimSpace(first.New), "if (") && strings.TrimSpace(last.New) == "}" {
		return edit.Guard
	}
	if len(c.Changes) > 1 || c.also != nil {
		return edit.Graft
	}
	for d := range syntax.All[*syntax.VarDecl](r.Shader.File) {
		if d.Init != nil && d.Init.Span() == c.Changes[0].Span {
			return edit.Initial
		}
	}
	return edit.Graft
}

// wholeExpr returns the smallest expression or simple statement around what an edit underlines, or
// around its start, as far as it begins on the same line: carets below half of one look wrong.
func (r *finder) wholeExpr(mark syntax.Span) findings.Region {
	at := r.Shader.Source.Region(mark)
	if mark.Len() == 0 {
		return at
	}
	around := r.smallestAround(mark)
	if around.Len() == 0 {
		around = r.smallestAround(syntax.Span{Start: mark.Start, End: mark.Start + 1})
	}
	if whole := r.Shader.Source.Region(around); around.Len() > 0 && whole.Line == at.Line {
		return whole
	}
	return at
}

// smallestAround returns the span of the smallest expression or simple statement around a span; an
// empty one if there is none.
func (r *finder) smallestAround(span syntax.Span) (around syntax.Span) {
	for n := range syntax.All[syntax.Node](r.Shader.File) {
		switch n.(type) {
		case syntax.Expr, *syntax.AssignStmt, *syntax.DeclStmt, *syntax.ReturnStmt, *syntax.CallStmt, *syntax.IncDecStmt:
			if n.Span().Contains(span) && (around.Len() == 0 || n.Span().Len() <= around.Len()) {
				around = n.Span()
			}
		}
		if s, ok := n.(*syntax.AssignStmt); ok && s.Span() == around && s.OpPos.Start <= span.Start && span.End <= s.RHS.Span().End {
			around = s.RHS.Span() // of what is assigned, the `=` is no part
		}
	}
	return around
}

// inWords says what an edit does.
func (r *finder) inWords(e edit.Mutation) string {
	switch was, to := oneLine(e.Was), oneLine(e.To); {
	case e.Kind == edit.Barrier:
		var places []string
		for _, change := range e.Changes {
			places = append(places, r.between(change.Span.Start))
		}
		return fmt.Sprintf("`%s`, which is missing %s", to, strings.Join(places, " and "))
	case e.Kind == edit.Move:
		return fmt.Sprintf("`%s` in another place", was)
	case e.Was == "":
		return fmt.Sprintf("`%s`, which is missing", to)
	case e.To == "":
		return fmt.Sprintf("no `%s`", was)
	default:
		return fmt.Sprintf("`%s` instead of `%s`", to, was)
	}
}

// adds reports whether the edit only writes something that is missing, in one place between two
// statements.
func (c *candidate) adds() bool {
	return c.Span.Len() == 0 && c.also == nil && len(c.Changes) == 1 && c.Changes[0].Span.Len() == 0
}

// between names the lines of the code before and after an offset.
func (r *finder) between(offset int32) string {
	lines := r.linesAround(offset)
	if lines == nil {
		return fmt.Sprintf("on line %d", r.Shader.Source.Position(offset).Line)
	}
	return fmt.Sprintf("between lines %d and %d", lines[0], lines[1])
}

// linesAround returns the lines of the code before and after an offset; nil if they are the same.
func (r *finder) linesAround(offset int32) []int {
	source, before, after := r.Shader.Source, 0, 0
	for _, token := range syntax.Tokens(source) {
		if token.Start >= offset {
			after = source.Position(token.Start).Line
			break
		}
		before = source.Position(token.Start).Line
	}
	if before == after || before == 0 || after == 0 {
		return nil
	}
	return []int{before, after}
}

// gap returns two lines with carets between them, where something is missing.
func (r *finder) gap(between []int) string {
	above, _ := r.Source.Line(between[0])
	below, _ := r.Source.Line(between[1])
	indent := below[:len(below)-len(strings.TrimLeft(below, " \t"))]
	if strings.HasPrefix(strings.TrimSpace(below), "}") {
		indent = above[:len(above)-len(strings.TrimLeft(above, " \t"))]
	}
	number := fmt.Sprint(between[1])
	blank := strings.Repeat(" ", len(number))
	return fmt.Sprintf("%*d | %s\n%s | %s^^^\n%s | %s", len(number), between[0], above, blank, indent, number, below)
}

// oneLine returns a text without line breaks and indentation.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
