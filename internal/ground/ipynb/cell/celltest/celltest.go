// Package celltest holds the test cells for every reader of cells.
package celltest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A TestedCell is a cell with the answers that each reader must give.
type TestedCell struct {
	Source   string
	Path     string // of the file that it writes; "" for none
	Text     string // the text that it writes
	Append   bool
	Other    bool     // the file is not a shader
	Exercise string   // the exercise of that shader; "" for none
	Call     []string // the one call that the cell consists of: the function and its arguments
}

// WritesShader reports whether the cell writes a shader.
func (c TestedCell) WritesShader() bool { return c.Path != "" && !c.Other }

// Cases reads the table of cells.
func Cases(t testing.TB) (cases []TestedCell) {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	data, err := os.ReadFile(filepath.Join(filepath.Dir(here), "..", "testdata", "cells.json"))
	if err == nil {
		err = json.Unmarshal(data, &cases)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cases
}
