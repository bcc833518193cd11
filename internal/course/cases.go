package course

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A caseRule describes one case or several.
type caseRule struct {
	// Sizes are whole numbers by name: a number, an expression of other sizes, a list of them,
	// which gives a case each, or {from, to}, which is drawn.
	Sizes map[string]any  `toml:"sizes"`
	Name  string          `toml:"name"` // begins the case's name
	Note  string          `toml:"note"` // ends it
	Fill  map[string]fill `toml:"fill"` // of bindings and of members, in place of the usual one
}

// sizes are the sizes of a case by name.
type sizes map[string]int

// describeCases gives an exercise the functions that draw its cases.
func (d *description) describeCases(e *Exercise) error {
	if len(d.Cases) == 0 || d.Small == nil {
		return errors.New("an exercise needs cases and a small case")
	}
	cases := 0
	for _, rule := range d.Cases {
		cases += rule.count()
	}
	if cases > mostCases {
		return fmt.Errorf("there are %d cases, and %d are the most", cases, mostCases)
	}
	e.Cases = func(rng *rand.Rand) []Case {
		var cases []Case
		for _, rule := range d.Cases {
			for _, one := range rule.split() {
				cases = append(cases, d.mustDraw(e, one, rng, nil))
			}
		}
		return cases
	}
	e.Small = func(rng *rand.Rand) Case { return d.mustDraw(e, *d.Small, rng, nil) }
	e.compared = map[string]int{}
	for name, size := range cmp.Or(d.Compared, d.Small).Sizes {
		if n, ok := size.(int64); ok {
			e.compared[name] = int(n)
		}
	}
	if d.Large != nil {
		e.Large = func(rng *rand.Rand) Case { return d.mustDraw(e, *d.Large, rng, nil) }
		e.sized = func(rng *rand.Rand, given map[string]int) (Case, error) {
			rule := *d.Large
			rule.Sizes = maps.Clone(rule.Sizes)
			for name, n := range given {
				if _, known := rule.Sizes[name]; !known {
					return Case{}, fmt.Errorf("%s has no size %q: use %s", e.ID, name, strings.Join(slices.Sorted(maps.Keys(rule.Sizes)), ", "))
				}
				rule.Sizes[name] = int64(n)
			}
			return d.draw(e, rule, rng, nil)
		}
	}
	if d.Past != nil {
		e.Past = func(rng *rand.Rand, columns, rows int) Case {
			return d.mustDraw(e, *d.Past, rng, sizes{"columns": columns, "rows": rows})
		}
	}
	return nil
}

// tryCases draws each case once.
func (d *description) tryCases(e *Exercise) error {
	rng := rand.New(rand.NewPCG(1, 1))
	for i, rule := range d.Cases {
		for _, one := range rule.split() {
			if _, err := d.draw(e, one, rng, nil); err != nil {
				return fmt.Errorf("[[cases]] %d: %w", i+1, err)
			}
		}
	}
	for _, single := range []struct {
		name string
		rule *caseRule
	}{{"small", d.Small}, {"large", d.Large}, {"past", d.Past}} {
		if single.rule == nil {
			continue
		}
		if _, err := d.draw(e, *single.rule, rng, sizes{"columns": 17, "rows": 17}); err != nil {
			return fmt.Errorf("[%s]: %w", single.name, err)
		}
	}
	return nil
}

// Limits of cases: a check runs them all, in the simulator as well.
const (
	mostCases    = 60
	mostElements = 1 << 20 // of a buffer
	mostSize     = 1 << 30 // of a number in sizes
)

// count returns the number of cases of a rule.
func (r caseRule) count() int {
	n := 1
	for _, value := range r.Sizes {
		if list, ok := value.([]any); ok {
			n = max(n, len(list))
		}
	}
	return n
}

// split returns one rule for each element of the lists among the sizes. Several lists go together.
func (r caseRule) split() []caseRule {
	all := make([]caseRule, r.count())
	for i := range all {
		all[i] = r
		all[i].Sizes = maps.Clone(r.Sizes)
		for name, value := range r.Sizes {
			if list, ok := value.([]any); ok {
				all[i].Sizes[name] = list[min(i, len(list)-1)]
			}
		}
	}
	return all
}

