package judge

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// inOtherSubgroups checks a right shader with subgroups in other divisions in the simulator: with
// each size that WebGPU allows, and with neighbours in different subgroups. It diagnoses the first
// in which the shader is wrong.
func (r *run) inOtherSubgroups(ctx context.Context) (*verdict.Diagnosis, error) {
	if !r.usesSubgroups() {
		return nil, nil
	}
	for _, d := range simulator.OtherDivisions {
		engine := simulator.New(simulator.Options{Subgroups: d})
		again := &run{values: engine, watcher: engine, seed: r.seed, cases: r.cases, divided: true, facts: facts{Facts: evidence.About(r.Exercise, r.Source)}}
		found, err := again.diagnose(ctx)
		again.free()
		if err != nil {
			return nil, err
		}
		if !again.clean {
			r.Outcomes, r.Wrong, r.Mismatch = again.Outcomes, again.Wrong, again.Mismatch
			return r.dividedDiagnosis(d, again, found), nil
		}
	}
	return nil, nil
}

// usesSubgroups reports whether the shader may call functions of subgroups.
func (r *run) usesSubgroups() bool {
	info := r.Source.Shader().Info
	return info != nil && info.Enabled.Has(types.FeatureSubgroups)
}

// sizes says with which subgroups a shader is right; "" if it uses none.
func (r *run) sizes() string {
	if !r.usesSubgroups() {
		return ""
	}
	return ", with subgroups of 4 to 128 invocations"
}

// dividedDiagnosis says that a shader is wrong in a division only.
func (r *run) dividedDiagnosis(in ir.SubgroupDivision, again *run, found *verdict.Diagnosis) *verdict.Diagnosis {
	d := &verdict.Diagnosis{
		Stage: found.Stage, Slug: verdict.OtherSubgroups, Mismatch: found.Mismatch,
		Message: fmt.Sprintf("Your shader is right with subgroups of %d invocations, and wrong with subgroups of %d.", ir.UsualSubgroup, in.Size),
		Why:     "The device decides how large its subgroups are: WebGPU allows 4 to 128 invocations. The builtin `subgroup_size` tells the size while the shader runs.",
		Ask:     fmt.Sprintf("Which line would be wrong on a GPU whose subgroups have %d invocations?", in.Size),
		Try:     fmt.Sprintf("Write `// subgroups: %d` into your shader to see what it does there.", in.Size),
	}
	d.Division = fmt.Sprintf("subgroups of %d", in.Size)
	if n := r.Size[0] * r.Size[1] * r.Size[2]; in.Size > n {
		d.Why = fmt.Sprintf("The device decides how large its subgroups are: WebGPU allows 4 to 128 invocations. A subgroup of %d is not full in a workgroup of %d: a shuffle may read an invocation that isn't there.", in.Size, n)
	}
	if in.Scattered {
		d.Division += ", scattered"
		d.Message = "Your shader is right where neighbours are in one subgroup, and wrong where they are not."
		d.Why = "Nothing in WGSL ties a subgroup to neighbours in the workgroup. The builtins `subgroup_invocation_id` and `subgroup_id` tell where an invocation is."
		d.Ask = "Which line takes an invocation's place in its subgroup from another index?"
		d.Try = fmt.Sprintf("Write `// subgroups: %d scattered` into your shader to see what it does there.", in.Size)
	}
	if in.Scattered {
		return d
	}
	if place := r.assumption(); place != nil {
		d.Region = r.Shader.Source.Region(place.Span())
		line, _ := r.Source.Line(d.Line)
		d.Excerpt = d.Region.Excerpt(line)
	}
	if at, finding := again.FirstOf(findings.OutOfBoundsWrite, findings.OutOfBoundsRead); at != nil {
		d.Besides = fmt.Sprintf("With subgroups of %d: %s", in.Size, english.Sentence(finding.Message))
		if d.Line == 0 {
			again.point(d, finding)
		}
	}
	return d
}

// assumption returns the number in a shader that speaks of the usual size: the size itself, the
// last lane, the first of the steps that halve it, or how many these are; nil if there is none. In
// a workgroup of the usual size, the size may be the workgroup's.
func (r *run) assumption() syntax.Expr {
	numbers := []int64{ir.UsualSubgroup, ir.UsualSubgroup - 1, ir.UsualSubgroup / 2, 5}
	if r.Size[0]*r.Size[1]*r.Size[2] == ir.UsualSubgroup {
		numbers = numbers[1:]
	}
	for _, number := range numbers {
		for x := range syntax.All[*syntax.Literal](r.Shader.File) {
			if v := r.Shader.Info.ValueOf(x); isWhole(v.Type) && v.Int() == number {
				return x
			}
		}
	}
	return nil
}

func isWhole(t types.Type) bool { return t == types.I32 || t == types.U32 || t == types.AbstractInt }
