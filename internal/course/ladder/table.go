package ladder

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Text formats the table for a terminal.
func (t *Measured) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d × %d times %d × %d on %s\n\n", t.N, t.N, t.N, t.N, t.Adapter)
	rows := [][]string{{"SHADER", "GFLOP/S", "OF THE ROOF", "NEW IDEA"}}
	for _, r := range t.Rungs {
		if r.Problem != "" {
			rows = append(rows, []string{r.Name, "-", "-", r.failed() + ": " + firstLine(r.Problem)})
			continue
		}
		rows = append(rows, []string{r.Name, Rounded(r.GFLOPS), fmt.Sprintf("%.0f %%", 100*r.Share), r.Idea})
	}
	rows = append(rows, []string{"the roof", Rounded(t.Roof.GFLOPS), "", "multiply-adds that wait for nothing"})
	plaintext.Columns(&out, rows, 0)
	fmt.Fprintf(&out, "\nMemory to memory: %s GB/s. %s\n", Rounded(t.Roof.CopyGBs), t.Note())
	return out.String()
}

// worthwhile is how much faster than all previous rungs a rung must be to count as a help.
const worthwhile = 1.03

// Note says which rungs helped on this adapter and which did not, and why other adapters may
// differ.
func (t *Measured) Note() string {
	best := Timing{}
	var helped, not []string
	for _, r := range t.Rungs {
		switch {
		case r.Own || r.Problem != "":
			continue
		case best.Name == "":
			best = r // the first one has nothing to compare with
			continue
		case r.GFLOPS > worthwhile*best.GFLOPS:
			helped = append(helped, r.Name)
		default:
			not = append(not, r.Name)
		}
		if r.GFLOPS > best.GFLOPS {
			best = r
		}
	}
	if best.Name == "" {
		return ""
	}
	note := fmt.Sprintf("The fastest rung here is %s. Each of these beat all the rungs before it: %s.", best.Name, listed(helped))
	if len(not) > 0 {
		note += fmt.Sprintf(" These did not help here: %s.", listed(not))
	}
	if t.Kind == shader.CPU {
		note += " This adapter is a CPU. Its caches already keep often-used numbers close, as workgroup memory does on a GPU. A barrier costs " +
			"time, because it suspends each invocation until all the others arrive. So tiles pay off only if there is much work between two barriers."
	}
	if t.Kind == shader.Simulated {
		note += " This is the simulator. It runs one instruction after the other and has no caches. So the shader with the fewest " +
			"instructions wins, and may even exceed the roof. A GPU would rank the shaders differently."
	}
	return note
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// Rounded formats a number with three significant digits and thousands separators.
func Rounded(value float64) string {
	switch {
	case value >= 1000:
		digits := fmt.Sprintf("%.0f", value)
		for i := len(digits) - 3; i > 0; i -= 3 {
			digits = digits[:i] + "," + digits[i:]
		}
		return digits
	case value >= 100:
		return fmt.Sprintf("%.0f", value)
	case value >= 10:
		return fmt.Sprintf("%.1f", value)
	}
	return fmt.Sprintf("%.2f", value)
}
