package nbformat

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGradingSurvivesItsFile(t *testing.T) {
	for name, want := range map[string]Grading{
		"the learner's": {ID: "vector-add-shader", Solution: true},
		"a check":       {ID: "vector_add-check", Grade: true, Locked: true, Points: 2},
		"half a point":  {ID: "half", Grade: true, Locked: true, Points: 0.5},
		"read only":     {ID: "map", Locked: true},
	} {
		t.Run(name, func(t *testing.T) {
			nb := &Notebook{Cells: []*Cell{{Type: Code, Source: "%noautoget"}, {Type: Code, Source: "%%\nx()"}}}
			nb.giveIDs()
			require.NoError(t, nb.Cells[1].SetGrading(want))
			data, err := nb.Encode()
			require.NoError(t, err)
			again, err := Decode(data)
			require.NoError(t, err)
			for _, cell := range []*Cell{nb.Cells[1], again.Cells[1]} {
				got, ok, err := cell.Grading()
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, want, got)
			}
			_, ok, err := again.Cells[0].Grading()
			require.NoError(t, err)
			require.False(t, ok, "the cell before it has none")
		})
	}
}

// Points are numbers as Jupyter writes them: a whole one has no fraction.
func TestGradingIsLaidOutAsJupyterDoes(t *testing.T) {
	cell := &Cell{ID: "c", Type: Code, Source: "x", Metadata: map[string]any{"tags": []any{"kept"}}}
	require.NoError(t, cell.SetGrading(Grading{ID: "add-check", Grade: true, Locked: true, Points: 2}))
	nb := &Notebook{Cells: []*Cell{cell}}
	data, err := nb.Encode()
	require.NoError(t, err)
	require.Contains(t, string(data), `   "metadata": {
    "nbgrader": {
     "grade": true,
     "grade_id": "add-check",
     "locked": true,
     "points": 2,
     "schema_version": 3,
     "solution": false,
     "task": false
    },
    "tags": [
     "kept"
    ]
   },
`)
}

func TestGradingThatNbgraderWouldRefuse(t *testing.T) {
	for _, id := range []string{"", "vector add", "größe", "a/b"} {
		require.ErrorContains(t, new(Cell).SetGrading(Grading{ID: id}), "a grade_id may contain only letters, digits", "%q", id)
	}
	for want, metadata := range map[string]any{
		"is not an object":                      "x",
		"has schema 2, and wgslab reads only 3": map[string]any{"schema_version": 2},
	} {
		_, _, err := (&Cell{ID: "c", Metadata: map[string]any{"nbgrader": metadata}}).Grading()
		require.ErrorContains(t, err, want)
	}
}
