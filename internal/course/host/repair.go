package host

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// This file proves where a program is wrong: it runs the program again with one call changed. If
// its result becomes right, the mistake is in that call, whatever else the record shows.

// A proof makes so many runs at most, and none after so long. Most programs run in a few
// milliseconds.
const (
	mostRepairs = 64
	repairTime  = time.Second
)

// A repair is a changed call that a proof tries.
type repair struct {
	webgpu.Repair
	at   webgpu.HostSite
	call webgpu.ShownLine // of the call itself, where at is a line that computes its argument
	does string           // in words, after "the result is right": with 256 bytes
	slug string           // of an argument in argumentOf, which may have a line of its own
	rank int              // among the places of the explanation
}

// proof returns the first repair that makes a trial's result right, or nil. Those at the places of
// the explanation come first.
func (t *HostTask) proof(r *trial, d *explanation, function LearnersFunction) *repair {
	if r.stuck != nil || r.Hidden || r.isEmpty() || !d.at.Known() || r.allRight() {
		return nil
	}
	all, shown := r.repairs(), append([]webgpu.HostSite{d.at}, d.also...)
	all = slices.DeleteFunc(all, func(f repair) bool { return !f.at.InProgram() }) // a reference's calls are right
	for i := range all {
		if all[i].at.Shown().Line == 0 {
			all[i].at = all[i].at.FromOutermost() // a reference made the call
		}
		all[i].call = all[i].at.FromOutermost().Shown()
		all[i].at = refined(all[i].at, all[i].slug, d.wrongByte())
		line := all[i].at.FromOutermost().Shown()
		all[i].rank = slices.IndexFunc(shown, func(at webgpu.HostSite) bool { return at.FromOutermost().Shown() == line })
		if all[i].rank < 0 {
			all[i].rank = len(shown)
		}
	}
	slices.SortStableFunc(all, func(a, b repair) int { return cmp.Compare(a.rank, b.rank) })
	for began, i := time.Now(), 0; i < min(len(all), mostRepairs) && time.Since(began) < repairTime; i++ {
		all[i].Allows = r.hasUniform
		again := t.runAgain(r.Case, function, func(r *webgpu.Record) { r.Repairing(&all[i].Repair) })
		if again.opening != nil || again.stuck != nil {
			return nil
		}
		if again.panicked != nil || len(again.record.Mistakes) > 0 || again.record.Lost != nil {
			continue
		}
		if again.splitTicks(); again.allRight() {
			return &all[i]
		}
	}
	return nil
}

// hasUniform reports whether a dispatch has the uniform of one of its shader's stages.
func (r *trial) hasUniform(record *webgpu.Record, s *webgpu.QueueSubmission, d webgpu.DispatchRun) bool {
	for _, stage := range r.stages {
		if r.Shaders[stage.shader].WGSL != d.Pipeline.Module.Source.Text {
			continue
		}
		if fit, all := stage.want.Fits(record, s, d); fit == all {
			return true
		}
	}
	return false
}

// allRight reports whether a result is right, with the ticks of a timed task.
func (r *trial) allRight() bool {
	return r.right() && (!r.task.Work.Timed || explainTimes(r) == nil)
}

// A numbering counts the calls of each name.
type numbering map[string]int

// next returns the number of a call among those of its name.
func (n numbering) next(name string) int {
	n[name]++
	return n[name] - 1
}

