package race_test

import "github.com/wgslab/wgslab/pkg/race"

// The two ways run the same passes; the picture shows how much longer one takes.
func ExampleReadbacks() { race.Readbacks(8) }

// Neighbours on different rows move more bytes.
func ExampleCount() { race.Count("naive", "coalesced") }

// Each line is one shader; the speed grows with the matrices.
func ExampleGrowth() { race.Growth() }

// The table counts the bytes of two passes, and of one that does both.
func ExampleFused() { race.Fused(1000) }

// One invocation for each of ten long rows, or one workgroup.
func ExampleArgmax() { race.Argmax(10, 10_000) }
