package webgpu

import "github.com/wgslab/wgslab/internal/machine/engine/gpu"

// A Repair changes one call in a run of a program. If the result becomes right, that call was
// wrong: the run proves it.
type Repair struct {
	Call string // as the specification spells it, or NthWrite
	Nth  int    // of the calls of this name, from 0

	Skip    bool              // the call does nothing
	Numbers map[string]uint64 // other numbers, by the parameter's name: size, x, sourceOffset
	Buffers map[string]int    // other buffers, by the order in which they were made
	Binding uint32            // which entry of a bind group changes
	Object  int               // 1 + the number of another bind group or pipeline; 0 for none
	Data    []byte            // what is written, or what a new buffer holds

	// Allows reports whether a dispatch may run. A repair that gives a shader another uniform than
	// it needs can't make the result right, but it can make a loop endless.
	Allows func(*Record, *QueueSubmission, DispatchRun) bool
}

// allowed reports whether all dispatches of a submission may run.
func (r *Record) allowed(s *QueueSubmission) bool {
	if r.repair == nil || r.repair.Allows == nil {
		return true
	}
	for _, step := range s.Steps {
		if step.Pass == nil {
			continue
		}
		for _, d := range step.Pass.Dispatches {
			if !r.repair.Allows(r, s, d) {
				return false
			}
		}
	}
	return true
}

// NthWrite is the call of a repair that changes a BufferWrite, by its Nth.
const NthWrite = "write"

// Repairing makes the record's program run with a repair.
func (r *Record) Repairing(repair *Repair) { r.repair, r.repaired = repair, 0 }

// repairs returns the repair of the call that is being made, or nil.
func (d *Device) repairs(name string) *Repair {
	r := d.record
	if r.repair == nil || r.repair.Call != name {
		return nil
	}
	if r.repaired++; r.repaired-1 != r.repair.Nth {
		return nil
	}
	return r.repair
}

// number replaces an argument.
func number[T ~uint32 | ~uint64 | ~int](f *Repair, name string, argument *T) {
	if f == nil {
		return
	}
	if n, ok := f.Numbers[name]; ok {
		*argument = T(n)
	}
}

// buffer replaces a buffer.
func (d *Device) buffer(f *Repair, name string, argument **Buffer) {
	if f == nil {
		return
	}
	if n, ok := f.Buffers[name]; ok && n < len(d.record.Buffers) {
		*argument = d.record.Buffers[n]
	}
}

// repairedEntry changes an entry of a bind group.
func (d *Device) repairedEntry(entries []BindGroupEntry) {
	f := d.repairs("createBindGroup")
	for i := range entries {
		if e := &entries[i]; f != nil && e.Binding == f.Binding {
			d.buffer(f, "buffer", &e.Buffer)
			number(f, "offset", &e.Offset)
			number(f, "size", &e.Size)
		}
	}
}

// filled lets a new buffer hold the data of a repair.
func (d *Device) filled(f *Repair, call int, b *Buffer) {
	if f != nil && f.Data != nil && uint64(len(f.Data)) <= b.Size {
		d.record.wrote(call, b, 0, f.Data)
		_ = b.memory.WriteAt(f.Data, 0) // it fits
	}
}

// repairedWrite changes a write. skip says that nothing is written.
func (d *Device) repairedWrite(b **Buffer, offset *uint64, data *[]byte) (skip bool) {
	d.record.writes++
	f := d.repairs(NthWrite)
	if f == nil {
		return false
	}
	d.buffer(f, "buffer", b)
	number(f, "bufferOffset", offset)
	if f.Data != nil {
		*data = f.Data
	}
	return f.Skip
}

// repairedFinish adds the copy of a repair to an encoder.
func (e *CommandEncoder) repairedFinish(at HostSite) {
	f := e.device.repairs("finish")
	if f == nil {
		return
	}
	var from, to *Buffer
	e.device.buffer(f, "source", &from)
	e.device.buffer(f, "destination", &to)
	if bytes := f.Numbers["size"]; e.device.checkCopy(at, from, 0, to, 0, bytes) == nil {
		e.add(gpu.BufferCopy{From: from.memory, To: to.memory, Bytes: bytes}, Step{At: at, Copy: &CopyRun{From: from, To: to, Bytes: bytes}}, from, to)
	}
}