// repairs lists the calls that may be wrong, each with what may be right in it.
func (r *trial) repairs() (all []repair) {
	nth, due := numbering{}, uint64(4*len(r.Want))
	buffers, groups := 0, 0
	writable := r.writable()
	readback := slices.IndexFunc(r.record.Buffers, func(b *webgpu.Buffer) bool { return b.Usage&gpu.UsageMapRead != 0 })
	for _, c := range r.record.Calls {
		number := nth.next(c.Name)
		try := func(slug, does string, f webgpu.Repair) {
			f.Call, f.Nth = c.Name, number
			all = append(all, repair{Repair: f, at: c.At, does: does, slug: slug})
		}
		numbers := func(slug, does string, pairs ...any) {
			f := webgpu.Repair{Numbers: map[string]uint64{}}
			for i := 0; i < len(pairs); i += 2 {
				f.Numbers[pairs[i].(string)] = pairs[i+1].(uint64)
			}
			try(slug, does, f)
		}
		switch c.Name {
		case "createBuffer":
			b := r.record.Buffers[min(buffers, len(r.record.Buffers)-1)]
			buffers++
			for _, size := range []uint64{4 * b.Size, due} {
				if size != b.Size {
					numbers("buffer-size", bytesOf(size), "size", size)
				}
			}
			if usage := gpu.UsageMapRead | gpu.UsageCopyDst; len(r.record.Mistakes) > 0 && b.Usage&gpu.UsageMapRead != 0 {
				numbers("write-usage", "with the usages that it needs", "usage", uint64(usage))
			} else if len(r.record.Mistakes) > 0 {
				usage = gpu.UsageStorage | gpu.UsageUniform | gpu.UsageCopySrc | gpu.UsageCopyDst | gpu.UsageQueryResolve
				numbers("write-usage", "with the usages that it needs", "usage", uint64(usage))
			}
		case "copyBufferToBuffer":
			numbers("copy-multiple", bytesOf(due), "size", due)
			numbers("", "from byte 0 on", "sourceOffset", uint64(0))
			numbers("", "to byte 0", "destinationOffset", uint64(0))
			numbers("", "with all bytes, from byte 0 to byte 0", "sourceOffset", uint64(0), "destinationOffset", uint64(0), "size", due)
			for _, from := range writable {
				try("", fmt.Sprintf("from %s", r.record.Buffers[from]), webgpu.Repair{Buffers: map[string]int{"source": from}})
			}
			if readback >= 0 {
				try("", fmt.Sprintf("to %s", r.record.Buffers[readback]), webgpu.Repair{Buffers: map[string]int{"destination": readback}})
			}
		case "mapAsync":
			numbers("map-mode", "for reading", "mode", uint64(webgpu.MapModeRead))
			numbers("map-size", "with all bytes", "offset", uint64(0), "size", due)
		case "getMappedRange":
			numbers("range-size", "with all bytes", "offset", uint64(0), "size", due)
		case "dispatchWorkgroups":
			for _, n := range r.workgroups() {
				numbers("dispatch-limit", fmt.Sprintf("with %d × %d workgroups", n[0], n[1]), "x", n[0], "y", n[1], "z", uint64(1))
			}
			try("", "without this dispatch", webgpu.Repair{Skip: true})
		case "setBindGroup":
			numbers("group-index", "as group 0", "index", uint64(0))
			for i, g := range r.record.Groups {
				try("", fmt.Sprintf("with %s", g.Name()), webgpu.Repair{Object: i + 1})
			}
		case "setPipeline":
			for i, p := range r.record.Pipelines {
				try("", fmt.Sprintf("with %s", p.Name()), webgpu.Repair{Object: i + 1})
			}
		case "createBindGroup":
			if groups < len(r.record.Groups) {
				all = append(all, r.entryRepairs(groups, number, writable)...)
			}
			groups++
		case "resolveQuerySet":
			numbers("", "with both queries", "firstQuery", uint64(0), "queryCount", uint64(2))
		case "beginComputePass":
			if r.task.Work.Timed {
				numbers("", "with the queries 0 and 1", "begin", uint64(0), "end", uint64(1))
			}
		}
	}
	return append(all, r.writeRepairs()...)
}

func bytesOf(n uint64) string { return "with " + english.Count(int(n), "byte", "bytes") }

// writable lists the buffers that shaders may write to: the last one that does is the last.
func (r *trial) writable() (all []int) {
	for i, b := range r.record.Buffers {
		if b.Usage&gpu.UsageStorage != 0 && !slices.ContainsFunc(r.record.Writes, func(w webgpu.BufferWrite) bool { return w.To == b }) || b.Usage&gpu.UsageCopySrc != 0 {
			all = append(all, i)
		}
	}
	return all
}

