// Package printing shows the values that a shader's print comments name: see package prints. Run
// runs the shader in the simulator, statement by statement, so that it prints any value. Package
// ondevice runs it on a device.
package printing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/wgsl/prints"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The limits of a run: the rows that a comment keeps, and the instructions of all invocations. The
// largest shader of a lesson takes a tenth of these on its case.
const (
	mostRows  = 4096
	mostSteps = 5_000_000
)

// A Printed holds what one comment showed.
type Printed struct {
	File        string   `json:"file,omitempty"` // "" for the file that the shader begins with
	Line        int      `json:"line"`
	Expressions []string `json:"expressions"`
	Rows        []Row    `json:"rows"`
	LeftOut     int      `json:"left_out,omitempty"` // rows beyond the limit
	Cut         bool     `json:"cut,omitempty"`      // the run took too long, and stopped
	Problem     string   `json:"problem,omitempty"`  // why there are no rows
	On          string   `json:"on,omitempty"`       // the device that ran it; "" for the simulator

	Device    *Printed `json:"device,omitempty"`    // the same on a device, if both ran it: see AddDevice
	Differing int      `json:"differing,omitempty"` // rows that differ there

	of        string // the case; "" if there is none
	condition *ir.Expression
	values    []*ir.Expression
	visits    map[[3]uint32]int // of each invocation so far
}

// A Row holds the values of one visit of an invocation.
type Row struct {
	Invocation [3]uint32 `json:"invocation"` // global_invocation_id
	Values     []string  `json:"values"`

	visit   int // how often the invocation was here before
	numbers []types.Value
	outside bool // an index was out of bounds
}

// Run runs a shader and returns what each of its comments shows; nothing for a shader without any.
// The function prepares the run of the shader in which the comments are statements.
func Run(ctx context.Context, source *shader.Source, prepare func(*shader.Source) (*debug.Target, error)) ([]*Printed, error) {
	front := source.Shader()
	comments := prints.Of(front.File)
	if len(comments) == 0 || len(front.Unrunnable()) > 0 {
		return nil, nil
	}
	wrong := prints.Problems(front.Info)
	good := slices.DeleteFunc(slices.Clone(comments), func(c prints.Print) bool { return wrong[c.Span.Start] != "" })
	t, err := prepare(shader.ReadSource(front.Source.Rewritten(prints.Marked(source.Text, good...)), types.AllFeatures))
	if err != nil {
		return nil, err
	}
	places := statementsByStart(t.Program)
	var all []*Printed
	at := map[syntax.Stmt]*Printed{}
	for _, c := range comments {
		p := newPrinted(c, wrong[c.Span.Start])
		p.of = t.Title
		if p.Problem == "" {
			p.compile(t.Program, c, places, at)
		}
		all = append(all, p)
	}
	if len(at) == 0 {
		return all, nil
	}
	err = collect(ctx, t, at)
	for _, p := range all {
		slices.SortFunc(p.Rows, func(a, b Row) int { return a.compare(b, t.Program.Pipeline.WorkgroupSize) })
	}
	return all, err
}

// newPrinted returns a comment without rows.
func newPrinted(c prints.Print, problem string) *Printed {
	p := &Printed{File: c.File, Line: c.Line, Rows: []Row{}, Problem: problem}
	for _, v := range c.Values {
		p.Expressions = append(p.Expressions, v.Text)
	}
	return p
}

// statementsByStart returns the statements of a program by where they start.
func statementsByStart(program *sim.Program) map[int32]sim.Statement {
	places := map[int32]sim.Statement{}
	for _, s := range program.Statements() {
		if _, taken := places[s.Node.Span().Start]; !taken { // the first one counts
			places[s.Node.Span().Start] = s
		}
	}
	return places
}

