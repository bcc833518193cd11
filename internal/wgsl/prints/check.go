package prints

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Check reports the comments of a shader without errors that can show nothing: in a place where no
// statement can be, or with an expression that has no value there.
func Check(info *types.Info) (found []*findings.Finding) {
	comments := Of(info.File)
	if len(comments) == 0 {
		return nil
	}
	text := info.File.Source.Text
	fitting := map[int32]bool{}
	fit(text, comments, fitting)
	pipeline, functions := usable(info), byPlace(info.Functions)
	for _, c := range comments {
		function := functionAt(functions, c.Span.Start)
		switch {
		case len(c.Values) == 0:
			found = append(found, problem(c.Span, "This comment names nothing to print.", "Write a name or an expression after the colon: `// print: i, a[i]`."))
		case function == nil || !fitting[c.Span.Start]:
			found = append(found, problem(c.Span, "No statement can be here, so there is nothing to print.",
				"Put the comment between two statements of a function, or after one on its line."))
		default:
			found = append(found, checkValues(pipeline, function, c)...)
		}
	}
	info.File.Source.Locate(found...)
	return found
}

// fit notes the starts of the comments in whose place a statement can be. It tries them together,
// and in halves where that fails, because each try parses the shader.
func fit(text string, comments []Print, fitting map[int32]bool) {
	switch {
	case fits(text, comments...):
		for _, c := range comments {
			fitting[c.Span.Start] = true
		}
	case len(comments) > 1:
		half := len(comments) / 2
		fit(text, comments[:half], fitting)
		fit(text, comments[half:], fitting)
	}
}

// fits reports whether a statement can be in the place of each comment.
func fits(text string, comments ...Print) bool {
	_, list := syntax.Parse(syntax.NewSource("", Marked(text, comments...)))
	return !findings.HasErrors(list)
}

// usable returns the pipeline of the first entry point; nil if there is none without errors.
func usable(info *types.Info) *types.Pipeline {
	if len(info.EntryPoints) == 0 {
		return nil
	}
	pipeline, list := info.Pipeline(info.EntryPoints[0], nil)
	if findings.HasErrors(list) {
		return nil
	}
	return pipeline
}

// byPlace sorts functions by where their bodies begin.
func byPlace(functions []*types.Function) []*types.Function {
	return slices.SortedFunc(slices.Values(functions), func(a, b *types.Function) int {
		return cmp.Compare(a.Decl.Body.Open.End, b.Decl.Body.Open.End)
	})
}

// functionAt returns the one of sorted functions with an offset in its body, or nil.
func functionAt(sorted []*types.Function, offset int32) *types.Function {
	after := sort.Search(len(sorted), func(i int) bool { return sorted[i].Decl.Body.Open.End > offset })
	if after > 0 && offset < sorted[after-1].Decl.Body.Span().End {
		return sorted[after-1]
	}
	return nil
}

// checkValues checks the expressions of a comment in a function. Without a usable pipeline it finds
// nothing.
func checkValues(pipeline *types.Pipeline, function *types.Function, c Print) (found []*findings.Finding) {
	if pipeline == nil {
		return nil
	}
	check := func(p PrintedExpression, wanted types.Type) {
		value, wrong := c.Inspect(pipeline, function, p.Text)
		if wrong == nil && wanted != nil && value.Type != wanted {
			wrong = findings.Errorf("", p.Span, "The condition `%s` must be a bool.", p.Text)
		}
		// A shader may not read an atomic by its name; a print may.
		if wrong != nil && wrong.Kind != findings.AtomicAccess {
			found = append(found, problem(p.Span, fmt.Sprintf("There is no value to print for `%s`. %s", p.Text, wrong.Message), hint(wrong)))
		}
	}
	if c.Condition.Text != "" {
		check(c.Condition, types.Bool)
	}
	for _, p := range c.Values {
		check(p, nil)
	}
	return found
}

// An InspectedValue is an expression in the place of a comment.
type InspectedValue struct {
	Text string      // without spaces and comments around it
	Type types.Type  // concrete
	Info *types.Info // of the expression alone
}

// Inspect checks an expression as if it were written in the place of the comment, which is in a
// function. It returns the first error.
func (c Print) Inspect(pipeline *types.Pipeline, function *types.Function, text string) (InspectedValue, *findings.Finding) {
	source := syntax.NewSource("", text)
	x, list := syntax.ParseExpr(source)
	if wrong := findings.FirstError(list); wrong != nil {
		return InspectedValue{}, wrong
	}
	checked, list := pipeline.Inspect(source, x, function, c.Span.Start)
	if wrong := findings.FirstError(list); wrong != nil {
		return InspectedValue{}, wrong
	}
	return InspectedValue{source.Slice(x.Span()), types.Concrete(checked.Info.Exprs[x].ValueType()), checked.Info}, nil
}

// Problems returns what Check says first of each comment that can show nothing, by the offset at
// which the comment starts.
func Problems(info *types.Info) map[int32]string {
	list, wrong := Check(info), map[int32]string{}
	for _, c := range Of(info.File) {
		for len(list) > 0 && c.Span.Contains(list[0].Span) {
			if _, known := wrong[c.Span.Start]; !known {
				wrong[c.Span.Start] = strings.TrimSpace(list[0].Message + " " + list[0].Hint)
			}
			list = list[1:]
		}
	}
	return wrong
}

// NotReached says why a comment without a problem of its own shows nothing in a run.
const NotReached = "The entry point doesn't call this function."

// hint returns what to try, unless it says to declare a name.
func hint(f *findings.Finding) string {
	if f.Kind == findings.UnknownName && len(f.Fixes) == 0 {
		return ""
	}
	return strings.TrimSpace(f.Hint)
}
