// Package cells makes a Go program of the notebooks' cells, ahead: a package for each
// notebook, in which each cell is a file of its own. It means what GoNB's cells mean:
// declarations stay for the cells after it, and what stands below %% is a main, here a
// function, of a program that runs it alone.
//
// What is made goes to the compiler as an overlay and never into the clone, so that no
// cell can be another than the notebook's.
package cells

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/kernel/gocell"
	"github.com/wgslab/wgslab/internal/nbformat"
)

// Program is the command that the cells become a part of, a folder of the clone.
const Program = "internal/site/worker"

const module = "github.com/wgslab/wgslab/"

// standIns are the packages that a page has in the place of those that a cell imports.
var standIns = map[string]string{"github.com/cogentcore/webgpu/wgpu": module + "internal/site/wgpu"}

// harmless are the commands to the kernel that mean nothing in a page.
var harmless = []string{"%noautoget"}

// A Source is the Go that is made of notebooks' cells.
type Source struct {
	files     map[string]string // by their path in the clone
	notebooks []*notebook
}

// A notebook is the package of one.
type notebook struct {
	name     string            // the file's, without .ipynb
	number   int               // of the notebooks, from 1
	declared map[string]string // the cell that declares a name
	run      []runnable
	cells    int // read so far
}

// A runnable is a cell that has a main, which is a function here.
type runnable struct{ id, function string }

// New is a source with no cell in it.
func New() *Source { return &Source{files: map[string]string{}} }

// Add adds the cells of a notebook, in their order: those that hold Go and run in a
// page. Its name is the file's without .ipynb. Each cell runs by the name NOTEBOOK/ID,
// if it does anything at all: Runs tells.
func (s *Source) Add(name string, all []*nbformat.Cell) error {
	n := &notebook{name: name, number: len(s.notebooks) + 1, declared: map[string]string{}}
	s.notebooks = append(s.notebooks, n)
	for _, cell := range all {
		source, err := n.read(cell)
		if err != nil {
			return fmt.Errorf("%s.ipynb: cell %s: %w", name, cell.ID, err)
		}
		s.files[path.Join(Program, n.pkg(), fmt.Sprintf("cell%d.go", n.cells))] = source
	}
	return nil
}

// Runs lists what can be run: NOTEBOOK/ID, in the order of the course.
func (s *Source) Runs() []string {
	var all []string
	for _, n := range s.notebooks {
		for _, c := range n.run {
			all = append(all, n.name+"/"+c.id)
		}
	}
	return all
}

func (n *notebook) pkg() string { return fmt.Sprintf("notebook%d", n.number) }

// read makes a cell the next file of its package.
func (n *notebook) read(from *nbformat.Cell) (string, error) {
	n.cells++
	c := gocell.Read(from.Source)
	for _, command := range c.Commands {
		if command != "%%" && !slices.Contains(harmless, command) {
			return "", fmt.Errorf("a page cannot do %s: let assets/instead say what stands in the cell's place", command)
		}
	}
	declared, err := c.Declared()
	if err != nil {
		return "", fmt.Errorf("reading its Go: %w", err)
	}
	for _, name := range names(declared) {
		if other, twice := n.declared[name]; twice {
			return "", fmt.Errorf("it declares %s, as the cell %s does: in a page, a notebook's cells share one package", name, other)
		}
		n.declared[name] = from.ID
	}
	var out strings.Builder
	fmt.Fprintf(&out, "package %s\n\n//line %s:1\n%s\n", n.pkg(), from.ID, withStandIns(c.Declarations))
	if c.HasMain {
		function := fmt.Sprintf("Cell%d", n.cells)
		fmt.Fprintf(&out, "func %s() {\n//line %s:%d\n%s\n}\n", function, from.ID, 2+strings.Count(c.Declarations, "\n"), c.Main)
		n.run = append(n.run, runnable{from.ID, function})
	}
	return out.String(), nil
}

// withStandIns leads imports to the packages that a page has.
func withStandIns(declarations string) string {
	for from, to := range standIns {
		declarations = strings.ReplaceAll(declarations, `"`+from+`"`, `"`+to+`"`)
	}
	return declarations
}

// names are those that a file declares in its package.
func names(file *ast.File) []string {
	var all []string
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				all = append(all, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					all = append(all, spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						all = append(all, name.Name)
					}
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == "_" })
}

// table is the file that tells the program of its cells.
func (s *Source) table() string {
	var imports, entries strings.Builder
	for _, n := range s.notebooks {
		if len(n.run) > 0 {
			fmt.Fprintf(&imports, "\t%q\n", module+path.Join(Program, n.pkg()))
		}
		for _, c := range n.run {
			fmt.Fprintf(&entries, "\tcells[%q] = %s.%s\n", n.name+"/"+c.id, n.pkg(), c.function)
		}
	}
	return fmt.Sprintf("package main\n\nimport (\n%s)\n\nfunc init() {\n%s}\n", imports.String(), entries.String())
}

// Overlay writes what was made into a folder, and gives the file that tells the go
// command of it, for its flag -overlay. root is the clone.
func (s *Source) Overlay(root, folder string) (string, error) {
	files := maps.Clone(s.files)
	files[path.Join(Program, "cells_made.go")] = s.table()
	replace := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(folder, fmt.Sprintf("made%d.go", i))
		if err := os.WriteFile(file, []byte(files[name]), 0o644); err != nil {
			return "", fmt.Errorf("writing the cells' Go: %w", err)
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = file
	}
	overlay, _ := json.Marshal(map[string]any{"Replace": replace}) // strings always can be
	file := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		return "", fmt.Errorf("writing the cells' Go: %w", err)
	}
	return file, nil
}