// mustDraw draws a case of a description that is part of the program: a test draws them all.
func (d *description) mustDraw(e *Exercise, rule caseRule, rng *rand.Rand, given sizes) Case {
	c, err := d.draw(e, rule, rng, given)
	if err != nil {
		panic(fmt.Sprintf("exercise %s: %v", e.ID, err))
	}
	return c
}

// draw draws a case.
func (d *description) draw(e *Exercise, rule caseRule, rng *rand.Rand, given sizes) (Case, error) {
	s, err := drawSizes(rule.Sizes, rng, given)
	if err != nil {
		return Case{}, err
	}
	c := Case{Name: strings.TrimSpace(rule.Name + " " + s.replacedIn(d.CaseName) + rule.Note)}
	for i, pass := range d.dispatches() {
		extent, err := s.extent(pass.Extent)
		if err != nil {
			return Case{}, fmt.Errorf("the extent: %w", err)
		}
		if i == 0 {
			c.Extent = extent
		} else {
			c.Later = append(c.Later, extent)
		}
	}
	if d.Work.Most != nil {
		if c.MostSteps, err = s.value(d.Work.Most); err != nil {
			return Case{}, fmt.Errorf("the most work: %w", err)
		}
	}
	for i, b := range d.Bindings {
		buffer, columns, err := d.drawBuffer(e.Bindings[i], b, rule, s, rng)
		if err != nil {
			return Case{}, fmt.Errorf("the binding %s: %w", b.Name, err)
		}
		c.Buffers, c.Columns = append(c.Buffers, buffer), append(c.Columns, columns)
	}
	return c, nil
}

// extent evaluates what a dispatch covers. A dispatch in x and z has 0 between them.
func (s sizes) extent(rule []any) (extent [3]int, err error) {
	for axis, expression := range rule {
		if extent[axis], err = s.value(expression); err != nil {
			return extent, err
		}
		if unused := axis == 1 && len(rule) == 3 && extent[axis] == 0; extent[axis] < 1 && !unused {
			return extent, fmt.Errorf("it is %d: use 1 or more", extent[axis])
		}
	}
	return extent, nil
}

func (d *description) drawBuffer(to Binding, b describedAs, rule caseRule, s sizes, rng *rand.Rand) (Buffer, int, error) {
	if to.Access == shader.Uniform {
		buffer, err := drawUniform(b, rule, s, rng)
		return buffer, 0, err
	}
	n, err := s.value(b.Length)
	if err != nil {
		return Buffer{}, 0, fmt.Errorf("its length: %w", err)
	}
	if most := mostElements / to.stride(); n < 1 || n > most {
		return Buffer{}, 0, fmt.Errorf("it has %d elements: use 1 to %d", n, most)
	}
	columns := 0
	if b.Columns != nil {
		if columns, err = s.value(b.Columns); err != nil {
			return Buffer{}, 0, fmt.Errorf("its columns: %w", err)
		}
	}
	f, changed := rule.Fill[b.Name]
	if !changed {
		f = b.Fill
	}
	buffer, err := drawer{f, s, rng}.array(to, n, columns)
	return buffer, columns, err
}

// drawUniform draws the members of a uniform in the order of its type.
func drawUniform(b describedAs, rule caseRule, s sizes, rng *rand.Rand) (Buffer, error) {
	var members []shader.UniformWord
	for _, m := range membersOf(b.Type) {
		f, changed := rule.Fill[m.Name]
		if !changed {
			f = b.Members[m.Name]
		}
		word, err := drawer{f, s, rng}.member(m.Name, shader.Element(m.Type))
		if err != nil {
			return Buffer{}, fmt.Errorf("the member %s: %w", m.Name, err)
		}
		members = append(members, word)
	}
	return shader.UniformBuffer(members...), nil
}

// drawSizes evaluates sizes in the order of their names, each after those that it needs.
func drawSizes(rules map[string]any, rng *rand.Rand, given sizes) (sizes, error) {
	s := maps.Clone(given)
	if s == nil {
		s = sizes{}
	}
	left := slices.Sorted(maps.Keys(rules))
	for len(left) > 0 {
		var waiting []string
		var why error
		for _, name := range left {
			n, err := s.draw(rules[name], rng)
			if err != nil {
				waiting, why = append(waiting, name), fmt.Errorf("the size %s: %w", name, err)
				continue
			}
			s[name] = n
		}
		if len(waiting) == len(left) {
			return nil, why
		}
		left = waiting
	}
	return s, nil
}

