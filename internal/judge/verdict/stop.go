package verdict

import "fmt"

// A Stop makes the debugger stop where the first wrong element is written, or show that it is
// never written.
type Stop struct {
	Element string // out[63]
	Comment string // the line to add to the shader's cell
	Command string // the equivalent terminal command
}

// Stop returns what to type in order to stop there; nil if there is no element to stop at, or the
// shader has written nothing yet.
func (v *Verdict) Stop() *Stop {
	if v.Wrong == "" || v.Diagnosis == Stub {
		return nil
	}
	return &Stop{
		Element: v.Wrong, Comment: "// debug: write of " + v.Wrong,
		Command: fmt.Sprintf("wgslab debug %s --seed %d --write '%s'", v.Exercise, v.Seed, v.Wrong),
	}
}
