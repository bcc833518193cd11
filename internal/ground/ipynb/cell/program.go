package cell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A GoProgram is the program that GoNB makes of a Go cell. Its lines keep their numbers: each
// command leaves an empty line.
type GoProgram struct {
	Declarations string
	Main         string   // the body of main
	HasMain      bool     // there is %% or %main
	Commands     []string // for GoNB, the shell and the compiler, without a bare %% or %main
}

// Program divides a cell of Go into its parts.
func (s *CellSource) Program() GoProgram { return s.program() }

func readProgram(code string) GoProgram {
	var p GoProgram
	var declarations, main strings.Builder
	into := &declarations
	command := "" // it continues on the next line
	for line := range strings.Lines(code) {
		if command == "" && !IsCommand(line) {
			if text := strings.TrimSpace(line); strings.HasPrefix(text, "//go:") {
				p.Commands = append(p.Commands, text)
			}
			into.WriteString(line)
			continue
		}
		command += strings.TrimSpace(strings.TrimPrefix(line, commentPrefix))
		if begin, goesOn := strings.CutSuffix(command, `\`); goesOn {
			command = begin + " "
			into.WriteString("\n")
			continue
		}
		begins := !p.HasMain && beginsMain(command)
		if begins {
			p.HasMain, into = true, &main
		} else {
			into.WriteString("\n")
		}
		if !begins || strings.Contains(command, " ") {
			p.Commands = append(p.Commands, command)
		}
		command = ""
	}
	if command != "" {
		p.Commands = append(p.Commands, command)
	}
	p.Declarations, p.Main = declarations.String(), main.String()
	return p
}

// commentPrefix turns a command into a comment, for tools that read a cell as plain Go.
const commentPrefix = "//gonb:"

// IsCommand reports whether a line is a command to GoNB (%) or to the shell (!), even inside a raw
// string.
func IsCommand(line string) bool {
	text := strings.TrimRight(strings.TrimPrefix(line, commentPrefix), "\r\n")
	return len(text) > 1 && (text[0] == '%' || text[0] == '!')
}

func beginsMain(command string) bool {
	word, _, _ := strings.Cut(command, " ")
	return word == "%%" || word == "%main"
}

// Declared returns the declarations that remain after the cell has run: all but main. With an error
// it returns those that the parser understood.
func (s *CellSource) Declared() ([]ast.Decl, error) {
	file, err := s.syntax()
	return slices.DeleteFunc(slices.Clone(file.Decls), func(d ast.Decl) bool {
		function, ok := d.(*ast.FuncDecl)
		return ok && function.Recv == nil && function.Name.Name == "main"
	}), err
}

// Names returns the names that a declaration declares in its package: none for a method.
func Names(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// parse parses the program. With an error it also returns the part that the parser understood. The
// file is the first of its set, so a position is an offset in source, plus 1.
func (p GoProgram) parse() (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", p.Source(), parser.SkipObjectResolution|parser.AllErrors)
}

// Source returns the program as a file. The head of main is where the cell has its %%.
func (p GoProgram) Source() string {
	source := "package main\n" + p.Declarations
	if p.HasMain {
		source += "func main() {\n" + p.Main + "\n}\n"
	}
	return source
}
