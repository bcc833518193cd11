package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/wgsl"
)

// misdeclared: the declarations alone explain a wrong result, although they
// compile and the buffers fit.
func (r *run) misdeclared() bool {
	for _, b := range r.module.Bindings {
		wanted := r.exercise.Bindings[b.Number]
		switch {
		case int(b.Number) == r.exercise.Output && b.Space != wgsl.ReadWrite:
			r.failReadOnlyOutput(b)
			return true
		case wanted.Access == lesson.Uniform && membersDiffer(members(wanted), b.Type.Members):
			r.failMembers(b, wanted)
			return true
		}
	}
	return false
}

func (r *run) failReadOnlyOutput(b wgsl.Binding) {
	r.fail(StageBind, "read-only-output", fmt.Sprintf("The host looks for the result at @binding(%d), but your shader declares `%s` there, for reading only.", b.Number, b.Name))
	r.verdict.Line, r.verdict.Column = b.Line, b.Column
	r.verdict.Mismatch = nil
	r.verdict.Why = "The number in @binding is what ties a variable to one of the host's buffers; its name is the shader's own affair."
	r.verdict.Ask = "In which order does the task list the buffers?"
}

func (r *run) failMembers(b wgsl.Binding, wanted lesson.Binding) {
	var declared []string
	for _, m := range b.Type.Members {
		declared = append(declared, m.Name+": "+m.Type.Text)
	}
	var given []string
	for _, m := range members(wanted) {
		given = append(given, m.name+": "+m.typ)
	}
	r.fail(StageBind, "member-order", fmt.Sprintf("The host puts `%s` into @binding(%d), in this order; your struct has `%s`.", strings.Join(given, ", "), b.Number, strings.Join(declared, ", ")))
	r.verdict.Line, r.verdict.Column = b.Line, b.Column
	r.verdict.Mismatch = nil
	r.verdict.Why = "A uniform arrives as plain bytes. Where a member stands in the struct decides which bytes it gets; its name does not."
	r.verdict.Ask = "Which value does the host write first?"
}

type member struct{ name, typ string }

// members reads a uniform's type: "Params{alpha: f32, n: u32}".
func members(b lesson.Binding) []member {
	_, body, _ := strings.Cut(strings.TrimSuffix(b.Type, "}"), "{")
	var found []member
	for _, declaration := range strings.Split(body, ",") {
		name, typ, _ := strings.Cut(declaration, ":")
		found = append(found, member{strings.TrimSpace(name), strings.TrimSpace(typ)})
	}
	return found
}

// membersDiffer: at some place the one has a number with a point and the other a
// whole one, or both have the same names in another order.
func membersDiffer(wanted []member, declared []wgsl.Member) bool {
	renamed := false
	for i, d := range declared[:min(len(declared), len(wanted))] {
		if (wanted[i].typ == "f32") != (d.Type.Element == "f32") {
			return true
		}
		elsewhere := slices.ContainsFunc(wanted, func(w member) bool { return w.name == d.Name })
		renamed = renamed || elsewhere && wanted[i].name != d.Name
	}
	return renamed
}
