package types

import (
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A builtinValue is a row of the table of built-in inputs and outputs (§ 13.3.1.1).
type builtinValue struct {
	stage  ShaderStage
	output bool
	typ    Type
	needs  Feature
}

var builtinValues = map[string][]builtinValue{
	"vertex_index":            {{VertexStage, false, U32, 0}},
	"instance_index":          {{VertexStage, false, U32, 0}},
	"clip_distances":          {{VertexStage, true, nil, FeatureClipDistances}},
	"position":                {{VertexStage, true, vec4f, 0}, {FragmentStage, false, vec4f, 0}},
	"front_facing":            {{FragmentStage, false, Bool, 0}},
	"frag_depth":              {{FragmentStage, true, F32, 0}},
	"primitive_index":         {{FragmentStage, false, U32, FeaturePrimitiveIndex}},
	"sample_index":            {{FragmentStage, false, U32, 0}},
	"sample_mask":             {{FragmentStage, false, U32, 0}, {FragmentStage, true, U32, 0}},
	"local_invocation_id":     {{ComputeStage, false, vec3u, 0}},
	"local_invocation_index":  {{ComputeStage, false, U32, 0}},
	"global_invocation_id":    {{ComputeStage, false, vec3u, 0}},
	"global_invocation_index": {{ComputeStage, false, U32, FeatureLinearIndexing}},
	"workgroup_id":            {{ComputeStage, false, vec3u, 0}},
	"workgroup_index":         {{ComputeStage, false, U32, FeatureLinearIndexing}},
	"num_workgroups":          {{ComputeStage, false, vec3u, 0}},
	"subgroup_invocation_id":  {{ComputeStage, false, U32, FeatureSubgroups}, {FragmentStage, false, U32, FeatureSubgroups}},
	"subgroup_size":           {{ComputeStage, false, U32, FeatureSubgroups}, {FragmentStage, false, U32, FeatureSubgroups}},
	"subgroup_id":             {{ComputeStage, false, U32, FeatureSubgroups | FeatureSubgroupID}},
	"num_subgroups":           {{ComputeStage, false, U32, FeatureSubgroups | FeatureSubgroupID}},
}

var vec4f, vec3u = VectorOf(4, F32), VectorOf(3, U32)

// ioAttributes reads @builtin, @location and so on, and checks what can be said without the entry point; nil where
// there are none.
func (c *checker) ioAttributes(attrs []*syntax.Attribute, t Type, member bool) *IO {
	var io IO
	found := false
	var builtin, location, blend, interpolate, invariant *syntax.Attribute
	for _, a := range attrs {
		switch a.Name.Name {
		case "builtin":
			builtin = a
		case "location":
			location = a
		case "blend_src":
			blend = a
		case "interpolate":
			interpolate = a
		case "invariant":
			invariant = a
		default:
			continue
		}
		found = true
	}
	if !found {
		return nil
	}
	if builtin != nil {
		c.builtinAttribute(&io, builtin, t)
	}
	if location != nil {
		c.locationAttribute(&io, location, t, builtin)
	}
	if blend != nil {
		c.blendAttribute(&io, blend, location, member)
	}
	if interpolate != nil {
		c.interpolateAttribute(&io, interpolate, location, t)
	}
	if invariant != nil {
		io.Invariant = true
		if io.Builtin != "position" {
			c.errorf("misplaced-attribute", invariant, "`@invariant` is for `@builtin(position)` only.").Try("Leave it away.")
		}
	}
	return &io
}

// word is the context-dependent name that an attribute's argument is, or "".
func word(a *syntax.Attribute, i int) string {
	if i >= len(a.Args) {
		return ""
	}
	x, ok := a.Args[i].(*syntax.IdentExpr)
	if !ok || x.Templ != nil {
		return ""
	}
	return x.Name.Name
}

func (c *checker) builtinAttribute(io *IO, a *syntax.Attribute, t Type) {
	if len(a.Args) == 0 {
		return
	}
	name := word(a, 0)
	rows, known := builtinValues[name]
	if !known {
		d := c.errorf("unknown-builtin", a.Args[0], "There is no builtin value %s.", c.quote(a.Args[0]))
		if advice, ok := syntax.Foreign(name); ok {
			d.Try("%s", advice.Hint)
		} else if meant := inputNames[name]; meant != "" {
			d.Try("Write `%s`.", meant).Replace(a.Args[0].Span(), meant, "write `"+meant+"`")
		} else {
			c.suggest(d, name, keysOf(builtinValues))
		}
		return
	}
	io.Builtin = name
	if needs := rows[0].needs; !c.has(needs) {
		c.needs(a, "`@builtin("+name+")`", c.missing(needs))
		return
	}
	if len(a.Args) == 2 {
		c.depthMode(io, a)
	}
	if want := rows[0].typ; t != nil && want != nil && !Identical(t, want) {
		c.errorf("builtin-type", a, "`@builtin(%s)` is %s, not %s.", name, want, t).Try("Write the type `%s`.", want)
	}
	if name == "clip_distances" && t != nil && !isClipDistances(t) {
		c.errorf("builtin-type", a, "`@builtin(clip_distances)` is an array of 1 to 8 f32, not %s.", t)
	}
}

// missing is one of the features that are needed and not there.
func (c *checker) missing(f Feature) Feature {
	for bit := Feature(1); bit <= f; bit <<= 1 {
		if f.Has(bit) && !c.has(bit) {
			return bit
		}
	}
	return f
}

func (c *checker) depthMode(io *IO, a *syntax.Attribute) {
	mode := word(a, 1)
	switch {
	case io.Builtin != "frag_depth" || mode != "less" && mode != "greater" && mode != "any":
		c.errorf("attribute-count", a, "`@builtin(%s)` takes no second word here.", io.Builtin)
	case !c.has(FeatureFragmentDepth):
		c.needs(a.Args[1], "A depth mode", FeatureFragmentDepth)
	default:
		io.DepthMode = mode
	}
}

func isClipDistances(t Type) bool {
	a, ok := t.(*Array)
	return ok && a.Elem == F32 && a.Count >= 1 && a.Count <= 8
}

// ioNumeric reports whether a type can be a user-defined input or output: a number or vector of numbers (§ 13.3.1.2).
func ioNumeric(t Type) bool {
	switch t := t.(type) {
	case *Scalar:
		return t.Numeric()
	case *Vector:
		return t.Elem.Numeric()
	}
	return false
}

func (c *checker) locationAttribute(io *IO, a *syntax.Attribute, t Type, builtin *syntax.Attribute) {
	io.Location = c.attributeUint(a)
	if builtin != nil {
		c.errorf("io-conflict", a, "This cannot be a builtin value and have a location as well.").
			See(builtin.Span(), "It is a builtin value here.").Try("Leave one away.")
	}
	if t != nil && !ioNumeric(t) {
		c.errorf("io-type", a, "A location holds a number or a vector of numbers, not %s.", t)
	}
}

func (c *checker) blendAttribute(io *IO, a, location *syntax.Attribute, member bool) {
	if !c.has(FeatureDualSourceBlending) {
		c.needs(a, "`@blend_src`", FeatureDualSourceBlending)
		return
	}
	n, ok := c.attributeInt(a, 0)
	if !ok {
		return
	}
	if n > 1 {
		c.errorf("attribute-range", a, "`@blend_src` is 0 or 1, not %d.", n)
		return
	}
	if !member || location == nil {
		c.errorf("misplaced-attribute", a, "`@blend_src` is for a member of a structure with a `@location`.")
		return
	}
	source := uint32(n)
	io.BlendSrc = &source
}

func (c *checker) interpolateAttribute(io *IO, a, location *syntax.Attribute, t Type) {
	if len(a.Args) == 0 {
		return
	}
	io.Interpolation, io.Sampling = word(a, 0), word(a, 1)
	var samplings []string
	switch io.Interpolation {
	case "flat":
		samplings = []string{"first", "either"}
	case "perspective", "linear":
		samplings = []string{"center", "centroid", "sample"}
	default:
		c.errorf("unknown-interpolation", a.Args[0], "There is no interpolation %s.", c.quote(a.Args[0])).Try("Write `flat`, `linear` or `perspective`.")
		return
	}
	switch {
	case len(a.Args) == 2 && !contains(samplings, io.Sampling):
		c.errorf("unknown-interpolation", a.Args[1], "%s does not go with `%s`.", capital(c.quote(a.Args[1])), io.Interpolation).
			Try("Write one of %s.", strings.Join(samplings, ", "))
	case location == nil:
		c.errorf("misplaced-attribute", a, "`@interpolate` goes with a `@location`.").Try("Leave it away.")
	case t != nil && ElemOf(t) != nil && ElemOf(t).Integer() && io.Interpolation != "flat":
		c.errorf("integer-interpolation", a, "Whole numbers cannot be interpolated.").Try("Write `@interpolate(flat)`.")
	}
}

// memberLocations: members of a structure must not share locations, unless both blend (§ 13.3.1.3).
func (c *checker) memberLocations(s *Struct) {
	seen := map[uint32]*Member{}
	var blended, located []*Member
	for _, m := range s.Members {
		if m.IO == nil || m.IO.Location == nil {
			continue
		}
		located = append(located, m)
		if m.IO.BlendSrc != nil {
			blended = append(blended, m)
		}
	}
	if len(blended) > 0 {
		c.dualSource(s, located)
		return
	}
	for _, m := range located {
		if earlier := seen[*m.IO.Location]; earlier != nil {
			c.errorf("duplicate-location", m.Decl, "`%s` and `%s` have the same location.", earlier.Name, m.Name).See(earlier.Decl.Span(), "The first is here.")
		}
		seen[*m.IO.Location] = m
	}
}

func (c *checker) dualSource(s *Struct, located []*Member) {
	ok := len(located) == 2
	var sources [2]bool
	for _, m := range located {
		ok = ok && m.IO.BlendSrc != nil && *m.IO.Location == 0
		if ok {
			sources[*m.IO.BlendSrc] = true
		}
	}
	if !ok || !sources[0] || !sources[1] {
		c.errorf("bad-blend", s.Decl.Name, "With `@blend_src` a structure has exactly two locations: `@location(0) @blend_src(0)` and `@location(0) @blend_src(1)`.")
		return
	}
	if !Identical(located[0].Type, located[1].Type) {
		c.errorf("bad-blend", s.Decl.Name, "The two members with `@blend_src` must be of the same type.")
	}
}

var stageAttributes = map[string]ShaderStage{"vertex": VertexStage, "fragment": FragmentStage, "compute": ComputeStage}

func (c *checker) stageOf(d *syntax.FuncDecl) ShaderStage {
	stage := NoShaderStage
	for _, a := range d.Attrs {
		s := stageAttributes[a.Name.Name]
		if s == NoShaderStage {
			continue
		}
		if stage != NoShaderStage && stage != s {
			c.errorf("two-stages", a, "A function is for one stage only, and this one is `@%s` already.", stage).Try("Leave one away.")
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
				c.errorf("misplaced-attribute", a, "`@%s` is for compute entry points.", a.Name.Name).Try("Write `@compute` before it, or leave it away.")
			}
		}
	}
	if stage == NoShaderStage {
		if len(f.Decl.ResultAttrs) > 0 {
			a := f.Decl.ResultAttrs[0]
			c.errorf("misplaced-attribute", a, "Only results of entry points take `@%s`.", a.Name.Name).Try("Leave it away.")
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
	var es []*Expr
	for _, x := range a.Args {
		v := c.operand(x)
		if v == nil {
			return
		}
		s, ok := v.ValueType().(*Scalar)
		if !ok || !s.Integer() {
			c.errorf("attribute-type", x, "A workgroup size is a whole number, and %s.", c.what(x, v))
			return
		}
		if v.Stage == RuntimeStage {
			c.errorf("not-constant", x, "A workgroup size must be known before the shader runs, and %s is not.", c.quote(x))
			return
		}
		xs, es = append(xs, x), append(es, v)
	}
	common := commonType(typesOf(es))
	if len(es) == 0 {
		return
	}
	if common == nil {
		c.errorf("attribute-type", a, "The workgroup's sizes must be of one type, and these are %s.", c.listTypes(es))
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
			c.errorf("attribute-range", xs[i], "A workgroup has at least one invocation in each direction, not %d.", v.Value.Int())
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
		c.errorf("attribute-type", x, "A subgroup size is a whole number, and %s.", c.what(x, e))
	case e.Stage == RuntimeStage:
		c.errorf("not-constant", x, "A subgroup size must be known before the shader runs, and %s is not.", c.quote(x))
	case c.concretize(x, e) && e.Stage == ConstStage && !powerOfTwo(e.Value.Int()):
		c.errorf("attribute-range", x, "A subgroup size is a power of 2, not %d.", e.Value.Int())
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
				Try("Leave `-> %s` away and write the result to a `var<storage, read_write>`.", e.Result)
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
	c.errorf("missing-position", e.Decl.Name, "A vertex entry point must return where the vertex is, and `%s` does not.", e.Object.Name).
		Try("Return `@builtin(position) vec4f`.")
}

// ioSite is a parameter or a result.
type ioSite struct {
	attrs  []*syntax.Attribute
	t      Type
	param  *Object
	output bool
	at     syntax.Node
	name   string
}

// ioVars adds a site's inputs or outputs: itself, or the members of its structure.
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
	report := func(code, format string, args ...any) *syntax.Diagnostic {
		return c.report(syntax.Errorf(code, v.Span, format, args...))
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
		d := report("missing-io", "%s is %s of the entry point `%s`, and nothing says where it comes from.", name, direction, e.Object.Name)
		if output {
			d.Message = name + " is an output of the entry point `" + e.Object.Name + "`, and nothing says where it goes."
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

// attributeErrors reports whether the input has attributes that were complained about already.
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

func (c *checker) userIO(e *EntryPoint, v IOVar, output bool, report func(string, string, ...any) *syntax.Diagnostic) {
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
	for _, row := range builtinValues[builtin] {
		if row.stage == stage && row.output == output {
			return true
		}
	}
	return false
}

func (c *checker) ioDuplicates(e *EntryPoint, list []IOVar, what string) {
	type location struct{ at, source uint32 }
	builtins, locations := map[string]IOVar{}, map[location]IOVar{}
	for _, v := range list {
		if v.Builtin != "" {
			if first, twice := builtins[v.Builtin]; twice {
				c.report(syntax.Errorf("duplicate-builtin", v.Span, "`@builtin(%s)` is twice among the %s of `%s`.", v.Builtin, what, e.Object.Name)).
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
			c.report(syntax.Errorf("duplicate-location", v.Span, "The location %d is twice among the %s of `%s`.", *v.Location, what, e.Object.Name)).
				See(first.Span, "The first is here.")
		}
		locations[at] = v
	}
}

// stageNeed notes that the function at work needs one of the stages (bits 1<<ShaderStage).
func (c *checker) stageNeed(at syntax.Node, what string, stages uint8) {
	if c.function != nil {
		c.function.needs = append(c.function.needs, stageNeed{at.Span(), what, stages})
	}
}

// stageNeed is something in a function that only some stages have.
type stageNeed struct {
	span   syntax.Span
	what   string
	stages uint8
}

// callGraph refuses recursion (§ 11.3).
func (c *checker) callGraph() {
	state := map[*Function]resolveState{}
	var visit func(f *Function, depth int)
	visit = func(f *Function, depth int) {
		state[f] = resolving
		for _, call := range f.Calls {
			switch state[call.Callee] {
			case resolving:
				c.errorf("recursion", call.Call.Callee, "`%s` calls itself, directly or through others, and WGSL has no recursion.", call.Callee.Object.Name).
					See(call.Callee.Object.Span(), "`%s` is declared here.", call.Callee.Object.Name).Try("Write a loop.")
				c.recursive = true
			case unresolved:
				if depth >= maxChain {
					c.errorf("too-deep", call.Call.Callee, "More than %d functions call each other in a row here.", maxChain)
					c.recursive = true
					return
				}
				visit(call.Callee, depth+1)
			}
		}
		state[f] = resolved
	}
	for _, f := range c.info.Functions {
		if state[f] == unresolved {
			visit(f, 0)
		}
	}
}

// entryPoints finds what each entry point needs, and checks it against its stage (§ 13.3.2, § 14.3).
func (c *checker) entryPoints() {
	for _, f := range c.info.Functions {
		for _, o := range f.Object.mentions {
			if o.Kind == VarObject || o.Kind == OverrideObject || o.Kind == ConstObject {
				f.Globals = append(f.Globals, o)
			}
		}
	}
	if c.recursive {
		return
	}
	for _, e := range c.info.EntryPoints {
		c.reach(e)
		if c.reachBudget < 0 {
			c.errorf("too-many", e.Decl.Name, "The entry points use so many functions and declarations that they cannot all be followed.")
			return
		}
		c.stageRules(e)
		c.bindingConflicts(e)
	}
}

// reach follows calls and names from the entry point: what it finds is statically accessed (§ 13.3).
func (c *checker) reach(e *EntryPoint) {
	in, used := map[*Function]bool{}, map[*Object]bool{}
	var name func(o *Object)
	name = func(o *Object) {
		for _, m := range o.mentions {
			if c.reachBudget--; c.reachBudget < 0 {
				return
			}
			if m.Kind != FunctionObject && !used[m] {
				used[m] = true
				name(m)
			}
		}
	}
	var visit func(f *Function)
	visit = func(f *Function) {
		in[f] = true
		name(f.Object)
		for _, call := range f.Calls {
			if c.reachBudget--; c.reachBudget < 0 {
				return
			}
			if !in[call.Callee] {
				visit(call.Callee)
			}
		}
		e.Functions = append(e.Functions, f) // after those that it calls
	}
	visit(e.Function)
	for _, o := range c.info.Globals {
		if !used[o] || o.Type == nil {
			continue
		}
		switch o.Space() {
		case SpaceWorkgroup:
			e.Workgroup = append(e.Workgroup, o)
		case SpacePrivate:
			e.Private = append(e.Private, o)
		case SpaceImmediate:
			if e.Immediate != nil {
				c.errorf("two-immediates", e.Decl.Name, "`%s` uses two immediate variables, `%s` and `%s`, and only one is allowed.", e.Object.Name, e.Immediate.Name, o.Name)
			}
			e.Immediate = o
		default:
			if o.Group != nil && o.Binding != nil {
				e.Resources = append(e.Resources, o)
			}
		}
	}
	for _, o := range c.info.Overrides {
		if used[o] {
			e.Overrides = append(e.Overrides, o)
		}
	}
	byBinding(e.Resources)
}

func (c *checker) stageRules(e *EntryPoint) {
	for _, f := range e.Functions {
		for _, need := range f.needs {
			if need.stages&(1<<e.Stage) == 0 {
				d := c.report(syntax.Errorf("wrong-stage", need.span, "%s cannot be used in a %s shader.", need.what, e.Stage))
				if f != e.Function {
					d.See(e.Object.Span(), "The entry point `%s` reaches it.", e.Object.Name)
				}
			}
		}
	}
	if e.Stage != ComputeStage && len(e.Workgroup) > 0 {
		o := e.Workgroup[0]
		c.errorf("wrong-stage", e.Decl.Name, "`%s` is in workgroup memory, which only compute shaders have, and `%s` is a %s shader.", o.Name, e.Object.Name, e.Stage).
			See(o.Span(), "`%s` is declared here.", o.Name)
	}
	if e.Stage != VertexStage {
		return
	}
	for _, o := range e.Resources {
		texture, storage := o.Store().(*Texture)
		writes := o.Space() == SpaceStorage && o.Access().Writes() || storage && texture.Kind == StorageTexture && texture.Access.Writes()
		if writes {
			c.errorf("wrong-stage", e.Decl.Name, "A vertex shader cannot write to memory that others see, and `%s` could be written to.", o.Name).
				See(o.Span(), "`%s` is declared here.", o.Name)
		}
	}
}

func (c *checker) bindingConflicts(e *EntryPoint) {
	for i := 1; i < len(e.Resources); i++ {
		a, b := e.Resources[i-1], e.Resources[i]
		if *a.Group == *b.Group && *a.Binding == *b.Binding {
			c.errorf("binding-conflict", b.Ident, "`%s` and `%s` are both `@group(%d) @binding(%d)`.", a.Name, b.Name, *b.Group, *b.Binding).
				See(a.Span(), "`%s` is declared here.", a.Name).Try("Give one of them another binding.")
		}
	}
}
