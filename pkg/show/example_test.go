package show_test

import (
	"strconv"

	"github.com/wgslab/wgslab/pkg/show"
)

// Outside a notebook, a view is its text.
func ExampleDisplay() {
	show.Display(show.Card{Title: "This runs your shaders", Rows: [][2]string{
		{"adapter", "llvmpipe"}, {"kind", "CPU"},
	}})
	// Output:
	// This runs your shaders
	//   adapter  llvmpipe
	//   kind     CPU
}

func ExampleDispatch() {
	show.Display(show.Dispatch{Workgroups: [2]int{3, 1}, Size: [2]int{4, 1}, Elements: [2]int{10, 1}})
	// Output:
	// 3 workgroups × 4 invocations = 12 for 10 elements; 2 are idle
	//   workgroup 0    |████████████████████████████████| elements 0 to 3
	//   workgroup 1    |████████████████████████████████| elements 4 to 7
	//   workgroup 2    |████████████████░░░░░░░░░░░░░░░░| elements 8 to 9 (2 idle)
}

func ExampleTable() {
	show.Display(show.Table{Headers: []string{"n", "right"}, Rows: [][]any{{64, true}, {65, false}}})
	// Output:
	// n  right
	//   ──  ─────
	//   64  true
	//   65  false
}

// If a cell can continue, Must returns its first argument. Otherwise it shows the error and ends
// the cell.
func ExampleMust() {
	show.Display(show.Table{Headers: []string{"n"}, Rows: [][]any{{show.Must(strconv.Atoi("64"))}}})
	// Output:
	// n
	//   ──
	//   64
}

func ExampleColumns() {
	show.Display(show.Columns([]string{"x", "max(x, 0)"}, []float32{-1, 1}, []float32{0, 1}))
	// Output:
	// x  max(x, 0)
	//   ──  ─────────
	//   -1          0
	//    1          1
}
