package host

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/ground/english"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A right result also has to come from the shaders: they ran on the numbers that the function got,
// and the result is what they wrote. A result that the program computed itself, beside calls for
// show, isn't.

// notFromShaders returns the diagnosis of a right result that doesn't come from the shaders, or
// nil.
func (f *flow) notFromShaders() *explanation {
	if !f.followed() {
		return nil
	}
	n := f.read()
	byBits := map[uint32][]int{} // of what was read
	for i, bits := range n.bits {
		byBits[bits] = append(byBits[bits], i)
	}
	ancestors := map[int]bool{}
	for i, number := range f.got {
		from := append(byBits[math.Float32bits(float32(number))], byBits[uint32(number)]...)
		if c := f.notComputed(i, n, from, ancestors); c != nil {
			return c.right()
		}
	}
	for run := len(f.Runs) - 1; run >= 0; run-- {
		if !ancestors[run] {
			continue
		}
		wrong := slices.DeleteFunc(f.wrongOperands(run), f.madeBefore)
		if len(wrong) > 0 && !f.permuted(wrong) {
			c := f.ofOperand(wrong).right()
			c.Slug = "not-computed"
			return c
		}
		for _, use := range f.Runs[run].Uses {
			for i, o := range use.Origins {
				if use.Read.Has(i) {
					o.Runs(func(run int) { ancestors[run] = true })
				}
			}
		}
	}
	return nil
}

func (c *cause) right() *explanation {
	d := c.diagnosis()
	d.Why = "The result is right, but it has to come from your shader, run on the numbers that your function gets."
	return d
}

// notComputed finds that a number of the result isn't what the due stage wrote. It notes the
// dispatches that wrote it.
func (f *flow) notComputed(i int, n numbers, from []int, ancestors map[int]bool) *cause {
	stage, word := f.resultOf(i)
	for _, at := range from {
		if _, ok := f.madeBy(stage, n.origins[at]); ok {
			n.origins[at].Runs(func(run int) { ancestors[run] = true })
			return nil
		}
	}
	if f.stages[stage].spare > 0 && word >= int(f.stages[stage].want.Elements[0]) {
		return nil // the shader leaves it as it is
	}
	c := &cause{slug: "not-computed", at: f.lastCall()}
	c.do = "Return the numbers that the last pass writes: copy them to a buffer that you map, and read them there."
	if len(from) == 0 {
		c.what = fmt.Sprintf("%s isn't among the bytes that your program reads from the GPU: it was computed on the CPU.", f.element(i))
		return c
	}
	switch o := n.origins[from[0]]; o.Kind {
	case Computed:
		c.at, c.what = f.runs[o.By].At, fmt.Sprintf("%s is what %s wrote, and the result of %s is due.", f.element(i), f.on(int(o.By)), f.makers(stage))
	case Written:
		c.at, c.what = f.record.Calls[f.record.Writes[o.By].Call].At, fmt.Sprintf("%s is what your program wrote itself: no dispatch of %s writes it.", f.element(i), f.makers(stage))
	default:
		c.at, c.what = n.at[from[0]], fmt.Sprintf("%s comes from bytes that no dispatch of %s wrote.", f.element(i), f.makers(stage))
	}
	return c
}

// lastCall returns where the program read last, or submitted last.
func (f *flow) lastCall() webgpu.HostSite {
	if at := f.lastRange(); at.Known() {
		return at
	}
	for _, c := range slices.Backward(f.record.Calls) {
		if c.At.InProgram() && c.Name != "release" && c.Name != "destroy" {
			return c.At
		}
	}
	return webgpu.HostSite{}
}

// madeBefore reports whether an operand is an earlier state of the due array. The largest score is
// the same before softmax and after it.
func (f *flow) madeBefore(w wrongOperand) bool {
	return slices.ContainsFunc(f.writers[w.array], func(stage int) bool {
		_, ok := f.madeBy(stage, w.origin)
		return ok
	})
}

// permuted reports whether all wrong operands of a run got the numbers of each other: a + b is
// b + a.
func (f *flow) permuted(all []wrongOperand) bool {
	for _, w := range all {
		found := false
		for _, other := range all {
			use := f.Runs[w.run].Use(w.binding)
			found = found || other.data != nil && other.binding != w.binding && bytes.HasPrefix(use.Before, other.data)
		}
		if !found {
			return false
		}
	}
	return true
}

// surplus finds a dispatch with more workgroups than its work needs: some find nothing to write,
// and the host's own count is smaller as well. One more in each dimension is fine.
func (f *flow) surplus() *explanation {
	if !f.followed() {
		return nil
	}
	for number, run := range f.Runs {
		for axis, groups := range run.Workgroups {
			size := uint64(run.Pipeline.WorkgroupSize[axis])
			if uint64(groups) <= max(uint64(run.Reach[axis]), f.counted(number, axis), 1)+1 {
				continue
			}
			name := "xyz"[axis : axis+1]
			c := &cause{slug: "dispatch-surplus", at: f.runs[number].At, do: "Divide the elements by the size of a workgroup, and round up. A dispatch of a part needs only that part's workgroups."}
			c.what = fmt.Sprintf("The dispatch has %s workgroups in %s, and those from number %s on find nothing to write.", english.Thousands(int(groups)), name, english.Thousands(int(run.Reach[axis])))
			if stage := f.stage[number]; stage >= 0 && size > 1 && len(f.runsOf[stage]) == 1 {
				if elements := f.stages[stage].want.Elements[axis]; uint64(groups) >= elements && uint64(groups) <= (elements+size-1)/size*size {
					c.slug, c.do = "dispatch-elements", "Divide the elements by the size of a workgroup, and round up."
					c.what = fmt.Sprintf("The dispatch has %s workgroups in %s, for %s, but a workgroup has %d invocations there.", english.Thousands(int(groups)), name, english.Count(int(elements), "element", "elements"), size)
				}
			}
			d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: c.slug, Message: c.what, Try: c.do, Why: rightAnyway}}
			showCount(d, c.at)
			return d
		}
	}
	return nil
}

// counted returns how many workgroups a host counts for a dispatch in an axis. A shader may need
// fewer, because its invocations work on several elements.
func (f *flow) counted(run, axis int) uint64 {
	if f.stage[run] < 0 {
		return 0
	}
	stage := f.stages[f.stage[run]]
	elements, size := stage.want.Elements[axis], uint64(f.Runs[run].Pipeline.WorkgroupSize[axis])
	bound := uint64(0) // elements of the result
	if out := f.Runs[run].Use(stage.out); out != nil {
		bound = uint64(len(out.Origins))
	}
	switch {
	case axis == 0 && stage.want.Rows > 0:
		return stage.want.Rows
	case axis == 0 && elements == 0:
		return bound // a workgroup for each
	case axis == 0:
		elements += uint64(stage.spare)
	}
	if len(f.runsOf[f.stage[run]]) > 1 && stage.want.Elements[1] == 0 {
		elements = min(elements, bound)
	}
	return (elements + size - 1) / size
}
