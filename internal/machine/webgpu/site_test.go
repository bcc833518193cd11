package webgpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A line is numbered from the function or method around it, whatever the runtime calls that.
func TestShownLinesOfMethods(t *testing.T) {
	const program = `package main

func (r *runner) buffer() {
	r.make()
}

func (r runner) run() {
	for range r.all {
		r.make()
	}
}

func all[T any](values []T) {
	one(values)
}

func buffer() {}
`
	for _, c := range []struct {
		function string
		line     int
		shown    string
	}{
		{"main.(*runner).buffer", 4, "line 2 of `buffer`"},
		{"main.(*runner).buffer.func1", 4, "line 2 of `buffer`"},
		{"main.(*runner[...]).buffer", 4, "line 2 of `buffer`"},
		{"main.runner.run", 9, "line 3 of `run`"},
		{"main.runner.run.func2.1", 9, "line 3 of `run`"},
		{"main.runner.run-range1", 9, "line 3 of `run`"},
		{"main.all[...]", 14, "line 2 of `all`"},
		{"main.all[...].func1", 14, "line 2 of `all`"},
		{"main.buffer", 17, "line 1 of `buffer`"},
	} {
		at := webgpu.At(webgpu.SourcePlace{File: "main.go", Line: c.line, Function: c.function, Text: program})
		require.Equal(t, c.shown, at.Shown().String(), c.function)
		require.True(t, at.InProgram())
	}
	require.False(t, webgpu.At(webgpu.SourcePlace{File: "host.go", Line: 1, Function: "example.org/a/check.Host.func1"}).InProgram())
}
