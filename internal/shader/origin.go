package shader

import (
	"context"
	"fmt"
	"strings"
)

// An Explainer is a Program that can tell how a number came to be.
type Explainer interface {
	// Explain runs a dispatch once more and follows one element of its output
	// back; nil where no invocation has written it.
	Explain(ctx context.Context, d Dispatch, element int) (*Origin, error)
}

// An Origin tells how a number came to be: who computed it where, from which other
// numbers, back to what the host gave.
type Origin struct {
	Text  string    // the source that made it, or the name of what was read: sum + a[i], a[3]
	Value string    // as WGSL would write it
	Place Place     // zero for what the host gave
	From  []*Origin // without constants and ids
	Times int       // how often it was done again and again, as in a sum: From has the first ShownTimes; else 1
}

// ShownTimes is how many of a repeated step an Origin shows.
const ShownTimes = 3

// String is the explanation as an indented list.
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
