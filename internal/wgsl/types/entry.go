package types

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

var stageAttributes = map[string]ShaderStage{"vertex": VertexStage, "fragment": FragmentStage, "compute": ComputeStage}

func (c *checker) stageOf(d *syntax.FuncDecl) ShaderStage {
	stage := NoShaderStage
	for _, a := range d.Attrs {
		s := stageAttributes[a.Name.Name]
		if s == NoShaderStage {
			continue
		}
		if stage != NoShaderStage && stage != s {
			c.errorf("two-stages", a, "A function can have only one stage, and this one already has `@%s`.", stage).Try("Delete one of them.")
		}
		stage = s
	}
	return stage
}

// entryHeader checks an entry point's attributes, inputs and outputs (§ 13.2, § 13.3.1).
func (c *checker) entryHeader(f *Function, stage ShaderStage) {
	c.attributes(f.Decl.ResultAttrs, "a result", "builtin", "location", "interpolate", "invariant", "blend_src")
	size, subgroup := syntax.FindAttribute(f.Decl.Attrs, "workgroup_size"), syntax.FindAttribute(f.Decl.Attrs, "subgroup_size")
	if stage != ComputeStage {
		for _, a := range []*syntax.Attribute{size, subgroup} {
			if a != nil {
				c.errorf("misplaced-attribute", a, "`@%s` is only for compute entry points.", a.Name.Name).Try("Write `@compute` before it, or delete it.")
			}
		}
	}
	if stage == NoShaderStage {
		if len(f.Decl.ResultAttrs) > 0 {
			a := f.Decl.ResultAttrs[0]
			c.errorf("misplaced-attribute", a, "Only results of entry points take `@%s`.", a.Name.Name).Try("Delete it.")
		}
		return
	}
	e := &EntryPoint{Function: f, Stage: stage}
	f.Entry = e
	c.info.EntryPoints = append(c.info.EntryPoints, e)
	if stage == ComputeStage {
		c.workgroupSize(e, size)
		if subgroup != nil {
			c.subgroupSize(subgroup)
		}
	}
	c.stageInputs(e)
	c.stageOutputs(e)
}

func (c *checker) workgroupSize(e *EntryPoint, a *syntax.Attribute) {
	for i := range e.WorkgroupSize {
		e.WorkgroupSize[i].Value = 1
	}
	if a == nil {
		d := c.errorf("missing-workgroup-size", e.Decl.Name, "A compute entry point needs a workgroup size: how many invocations work together.").
			Try("Write `@workgroup_size(64)` after `@compute`.")
		if compute := syntax.FindAttribute(e.Decl.Attrs, "compute"); compute != nil {
			d.Replace(compute.Span().At(), " @workgroup_size(64)", "write `@workgroup_size(64)`")
		}
		return
	}
	var xs []syntax.Expr
	var es []*CheckedExpr
	for _, x := range a.Args {
		v := c.operand(x)
		if v == nil {
			return
		}
		s, ok := v.ValueType().(*Scalar)
		if !ok || !s.Integer() {
			c.errorf("attribute-type", x, "A workgroup size must be a whole number, but %s.", c.what(x, v))
			return
		}
		if v.Stage == RuntimeStage {
			c.errorf("not-constant", x, "A workgroup size must be known before the shader runs, but %s is not.", c.quote(x))
			return
		}
		xs, es = append(xs, x), append(es, v)
	}
	if len(es) == 0 {
		return
	}
	common := commonType(typesOf(es))
	if common == nil {
		c.errorf("attribute-type", a, "The workgroup's sizes must have the same type, but these are %s.", c.listTypes(es))
		return
	}
	for i, v := range es {
		if i >= len(e.WorkgroupSize) || !c.convertTo(xs[i], v, Concrete(common)) {
			return
		}
		d := &e.WorkgroupSize[i]
		d.Expr = xs[i]
		if v.Stage == OverrideStage {
			d.Value = 0
			continue
		}
		if v.Value.Int() < 1 {
			c.errorf("workgroup-size", xs[i], "A workgroup needs at least one invocation in each direction, not %d.", v.Value.Int())
			continue
		}
		d.Value = uint32(v.Value.Int())
	}
}

