package types

import (
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// attributes checks that each attribute is allowed at its place and written once. (The parser knows
// their names and forms.)
func (c *checker) attributes(list []*syntax.Attribute, site string, allowed ...string) {
	for i, a := range list {
		name := a.Name.Name
		if !contains(allowed, name) {
			c.errorf("misplaced-attribute", a, "`@%s` is not allowed on %s.", name, site).Try("Delete it.")
			continue
		}
		if earlier := syntax.FindAttribute(list[:i], name); earlier != nil && name != "diagnostic" {
			c.errorf("duplicate-attribute", a, "`@%s` appears here twice.", name).See(earlier.Span(), "The first is here.").
				Try("Delete one of them.")
		}
	}
}

func contains(list []string, name string) bool {
	return slices.Contains(list, name)
}

// attributeInt returns an argument that must be a constant, non-negative i32 or u32; ok is false
// after an error.
func (c *checker) attributeInt(a *syntax.Attribute, i int) (n int64, ok bool) {
	if i >= len(a.Args) {
		return 0, false
	}
	x := a.Args[i]
	e := c.operand(x)
	if e == nil {
		return 0, false
	}
	s, integer := e.ValueType().(*Scalar)
	switch {
	case !integer || !s.Integer():
		c.errorf("attribute-type", x, "`@%s` takes a whole number, but %s.", a.Name.Name, c.what(x, e))
		return 0, false
	case e.Stage != ConstStage:
		c.errorf("not-constant", x, "`@%s` takes a constant, but %s is not one.", a.Name.Name, c.quote(x))
		return 0, false
	case !c.concretize(x, e):
		return 0, false
	case !e.Value.Valid():
		return 0, false
	case e.Value.Int() < 0:
		c.errorf("attribute-range", x, "`@%s` must be at least 0, not %d.", a.Name.Name, e.Value.Int())
		return 0, false
	}
	return e.Value.Int(), true
}

func (c *checker) attributeUint(a *syntax.Attribute) *uint32 {
	n, ok := c.attributeInt(a, 0)
	if !ok {
		return nil
	}
	u := uint32(min(n, math.MaxUint32))
	return &u
}

// memberAttributes reads the attributes of a structure's member (§ 12).
func (c *checker) memberAttributes(m *Member) bool {
	attrs := m.Decl.Attrs
	if len(attrs) == 0 {
		return true
	}
	c.attributes(attrs, "a member", "align", "size", "builtin", "location", "blend_src", "interpolate", "invariant")
	ok := true
	if a := syntax.FindAttribute(attrs, "align"); a != nil {
		m.Align, ok = c.memberAlign(a, m)
	}
	if a := syntax.FindAttribute(attrs, "size"); a != nil {
		var fits bool
		m.Size, fits = c.memberSize(a, m)
		ok = ok && fits
	}
	if m.Type == nil {
		return false
	}
	m.IO = c.ioAttributes(attrs, m.Type, true)
	return ok
}

func (c *checker) memberAlign(a *syntax.Attribute, m *Member) (uint64, bool) {
	n, ok := c.attributeInt(a, 0)
	if !ok || m.Type == nil {
		return 0, false
	}
	if n == 0 || n&(n-1) != 0 {
		c.errorf("bad-align", a, "An alignment must be a power of 2, and %d is not.", n).Try("Write 4, 8, 16, 32 …")
		return 0, false
	}
	if needed := AlignOf(m.Type); needed > 0 && uint64(n)%needed != 0 {
		c.errorf("bad-align", a, "`@align(%d)` is less than the %d that %s needs.", n, needed, m.Type).Try("Write a multiple of %d.", needed)
		return 0, false
	}
	return uint64(n), true
}

func (c *checker) memberSize(a *syntax.Attribute, m *Member) (uint64, bool) {
	n, ok := c.attributeInt(a, 0)
	switch {
	case !ok || m.Type == nil:
		return 0, false
	case !creationFixed(m.Type):
		c.errorf("bad-size", a, "`@size` cannot set the size of %s.", m.Type)
		return 0, false
	case uint64(n) < SizeOf(m.Type):
		c.errorf("bad-size", a, "`@size(%d)` is less than the %d bytes that %s takes.", n, SizeOf(m.Type), m.Type).
			Try("Write at least %d.", SizeOf(m.Type))
		return 0, false
	}
	return uint64(n), true
}

// Diagnostic filters (§ 2.3.3).

// knownRules are the triggering rules (§ 2.3.2).
var knownRules = map[string]bool{"derivative_uniformity": true, "subgroup_uniformity": true}

// DiagnosticRules returns the triggering rules that a filter can name.
func DiagnosticRules() []string { return keysOf(knownRules) }

// filters checks that the @diagnostic attributes of one thing do not contradict each other.
func (c *checker) filters(attrs []*syntax.Attribute) {
	var controls []*syntax.DiagnosticControl
	for _, a := range attrs {
		if a.Control != nil {
			controls = append(controls, a.Control)
		}
	}
	c.conflicts(controls, true)
}

func (c *checker) globalFilters(list []syntax.Directive) {
	var controls []*syntax.DiagnosticControl
	for _, directive := range list {
		if d, ok := directive.(*syntax.DiagnosticDirective); ok && d.Control != nil {
			controls = append(controls, d.Control)
		}
	}
	c.conflicts(controls, false)
}

func (c *checker) conflicts(controls []*syntax.DiagnosticControl, attribute bool) {
	for i, control := range controls {
		if control.Severity == nil || control.Rule == nil {
			continue
		}
		if control.Namespace == nil && !knownRules[control.Rule.Name] {
			d := c.errorf("unknown-rule", control.Rule, "There is no diagnostic rule `%s`.", control.Rule.Name)
			d.Severity = findings.Warning
			c.suggest(d, control.Rule.Name, keysOf(knownRules))
		}
		for _, earlier := range controls[:i] {
			if earlier.Severity == nil || earlier.Rule == nil || earlier.RuleName() != control.RuleName() {
				continue
			}
			if attribute || earlier.Severity.Name != control.Severity.Name {
				c.errorf("filter-conflict", control, "The severity of `%s` is set twice.", control.RuleName()).
					See(earlier.Span(), "The first is here.").Try("Delete one of them.")
			}
		}
	}
}

// blockFilters checks the attributes before a statement's braces: only @diagnostic is allowed
// there.
func (c *checker) blockFilters(attrs []*syntax.Attribute) {
	if len(attrs) == 0 {
		return
	}
	c.attributes(attrs, "a statement", "diagnostic")
	c.filters(attrs)
}
