package memtrace_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/observe/memtrace"
)

func TestElementsAreSaidPlainly(t *testing.T) {
	flat, matrix := &memtrace.TracedVariable{Name: "x", Elements: 100}, &memtrace.TracedVariable{Name: "a", Elements: 12, Columns: 4}
	for _, of := range []struct {
		variable *memtrace.TracedVariable
		elements []int
		want     string
	}{
		{flat, []int{7}, "x[7]"},
		{flat, []int{7, 9}, "x[7 and 9]"},
		{flat, []int{3, 4, 5, 6}, "x[3 to 6]"},
		{flat, []int{0, 5, 10, 15}, "x[0, 5, … 15]"},
		{flat, []int{0, 1, 10, 15}, "x[0, 1, 10 and 15]"},
		{flat, []int{0, 1, 3, 4, 5, 6, 7, 8, 9}, "9 elements of x, from 0 to 9"},
		{matrix, []int{4, 5, 6, 7}, "row 1 of a"},
		{matrix, []int{5, 6, 7, 8}, "a[5 to 8]"},
		{matrix, []int{1, 5, 9}, "column 1 of a"},
		{matrix, []int{6}, "element (1, 2) of a"},
		{matrix, []int{6, 11}, "elements (1, 2) and (2, 3) of a"},
	} {
		require.Equal(t, of.want, of.variable.Plainly(of.elements))
	}
}

func TestCountsAreSaidPlainly(t *testing.T) {
	for want, c := range map[string]memtrace.Count{
		"once":                               {Min: 1, Max: 1},
		"twice":                              {Min: 2, Max: 2},
		"1,000 times":                        {Min: 1000, Max: 1000},
		"0 to 1 times, 0.75 on average":      {Max: 1, Mean: 0.75},
		"0 to 9,000 times, 1,234 on average": {Max: 9000, Mean: 1234.5},
	} {
		require.Equal(t, want, c.Often())
	}
}
