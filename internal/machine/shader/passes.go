package shader

import (
	"context"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// CompileAll compiles several passes: each source is a shader at the entry point of its pass. A run
// of the program runs them in order on the same buffers. With one pass it is the same as Compile.
func CompileAll(ctx context.Context, on Backend, sources []*Source) (Program, error) {
	if len(sources) == 1 {
		return on.Compile(ctx, sources[0])
	}
	all := passes{sources: sources}
	for _, source := range sources {
		program, err := on.Compile(ctx, source)
		if err != nil {
			all.Free()
			return nil, err
		}
		all.programs = append(all.programs, program)
	}
	return all, nil
}

// passes are the compiled passes of a run.
type passes struct {
	sources  []*Source
	programs []Program
}

func (p passes) Free() {
	for _, program := range p.programs {
		program.Free()
	}
}

// Run runs the passes, each on what the one before has left. It stops after a pass that did not
// end. What is observed is that of all passes; only the last one has Margins and Doubtful elements.
func (p passes) Run(ctx context.Context, d Dispatch) (Result, error) {
	var all Result
	d.Buffers = slices.Clone(d.Buffers)
	workgroups, wanted := append([][3]uint32{d.Workgroups}, d.Later...), len(d.Also)
	d.Also, d.Later = append(slices.Clone(d.Also), p.passedOn(d)...), nil
	for i, program := range p.programs {
		d.Workgroups = workgroups[i]
		result, err := program.Run(ctx, d)
		if err != nil {
			return Result{}, err
		}
		all.follow(result)
		for k, l := range result.All() {
			d.Buffers[append([]int{d.Output}, d.Also...)[k]] = l.Output
		}
		if slices.ContainsFunc(result.Findings, func(f findings.Finding) bool { return f.Kind == findings.StepLimit }) {
			break
		}
	}
	all.Also = all.Also[:wanted]
	return all, nil
}

// passedOn lists the buffers that a pass may write, except those that the dispatch returns anyway.
func (p passes) passedOn(d Dispatch) (others []int) {
	for _, source := range p.sources {
		for _, b := range source.module().Bindings {
			i := int(b.Number)
			if b.Space == ReadWrite && i < len(d.Buffers) && i != d.Output && !slices.Contains(d.Also, i) && !slices.Contains(others, i) {
				others = append(others, i)
			}
		}
	}
	return others
}

// follow adds the result of the next pass.
func (r *Result) follow(next Result) {
	next.Findings = slices.Concat(r.Findings, next.Findings)
	next.Undecided = slices.Concat(r.Undecided, next.Undecided)
	next.Steps += r.Steps
	next.Wrote = nil
	next.Raced = either(r.Raced, next.Raced)
	for i := range r.Also {
		next.Also[i].Raced = either(r.Also[i].Raced, next.Also[i].Raced)
	}
	*r = next
}

// either reports for each element whether one of two lists says so; nil says so of none.
func either(a, b []bool) []bool {
	if a == nil {
		return b
	}
	all := slices.Clone(a)
	for i := range b {
		all[i] = all[i] || b[i]
	}
	return all
}