// workgroups lists how many workgroups the stages need.
func (r *trial) workgroups() (all [][2]uint64) {
	for _, s := range r.stages {
		size, n := r.Shaders[s.shader].Size, [2]uint64{1, 1}
		for axis := range n {
			if e := s.want.Elements[axis]; e > 0 {
				n[axis] = (e + uint64(size[axis]) - 1) / uint64(size[axis])
			}
		}
		if s.want.Rows > 0 {
			n[0] = s.want.Rows
		}
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// dueData returns what the host should send, by its name: arrays, and the uniforms of stages.
func (r *trial) dueData() map[string][]byte {
	all := map[string][]byte{}
	for _, s := range r.stages {
		for _, o := range s.gets {
			if o.data != nil {
				all[o.name] = o.data
			}
		}
		if words := webgpu.WordsOf(s.want.Words); words != nil {
			all["the uniform of `"+r.task.Work.Shaders[s.shader]+"`"] = words
		}
	}
	return all
}

// writeRepairs change what the host sends, or where.
func (r *trial) writeRepairs() (all []repair) {
	due := r.dueData()
	writes := r.record.Writes
	if r.record.Refused != nil {
		writes = append(slices.Clip(writes), *r.record.Refused)
	}
	for _, w := range writes {
		if w.Call < 0 {
			continue
		}
		at := r.record.Calls[w.Call].At
		try := func(slug, does string, f webgpu.Repair) {
			f.Call, f.Nth = webgpu.NthWrite, w.Nth
			all = append(all, repair{Repair: f, at: at, does: does, slug: slug})
		}
		for _, name := range slices.Sorted(maps.Keys(due)) {
			if data := due[name]; !bytes.Equal(data, w.Data) && (uint64(len(data)) == w.To.Size || len(data) == len(w.Data)) {
				try("other-numbers", "with the numbers of "+name, webgpu.Repair{Data: data, Numbers: map[string]uint64{"bufferOffset": 0}})
			}
		}
		if w.Offset != 0 {
			try("write-offset", "from byte 0 on", webgpu.Repair{Numbers: map[string]uint64{"bufferOffset": 0}})
		}
		for to, b := range r.record.Buffers {
			if b != w.To && b.Size == w.Bytes && b.Usage&gpu.UsageCopyDst != 0 {
				try("", fmt.Sprintf("to %s", b), webgpu.Repair{Buffers: map[string]int{"buffer": to}})
			}
		}
		try("", "without this write", webgpu.Repair{Skip: true})
	}
	return all
}

// entryRepairs change an entry of a bind group.
func (r *trial) entryRepairs(group, number int, writable []int) (all []repair) {
	g := r.record.Groups[group]
	for _, e := range g.Entries {
		at := entryOf(g.Made, e.Binding)
		try := func(does string, f webgpu.Repair) {
			f.Call, f.Nth, f.Binding = "createBindGroup", number, e.Binding
			all = append(all, repair{Repair: f, at: at, does: does})
		}
		if e.Offset != 0 || e.Bound() != e.Buffer.Size {
			try("with the whole buffer", webgpu.Repair{Numbers: map[string]uint64{"offset": 0, "size": webgpu.WholeSize}})
		}
		for i, b := range r.record.Buffers {
			sent := slices.ContainsFunc(r.record.Writes, func(w webgpu.BufferWrite) bool { return w.To == b })
			if b != e.Buffer && (sent || slices.Contains(writable, i)) && b.Usage&e.Buffer.Usage&(gpu.UsageStorage|gpu.UsageUniform) != 0 {
				try(fmt.Sprintf("with %s", b), webgpu.Repair{Buffers: map[string]int{"buffer": i}, Numbers: map[string]uint64{"offset": 0, "size": webgpu.WholeSize}})
			}
		}
	}
	return all
}
