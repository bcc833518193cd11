// Package cells turns the notebooks' cells into a Go program ahead of time. Each notebook becomes a
// package, and each cell a file. The meaning is the same as in GoNB: declarations stay for later
// cells, and the lines below %% are a main. Here that main is a function of a program that runs it
// alone.
//
// The compiler gets these files as an overlay. They are never written into the clone, so no cell
// can differ from the notebook's.
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

	notebookcell "github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// Program is the command that contains the cells, a folder of the clone.
const Program = "internal/fronts/page/webworker"

const module = "github.com/wgslab/wgslab/"

// harmless lists the kernel commands that have no meaning in a page.
var harmless = []string{"%noautoget"}

// A GoSource is the Go source made from notebooks' cells.
type GoSource struct {
	files     map[string]string // by their path in the clone
	notebooks []*notebook
}

// A notebook is the package of one notebook.
type notebook struct {
	name     string            // the file name, without .ipynb
	number   int               // its position among the notebooks, from 1
	declared map[string]string // the cell that declares a name
	run      []runnable
	cells    int // read so far
}

// A runnable is a cell with a main. Here that main is a function of its own.
type runnable struct{ id, function string }

// New returns a source without cells.
func New() *GoSource { return &GoSource{files: map[string]string{}} }

// Add adds the Go cells of a notebook that can run in a page, in order. The notebook's name is its
// file name without .ipynb. A cell that does anything at all can be run by the name NOTEBOOK/ID:
// see Runs.
func (s *GoSource) Add(name string, all []*nbformat.Cell) error {
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

// Replace gives the program another text of a file of the clone, such as exercises/exercises.go.
func (s *GoSource) Replace(file, text string) { s.files[file] = text }

// AddPack builds the files of a pack of exercises into the program, by their paths in it.
func (s *GoSource) AddPack(texts map[string]string) {
	if len(texts) == 0 {
		return
	}
	for name, text := range texts {
		s.files[path.Join(Program, "pack", name)] = text
	}
	s.files[path.Join(Program, "pack_made.go")] = packSource
}

const packSource = `package main

import (
	"embed"
	"io/fs"

	"github.com/wgslab/wgslab/internal/course"
)

//go:embed pack
var packFiles embed.FS

func init() {
	files, err := fs.Sub(packFiles, "pack")
	if err != nil {
		panic(err) // the name is valid
	}
	course.UsePack(files)
}
`

// Runs lists the cells that can be run: NOTEBOOK/ID, in the order of the course.
func (s *GoSource) Runs() []string {
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
	source := notebookcell.Read(from.Source)
	c := source.Program()
	for _, command := range c.Commands {
		if command != "%%" && !slices.Contains(harmless, command) {
			return "", fmt.Errorf("a page cannot run %s: add a replacement for the cell to assets/instead", command)
		}
	}
	declared, err := source.Declared()
	if err != nil {
		return "", fmt.Errorf("reading its Go: %w", err)
	}
	for _, name := range names(declared) {
		if other, twice := n.declared[name]; twice {
			return "", fmt.Errorf("it declares %s, and so does the cell %s: in a page, a notebook's cells share one package", name, other)
		}
		n.declared[name] = from.ID
	}
	var out strings.Builder
	fmt.Fprintf(&out, "package %s\n\n//line %s:1\n%s\n", n.pkg(), from.ID, c.Declarations)
	if c.HasMain {
		function := fmt.Sprintf("Cell%d", n.cells)
		fmt.Fprintf(&out, "func %s() {\n//line %s:%d\n%s\n}\n", function, from.ID, 2+strings.Count(c.Declarations, "\n"), c.Main)
		n.run = append(n.run, runnable{from.ID, function})
	}
	return out.String(), nil
}

// names returns the names that declarations declare in their package.
func names(declared []ast.Decl) (all []string) {
	for _, d := range declared {
		all = append(all, notebookcell.Names(d)...)
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == "_" || name == "init" })
}

// table returns the file that lists the cells for the program.
func (s *GoSource) table() string {
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

// Overlay writes the files into a folder, and returns the path of the file for the go command's
// flag -overlay. root is the clone.
func (s *GoSource) Overlay(root, folder string) (string, error) {
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
	overlay, _ := json.Marshal(map[string]any{"Replace": replace}) // strings never fail
	file := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		return "", fmt.Errorf("writing the cells' Go: %w", err)
	}
	return file, nil
}
