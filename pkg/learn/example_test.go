package learn_test

import "github.com/wgslab/wgslab/pkg/learn"

// The cell trains for five epochs, until you interrupt it.
func ExampleLive() { learn.Live(5) }

func ExampleLiveAt() { learn.LiveAt(0.001, 1) }

func ExampleNudges() { learn.Nudges() }

// The rates of sgd and of adam: the picture has a line for each.
func ExampleCurves() { learn.Curves(0.1, 0.001) }