func (c *checker) subgroupSize(a *syntax.Attribute) {
	if !c.has(FeatureSubgroupSizeControl) {
		c.needs(a, "`@subgroup_size`", FeatureSubgroupSizeControl)
		return
	}
	if len(a.Args) != 1 {
		return
	}
	x := a.Args[0]
	e := c.operand(x)
	if e == nil {
		return
	}
	s, ok := e.ValueType().(*Scalar)
	switch {
	case !ok || !s.Integer():
		c.errorf("attribute-type", x, "A subgroup size must be a whole number, but %s.", c.what(x, e))
	case e.Stage == RuntimeStage:
		c.errorf("not-constant", x, "A subgroup size must be known before the shader runs, but %s is not.", c.quote(x))
	case c.concretize(x, e) && e.Stage == ConstStage && !powerOfTwo(e.Value.Int()):
		c.errorf("attribute-range", x, "A subgroup size must be a power of 2, not %d.", e.Value.Int())
	}
}

func powerOfTwo(n int64) bool { return n > 0 && n&(n-1) == 0 }

func (c *checker) stageInputs(e *EntryPoint) {
	for i, d := range e.Decl.Params {
		p := e.Params[i]
		if p.Type == nil {
			continue
		}
		c.ioVars(e, &e.Inputs, ioSite{attrs: d.Attrs, t: p.Type, param: p, at: d, name: "`" + p.Name + "`"})
	}
	c.ioDuplicates(e, e.Inputs, "inputs")
}

func (c *checker) stageOutputs(e *EntryPoint) {
	if e.Decl.Result != nil && e.Result != nil {
		if e.Stage == ComputeStage {
			c.errorf("compute-result", e.Decl.Result, "A compute entry point returns nothing: it writes to buffers.").
				Try("Delete `-> %s` and write the result to a `var<storage, read_write>`.", e.Result)
			return
		}
		c.ioVars(e, &e.Outputs, ioSite{attrs: e.Decl.ResultAttrs, t: e.Result, output: true, at: e.Decl.Result, name: "The result"})
		c.ioDuplicates(e, e.Outputs, "outputs")
	}
	if e.Stage != VertexStage {
		return
	}
	for _, out := range e.Outputs {
		if out.Builtin == "position" {
			return
		}
	}
	c.errorf("missing-position", e.Decl.Name, "A vertex entry point must return the position of the vertex, but `%s` does not.", e.Object.Name).
		Try("Return `@builtin(position) vec4f`.")
}

// ioSite is a parameter or a result of an entry point.
type ioSite struct {
	attrs  []*syntax.Attribute
	t      Type
	param  *Object
	output bool
	at     syntax.Node
	name   string
}

// ioVars adds the inputs or outputs of a site: itself, or the members of its structure.
func (c *checker) ioVars(e *EntryPoint, list *[]IOVar, site ioSite) {
	io := c.ioAttributes(site.attrs, site.t, false)
	s, structure := site.t.(*Struct)
	if !structure {
		v := IOVar{Type: site.t, Param: site.param, Span: site.at.Span()}
		if io != nil {
			v.IO = *io
		}
		c.ioVar(e, list, v, site.output, site.name)
		return
	}
	if io != nil {
		c.errorf("misplaced-attribute", site.attrs[0], "%s is a structure: its members take the attributes.", site.name)
		return
	}
	for _, m := range s.Members {
		v := IOVar{Type: m.Type, Param: site.param, Member: m, Span: site.at.Span()}
		if m.Decl != nil {
			v.Span = m.Decl.Span()
		}
		if m.IO != nil {
			v.IO = *m.IO
		}
		c.ioVar(e, list, v, site.output, "`"+s.Name+"."+m.Name+"`")
	}
}

