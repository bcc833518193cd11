package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
)

// A Story is what a person is told of a verdict first: one mistake, in one case. HTML and Text tell
// the same. What the story leaves out is in More.
type Story struct {
	Found   string // what the learner has found out already
	Says    string // what is wrong
	Because string // the most certain reason; "" if none is known, or Says is the reason
	Where   string // what the excerpt shows; "" if it shows the mistake's line
	Excerpt string // the learner's line that it is about, with carets
	Ask     string // a question that leads on

	// At most one of them is there: a picture of the inputs, or a table of the output.
	Inputs []Inputs
	Table  *Mismatch
	About  string // the case that the picture or the table shows
}

// Story returns what is told first.
func (v *Verdict) Story() Story {
	s := Story{Found: v.Found, Says: v.says(), Because: v.Why, Excerpt: v.Excerpt, Ask: v.Ask}
	switch {
	case v.Excerpt == "" || len(v.Places) == 0:
	case len(v.Places[0].Between) == 2:
		s.Where = fmt.Sprintf("Something is missing between lines %d and %d:", v.Places[0].Between[0], v.Places[0].Between[1])
	case v.Perhaps:
		s.Where = "Look here first:"
	}
	lead := v.lead()
	if lead != nil && len(lead.Inputs) > 0 && v.Line == 0 {
		s.Inputs = lead.Inputs[:1] // of several that differ, one shows how
	}
	if !v.named() && lead != nil && lead.Observed() {
		s.Because = lead.Text
		if lead.Why == NotWritten { // it begins with what is wrong
			s.Says, s.Because = lead.Text, ""
		}
	}
	if at := v.question(); at != nil && (v.General || s.Ask == "") {
		s.Ask = at.Text
	}
	if v.Mismatch != nil && len(s.Inputs) == 0 && v.Mismatch.Of > 1 {
		s.Table = v.Mismatch
	}
	switch {
	case v.Mismatch == nil:
	case v.Mismatch.Of == 1 && !v.named():
		s.About = "Case " + v.Mismatch.Case // Says names the element
	default:
		s.About = v.Mismatch.About()
	}
	return s
}

// says returns what is wrong, without the case, which Story.About names.
func (v *Verdict) says() string {
	if v.Slug == "" && v.Mismatch != nil {
		return v.Mismatch.Short()
	}
	return strings.TrimSpace(v.Message + " " + v.Try)
}

// named reports whether the verdict has words of its own about the mistake.
func (v *Verdict) named() bool { return v.Slug != "" }

// lead returns the reason that is told; nil if there is none.
func (v *Verdict) lead() *Reason {
	if len(v.Reasons) == 0 {
		return nil
	}
	return &v.Reasons[0]
}

// question returns the reason that is a question about its place; nil if there is none.
func (v *Verdict) question() *Reason {
	if i := slices.IndexFunc(v.Reasons, func(r Reason) bool { return r.Question() }); i >= 0 {
		return &v.Reasons[i]
	}
	return nil
}

// others returns the sentences of the reasons that the story leaves out.
func (v *Verdict) others(s Story) []string {
	var left []string
	if v.Besides != "" {
		left = append(left, v.Besides)
	}
	for _, r := range v.Reasons {
		if r.Text != s.Says && r.Text != s.Because && r.Text != s.Ask {
			left = append(left, r.Text)
		}
	}
	if v.General && v.Ask != s.Ask {
		left = append(left, v.Ask)
	}
	return left
}

// More is what a verdict holds beside its story, folded in a notebook.
type More struct {
	Reasons  []string // other reasons
	Findings []string // what else was seen in the runs
	Inputs   []Inputs // other pictures
	Table    *Mismatch
	Origin   *Origin
	Hint     string // what to change
	Remark   string
	Detail   string // what the compiler adds
	Stop     *Watchpoint
}

// failed is the one line about a search for reasons that failed.
const failed = "The search for the reason ended with a fault in wgslab. The verdict holds. Please report the fault: `wgslab check --json` shows it."

// More returns what the story leaves out.
func (v *Verdict) More() More {
	s := v.Story()
	m := More{Reasons: v.others(s), Findings: v.Also(), Remark: v.Remark, Detail: v.Detail, Stop: v.Stop()}
	if v.Origin != nil && (v.Mismatch == nil || v.Mismatch.Case == v.Origin.Case) {
		m.Origin = v.Origin // of another case than the table's, it would tell of other numbers
	}
	if v.Fault != "" {
		m.Remark = strings.TrimSpace(m.Remark + " " + failed)
	}
	if v.Mismatch != nil && s.Table == nil && len(s.Inputs) > 0 {
		m.Table = v.Mismatch
	}
	if lead := v.lead(); lead != nil && len(s.Inputs) > 0 {
		m.Inputs = lead.Inputs[1:]
	}
	for _, r := range v.Reasons {
		if r.Hint != "" {
			m.Hint = r.Hint
		}
	}
	return m
}

// Holds lists in a few words what there is besides the story.
func (v *Verdict) Holds() string {
	m := v.More()
	var parts []string
	if m.Origin != nil {
		parts = append(parts, fmt.Sprintf("how `%s` came to be %s", m.Origin.Text, m.Origin.Came()))
	}
	if n := len(m.Findings) + len(m.Reasons); n > 0 {
		parts = append(parts, english.Count(n, "more finding", "more findings"))
	}
	if m.Stop != nil {
		parts = append(parts, "the debugger")
	}
	if m.Hint != "" {
		parts = append(parts, "what to change")
	}
	if m.Detail != "" {
		parts = append(parts, "the compiler's own words")
	}
	return strings.Join(append(parts, v.Score()), " · ")
}

// Score says in how many cases the shader is right.
func (v *Verdict) Score() string {
	right, with := 0, ""
	if v.Slug == OtherSubgroups && v.Division != "" {
		with = " with " + v.Division
	}
	for _, c := range v.Cases {
		if c.Pass {
			right++
		}
	}
	switch n := len(v.Cases); {
	case n == 0:
		return "no case ran"
	case n == 1 && with == "":
		return map[bool]string{true: "the case is right", false: "the case is wrong"}[right == 1]
	case n == right && !v.Passed(): // the simulator has seen the mistake
		return fmt.Sprintf("on this device, the values of all %d cases are right", right)
	case n == right:
		return fmt.Sprintf("all %d cases right", right)
	case !v.Passed() && v.Mismatch == nil: // the values may be right, and how they came to be is not
		return fmt.Sprintf("a mistake seen in %d of %d cases", n-right, n)
	}
	return fmt.Sprintf("%d of %d cases right%s", right, len(v.Cases), with)
}
