// Package gocell reads a cell of Go as GoNB does: commands in lines of their own,
// declarations, and behind %% the body of main.
package gocell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// A Cell is a cell in its parts. Its lines keep their places.
type Cell struct {
	Declarations string
	Main         string   // the body of main
	HasMain      bool     // there is %%
	Commands     []string // GoNB's, the shell's and the compiler's, but for a bare %%
}

// Read takes a cell apart.
func Read(code string) Cell {
	var c Cell
	var declarations, main strings.Builder
	into := &declarations
	for line := range strings.Lines(code) {
		text := strings.TrimSpace(line)
		switch {
		case !c.HasMain && beginsMain(line):
			c.HasMain = true
			into = &main
			if text != "%%" && text != "%main" {
				c.Commands = append(c.Commands, text) // main has arguments
			}
		case strings.HasPrefix(line, "%"), strings.HasPrefix(line, "!"):
			c.Commands = append(c.Commands, text)
			into.WriteString("\n")
		default:
			if strings.HasPrefix(text, "//gonb:") || strings.HasPrefix(text, "//go:") {
				c.Commands = append(c.Commands, text)
			}
			into.WriteString(line)
		}
	}
	c.Declarations, c.Main = declarations.String(), main.String()
	return c
}

func beginsMain(line string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	return strings.HasPrefix(line, "%") && (word == "%%" || word == "%main")
}

// File parses the program that GoNB makes of the cell. With an error comes as much of it as
// could be made out.
func (c Cell) File() (*ast.File, error) {
	source := c.Declarations
	if c.HasMain {
		source += "func main() {\n" + c.Main + "\n}\n"
	}
	return parse(source)
}

// Declared parses what lasts beyond the cell: its declarations without main.
func (c Cell) Declared() (*ast.File, error) { return parse(c.Declarations) }

func parse(source string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", "package main\n"+source, parser.SkipObjectResolution)
}
