package host

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A part is the rows that one dispatch of row-max works on.
type part struct {
	at, bound  webgpu.HostSite // of the dispatch and its bind group
	from, to   int             // of out; to is past the last one
	x          int             // the row of x that the first workgroup reads
	xBytes     uint64          // of x that are bound
	inY        bool            // there are workgroups in y as well
	out        *webgpu.Buffer
	read       uint32 // the number of rows in the uniform
	readAt     webgpu.HostSite
	readsKnown bool
}

// explainRows finds rows that no dispatch writes, or that get the largest of another row.
func explainRows(r *trial) *explanation {
	parts := r.parts()
	apart := slices.ContainsFunc(parts, func(p part) bool { return p.out != parts[0].out }) // each has a result of its own
	for _, p := range parts {
		if due := uint64(4 * (p.to - p.from) * r.Sizes["cols"]); p.xBytes < due && p.to <= r.Sizes["rows"] {
			return diagnosis("binding-short", entryOf(p.bound, 1), fmt.Sprintf("The dispatch has %s, whose rows of x have %s bytes, and binding 1 has %s", english.Count(p.to-p.from, "workgroup", "workgroups"), english.Thousands(int(due)), english.Thousands(int(p.xBytes))),
				"A row of x has 4 * cols bytes.")
		}
		if p.x != p.from && !apart {
			return diagnosis("rows-apart", entryOf(p.bound, p.apart()), fmt.Sprintf("A dispatch reads x from row %s on, and writes out from row %s on", english.Thousands(p.x), english.Thousands(p.from)),
				"Both offsets are in bytes: a row of x has 4 * cols of them, and a row of out has 4.")
		}
		if n := uint32(p.to - p.from); p.readsKnown && p.read < n {
			return diagnosis("rows-in-uniform", p.readAt, fmt.Sprintf("The shader reads %s as the number of rows, and its dispatch has %s workgroups", english.Thousands(int(p.read)), english.Thousands(int(n))),
				"Its workgroups count from 0 in each dispatch: each needs a uniform with the rows of its part.")
		}
	}
	if apart {
		return nil
	}
	return r.uncovered(parts)
}

// uncovered finds the first row that no dispatch writes.
func (r *trial) uncovered(parts []part) *explanation {
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	next := 0
	for _, p := range parts {
		if p.from <= next {
			next = max(next, p.to)
		}
	}
	if next >= r.Sizes["rows"] || len(parts) == 0 {
		return nil
	}
	d := diagnosis("rows-uncovered", parts[len(parts)-1].at, fmt.Sprintf("No dispatch writes row %s", english.Thousands(next)), "Count the workgroups of all dispatches in x: each takes one row, from its offset on.")
	if slices.ContainsFunc(parts, func(p part) bool { return p.inY }) {
		d.Why = "Your shader takes its row from `workgroup_id.x`. The workgroups of the next y begin at row 0 again."
	}
	return d
}

// apart returns the binding whose offset doesn't fit the other's: the one that is 0, or else x's.
func (p part) apart() uint32 {
	if p.from == 0 {
		return 2
	}
	return 1
}

// parts returns what the dispatches of row-max work on.
func (r *trial) parts() (parts []part) {
	for _, s := range r.record.Submissions {
		for _, step := range s.Steps {
			if step.Pass == nil {
				continue
			}
			for _, d := range step.Pass.Dispatches {
				dims, _ := d.Entry(0, 0)
				x, _ := d.Entry(0, 1)
				out, ok := d.Entry(0, 2)
				if !ok || d.Counts != nil {
					continue
				}
				p := part{at: d.At, bound: d.Groups[0].Made, from: int(out.Offset / 4), x: int(x.Offset) / (4 * r.Sizes["cols"]), xBytes: x.Bound(), inY: d.Workgroups[1] > 1, out: out.Buffer}
				p.to = p.from + int(d.Workgroups[0])
				p.read, p.readAt, p.readsKnown = r.record.Word(s, dims.Buffer, dims.Offset)
				parts = append(parts, p)
			}
		}
	}
	return parts
}

// diagnosis is that of a call, with its line.
func diagnosis(slug string, at webgpu.HostSite, message, try string) *explanation {
	d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: slug, Message: message + ".", Try: try}}
	show(d, at)
	return d
}
