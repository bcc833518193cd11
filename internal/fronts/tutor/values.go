package tutor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/printing"
)

// elementForm finds an element of an array.
var elementForm = regexp.MustCompile(`\b([A-Za-z_]\w*)((?:\[\s*-?\d+u?\s*\])+)(?:\.([xyzw])\b)?`)

// value measures an element, or an expression at a line.
func (m *measurement) value(ctx context.Context, f fact) (string, error) {
	element := elementForm.FindStringSubmatch(f.Of)
	if f.Line != 0 || element == nil || element[0] != f.Of {
		return m.expression(ctx, f)
	}
	binding := slices.IndexFunc(m.exercise.Bindings, func(b course.Binding) bool { return b.Name == element[1] })
	index, err := strconv.Atoi(strings.Trim(element[2], "[] u"))
	if binding < 0 || err != nil {
		return "", unclear("%s is no element of a buffer: name a line", f.Of)
	}
	b := m.exercise.Bindings[binding]
	at := index*b.Components() + max(0, strings.Index("xyzw", element[3]))
	if b.Packed || b.Access == shader.Uniform || element[3] == "" && b.Components() > 1 {
		return "", unclear("%s is no number: name a line", f.Of)
	}
	if told, err := m.told(ctx, f, element, index); told || err != nil {
		return "", err
	}
	return m.inCases(f, func(c course.Case) (string, error) {
		if at >= c.Buffers[binding].Len() {
			if f.Case == "" {
				return "", unclear("no case has %s", f.Of)
			}
			return fmt.Sprintf("%s has %d elements", b.Name, c.Buffers[binding].Len()/b.Components()), nil
		}
		r, err := m.run(ctx, c)
		if err != nil {
			return "", err
		}
		from, found := r.after, "is"
		switch {
		case f.When == "before":
			from, found = r.before, "begins as"
		case f.When == "wanted":
			from, found = r.right, "should be"
		case r.after == nil:
			return "", unclear("the shader doesn't run")
		}
		if is := f.is(); is == "right" || is == "wrong" {
			if isRight := near(r.right[binding].At(at), r.after[binding].At(at)); isRight != (is == "right") {
				return fmt.Sprintf("%s is %s and should be %s", f.Of, shown(r.after[binding].At(at)), shown(r.right[binding].At(at))), nil
			}
			return "", nil
		}
		if value := from[binding].At(at); !fits(f.is(), value) {
			return fmt.Sprintf("%s %s %s, not %s", f.Of, found, shown(value), f.is()), nil
		}
		return "", nil
	})
}

// told reports whether the verdict has a value: the judge adds cases of its own.
func (m *measurement) told(ctx context.Context, f fact, element []string, index int) (bool, error) {
	if f.Case == "" || f.When == "before" {
		return false, nil
	}
	if _, err := m.outcome(ctx); err != nil || m.now.full == nil {
		return false, nil //nolint:nilerr // without a verdict, there is nothing that it tells
	}
	for _, c := range m.now.full.Cases {
		o := c.FirstMismatch
		if o == nil || c.Name != f.Case || o.Index != index || o.Component != element[3] || cmp.Or(o.Output, m.exercise.Bindings[m.exercise.Output].Name) != element[1] {
			continue
		}
		value := o.Got
		if f.When == "wanted" {
			value = o.Want
		}
		return fits(f.is(), float64(value)), nil
	}
	return false, nil
}

// expression measures an expression at a line, as examine prints it.
func (m *measurement) expression(ctx context.Context, f fact) (string, error) {
	if f.Line == 0 {
		return "", unclear("%q is no element such as out[3]: name the line at which it has the value", f.Of)
	}
	p, err := m.compiled()
	if err != nil {
		return "", err
	}
	size := p.Pipeline.WorkgroupSize
	return m.inCases(f, func(c course.Case) (string, error) {
		x := &examined{Exercise: m.exercise, Source: m.source, Program: m.program, Seed: m.seed, Asked: examineInput{Expression: f.Of, Line: f.Line, Case: c.Name}}
		var p *printing.Printed
		err := m.checking(ctx, func() (err error) {
			p, err = rows(ctx, x)
			return err
		})
		if err != nil {
			return "", unclear("%v", err)
		}
		visits := map[[3]uint32][]string{}
		var order [][3]uint32
		for _, r := range p.Rows {
			var group [3]uint32
			for axis, n := range size {
				group[axis] = r.Invocation[axis] / n
			}
			if !f.means(r.Invocation, group) {
				continue
			}
			if visits[r.Invocation] == nil {
				order = append(order, r.Invocation)
			}
			visits[r.Invocation] = append(visits[r.Invocation], r.Values[0])
		}
		if len(order) == 0 {
			return "", unclear("no such invocation comes to line %d", f.Line)
		}
		for _, id := range order {
			for _, value := range f.rounds(visits[id]) {
				if !fitsText(f.is(), value) {
					return fmt.Sprintf("%s is %s on line %d in invocation %v, not %s", f.Of, value, f.Line, id, f.is()), nil
				}
			}
		}
		return "", nil
	})
}

