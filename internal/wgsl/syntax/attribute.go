package syntax

import (
	"maps"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A Placement is a set of places where attributes can be written (§ 12).
type Placement uint8

// The places; OnIO is the set of places of an entry point's inputs and outputs.
const (
	OnFunction Placement = 1 << iota
	OnVar
	OnOverride
	OnMember
	OnParam
	OnResult
	OnStatement

	OnIO = OnMember | OnParam | OnResult
)

// attributeForm says how many arguments an attribute takes and where it may be written.
type attributeForm struct {
	min, max int // if max is 0, parentheses are not allowed either
	places   Placement
	example  string
}

var attributeForms = map[string]attributeForm{
	"align":          {1, 1, OnMember, "@align(16)"},
	"binding":        {1, 1, OnVar, "@binding(0)"},
	"blend_src":      {1, 1, OnIO, "@blend_src(0)"},
	"builtin":        {1, 2, OnIO, "@builtin(global_invocation_id)"},
	"compute":        {0, 0, OnFunction, "@compute"},
	"diagnostic":     {2, 2, OnFunction | OnStatement, "@diagnostic(off, derivative_uniformity)"},
	"fragment":       {0, 0, OnFunction, "@fragment"},
	"group":          {1, 1, OnVar, "@group(0)"},
	"id":             {1, 1, OnOverride, "@id(1)"},
	"interpolate":    {1, 2, OnIO, "@interpolate(flat)"},
	"invariant":      {0, 0, OnIO, "@invariant"},
	"location":       {1, 1, OnIO, "@location(0)"},
	"must_use":       {0, 0, OnFunction, "@must_use"},
	"size":           {1, 1, OnMember, "@size(16)"},
	"subgroup_size":  {1, 1, OnFunction, "@subgroup_size(32)"},
	"vertex":         {0, 0, OnFunction, "@vertex"},
	"workgroup_size": {1, 3, OnFunction, "@workgroup_size(64)"},
}

var foreignAttributes = map[string]string{
	"stage": "Write `@compute`, `@vertex` or `@fragment`.", "numthreads": "Write `@workgroup_size(8, 8)`.",
	"block": "Delete it; WGSL no longer needs it.", "stride": "Delete it; the type of the element decides the stride.",
	"local_size": "Write `@workgroup_size(64)`.", "workgroupSize": "Write `@workgroup_size(64)`.",
	"kernel": "Write `@compute`.", "pixel": "Write `@fragment`.", "constant_id": "Write `@id(0)`.",
	"set": "Write `@group(0)`.", "offset": "Delete it, or use `@size` and `@align`.", "access": "Write the access mode into the `var`: `var<storage, read_write>`.",
}

// attributes reads all attributes at the current token.
func (p *parser) attributes() []*Attribute {
	var list []*Attribute
	for p.is(tokAt) && !p.lost {
		list = append(list, p.attribute())
	}
	return list
}

func (p *parser) attribute() *Attribute {
	start := p.tok.start
	p.next()
	a := &Attribute{}
	t := p.tok
	if !t.kind.word() {
		p.fail(findings.Errorf("missing-name", p.last(), "The name of an attribute should follow `@`, but there is %s.", p.describe()).
			Try("Write one such as `@compute`, `@workgroup_size(64)` or `@builtin(position)`."))
		a.Name = &Ident{base: base{p.after()}}
		a.base = p.from(start)
		return a
	}
	a.Name = &Ident{base{t.span()}, p.slice(t)}
	p.next()
	if t.kind == tokDiagnostic {
		a.Parens = true
		a.Control = p.diagnosticControl()
	} else if p.is(tokParenL) {
		a.Parens = true
		a.Args, _ = p.args("attribute")
	}
	a.base = p.from(start)
	if !p.lost {
		p.checkForm(a, t)
	}
	return a
}

// checkForm reports unknown attributes and wrong numbers of arguments.
func (p *parser) checkForm(a *Attribute, t token) {
	name := a.Name.Name
	if t.kind == tokConst {
		p.mend(findings.Errorf("misplaced-attribute", a.span, "`@const` marks built-in functions; a shader cannot use it.").
			Try("Delete it.").Replace(a.span, "", "delete it"))
		return
	}
	form, known := attributeForms[name]
	switch {
	case !known:
		p.unknownAttribute(a)
	case a.Control != nil:
	case form.max == 0 && a.Parens:
		p.mend(findings.Errorf("attribute-arguments", a.span, "`@%s` takes no parentheses.", name).Try("Write `@%s`.", name).
			Replace(Span{Start: a.Name.span.End, End: a.span.End}, "", "delete the parentheses"))
	case len(a.Args) < form.min && !a.Parens:
		p.mend(findings.Errorf("attribute-arguments", a.span, "`@%s` needs a value in parentheses.", name).Try("Write it as in `%s`.", form.example))
	case len(a.Args) < form.min || len(a.Args) > form.max:
		p.mend(findings.Errorf("attribute-arguments", a.span, "`@%s` takes %s, not %d.", name, count(form.min, form.max), len(a.Args)).
			Try("Write it as in `%s`.", form.example))
	case name == "builtin" || name == "interpolate":
		p.checkWords(a, form)
	}
}

func count(low, high int) string {
	words := [...]string{"none", "one value", "two values", "three values"}
	if low == high {
		return words[low]
	}
	return strings.Fields(words[low])[0] + " to " + words[high]
}

func (p *parser) checkWords(a *Attribute, form attributeForm) {
	for _, arg := range a.Args {
		if x, ok := arg.(*IdentExpr); ok && x.Templ == nil {
			continue
		}
		p.mend(findings.Errorf("attribute-arguments", arg.Span(), "`@%s` takes a word here, not a value.", a.Name.Name).
			Try("Write it as in `%s`.", form.example))
	}
}

func (p *parser) unknownAttribute(a *Attribute) {
	name := a.Name.Name
	d := findings.Errorf("unknown-attribute", a.span, "WGSL has no attribute `@%s`.", name)
	if hint := foreignAttributes[name]; hint != "" {
		d.Try("%s", hint)
	} else if near := Closest(name, attributeNames); near != "" {
		d.Try("Did you mean `@%s`?", near).Replace(a.Name.span, near, "write `@"+near+"`")
	} else {
		d.Try("The attributes are %s.", "`@"+strings.Join(attributeNames, "`, `@")+"`")
	}
	p.mend(d)
}

var attributeNames = slices.Sorted(maps.Keys(attributeForms))

// IsAttribute reports whether WGSL has an attribute of this name (§ 12).
func IsAttribute(name string) bool { return attributeForms[name].places != 0 }

// Attributes returns the names of the attributes that are allowed at one of the places, in
// alphabetical order.
func Attributes(at Placement) []string {
	return slices.DeleteFunc(slices.Clone(attributeNames), func(name string) bool { return attributeForms[name].places&at == 0 })
}

// AttributeExample returns an example of an attribute, such as @workgroup_size(64), or "" if WGSL
// has none with the name.
func AttributeExample(name string) string { return attributeForms[name].example }

// placements reports attributes that are in the wrong place or written twice.
func (p *parser) placements() {
	p.conflictingDirectives()
	Walk(p.file, func(n Node) bool {
		switch n := n.(type) {
		case *VarDecl:
			p.placed(n.Attrs, OnVar, "a variable")
		case *OverrideDecl:
			p.placed(n.Attrs, OnOverride, "an `override`")
		case *Member:
			p.placed(n.Attrs, OnMember, "a member of a structure")
		case *Param:
			p.placed(n.Attrs, OnParam, "a parameter")
		case *FuncDecl:
			p.placed(n.Attrs, OnFunction, "a function")
			p.placed(n.ResultAttrs, OnResult, "a function's result")
		case *BlockStmt:
			p.placed(n.Attrs, OnStatement, "a block")
		case *IfStmt:
			p.placed(n.Attrs, OnStatement, "an `if`")
		case *SwitchStmt:
			p.placed(n.Attrs, OnStatement, "a `switch`")
			p.placed(n.BodyAttrs, OnStatement, "a `switch`")
		case *LoopStmt:
			p.placed(n.Attrs, OnStatement, "a `loop`")
		case *ForStmt:
			p.placed(n.Attrs, OnStatement, "a `for`")
		case *WhileStmt:
			p.placed(n.Attrs, OnStatement, "a `while`")
		case Expr:
			return false
		}
		return true
	}, nil)
}

func (p *parser) placed(attrs []*Attribute, where Placement, what string) {
	var controls []*DiagnosticControl
	for i, a := range attrs {
		form, known := attributeForms[a.Name.Name]
		if !known {
			continue
		}
		if form.places&where == 0 {
			p.mend(findings.Errorf("misplaced-attribute", a.span, "`@%s` is not allowed on %s.", a.Name.Name, what).
				Try("Delete it here; it goes on %s.", form.places))
			continue
		}
		if a.Control == nil {
			p.twice(attrs[:i], a)
		} else {
			controls = append(controls, a.Control)
		}
	}
	p.conflicts(controls, false)
}

func (p *parser) twice(before []*Attribute, a *Attribute) {
	if first := FindAttribute(before, a.Name.Name); first != nil {
		p.mend(findings.Errorf("duplicate-attribute", a.span, "`@%s` appears here twice.", a.Name.Name).
			Try("Delete one of them.").See(first.span, "the first one").Replace(a.span, "", "delete it"))
	}
}

// String returns a list of the places for a message.
func (w Placement) String() string {
	names := []string{"a function", "a variable outside of functions", "an `override`", "a member of a structure",
		"an entry point's parameter", "an entry point's result", "a statement with braces"}
	var list []string
	for i, name := range names {
		if w&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, " or ")
}

// conflicts reports diagnostic filters that name a rule twice in one place (§ 2.3.3). Directives
// may repeat a rule with the same severity, attributes may not.
func (p *parser) conflicts(controls []*DiagnosticControl, repeat bool) {
	for i, c := range controls {
		for _, first := range controls[:i] {
			if c.RuleName() != first.RuleName() || repeat && c.Severity.Name == first.Severity.Name {
				continue
			}
			p.mend(findings.Errorf("conflicting-diagnostic", c.span, "The rule `%s` is set twice in the same place.", c.RuleName()).
				Try("Delete one of them.").See(first.span, "the first one"))
			break
		}
	}
}

func (p *parser) conflictingDirectives() {
	var controls []*DiagnosticControl
	for _, d := range p.file.Directives {
		if n, ok := d.(*DiagnosticDirective); ok {
			controls = append(controls, n.Control)
		}
	}
	p.conflicts(controls, true)
}
