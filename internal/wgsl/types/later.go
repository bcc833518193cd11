package types

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A laterFeature is a language feature that exists, but not in this package yet.
type laterFeature struct {
	where   string // which implementations have it
	instead string
	types   []string
}

// laterFeatures are those of Tint in August 2026 that the specification doesn't have.
var laterFeatures = map[string]laterFeature{
	"texel_buffers": {
		where:   "Chrome has it behind a flag",
		instead: "Use a storage texture, or `unpack4x8unorm` and the like on an `array<u32>`.",
		types:   []string{"texel_buffer"},
	},
	"sized_binding_array": {
		where:   "Chrome has it behind a flag",
		instead: "Declare each resource by itself, with its own `@binding`.",
		types:   []string{"binding_array"},
	},
}

// laterDirective reports a feature that this package doesn't know yet, in `enable` or `requires`.
func (c *checker) laterDirective(name *syntax.Ident) bool {
	if strings.HasPrefix(name.Name, "chromium_") {
		c.errorf("unknown-feature", name, "`%s` is an experiment of Chromium, and this program doesn't know it.", name.Name)
		return true
	}
	feature := name.Name
	if feature == "texel_buffer" {
		feature = "texel_buffers" // the proposal writes the one, Tint the other
	}
	f, ok := laterFeatures[feature]
	if !ok {
		return false
	}
	c.errorf("unknown-feature", name, "`%s` is a language feature that this program doesn't know yet; %s.", name.Name, f.where).
		Try("%s", f.instead)
	c.asked = append(c.asked, feature)
	return true
}

// laterType reports an undeclared type of such a feature. Elsewhere, a name like `buffer` may be
// anything.
func (c *checker) laterType(x syntax.Expr) bool {
	ident, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	return ok && c.lookup(ident.Name.Name) == nil && c.laterName(ident)
}

// laterName reports the name unless `requires` already led to an error.
func (c *checker) laterName(x *syntax.IdentExpr) bool {
	for _, feature := range keysOf(laterFeatures) {
		f := laterFeatures[feature]
		if !slices.Contains(f.types, x.Name.Name) {
			continue
		}
		if !slices.Contains(c.asked, feature) {
			c.errorf("feature-missing", x.Name, "`%s` needs the language feature `%s`, which this program doesn't know yet; %s.",
				x.Name.Name, feature, f.where).Try("%s", f.instead)
		}
		return true
	}
	return false
}
