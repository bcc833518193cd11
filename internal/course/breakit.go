package course

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"path"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Break is what the learner breaks in an exercise of kind BreakIt: a wrong shader that is right
// in some cases, or a host that starts too few workgroups of a right one. Their file holds a case,
// as constants of WGSL: a number for each size and, for some of the inputs, their values.
type Break struct {
	Of    *Exercise        // the shader is wrong for this exercise
	Wrong *shader.Source   // the shader to break
	Right []*shader.Source // those that have to survive, the reference first
	Sizes []string         // the constants that a case has to have
	Seed  uint64           // of inputs whose values the case doesn't say

	inputs []string // the constants that it may have
	covers []any    // the extent of a wrong host; nil for that of the exercise
	rules  *description
}

// A CaseError says what is wrong with the text of a case.
type CaseError struct {
	findings.Region        // zero if it has no place
	Message         string // in one sentence
}

func (e *CaseError) Error() string { return e.Message }

// Limits of a case: a check runs it with every right shader, in the simulator.
const (
	mostCaseSize   = 1000
	mostCaseValues = 1 << 14 // in all buffers
)

// What names what goes wrong: the shader, or the host.
func (b *Break) What() string {
	if b.covers != nil {
		return "host"
	}
	return "shader"
}

// Case reads a case from a text that has compiled, and returns it also as the wrong host or shader
// runs it. Its error is a *CaseError.
func (b *Break) Case(source *shader.Source) (right, wrong Case, err error) {
	rule, at, err := b.read(source)
	if err == nil {
		right, err = b.draw(rule, at)
	}
	if wrong = right; err != nil || b.covers == nil {
		return right, wrong, err
	}
	s, err := drawSizes(rule.Sizes, nil, nil)
	if err == nil {
		wrong.Extent, err = s.extent(b.covers)
	}
	if err != nil {
		err = &CaseError{Message: fmt.Sprintf("There is no such case: %v.", err)}
	}
	return right, wrong, err
}

// read reads the sizes and the values of a case, and where they are in the text.
func (b *Break) read(source *shader.Source) (caseRule, map[string]findings.Region, error) {
	rule := caseRule{Sizes: map[string]any{}, Fill: map[string]fill{}}
	at := map[string]findings.Region{}
	for _, o := range source.Shader().Info.Scopes[0].Objects {
		region := source.Shader().Source.Region(o.Span())
		switch {
		case o.Kind != types.ConstObject:
			return rule, nil, &CaseError{region, fmt.Sprintf("`%s` isn't a constant. A case consists of lines that begin with `const`.", o.Name)}
		case slices.Contains(b.Sizes, o.Name):
			n, ok := wholeNumber(o.Value)
			if !ok || n < 1 || n > mostCaseSize {
				return rule, nil, &CaseError{region, fmt.Sprintf("The size `%s` has to be a whole number from 1 to %d.", o.Name, mostCaseSize)}
			}
			rule.Sizes[o.Name] = n
		case slices.Contains(b.inputs, o.Name):
			values, ok := numbers(o.Value)
			if !ok {
				return rule, nil, &CaseError{region, fmt.Sprintf("`%s` has to be an array of numbers, such as `array(1.0, 2.0)`.", o.Name)}
			}
			if n, large := tooLarge(values); large {
				return rule, nil, &CaseError{region, fmt.Sprintf("`%s` holds %.3g, which is no f32: those run from -3.4028234e38 to 3.4028234e38.", o.Name, n)}
			}
			rule.Fill[o.Name], at[o.Name] = fill{Value: values}, region
		}
	}
	for _, name := range b.Sizes {
		if rule.Sizes[name] == nil {
			return rule, nil, &CaseError{Message: fmt.Sprintf("The case doesn't say how large `%s` is: add `const %s = 4u;`.", name, name)}
		}
	}
	return rule, at, nil
}

// draw draws the buffers of a case, once all of its values are counted.
func (b *Break) draw(rule caseRule, at map[string]findings.Region) (Case, error) {
	c, err := b.rules.draw(b.Of, rule, rand.New(rand.NewPCG(b.Seed, 1)), nil)
	if err != nil {
		return Case{}, &CaseError{Message: fmt.Sprintf("There is no such case: %v.", err)}
	}
	c.MostSteps = 0
	all := 0
	for i, buffer := range c.Buffers {
		name := b.Of.Bindings[i].Name
		all += buffer.Len()
		if f, given := rule.Fill[name]; given && len(f.Value.([]any)) != buffer.Len() {
			return Case{}, &CaseError{at[name], fmt.Sprintf("`%s` has %d values, and with these sizes it needs %d.", name, len(f.Value.([]any)), buffer.Len())}
		}
	}
	if all > mostCaseValues {
		return Case{}, &CaseError{Message: fmt.Sprintf("This case has %d values, and %d are the most. A small case says more.", all, mostCaseValues)}
	}
	return c, nil
}

