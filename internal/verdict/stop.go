package verdict

import "fmt"

// A Stop is how the debugger stops where the first wrong element is written, or tells that nobody writes it.
type Stop struct {
	Element string // out[63]
	Comment string // the line for the shader's cell
	Command string // the same for a terminal
}

// Stop is what to type; nil where there is no element to stop at, or nothing has been written yet.
func (v *Verdict) Stop() *Stop {
	if v.Wrong == "" || v.Diagnosis == Stub {
		return nil
	}
	return &Stop{
		Element: v.Wrong, Comment: "// debug: write of " + v.Wrong,
		Command: fmt.Sprintf("wgslab debug %s --seed %d --write '%s'", v.Exercise, v.Seed, v.Wrong),
	}
}
