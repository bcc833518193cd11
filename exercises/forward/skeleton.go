//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/check"

// forward runs the network on l.X: four passes, one submission, no readback.
func forward(l check.Layers) error {
	// Your lines go here.
	return nil
}