// draw evaluates one size.
func (s sizes) draw(rule any, rng *rand.Rand) (int, error) {
	ends, isRange := rule.(map[string]any)
	if !isRange {
		return s.value(rule)
	}
	from, err := s.value(ends["from"])
	if err != nil {
		return 0, fmt.Errorf("from: %w", err)
	}
	to, err := s.value(ends["to"])
	if err != nil {
		return 0, fmt.Errorf("to: %w", err)
	}
	if to < from {
		return 0, fmt.Errorf("%d to %d is no range", from, to)
	}
	return from + rng.IntN(to-from+1), nil
}

// replacedIn replaces {NAME} in a text with sizes.
func (s sizes) replacedIn(text string) string {
	for name, n := range s {
		text = strings.ReplaceAll(text, "{"+name+"}", fmt.Sprint(n))
	}
	return text
}

// value evaluates a whole number, or an expression as WGSL writes it: sizes, numbers, + - * / % ( )
// min max.
func (s sizes) value(rule any) (int, error) {
	var text string
	switch rule := rule.(type) {
	case nil:
		return 0, errors.New("it is missing")
	case int64:
		text = fmt.Sprint(rule)
	case string:
		text = rule
	default:
		return 0, fmt.Errorf("it is %v: write a whole number, or an expression of sizes in quotes", rule)
	}
	file, found := syntax.Parse(syntax.NewSource("", "const value = "+text+";"))
	if len(found) > 0 || len(file.Decls) != 1 {
		return 0, fmt.Errorf("%q is not an expression of sizes", text)
	}
	declared, ok := file.Decls[0].(*syntax.ConstDecl)
	if !ok || declared.Init == nil {
		return 0, fmt.Errorf("%q is not an expression of sizes", text)
	}
	return s.of(declared.Init)
}

func (s sizes) of(e syntax.Expr) (int, error) {
	switch e := e.(type) {
	case *syntax.Literal:
		if e.Int > mostSize || e.Int < 0 {
			return 0, fmt.Errorf("%s is too large", e.Text)
		}
		return int(e.Int), nil
	case *syntax.ParenExpr:
		return s.of(e.X)
	case *syntax.IdentExpr:
		n, known := s[e.Name.Name]
		if !known {
			return 0, fmt.Errorf("there is no size %s", e.Name.Name)
		}
		return n, nil
	case *syntax.BinaryExpr:
		x, err := s.of(e.X)
		if err != nil {
			return 0, err
		}
		y, err := s.of(e.Y)
		if err != nil {
			return 0, err
		}
		n, err := calculate(e.Op, x, y)
		if err == nil && (n > mostSize || n < -mostSize) {
			err = fmt.Errorf("%d is too large", n)
		}
		return n, err
	case *syntax.CallExpr:
		return s.call(e)
	}
	return 0, errors.New("use sizes, numbers, + - * / % ( ), min and max")
}

func (s sizes) call(e *syntax.CallExpr) (int, error) {
	var values []int
	for _, arg := range e.Args {
		n, err := s.of(arg)
		if err != nil {
			return 0, err
		}
		values = append(values, n)
	}
	switch name := e.Callee.Name.Name; {
	case name == "min" && len(values) > 0:
		return slices.Min(values), nil
	case name == "max" && len(values) > 0:
		return slices.Max(values), nil
	default:
		return 0, fmt.Errorf("there is no function %s with %d numbers: use min or max", name, len(values))
	}
}

func calculate(op syntax.Op, x, y int) (int, error) {
	switch {
	case op == syntax.OpAdd:
		return x + y, nil
	case op == syntax.OpSub:
		return x - y, nil
	case op == syntax.OpMul:
		return x * y, nil
	case y == 0:
		return 0, errors.New("a division by 0")
	case op == syntax.OpDiv:
		return x / y, nil
	case op == syntax.OpRem:
		return x % y, nil
	}
	return 0, fmt.Errorf("the operator %s is not known: use + - * / %%", op)
}
