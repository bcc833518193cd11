package anyshader

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// foundInPasses collects the findings of passes: each bug once, with the passes that show it.
type foundInPasses struct {
	passes []EntryRun
	all    []findings.Finding
	in     [][]int // for the last of all: the indices of their passes
}

// add adds the findings of a pass.
func (p *foundInPasses) add(pass int, found []findings.Finding) {
	for _, f := range found {
		from := len(p.all) - len(p.in)
		at := slices.IndexFunc(p.all[from:], func(g findings.Finding) bool { return sameBug(&f, &g) })
		if at < 0 {
			p.all, p.in = append(p.all, f), append(p.in, []int{pass})
			continue
		}
		first, told := p.in[at][0], &p.all[from+at]
		if pass == first && weight(&f) > weight(told) {
			*told = f
		}
		if !slices.Contains(p.in[at], pass) {
			p.in[at] = append(p.in[at], pass)
		}
	}
}

// wrong reports whether one of the findings is an error.
func (p *foundInPasses) wrong() bool { return slices.ContainsFunc(p.all, findings.Finding.IsError) }

// named returns the findings. If there are several passes, each names those that show it.
func (p *foundInPasses) named() []findings.Finding {
	from := len(p.all) - len(p.in)
	for i, passes := range p.in {
		if len(p.passes) > 1 {
			p.all[from+i].Case = p.name(passes)
		}
	}
	return p.all
}

// name names passes by their numbers, and their entry points.
func (p *foundInPasses) name(passes []int) string {
	var numbers, entries []string
	for _, pass := range passes {
		numbers = append(numbers, strconv.Itoa(pass+1))
		if entry := p.passes[pass].Entry; !slices.Contains(entries, entry) {
			entries = append(entries, entry)
		}
	}
	return fmt.Sprintf("%s %s (%s)", english.Form(len(passes), "pass", "passes"), english.List(numbers), english.List(entries))
}

// sameBug reports whether two findings tell of one bug: two races on the same lines for the same
// variable, or else the same kind at the same place.
func sameBug(f, g *findings.Finding) bool {
	if f.Kind != g.Kind {
		return false
	}
	a, b := f.Other(), g.Other()
	if a == nil || b == nil || !isRace(f) {
		return f.Region == g.Region && f.Severity == g.Severity && f.Variable == g.Variable
	}
	return f.Variable == g.Variable &&
		(f.SameLine(g.Region) && a.SameLine(b.Region) || f.SameLine(b.Region) && a.SameLine(g.Region))
}

func isRace(f *findings.Finding) bool {
	return f.Kind == findings.RaceWorkgroup || f.Kind == findings.RaceStorage
}

// weight says which of two findings about one bug tells more: errors before remarks, reads of what
// another writes before two writes, two workgroups, which no barrier orders, before one.
func weight(f *findings.Finding) (w int) {
	for _, says := range []bool{f.IsError(), f.Reads, f.Other() != nil && f.Other().Workgroup != f.Workgroup} {
		w *= 2
		if says {
			w++
		}
	}
	return w
}
