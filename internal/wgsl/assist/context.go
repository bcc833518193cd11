package assist

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The methods below handle positions with their own words: attributes and their arguments, template
// arguments, names of features.

// attributes adds the attributes that can follow an @: those for this place that are not there yet.
func (c *completer) attributes() {
	present := c.attributesBefore()
	for _, name := range syntax.Attributes(c.attributePlaces(present)) {
		if !slices.Contains(present, name) || name == "diagnostic" {
			c.word(Attribute, name, syntax.AttributeExample(name))
		}
	}
}

// attributesBefore returns the attributes before the cursor that belong to the same thing.
func (c *completer) attributesBefore() []string {
	var names []string
	s := c.tokens
	if len(c.open) > 0 {
		s = s[c.open[len(c.open)-1].index+1:]
	}
	depth := 0
	for i := len(s) - 2; i >= 0; i-- {
		switch t := s[i]; {
		case t == ")":
			depth++
		case t == "(":
			depth--
		case depth > 0:
		case textAt(s, i-1) == "@":
			names = append(names, t)
		case t != "@":
			return names
		}
	}
	return names
}

// attributePlaces returns the places that the attributes at the cursor may belong to, as far as
// known.
func (c *completer) attributePlaces(present []string) syntax.Placement {
	switch {
	case c.inStruct():
		return syntax.OnMember
	case c.inFunction():
		return syntax.OnStatement
	case c.inParameters():
		return syntax.OnParam
	case slices.Contains(c.statement(), "->"):
		return syntax.OnResult
	}
	var at syntax.Placement
	for _, place := range []syntax.Placement{syntax.OnFunction, syntax.OnVar, syntax.OnOverride} {
		here := syntax.Attributes(place)
		if !slices.ContainsFunc(present, func(name string) bool { return !slices.Contains(here, name) }) {
			at |= place
		}
	}
	return at
}

// attributeArgument adds everything that can be written in the parentheses of an attribute, or of
// the directive diagnostic.
func (c *completer) attributeArgument() {
	arguments := c.tokens[c.open[len(c.open)-1].index+1:]
	switch name, n := c.attribute(), c.argument(); {
	case c.afterOperand():
	case name == "builtin" && n == 0:
		c.builtinValues()
	case name == "builtin" && arguments[0] == "frag_depth" && c.available(types.FeatureFragmentDepth):
		c.words(DepthMode, types.DepthModes())
	case name == "interpolate" && n == 0:
		c.words(Interpolation, types.Interpolations())
	case name == "interpolate":
		c.words(Sampling, types.Samplings(arguments[0]))
	case name == "diagnostic" && n == 0:
		c.words(Severity, severities)
	case name == "diagnostic":
		c.words(DiagnosticRule, types.DiagnosticRules())
	case name != "builtin":
		c.values(func(o *types.Object) bool { return o.Kind == types.ConstObject || o.Kind == types.OverrideObject })
	}
}

var severities = []string{findings.Error.String(), findings.Warning.String(), findings.Info.String(), findings.Off.String()}

func (c *completer) words(kind NameKind, names []string) {
	for _, name := range names {
		c.word(kind, name, "")
	}
}

// builtinValues adds the inputs and outputs that are available here, those of compute shaders
// first.
func (c *completer) builtinValues() {
	s := c.statement()
	values := slices.DeleteFunc(types.BuiltinValues(), func(v types.BuiltinValue) bool {
		switch {
		case !c.available(v.Needs), c.asked(v.Name):
			return true
		case c.inStruct():
			return false
		case v.Output != slices.Contains(s, "->"):
			return true
		}
		stage := slices.ContainsFunc(s, func(t string) bool { return t == "compute" || t == "vertex" || t == "fragment" })
		return stage && !slices.Contains(s, v.Stage.String())
	})
	slices.SortStableFunc(values, func(a, b types.BuiltinValue) int { return order(a) - order(b) })
	for _, v := range values {
		detail := "array<f32, N>" // clip_distances
		if v.Type != nil {
			detail = v.Type.String()
		}
		c.word(BuiltinValue, v.Name, detail)
	}
}

// order puts compute shaders first, starting with the input that nearly every shader uses.
func order(v types.BuiltinValue) int {
	switch {
	case v.Name == "global_invocation_id":
		return 0
	case v.Stage == types.ComputeStage && !strings.Contains(v.Name, "subgroup"):
		return 1
	}
	return 2
}

// asked reports whether the function being declared already uses a built-in value.
func (c *completer) asked(name string) bool {
	s := c.statement()
	for i, t := range s {
		if t == name && textAt(s, i-1) == "(" && textAt(s, i-2) == "builtin" {
			return !c.inStruct()
		}
	}
	return false
}

// templateArgument adds everything that can be written in angle brackets.
func (c *completer) templateArgument() {
	generator, n := c.owner(0), c.argument()
	storage := strings.HasPrefix(generator, "texture_storage_")
	switch {
	case c.afterOperand():
	case generator == "var" && n == 0, generator == "ptr" && n == 0:
		c.spaces(generator)
	case generator == "var" && n == 1, generator == "ptr" && n == 2:
		if slices.Contains(c.tokens[c.open[len(c.open)-1].index:], types.SpaceStorage.String()) {
			c.words(AccessMode, []string{types.Read.String(), types.ReadWrite.String()})
		}
	case storage && n == 0:
		c.texelFormats()
	case storage && n == 1:
		c.words(AccessMode, []string{types.Write.String(), types.Read.String(), types.ReadWrite.String()})
	case generator == "array" && n == 1:
		c.values(func(o *types.Object) bool { return o.Kind == types.ConstObject || o.Kind == types.OverrideObject })
	case n == 0, generator == "ptr":
		c.typeNames()
	}
}

// spaces adds the address spaces that a variable or pointer can have here.
func (c *completer) spaces(generator string) {
	names := []string{"storage", "uniform", "workgroup", "private", "immediate"}
	switch {
	case generator == "ptr":
		names = append([]string{"function"}, names...)
	case c.inFunction():
		names = []string{"function"}
	}
	c.words(AddressSpace, names)
}

func (c *completer) texelFormats() {
	for _, o := range types.Predeclared() {
		if f := types.TexelFormatNamed(o.Name); f != nil && c.available(f.Needs) {
			c.word(TexelFormat, f.Name, f.Channel.String())
		}
	}
}

// features adds the names that enable or requires accepts.
func (c *completer) features(keyword string) {
	switch {
	case c.afterOperand() && c.before(1) != ",":
	case keyword == "enable":
		c.words(Extension, types.Extensions())
	default:
		c.words(LanguageFeature, types.LanguageFeatures())
	}
}
