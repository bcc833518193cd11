package printing

import (
	"cmp"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/prints"
)

// Recorded returns what the comments of a rewritten shader show, from the content of its buffer
// after a run. size is the workgroups' size, and on names what ran it.
func Recorded(rewritten *prints.Rewritten, content []byte, size [3]uint32, on string) (all []*Printed) {
	for i := range rewritten.Comments {
		l := &rewritten.Comments[i]
		p := newPrinted(l.Print, l.Problem)
		p.On = on
		p.read(l, content, size)
		all = append(all, p)
	}
	return all
}

// read adds the rows of a comment, in the simulator's order.
func (p *Printed) read(l *prints.RecordLayout, content []byte, size [3]uint32) {
	written, total := l.Read(content)
	visits := map[[3]uint32]int{}
	order := make([]int, len(written))
	rows := make([]Row, len(written))
	for i, w := range written {
		order[i], rows[i] = i, Row{Invocation: w.Invocation, visit: visits[w.Invocation]}
		visits[w.Invocation]++
	}
	slices.SortFunc(order, func(a, b int) int { return rows[a].compare(rows[b], size) })
	for _, i := range order[:min(len(order), mostRows)] {
		for _, v := range l.ValuesOf(written[i]) {
			rows[i].add(v, plain(v))
		}
		p.Rows = append(p.Rows, rows[i])
	}
	p.LeftOut = total - len(p.Rows)
}

// AddDevice adds to each comment what it showed on a device in the same pass, and counts the rows
// that differ. A row that one of them left out doesn't count.
func AddDevice(simulated, device []*Printed) {
	for i, p := range simulated {
		p.Device = device[i]
		if p.Problem != "" || p.Device.Problem != "" {
			continue
		}
		for _, pair := range p.pairs() {
			if pair.differs() {
				p.Differing++
			}
		}
	}
}

// HasRows reports whether an invocation reached the comment, in the simulator or on a device.
func (p *Printed) HasRows() bool {
	return len(p.Rows) > 0 || p.Device != nil && len(p.Device.Rows) > 0
}

// A rowPair is a visit of an invocation, in the simulator and on a device. One of them may lack it.
type rowPair struct{ simulated, device *Row }

func (p rowPair) differs() bool {
	return p.simulated == nil || p.device == nil || !slices.Equal(p.simulated.Values, p.device.Values)
}

// row returns one of the two.
func (p rowPair) row() *Row { return cmp.Or(p.simulated, p.device) }

// pairs returns the rows of both, in order. Rows that the other side left out are not among them.
func (p *Printed) pairs() (list []rowPair) {
	type key struct {
		invocation [3]uint32
		visit      int
	}
	there := map[key]*Row{}
	for i, row := range p.Device.Rows {
		there[key{row.Invocation, row.visit}] = &p.Device.Rows[i]
	}
	for i, row := range p.Rows {
		k := key{row.Invocation, row.visit}
		if there[k] != nil || p.Device.LeftOut == 0 {
			list = append(list, rowPair{&p.Rows[i], there[k]})
		}
		delete(there, k)
	}
	for i, row := range p.Device.Rows {
		if there[key{row.Invocation, row.visit}] != nil && p.LeftOut == 0 && !p.Cut {
			list = append(list, rowPair{nil, &p.Device.Rows[i]})
		}
	}
	return list
}
