package sim

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Departure is the step in the making of a number at which a run departs from another program's
// run: it has a result that the other run never has, although all that goes into it occurs there as
// well.
type Departure struct {
	Place findings.Location
	Text  string        // the source of the step
	Value string        // its result, as WGSL would write it; after the last round, if it is repeated
	Moves ir.AccessKind // ir.Read if the step only reads memory, ir.Write if it only stores
	Terms int           // how many steps of the same operation there are, such as the additions of a sum
}

// A Word is four bytes of a buffer in bind group 0.
type Word struct{ Binding, Index int }

// Departure runs this program and another one on the same buffers, and compares how a word comes
// about here with the numbers of the run there. Sums, products and extremes count as one step,
// since another order of their terms is as good. It returns nil if there is no such step, and
// ErrTooManySteps for long runs.
func (p *Program) Departure(ctx context.Context, workgroups [3]uint32, other *Program, otherWorkgroups [3]uint32, buffers []BoundBuffer, at Word) (*Departure, error) {
	there, err := other.recorded(ctx, otherWorkgroups, buffers, maxCompared)
	if err != nil {
		return nil, err
	}
	here, err := p.recorded(ctx, workgroups, buffers, maxCompared)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(p.Bindings, func(b ir.Binding) bool { return b.Group == 0 && int(b.Number) == at.Binding })
	if i < 0 {
		return nil, nil // the run does not use that buffer
	}
	c := comparison{recorder: here, known: there.values(), seen: map[int32]bool{}}
	return c.departure(here.made.buffers[int(here.regions[i].base>>2)+at.Index]), nil
}

// maxCompared is the maximum number of deeds in a run that is compared.
const maxCompared = 1 << 19

// recorded runs the program and keeps at most so many deeds.
func (p *Program) recorded(ctx context.Context, workgroups [3]uint32, buffers []BoundBuffer, most int) (*recorder, error) {
	r, err := p.newRecorder(ctx, workgroups, buffers, most)
	if err != nil {
		return nil, err
	}
	return r, r.tell(r)
}

// values are the numbers of a run.
type values struct {
	floats []float64 // sorted
	whole  map[uint32]bool
}

func (r *recorder) values() *values {
	v := &values{whole: map[uint32]bool{}}
	for i := range r.deeds[1:] {
		if d := &r.deeds[1+i]; r.kindOf(d) == types.F32Kind {
			v.floats = append(v.floats, ir.F64(d.value))
		} else {
			v.whole[d.value] = true
		}
	}
	sort.Float64s(v.floats)
	return v
}

// roundingTolerance is how far two runs' results of the same step may be apart, relative to the
// larger.
const roundingTolerance = 1e-4

func (v *values) has(bits uint32, kind types.ScalarKind) bool {
	if kind != types.F32Kind {
		return v.whole[bits]
	}
	x := ir.F64(bits)
	if math.IsNaN(x) {
		return len(v.floats) > 0 && math.IsNaN(v.floats[0]) // they are sorted first
	}
	i := sort.SearchFloat64s(v.floats, x-roundingTolerance*math.Abs(x))
	return i < len(v.floats) && v.floats[i] <= x+roundingTolerance*math.Abs(x)
}

// A comparison looks at a run with the values of another one.
type comparison struct {
	*recorder
	known *values
	seen  map[int32]bool
}

// departure returns the first step, from the sources on, at which a deed departs; nil if it does
// not.
func (c *comparison) departure(made int32) *Departure {
	if made == 0 || c.seen[made] || len(c.seen) > maxOrigins {
		return nil
	}
	c.seen[made] = true
	d := &c.deeds[made]
	if kind := c.kindOf(d); kind == types.BoolKind || c.known.has(d.value, kind) || c.readsUniform(d) {
		return nil
	}
	if c.copies(d) && d.from[0] != 0 {
		return c.departure(d.from[0])
	}
	steps, terms := c.together(made)
	for _, term := range terms {
		if found := c.departure(term); found != nil {
			return found
		}
	}
	last := &c.deeds[slices.Max(steps)] // where the steps before it are right, and it has the result
	return &Departure{
		Place: c.placeIn(c.Notes[last.pc].Span, c.groupID(last.group), last.local), Text: strings.TrimSuffix(c.Text(c.Notes[last.pc].Span), ";"),
		Value: c.format(d), Moves: c.moves(d), Terms: len(steps),
	}
}