// ioVar checks one input or output against its stage.
func (c *checker) ioVar(e *EntryPoint, list *[]IOVar, v IOVar, output bool, name string) {
	direction := "an input"
	if output {
		direction = "an output"
	}
	report := func(kind findings.Kind, format string, args ...any) *findings.Finding {
		return c.report(findings.Errorf(kind, v.Span, format, args...))
	}
	switch {
	case v.Builtin != "":
		if !fitsStage(v.Builtin, e.Stage, output) {
			report("builtin-stage", "`@builtin(%s)` is not %s of a %s entry point.", v.Builtin, direction, e.Stage)
			return
		}
	case v.Location == nil:
		if attributeErrors(v) {
			return
		}
		d := report("missing-io", "%s is %s of the entry point `%s`, but nothing says where it comes from.", name, direction, e.Object.Name)
		if output {
			d.Message = name + " is an output of the entry point `" + e.Object.Name + "`, but nothing says where it goes."
		}
		if e.Stage == ComputeStage {
			d.Try("Write `@builtin(global_invocation_id)` before it, or another builtin value; data comes from buffers.")
			if Identical(v.Type, vec3u) && v.Member == nil {
				d.Replace(syntax.Span{Start: v.Span.Start, End: v.Span.Start}, "@builtin(global_invocation_id) ", "write `@builtin(global_invocation_id)`")
			}
		} else {
			d.Try("Write `@location(0)` or `@builtin(…)` before it.")
		}
		return
	case e.Stage == ComputeStage:
		report("compute-location", "A compute shader has no locations.").Try("Read data from a buffer.")
		return
	default:
		c.userIO(e, v, output, report)
	}
	*list = append(*list, v)
}

// attributeErrors reports whether the input has attributes with errors that were already reported.
func attributeErrors(v IOVar) bool {
	var attrs []*syntax.Attribute
	switch {
	case v.Member != nil && v.Member.Decl != nil:
		attrs = v.Member.Decl.Attrs
	case v.Param != nil:
		attrs = v.Param.Decl.(*syntax.Param).Attrs
	}
	return syntax.FindAttribute(attrs, "builtin") != nil || syntax.FindAttribute(attrs, "location") != nil
}

func (c *checker) userIO(e *EntryPoint, v IOVar, output bool, report func(findings.Kind, string, ...any) *findings.Finding) {
	s := ElemOf(v.Type)
	between := e.Stage == VertexStage && output || e.Stage == FragmentStage && !output
	if between && s != nil && s.Integer() && v.Interpolation != "flat" {
		report("integer-interpolation", "Whole numbers cannot be interpolated between vertices.").Try("Write `@interpolate(flat)` before it.")
	}
	if v.BlendSrc != nil && (e.Stage != FragmentStage || !output) {
		report("bad-blend", "`@blend_src` is for outputs of fragment entry points only.")
	}
}

func fitsStage(builtin string, stage ShaderStage, output bool) bool {
	return slices.ContainsFunc(builtinValues[builtin], func(row builtinValue) bool { return row.stage == stage && row.output == output })
}

func (c *checker) ioDuplicates(e *EntryPoint, list []IOVar, what string) {
	type location struct{ at, source uint32 }
	builtins, locations := map[string]IOVar{}, map[location]IOVar{}
	for _, v := range list {
		if v.Builtin != "" {
			if first, twice := builtins[v.Builtin]; twice {
				c.report(findings.Errorf("duplicate-builtin", v.Span, "`@builtin(%s)` appears twice in the %s of `%s`.", v.Builtin, what, e.Object.Name)).
					See(first.Span, "The first is here.")
			}
			builtins[v.Builtin] = v
			continue
		}
		at := location{at: *v.Location}
		if v.BlendSrc != nil {
			at.source = *v.BlendSrc
		}
		if first, twice := locations[at]; twice && (v.Member == nil || first.Member == nil || v.Param != first.Param) {
			c.report(findings.Errorf("duplicate-location", v.Span, "The location %d appears twice in the %s of `%s`.", *v.Location, what, e.Object.Name)).
				See(first.Span, "The first is here.")
		}
		locations[at] = v
	}
}