// rounds returns the visits that a fact means.
func (f fact) rounds(all []string) []string {
	switch {
	case f.Round > 0 && f.Round <= len(all):
		return all[f.Round-1 : f.Round]
	case f.Round < 0:
		return all[len(all)-1:]
	case f.Round > 0:
		return []string{fmt.Sprintf("visited %d times", len(all))}
	}
	return all
}

// means reports whether a fact means an invocation.
func (f fact) means(id, group [3]uint32) bool {
	for axis := range 3 {
		if len(f.Invocation) > 0 && at(f.Invocation, axis) != int(id[axis]) || len(f.Workgroup) > 0 && at(f.Workgroup, axis) != int(group[axis]) {
			return false
		}
	}
	return true
}

// at returns an element of a vector whose last elements may be left out.
func at(id []int, axis int) int {
	if axis < len(id) {
		return id[axis]
	}
	return 0
}

// A run is what is in the buffers of a case before it, after the learner's shader and after a right
// one.
type run struct{ before, after, right []shader.Buffer }

// run runs both shaders in a case. A shader that doesn't run has no values.
func (m *measurement) run(ctx context.Context, c course.Case) (r *run, err error) {
	if m.runs[c.Name] != nil {
		return m.runs[c.Name], nil
	}
	right, err := m.exercise.Standard()
	if err != nil {
		return nil, err
	}
	r = &run{before: c.Buffers}
	err = m.checking(ctx, func() error {
		if r.right, err = left(ctx, m.exercise, right, c); err == nil && m.program.Text != "" {
			r.after, _ = left(ctx, m.exercise, m.source, c)
		}
		return cmp.Or(err, ctx.Err())
	})
	m.runs[c.Name] = r
	return r, err
}

// left returns all buffers of a case after a shader ran.
func left(ctx context.Context, e *course.Exercise, source *shader.Source, c course.Case) ([]shader.Buffer, error) {
	copied := c
	copied.Buffers = slices.Clone(c.Buffers)
	for i := range copied.Buffers {
		copied.Buffers[i] = c.Buffers[i].Clone()
	}
	result, err := e.RunOnce(ctx, engines().Values, source, copied, func(*shader.Dispatch) {})
	if err != nil {
		return nil, err
	}
	buffers := slices.Clone(c.Buffers)
	buffers[e.Output] = result.Output
	for i, also := range result.Also {
		buffers[e.Also[i]] = also.Output
	}
	return buffers, nil
}

// read reads a number, and how far off the value may be that it stands for.
func read(number string) (value, near float64, err error) {
	number = strings.ToLower(strings.NewReplacer("−", "-", ",", "").Replace(number))
	if value, err = strconv.ParseFloat(number, 64); err != nil {
		return 0, 0, fmt.Errorf("reading %q: %w", number, err)
	}
	digits, exponent, _ := strings.Cut(number, "e")
	_, decimals, _ := strings.Cut(digits, ".")
	shift, _ := strconv.Atoi(exponent)
	near = 0.51 * math.Pow(10, float64(shift-len(decimals)))
	if decimals == "" && exponent == "" {
		near = 1e-3 // a whole number stands for itself
	}
	return value, near, nil
}

// fits reports whether a value is what a fact says.
func fits(said string, value float64) bool {
	number, within, err := read(said)
	if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
		return err == nil && (value == number || math.IsNaN(value) && math.IsNaN(number))
	}
	const rounding = 1e-5
	return math.Abs(value-number) <= within+rounding*math.Abs(value)
}

func shown(value float64) string { return strconv.FormatFloat(value, 'g', 7, 64) }

// near reports whether two results are the same but for rounding.
func near(a, b float64) bool {
	const rounding = 1e-4
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= rounding*max(1, math.Abs(a))
}

// fitsText is the same for a value as WGSL writes it.
func fitsText(said, value string) bool {
	code, _, _ := strings.Cut(value, " (")
	if number, err := strconv.ParseFloat(strings.TrimRight(code, "iufh"), 64); err == nil {
		return fits(said, number) || number > math.MaxInt32 && fits(said, number-(1<<32)) // a u32 that has wrapped around
	}
	return slices.Equal(wordsOf(said), wordsOf(code))
}
