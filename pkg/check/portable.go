package check

import (
	"fmt"

	"github.com/wgslab/wgslab/pkg/wgsl"
)

// refusedElsewhere: the shader breaks a rule of WGSL at which the compiler behind
// this check does not look, but browsers do. What passes here has to pass there.
func (r *run) refusedElsewhere() bool {
	found := wgsl.Breaches(r.source)
	if len(found) == 0 {
		return false
	}
	b := found[0]
	switch b.Rule {
	case wgsl.BeyondF32:
		r.fail(StageCompile, "beyond-f32", fmt.Sprintf("The number %s on line %d is larger than any f32.", b.Text, b.Line))
		r.verdict.Why = "The largest f32 is 3.40282346638528859811704183484516925e+38. Printed with fewer digits it is easily rounded up, and then it is past the end. WGSL calls that an error, and browsers refuse the shader; the compiler behind this check would have let it pass."
		r.verdict.Ask = "Does it have to be the smallest of all numbers, or would one of the elements do to begin with?"
	case wgsl.Mixed:
		r.fail(StageCompile, "needs-parentheses", fmt.Sprintf("On line %d `%s` and `%s` stand side by side without parentheses.", b.Line, b.Beside, b.Text))
		r.verdict.Why = "Other languages rank such operators, each a little differently. WGSL does not: it wants parentheses that say what comes first. Browsers refuse the shader without them; the compiler behind this check would have let it pass."
		r.verdict.Ask = "Which of the two should come first?"
	}
	r.point(b.Line, b.Column, len(b.Text))
	return true
}
