package judge

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// refusedElsewhere: the shader breaks a rule of WGSL at which the compiler behind
// this check does not look, but browsers do. What passes here has to pass there.
func refusedElsewhere(f *facts) *verdict.Diagnosis {
	found := f.source.Breaches()
	if len(found) == 0 {
		return nil
	}
	b := found[0]
	d := &verdict.Diagnosis{Stage: verdict.StageCompile}
	switch b.Rule {
	case wgsl.BeyondF32:
		d.Slug, d.Message = "beyond-f32", fmt.Sprintf("The number %s on line %d is larger than any f32.", b.Text, b.Line)
		d.Why = "The largest f32 is 3.40282346638528859811704183484516925e+38. Printed with fewer digits it is easily rounded up, and then it is past the end. WGSL calls that an error, and browsers refuse the shader; the compiler behind this check would have let it pass."
		d.Ask = "Does it have to be the smallest of all numbers, or would one of the elements do to begin with?"
	case wgsl.Mixed:
		d.Slug, d.Message = "needs-parentheses", fmt.Sprintf("On line %d `%s` and `%s` stand side by side without parentheses.", b.Line, b.Beside, b.Text)
		d.Why = "Other languages rank such operators, each a little differently. WGSL does not: it wants parentheses that say what comes first. Browsers refuse the shader without them; the compiler behind this check would have let it pass."
		d.Ask = "Which of the two should come first?"
	}
	f.point(d, onLine(b.Line, b.Column, len(b.Text)))
	return d
}