// compile finds the statement in the place of a comment, and compiles its expressions there.
func (p *Printed) compile(program *sim.Program, c prints.Print, places map[int32]sim.Statement, at map[syntax.Stmt]*Printed) {
	place, there := places[c.Span.Start]
	if !there {
		p.Problem = prints.NotReached
		return
	}
	frame := sim.Frame{Function: place.Function, Span: place.Node.Span()}
	var err error
	if c.Condition.Text != "" {
		if p.condition, err = program.Expression(frame, c.Condition.Text); err != nil {
			p.Problem = err.Error()
			return
		}
	}
	for _, v := range c.Values {
		e, err := program.Expression(frame, v.Text)
		if err != nil {
			p.Problem = err.Error()
			return
		}
		p.values = append(p.values, e)
	}
	at[place.Node] = p
}

// clockInterval is the number of statements between two looks at the context.
const clockInterval = 1 << 10

// collect runs the dispatch in the order of a debugger, and adds a row at each visit of a comment.
func collect(ctx context.Context, t *debug.Target, at map[syntax.Stmt]*Printed) error {
	s, err := t.Program.Debug(ctx, t.Workgroups, t.Buffers)
	if err != nil {
		return err
	}
	statements := 0
	for {
		for local := range s.Invocations() {
			for p := s.At(local); p.State == sim.AtStatement; p = s.Step(local) {
				if printed := at[p.Statement]; printed != nil {
					printed.visit(t, s, local)
				}
				if s.Steps() > mostSteps {
					for _, printed := range at {
						printed.Cut = true
					}
					return nil
				}
				if statements++; statements%clockInterval == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
			}
		}
		if !s.Meet() && !s.Next() {
			return nil
		}
	}
}

// visit adds the row of an invocation that has reached the comment.
func (p *Printed) visit(t *debug.Target, s *sim.Stepper, local int) {
	if p.condition != nil {
		if v, _, err := s.Evaluate(p.condition, local); err != nil || !v.Bool() {
			return
		}
	}
	if len(p.Rows) == mostRows {
		p.LeftOut++
		return
	}
	row := Row{Invocation: globalID(t, s, local)}
	if p.visits == nil {
		p.visits = map[[3]uint32]int{}
	}
	row.visit = p.visits[row.Invocation]
	p.visits[row.Invocation]++
	for _, e := range p.values {
		v, outside, err := s.Evaluate(e, local)
		switch {
		case err != nil:
			row.add(types.Value{}, err.Error())
		case outside != nil:
			row.outside = true
			row.add(v, fmt.Sprintf("%s (the index %d is out of bounds)", plain(v), int32(*outside)))
		default:
			row.add(v, plain(v))
		}
	}
	p.Rows = append(p.Rows, row)
}

// add adds a value. Only a scalar is kept as a number: pictures show nothing else.
func (r *Row) add(v types.Value, text string) {
	if _, is := v.Type.(*types.Scalar); !is {
		v = types.Value{}
	}
	r.Values, r.numbers = append(r.Values, text), append(r.numbers, v)
}

// compare orders rows by workgroup, by invocation and by visit. A device has no order of its own.
func (r Row) compare(other Row, size [3]uint32) int {
	var group, within int
	for axis := range 3 { // z decides before y, and y before x
		a, b := r.Invocation[axis], other.Invocation[axis]
		group = cmp.Or(cmp.Compare(a/size[axis], b/size[axis]), group)
		within = cmp.Or(cmp.Compare(a, b), within)
	}
	return cmp.Or(group, within, cmp.Compare(r.visit, other.visit))
}

// plain returns a value as WGSL writes it; a u32 without its suffix, as in other tables of numbers.
func plain(v types.Value) string {
	if v.Type == types.U32 {
		return strconv.FormatInt(v.Int(), 10)
	}
	return v.String()
}

func globalID(t *debug.Target, s *sim.Stepper, local int) (id [3]uint32) {
	size, group, i := t.Program.Pipeline.WorkgroupSize, s.Workgroup(), uint32(local)
	for axis, own := range [3]uint32{i % size[0], i / size[0] % size[1], i / size[0] / size[1]} {
		id[axis] = group[axis]*size[axis] + own
	}
	return id
}
