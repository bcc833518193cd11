package write_test

import "github.com/wgslab/wgslab/pkg/write"

// The cell adds 60 letters at temperature 0.8. The seed is 1: run it again, and it writes the same.
func ExampleText() { write.Text("Once upon a time", 60, 0.8, 1) }

func ExampleAnew() { write.Anew("Once upon a time", 20, 0.8, 1) }

func ExampleNext() { write.Next("Once upon a tim", 1) }

func ExampleLooks() { write.Looks("Once upon a time", 1) }

// After 10, 20, 50 and 100 letters.
func ExampleTimes() { write.Times(100) }

// Fewer bits for each weight: what it saves, and what it costs.
func ExampleBits() { write.Bits(100) }
