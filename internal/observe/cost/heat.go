package cost

import "fmt"

// A Heat is a line of a shader that moves bytes of storage, as an editor shows it beside the line.
type Heat struct {
	Line  int    `json:"line"`
	Bytes string `json:"bytes"` // that the line moves, in sectors: "1.18 MB"
	Says  string `json:"says"`  // the same as a sentence, with the line's share
	Step  int    `json:"step"`  // 1 to 3: the last is the line that moves at least half of all
}

// The shares of all bytes with which the steps of heat begin.
const (
	warm = 0.1
	hot  = 0.5
)

// Heats returns what each line moves, in the order of the lines. Lines that touch no storage have
// none.
func (r *DispatchCost) Heats() (heats []Heat) {
	all := 0.0
	for i := range r.Lines {
		all += r.Lines[i].moved()
	}
	for i := range r.Lines {
		moved := r.Lines[i].moved()
		if moved == 0 {
			continue
		}
		h := Heat{Line: r.Lines[i].Line, Bytes: bytesText(moved), Step: 1}
		switch share := moved / all; {
		case share >= hot:
			h.Step = 3
		case share >= warm:
			h.Step = 2
		}
		h.Says = fmt.Sprintf("Line %d moves %s of storage (%s), %.0f %% of all: so many bytes of the buffers its invocations read and write together. Counted in the simulator; it decides nothing.",
			h.Line, h.Bytes, r.Case, 100*moved/all)
		heats = append(heats, h)
	}
	return heats
}

// moved returns the bytes of storage that neighbours move in a line.
func (l *LineCost) moved() (bytes float64) {
	for _, a := range l.Accesses {
		if !a.Shared {
			bytes += a.Moved
		}
	}
	return bytes
}
