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
	Text  string            // the source that computed it, or the name of what was read: sum + a[i], a[3]
	Value string            // as WGSL would write it
	Place findings.Location // zero for the host's data
	From  []*Origin         // without constants and ids; of a repeated step, those of the shown rounds
	Times int               // how often a step was repeated, as in a sum, else 1

	Rounds string // of a repeated step: its values after the first ShownRounds rounds and the last: 2, 3, …, 7
	Round  int    // of a source of a repeated step: the round that used it, from 1; else 0
}

// ShownRounds is how many rounds of a repeated step an Origin shows before the last one.
const ShownRounds = 2

// String returns the explanation as an indented list.
func (o *Origin) String() string {
	var b strings.Builder
	o.write(&b, 0)
	return b.String()
}

func (o *Origin) write(b *strings.Builder, depth int) {
	b.WriteString(strings.Repeat("  ", depth))
	if o.Round > 0 {
		fmt.Fprintf(b, "round %d: ", o.Round)
	}
	fmt.Fprintf(b, "`%s` is %s", o.Text, o.Value)
	switch {
	case o.Place.Line == 0:
		b.WriteString(", as the host gave it")
	default:
		fmt.Fprintf(b, " (line %d)", o.Place.Line)
	}
	if o.Rounds != "" {
		fmt.Fprintf(b, ", in %d rounds: %s", o.Times, o.Rounds)
	}
	b.WriteByte('\n')
	for _, f := range o.From {
		f.write(b, depth+1)
	}
}
