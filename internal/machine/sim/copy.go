package sim

import (
	"maps"
	"slices"
	"unsafe"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Copy returns a copy of the session that can continue from its present state. The two are
// independent, but share the host's buffers.
func (s *Stepper) Copy() *Stepper {
	c := s.Still()
	c.dispatch.watch = s.dispatch.watch.copy()
	c.machine.watch = c.dispatch.watch
	return c
}

// Still returns a snapshot of the session's values, to read and to compare with later ones. It
// cannot step.
func (s *Stepper) Still() *Stepper {
	host := *s.dispatch.host
	host.words = slices.Clone(host.words)
	from := s.dispatch
	c := *s
	c.dispatch = &dispatch{Program: from.Program, host: &host, workgroups: from.workgroups, groups: from.groups, limit: from.limit}
	m := *s.machine
	m.buffers, m.shared, m.badAt, m.watch = host.words, slices.Clone(m.shared), slices.Clone(m.badAt), nil
	m.invs = slices.Clone(m.invs)
	width := len(m.Initial)
	slots := make([]uint32, width*len(m.invs))
	for i := range m.invs {
		own := slots[i*width : (i+1)*width : (i+1)*width]
		copy(own, m.invs[i].slots)
		m.invs[i].slots, m.invs[i].way = own, nil
	}
	m.divide()
	c.machine, c.spare = &m, nil
	return &c
}

// Changed reports whether elements of an array have changed since an earlier snapshot, for indexes
// in [from, to). The array is in a buffer or in workgroup memory.
func (s *Stepper) Changed(since *Stepper, v Variable, from, to int) bool {
	now, then, stride := s.machine, since.machine, v.stride(s)
	if v.from.Where == ir.InShared {
		first, end := v.from.Base+uint32(from)*stride, v.from.Base+uint32(to)*stride
		return !slices.Equal(now.shared[first:end], then.shared[first:end])
	}
	base := now.regions[v.from.Binding].base
	first, end := (base+uint32(from)*stride)>>2, (base+uint32(to)*stride+3)>>2
	return !slices.Equal(now.buffers[first:end], then.buffers[first:end])
}

// Bytes returns roughly how much memory a Copy takes.
func (s *Stepper) Bytes() int {
	const stampBytes = int(unsafe.Sizeof(stamp{}))
	m, w := s.machine, s.machine.watch
	words := len(m.Initial)*len(m.invs) + len(m.buffers) + len(m.shared) + len(m.badAt) + len(w.written)
	stamps := 3*len(w.shared) + 4*w.readers.made() + 2*(w.writers.made()+w.sharedBeside.made()+w.bufferBeside.made())
	return 4*words + stampBytes*stamps
}

func (w *watcher) copy() *watcher {
	c := *w
	c.shared, c.written = slices.Clone(w.shared), slices.Clone(w.written)
	c.writers, c.readers = w.writers.copy(), w.readers.copy()
	c.sharedBeside, c.bufferBeside = w.sharedBeside.copy(), w.bufferBeside.copy()
	c.findings, c.outside = slices.Clone(w.findings), slices.Clone(w.outside)
	c.own, c.ownOf = nil, make([]*ownArray, len(w.ownOf)) // only a whole run tells of them
	c.raced, c.met = w.raced.copy(), maps.Clone(w.met)
	c.told, c.count = maps.Clone(w.told), maps.Clone(w.count)
	return &c
}

func (p pages[T]) copy() pages[T] {
	c := pages[T]{p.size, make([][]T, len(p.pages))}
	for i, page := range p.pages {
		c.pages[i] = slices.Clone(page)
	}
	return c
}

// made returns the number of words in all pages that exist.
func (p pages[T]) made() (n int) {
	for _, page := range p.pages {
		n += len(page)
	}
	return n
}

// A Writer is the invocation that last wrote an element.
type Writer struct {
	Local int         // its local_invocation_index
	Here  bool        // in the current workgroup; else in an earlier one
	Span  syntax.Span // the source that wrote
}

// Writer returns the last writer of a variable's element, judged by the element's first word. The
// index is 0 for a variable that is not an array. ok is false if nothing but atomic functions has
// written it.
func (s *Stepper) Writer(v Variable, index int) (w Writer, ok bool) {
	m := s.machine
	switch v.from.Where {
	case ir.InShared:
		word := v.from.Base + uint32(index)*v.stride(s)
		if word >= uint32(len(m.watch.shared)) || m.watch.written[word] != m.watch.group {
			return Writer{}, false
		}
		return s.writer(m.watch.shared[word].write, s.sharedSince)
	case ir.InBuffers:
		word := (m.regions[v.from.Binding].base + uint32(index)*v.stride(s)) >> 2
		at := word << halfShift(m.Program)
		if page := at >> pageBits; at < m.watch.writers.size && m.watch.writers.pages[page] != nil {
			return s.writer(m.watch.writers.at(at).now, s.bufferSince)
		}
	}
	return Writer{}, false
}

func (s *Stepper) writer(by stamp, since uint32) (Writer, bool) {
	if by.phase == 0 {
		return Writer{}, false
	}
	return Writer{int(by.who), by.phase >= since, s.machine.Notes[by.pc].Span}, true
}

// stride returns the distance between a variable's elements, in words of workgroup memory or bytes
// of a buffer.
func (v Variable) stride(s *Stepper) uint32 {
	return s.machine.Stride(v.from.Where, v.Object.Store())
}
