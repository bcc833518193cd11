package race

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Text is the table for a terminal.
func (t *Table) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d × %d times %d × %d on %s\n\n", t.N, t.N, t.N, t.N, t.Adapter)
	columns := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(columns, "SHADER\tGFLOP/S\tOF THE ROOF\tWHAT IS NEW\n")
	for _, r := range t.Rungs {
		if r.Problem != "" {
			fmt.Fprintf(columns, "%s\t-\t-\tnot right: %s\n", r.Name, firstLine(r.Problem))
			continue
		}
		fmt.Fprintf(columns, "%s\t%s\t%.0f %%\t%s\n", r.Name, Rounded(r.GFLOPS), 100*r.Share, r.Idea)
	}
	fmt.Fprintf(columns, "the roof\t%s\t\tmultiply-adds that wait for nothing\n", Rounded(t.Roof.GFLOPS))
	columns.Flush()
	fmt.Fprintf(&out, "\nMemory to memory: %s GB/s. %s\n", Rounded(t.Roof.CopyGBs), t.Note())
	return out.String()
}

// Note says what a reader of the table should know about this kind of adapter.
func (t *Table) Note() string {
	best := -1
	for i, r := range t.Rungs {
		if !r.Own && r.GFLOPS > 0 && (best < 0 || r.GFLOPS > t.Rungs[best].GFLOPS) {
			best = i
		}
	}
	if best < 0 {
		return ""
	}
	fastest := fmt.Sprintf("The fastest rung here is %s.", t.Rungs[best].Name)
	if t.Kind != "CPU" {
		return fastest
	}
	return fastest + " This is a processor: its caches do what workgroup memory does on a GPU, and at a barrier it has to " +
		"put one invocation after the other aside. So registers help here, and tiles do not."
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// Rounded writes a number with three digits that count, and thousands apart.
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
