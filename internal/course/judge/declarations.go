package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// misdeclared diagnoses declarations that explain a wrong result by themselves, although they
// compile and the buffers fit.
func misdeclared(f *facts) *verdict.Diagnosis {
	for _, b := range f.Module.Bindings {
		wanted := f.Exercise.Bindings[b.Number]
		switch {
		case slices.Contains(f.Exercise.Outputs(), int(b.Number)) && !f.writable(b.Number):
			return readOnlyOutput(f, b)
		case wanted.Access == shader.Uniform && membersDiffer(wanted.Members(), b.Type.Members):
			return memberOrder(f, b, wanted)
		}
	}
	for _, b := range f.Module.Bindings {
		if wanted := f.Exercise.Bindings[b.Number]; f.exchanged(b, wanted) {
			return exchangedBuffers(f, b, wanted)
		}
	}
	return nil
}

// exchanged reports whether a variable has the name of another buffer of the host, whose own name
// is that of another variable: then messages that name one of them speak of the other's elements.
func (f *facts) exchanged(b wgsl.Binding, wanted course.Binding) bool {
	hosts := slices.ContainsFunc(f.Exercise.Bindings, func(other course.Binding) bool { return other.Name == b.Name })
	own := slices.ContainsFunc(f.Module.Bindings, func(other wgsl.Binding) bool { return other.Name == wanted.Name })
	return b.Name != wanted.Name && hosts && own
}

// misnames reports whether a variable's name is that of another buffer of the host.
func (f *facts) misnames(variable string) bool {
	return slices.ContainsFunc(f.Module.Bindings, func(b wgsl.Binding) bool {
		return b.Name == variable && int(b.Number) < len(f.Exercise.Bindings) && f.exchanged(b, f.Exercise.Bindings[b.Number])
	})
}

func exchangedBuffers(f *facts, b wgsl.Binding, wanted course.Binding) *verdict.Diagnosis {
	d := &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "buffers-exchanged", Mismatch: f.Mismatch,
		Message: fmt.Sprintf("At @binding(%d) the host binds `%s`, but there your shader declares `%s`.", b.Number, wanted.Name, b.Name),
		Why:     "The number in @binding connects a variable to one of the host's buffers. The name doesn't matter to the host.",
		Ask:     "In which order does the task list the buffers?",
	}
	f.point(d, &findings.Finding{Location: findings.Location{Region: nameOf(b)}})
	return d
}

// writable reports whether the shader may write to a binding. Its passes may declare one in several
// ways.
func (f *facts) writable(number uint32) bool {
	return slices.ContainsFunc(f.Module.Bindings, func(b wgsl.Binding) bool { return b.Number == number && b.Space == shader.ReadWrite })
}

// nameOf is where a shader names a binding.
func nameOf(b wgsl.Binding) findings.Region {
	return findings.Region{Line: b.Line, Column: b.Column, EndLine: b.Line, EndColumn: b.Column + len(b.Name)}
}

func readOnlyOutput(f *facts, b wgsl.Binding) *verdict.Diagnosis {
	d := &verdict.Diagnosis{
		Stage: verdict.StageBind, Slug: "read-only-output",
		Message: fmt.Sprintf("The host reads the result from @binding(%d), but there your shader declares `%s`, which is read-only.", b.Number, b.Name),
		Why:     "The number in @binding connects a variable to one of the host's buffers. The name doesn't matter to the host.",
		Ask:     "In which order does the task list the buffers?",
	}
	f.point(d, &findings.Finding{Location: findings.Location{Region: nameOf(b)}})
	return d
}

func memberOrder(f *facts, b wgsl.Binding, wanted course.Binding) *verdict.Diagnosis {
	var declared []string
	for _, m := range b.Type.Members {
		declared = append(declared, m.Name+": "+m.Type.Text)
	}
	var given []string
	for _, m := range wanted.Members() {
		given = append(given, m.Name+": "+m.Type)
	}
	d := &verdict.Diagnosis{
		Stage: verdict.StageBind, Slug: "member-order",
		Message: fmt.Sprintf("The host writes `%s` to @binding(%d), in this order, but your struct has `%s`.", strings.Join(given, ", "), b.Number, strings.Join(declared, ", ")),
		Why:     "A uniform arrives as plain bytes. A member's position in the struct decides which bytes it gets, not its name.",
		Ask:     "Which value does the host write first?",
	}
	at, i := f.misplacedMember(b, wanted.Members())
	f.point(d, &findings.Finding{Location: findings.Location{Region: cmp.Or(at, nameOf(b))}})
	switch due := wanted.Members()[i]; {
	case at.Line == 0:
	case due.Name == b.Type.Members[i].Name:
		d.Why = "A uniform arrives as plain bytes. Your shader reads them as the types that your struct names."
		d.Ask = fmt.Sprintf("Which type does the host write for `%s`?", due.Name)
	case i == 1:
		d.Ask = "Which value does the host write after the first one?"
	case i > 1:
		d.Ask = fmt.Sprintf("Which value does the host write after the first %d?", i)
	}
	return d
}

// misplacedMember returns where the struct of a binding first has another member than the host
// writes, and how many members are before it.
func (f *facts) misplacedMember(b wgsl.Binding, wanted []course.UniformMember) (findings.Region, int) {
	for s := range syntax.All[*syntax.StructDecl](f.Shader.File) {
		if s.Name.Name != b.Type.Text {
			continue
		}
		for i, m := range s.Members[:min(len(s.Members), len(wanted))] {
			isFloat := b.Type.Members[i].Type.Element == "f32"
			if m.Name.Name != wanted[i].Name || isFloat != (wanted[i].Type == "f32") {
				return f.Shader.Source.Region(m.Span()), i
			}
		}
	}
	return findings.Region{}, 0
}

// membersDiffer reports whether one struct has a float where the other has an integer, or both
// have the same names in a different order.
func membersDiffer(wanted []course.UniformMember, declared []wgsl.Member) bool {
	renamed := false
	for i, d := range declared[:min(len(declared), len(wanted))] {
		if (wanted[i].Type == "f32") != (d.Type.Element == "f32") {
			return true
		}
		elsewhere := slices.ContainsFunc(wanted, func(w course.UniformMember) bool { return w.Name == d.Name })
		renamed = renamed || elsewhere && wanted[i].Name != d.Name
	}
	return renamed
}
