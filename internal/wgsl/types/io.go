package types

import (
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
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

// A BuiltinValue is one use of a built-in input or output (§ 13.3.1.1). position has two, each in
// its own stage.
type BuiltinValue struct {
	Name   string
	Stage  ShaderStage
	Output bool
	Type   Type // nil if the shader can choose: clip_distances
	Needs  Feature
}

// BuiltinValues returns all built-in inputs and outputs, by name.
func BuiltinValues() []BuiltinValue {
	var all []BuiltinValue
	for _, name := range keysOf(builtinValues) {
		for _, row := range builtinValues[name] {
			all = append(all, BuiltinValue{name, row.stage, row.output, row.typ, row.needs})
		}
	}
	return all
}

// samplings maps each interpolation type to its allowed samplings (§ 13.3.1.4).
var samplings = map[string][]string{
	"flat": {"first", "either"}, "linear": {"center", "centroid", "sample"}, "perspective": {"center", "centroid", "sample"},
}

// Interpolations returns the possible first arguments of @interpolate.
func Interpolations() []string { return keysOf(samplings) }

// Samplings returns the possible second arguments of @interpolate after the given first one.
func Samplings(interpolation string) []string { return samplings[interpolation] }

// DepthModes returns the possible second arguments of @builtin after frag_depth (§ 3.8.9).
func DepthModes() []string { return []string{"any", "greater", "less"} }

var vec4f, vec3u = VectorOf(4, F32), VectorOf(3, U32)

// ioAttributes reads @builtin, @location and so on, and makes the checks that do not need the entry
// point. It returns nil if there are none.
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
			c.errorf("misplaced-attribute", invariant, "`@invariant` is for `@builtin(position)` only.").Try("Delete it.")
		}
	}
	return &io
}

// word returns the context-dependent name in an attribute's argument, or "".
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

// missing returns one of the required features that are not available.
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
	case io.Builtin != "frag_depth" || !contains(DepthModes(), mode):
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

// ioNumeric reports whether a type can be a user-defined input or output: a number or a vector of
// numbers (§ 13.3.1.2).
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
			See(builtin.Span(), "It is a builtin value here.").Try("Delete one of them.")
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
	fitting, known := samplings[io.Interpolation]
	if !known {
		c.errorf("unknown-interpolation", a.Args[0], "There is no interpolation %s.", c.quote(a.Args[0])).Try("Write `flat`, `linear` or `perspective`.")
		return
	}
	switch {
	case len(a.Args) == 2 && !contains(fitting, io.Sampling):
		c.errorf("unknown-interpolation", a.Args[1], "%s does not go with `%s`.", english.Capital(c.quote(a.Args[1])), io.Interpolation).
			Try("Write one of %s.", strings.Join(fitting, ", "))
	case location == nil:
		c.errorf("misplaced-attribute", a, "`@interpolate` goes with a `@location`.").Try("Delete it.")
	case t != nil && ElemOf(t) != nil && ElemOf(t).Integer() && io.Interpolation != "flat":
		c.errorf("integer-interpolation", a, "Whole numbers cannot be interpolated.").Try("Write `@interpolate(flat)`.")
	}
}

// memberLocations checks that members of a structure do not share locations, unless both blend
// (§ 13.3.1.3).
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
