package anyshader

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// An EntryRun is one dispatch of an entry point.
type EntryRun struct {
	Entry      string
	Workgroups [3]uint32       // if Indirect is nil
	Indirect   *IndirectCounts // where the workgroups are, as in dispatchWorkgroupsIndirect
}

// IndirectCounts are three u32 in a buffer: the workgroups in x, y and z.
type IndirectCounts struct {
	Group, Binding uint32
	Offset         uint32 // in bytes
}

// indirectBytes is the size of the three numbers.
const indirectBytes = 3 * shader.ElementBytes

// ParseRuns reads passes, or the one of an entry point and its workgroups if there are none.
func ParseRuns(passes []string, entry, workgroups string) ([]EntryRun, error) {
	if len(passes) == 0 {
		one := EntryRun{Entry: entry}
		if err := one.parseCounts(workgroups); err != nil {
			return nil, fmt.Errorf("workgroups %w", err)
		}
		return []EntryRun{one}, nil
	}
	var all []EntryRun
	for _, text := range passes {
		run, err := ParsePass(text)
		if err != nil {
			return nil, fmt.Errorf("pass %w", err)
		}
		all = append(all, run)
	}
	return all, nil
}

// ParsePass reads ENTRY, ENTRY=X,Y,Z, or ENTRY=@N for the workgroups in a buffer: see parseCounts.
func ParsePass(text string) (EntryRun, error) {
	entry, workgroups, counted := strings.Cut(text, "=")
	run := EntryRun{Entry: entry, Workgroups: [3]uint32{1, 1, 1}}
	if !counted {
		return run, nil
	}
	if err := run.parseCounts(workgroups); err != nil {
		return run, fmt.Errorf("%s: %w", text, err)
	}
	return run, nil
}

// parseCounts reads X,Y,Z, or @N, @GROUP.N and @N+BYTES: the buffer with the numbers.
func (r *EntryRun) parseCounts(text string) (err error) {
	place, indirect := strings.CutPrefix(text, "@")
	if !indirect {
		r.Workgroups, err = ParseWorkgroups(text)
		return err
	}
	place, offset, further := strings.Cut(place, "+")
	var in Argument
	if err := in.parsePlace(place, nil); err != nil {
		return err
	}
	r.Indirect = &IndirectCounts{Group: in.Group, Binding: in.Binding}
	if further {
		n, err := strconv.ParseUint(offset, 10, 32)
		if err != nil || n%shader.ElementBytes != 0 {
			return fmt.Errorf("%q is no offset: write a number of bytes that is a multiple of 4", offset)
		}
		r.Indirect.Offset = uint32(n)
	}
	return nil
}

// String returns the place as ParsePass reads it.
func (c *IndirectCounts) String() string {
	text := fmt.Sprintf("@%d.%d", c.Group, c.Binding)
	if c.Offset > 0 {
		text += fmt.Sprintf("+%d", c.Offset)
	}
	return text
}

// of returns the buffer that holds the numbers; nil if none is given.
func (c *IndirectCounts) of(given []*Argument) *Argument {
	for _, b := range given {
		if b.Group == c.Group && b.Binding == c.Binding {
			return b
		}
	}
	return nil
}

// Counts returns the workgroups of a pass, which the buffers may hold, as they are now. If none
// runs, nothing says why: a device skips a dispatch with a 0, and one over its limit. An error is
// about what WebGPU refuses.
func (r *EntryRun) Counts(program *sim.Program, given []*Argument) (workgroups [3]uint32, nothing *findings.Finding, err error) {
	if r.Indirect == nil {
		return r.Workgroups, nil, nil
	}
	b := r.Indirect.of(given)
	switch {
	case b == nil:
		return workgroups, nil, fmt.Errorf("pass %s: no buffer is given for %s", r.Entry, r.Indirect)
	case uint64(r.Indirect.Offset)+indirectBytes > uint64(len(b.Data)):
		return workgroups, nil, fmt.Errorf("pass %s: %s has %d bytes, and the three u32 of the workgroups end at byte %d", r.Entry, r.Indirect, len(b.Data), r.Indirect.Offset+indirectBytes)
	}
	for _, p := range program.Bindings {
		if p.Group == b.Group && p.Number == b.Binding && p.Writable {
			return workgroups, nil, fmt.Errorf("pass %s: its workgroups are in %s, which it may write as `%s`: WebGPU refuses that in one dispatch. Copy them to a buffer that it doesn't bind",
				r.Entry, r.Indirect, p.Object.Name)
		}
	}
	for axis := range workgroups {
		workgroups[axis] = binary.LittleEndian.Uint32(b.Data[int(r.Indirect.Offset)+axis*shader.ElementBytes:])
	}
	return workgroups, r.runsNothing(program, workgroups), nil
}

// runsNothing returns a finding if a device runs no workgroup; nil if it does.
func (r *EntryRun) runsNothing(program *sim.Program, workgroups [3]uint32) *findings.Finding {
	name := program.Pipeline.Entry.Decl.Name.Span()
	f := &findings.Finding{
		Kind: findings.IndirectCounts, Location: findings.Location{Span: name, Region: program.Pipeline.Info.File.Source.Region(name)},
	}
	counts := fmt.Sprintf("%s holds %d × %d × %d workgroups for `%s`", r.Indirect, workgroups[0], workgroups[1], workgroups[2], r.Entry)
	limit := sim.Adapter().Limits.WorkgroupsPerDimension
	switch {
	case slices.Max(workgroups[:]) > limit:
		f.Message = fmt.Sprintf("%s: a device has at most %d in a dimension, and runs none of them, without an error", counts, limit)
		f.Hint = "Divide them among two dimensions, or give each invocation more work."
	case slices.Min(workgroups[:]) == 0:
		f.Severity = findings.Remark
		f.Message = counts + ": none runs"
	default:
		return nil
	}
	return f
}