// Alone returns the exercise with a case in place of its own.
func (b *Break) Alone(c Case) *Exercise {
	one := *b.Of
	one.Cases = func(*rand.Rand) []Case { return []Case{c} }
	one.Past = nil
	return &one
}

func wholeNumber(v types.Value) (int64, bool) {
	switch v.Type {
	case types.U32, types.I32, types.AbstractInt:
		return v.Int(), true
	}
	return 0, false
}

// numbers returns the elements of an array, as a fill has them.
func numbers(v types.Value) (all []any, ok bool) {
	if _, isArray := v.Type.(*types.Array); !isArray {
		return nil, false
	}
	for i := range v.Len() {
		element := v.At(i)
		if n, whole := wholeNumber(element); whole {
			all = append(all, n)
			continue
		}
		switch element.Type {
		case types.F32, types.AbstractFloat:
			all = append(all, element.Float())
		default:
			return nil, false
		}
	}
	return all, true
}

// tooLarge returns the first number that is too large for an f32, if there is one.
func tooLarge(values []any) (n float64, large bool) {
	for _, v := range values {
		if n, isFloat := v.(float64); isFloat && math.IsInf(float64(float32(n)), 0) {
			return n, true
		}
	}
	return 0, false
}

// readBreak reads the wrong shader of an exercise of kind BreakIt, and the right ones.
func (e *Exercise) readBreak(d *description) error {
	if d.Kind != BreakIt {
		return nil
	}
	of, rules, err := readDescribed(e.files, d.Of)
	if err != nil {
		return err
	}
	b := &Break{Of: of, Sizes: slices.Sorted(maps.Keys(d.Small.Sizes)), rules: rules}
	for i, binding := range of.Bindings {
		if binding.Access != shader.Uniform && of.inPlace[i] {
			b.inputs = append(b.inputs, binding.Name)
		}
	}
	reference, err := of.Reference()
	if err != nil {
		return err
	}
	if b.Wrong, b.covers = reference, d.Covers; d.Shader != "" {
		if b.Wrong, err = e.readRunnable(path.Join(d.Of, "wrong", d.Shader+".wgsl")); err != nil {
			return err
		}
	}
	if _, err := of.Misconceptions(); err != nil {
		return err // they are read here, as long as the files are open
	}
	b.Right = append(b.Right, reference)
	names, err := fs.Glob(e.files, path.Join(d.Of, "right", "*.wgsl"))
	if err != nil {
		return fmt.Errorf("listing the right shaders of %s: %w", d.Of, err)
	}
	for _, name := range names[:min(len(names), mostRight)] {
		right, err := e.readRunnable(name)
		if err != nil {
			return err
		}
		b.Right = append(b.Right, right)
	}
	e.Break = b
	return nil
}

// mostRight limits the right shaders that run a case.
const mostRight = 10

func (e *Exercise) readRunnable(name string) (*shader.Source, error) {
	text, err := fs.ReadFile(e.files, name)
	if err != nil {
		return nil, fmt.Errorf("reading a shader of the exercise: %w", err)
	}
	source := shader.Read(name, string(text))
	if mistake := source.Mistake(); mistake != nil {
		return nil, fmt.Errorf("%s: %w", name, mistake)
	}
	return source, nil
}

// solutionOf is a case that breaks the shader, the first of those in right/.
const solutionOf = "right/case.wgsl"

// checkBorrowing returns an error if a kind has not the keys for what it takes from another
// exercise.
func (d *description) checkBorrowing() error {
	named := d.Of != "" && d.Shader != ""
	switch {
	case d.Kind == FindBug && !named:
		return errors.New("the kind find needs `of`, an exercise, and `shader`, one of its wrong shaders")
	case d.Kind == BreakIt && (d.Of == "" || (d.Shader == "") == (d.Covers == nil) || len(d.Bug) > 0):
		return errors.New("the kind break needs `of`, an exercise, and `shader`, one of its wrong shaders, or `covers`, what a wrong host covers, and no `bug`")
	case d.Kind != FindBug && d.Kind != BreakIt && (d.Of != "" || d.Shader != "" || d.Covers != nil || len(d.Bug) > 0):
		return errors.New("of, shader, covers and bug belong to the kinds find and break")
	case d.Kind != Order && d.After != "":
		return errors.New("after belongs to the kind order")
	}
	return nil
}
