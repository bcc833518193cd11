package shader

import (
	"context"
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// An Explainer is a Program that can explain how a number was computed.
type Explainer interface {
	// Explain runs a dispatch again and traces one element of its output back to its inputs. It
	// returns nil if no invocation wrote the element.
	Explain(ctx context.Context, d Dispatch, element int) (*Origin, error)
}

// An Origin explains how a number was computed: which invocation computed it, where, and from which
// other numbers, back to the host's data.
type Origin struct {
	Text  string         // the source that computed it, or the name of what was read: sum + a[i], a[3]
	Value string         // as WGSL would write it
	Place findings.Place // zero for the host's data
	From  []*Origin      // without constants and ids
	Times int            // how often a step was repeated, as in a sum, else 1; From has the first ShownTimes
}

// ShownTimes is how many repetitions of a step an Origin shows.
const ShownTimes = 3

// String returns the explanation as an indented list.
func (o *Origin) String() string {
	var b strings.Builder
	o.write(&b, 0)
	return b.String()
}

func (o *Origin) write(b *strings.Builder, depth int) {
	fmt.Fprintf(b, "%s`%s` is %s", strings.Repeat("  ", depth), o.Text, o.Value)
	switch {
	case o.Place.Line == 0:
		b.WriteString(", as the host gave it")
	default:
		fmt.Fprintf(b, " (line %d)", o.Place.Line)
	}
	if o.Times > 1 {
		fmt.Fprintf(b, ", in %d rounds, of which the first %d:", o.Times, min(o.Times, ShownTimes))
	}
	b.WriteByte('\n')
	for _, f := range o.From {
		f.write(b, depth+1)
	}
}
