package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInputsAreDrawnWithSigns(t *testing.T) {
	in := Inputs{For: "out[2]", Name: "a", Columns: 2, Cells: []InputCell{{4, true, true}, {5, true, false}, {6, false, true}, {7, false, false}}}
	var signs []string
	for _, p := range in.Pictures() {
		for _, row := range p.Rows {
			signs = append(signs, row.First+row.Squares[0].Sign+row.Squares[1].Sign)
		}
	}
	require.Equal(t, []string{"a[4]●○", "a[6]", "a[4]●", "a[6]✗"}, signs)
	html := string((&Verdict{Outcome: Fail, Reasons: Reasons{{Text: "why", Inputs: []Inputs{in}}}}).HTML())
	require.Contains(t, html, `role="img" aria-label="for out[2], your shader uses a[4], a[6]"`)
	require.Contains(t, html, "○ needed, but not used")
	require.NotContains(t, string((&Verdict{Outcome: Fail, Reasons: Reasons{{Text: "why"}}}).HTML()), `role="img"`)
}