// copies reports whether a deed has the value of its source.
func (c *comparison) copies(d *deed) bool { return c.moves(d) != 0 }

// moves returns ir.Read or ir.Write if a deed only reads memory or stores there; 0 otherwise.
func (c *comparison) moves(d *deed) ir.AccessKind {
	if kind := c.Program.Code[d.pc].Op.Info().Access; kind == ir.Read || kind == ir.Write {
		return kind
	}
	return 0
}

// readsUniform reports whether a deed reads what the host says about all elements, such as their
// number.
func (c *comparison) readsUniform(d *deed) bool {
	info := c.Program.Code[d.pc].Op.Info()
	for i, b := range c.Bindings {
		if b.Uniform && info.Access == ir.Read && info.Memory == ir.InBuffers && d.address-c.regions[i].base < c.regions[i].size {
			return true
		}
	}
	return false
}

// together returns a deed with all of the same operation that lead to it, and what goes into them.
func (c *comparison) together(made int32) (steps, terms []int32) {
	op := c.Program.Code[c.deeds[made].pc].Op
	left := []int32{made}
	for len(left) > 0 && len(steps) < maxOrigins {
		at := left[len(left)-1]
		left = left[:len(left)-1]
		d := &c.deeds[at]
		switch {
		case at == 0:
		case at == made || anyOrder[op] && c.Program.Code[d.pc].Op == op:
			steps = append(steps, at)
			left = append(left, d.from[:]...)
		case c.copies(d) && d.from[0] != 0 && anyOrder[op]:
			left = append(left, d.from[0])
		default:
			terms = append(terms, at)
		}
	}
	slices.Sort(terms)
	return steps, slices.Compact(terms)
}

// anyOrder holds the operations whose operands may come in any order.
var anyOrder = map[ir.Opcode]bool{
	ir.OpAddI: true, ir.OpAddU: true, ir.OpAddF: true, ir.OpMulI: true, ir.OpMulU: true, ir.OpMulF: true,
	ir.OpMinI: true, ir.OpMinU: true, ir.OpMinF: true, ir.OpMaxI: true, ir.OpMaxU: true, ir.OpMaxF: true,
}

// mostFed limits the deeds of a run whose inputs are looked for: 64 MB.
const mostFed = 1 << 21

// Feeds returns the words of the host's buffers that the value of a word is computed from, in
// order. It leaves out what only conditions and indices depend on.
func (p *Program) Feeds(ctx context.Context, workgroups [3]uint32, buffers []BoundBuffer, at Word) ([]Word, error) {
	r, err := p.recorded(ctx, workgroups, buffers, mostFed)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(p.Bindings, func(b ir.Binding) bool { return b.Group == 0 && int(b.Number) == at.Binding })
	seen, fed := map[int32]bool{}, map[Word]bool{}
	left := []int32{r.made.buffers[int(r.regions[i].base>>2)+at.Index]}
	for len(left) > 0 {
		made := left[len(left)-1]
		left = left[:len(left)-1]
		if made == 0 || seen[made] {
			continue
		}
		seen[made] = true
		d := &r.deeds[made]
		if w, ok := r.hostWord(d); ok {
			fed[w] = true
		}
		left = append(left, d.from[:]...)
	}
	return slices.SortedFunc(maps.Keys(fed), func(a, b Word) int { return cmp.Or(a.Binding-b.Binding, a.Index-b.Index) }), nil
}

// hostWord returns the word that a deed reads from a buffer, if no invocation has written it
// before.
func (r *recorder) hostWord(d *deed) (Word, bool) {
	info := r.Program.Code[d.pc].Op.Info()
	if info.Access != ir.Read || info.Memory != ir.InBuffers || d.address == nowhere || d.from[0] != 0 {
		return Word{}, false
	}
	for i, b := range r.Bindings {
		if at := d.address - r.regions[i].base; at < r.regions[i].size {
			return Word{int(b.Number), int(at / 4)}, true
		}
	}
	return Word{}, false
}
