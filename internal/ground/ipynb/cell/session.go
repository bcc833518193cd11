package cell

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// A Session holds what cells of Go have declared, as GoNB keeps it: of two declarations with a
// name, the later one counts. The zero Session is empty.
type Session struct {
	parts   []sessionPart
	at      map[string]int   // the part that declares a name
	methods map[string][]int // the parts that are methods of a type
	imports map[string]string
	text    int // bytes that were read
}

// A sessionPart is a declaration.
type sessionPart struct {
	uses     []string
	packages []string // of the uses, those that may be imports
	text     string   // with its comment; "" if a later one replaces it
}

// mostSession is how much Go a session reads, in bytes. The course's longest notebook has 30,000.
const mostSession = 4 << 20

// Add adds the declarations of a cell, and returns their names, but for methods'. Its error says
// why the cell isn't Go, or that there is too much of it.
func (s *Session) Add(c *CellSource) (names []string, err error) {
	const head = "package main\n"
	text := head + c.Program().Declarations
	if s.text += len(text); s.text > mostSession {
		return nil, errors.New("there is too much Go")
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("reading a cell: %w", err)
	}
	if s.at == nil {
		s.at, s.methods, s.imports = map[string]int{}, map[string][]int{}, map[string]string{}
	}
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, "\"`")
		name, as := path[strings.LastIndexByte(path, '/')+1:], ""
		if spec.Name != nil {
			name, as = spec.Name.Name, spec.Name.Name+" "
		}
		s.imports[name] = as + spec.Path.Value
	}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		begin, end := files.PositionFor(beginOf(d), false).Offset, files.PositionFor(d.End(), false).Offset
		s.add(d, sessionPart{identifiers(d), packagesIn(d), text[begin:end]})
		names = append(names, Names(d)...)
	}
	return names, nil
}

// add adds a declaration in place of older ones with a name of it.
func (s *Session) add(d ast.Decl, p sessionPart) {
	names := Names(d)
	if method, ok := d.(*ast.FuncDecl); ok && method.Recv != nil {
		of := identifiers(method.Recv)
		receiver := of[len(of)-1]
		names = []string{receiver + "." + method.Name.Name}
		s.methods[receiver] = append(s.methods[receiver], len(s.parts))
	}
	for _, name := range names {
		if old, found := s.at[name]; found && name != "_" && name != "init" {
			s.parts[old].text = ""
		}
		s.at[name] = len(s.parts)
	}
	s.parts = append(s.parts, p)
}

// Program returns a file with a function, and with what that uses of the session.
func (s *Session) Program(function string) string {
	kept, used, next := make([]bool, len(s.parts)), map[string]bool{}, []string{function}
	for len(next) > 0 {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		if used[name] {
			continue
		}
		used[name] = true
		parts := s.methods[name]
		if at, found := s.at[name]; found {
			parts = append(slices.Clone(parts), at)
		}
		for _, i := range parts {
			if !kept[i] {
				kept[i] = true
				next = append(next, s.parts[i].uses...)
			}
		}
	}
	imported := map[string]bool{}
	for i, p := range s.parts {
		for _, name := range p.packages {
			imported[name] = imported[name] || kept[i] && p.text != ""
		}
	}
	var out strings.Builder
	out.WriteString("package main\n")
	for _, name := range slices.Sorted(maps.Keys(s.imports)) {
		if imported[name] || name == "." || name == "_" {
			fmt.Fprintf(&out, "\nimport %s", s.imports[name])
		}
	}
	for i, p := range s.parts {
		if kept[i] && p.text != "" {
			fmt.Fprintf(&out, "\n\n%s", p.text)
		}
	}
	return out.String() + "\n"
}

// identifiers returns the names in a part of a program, each once.
func identifiers(n ast.Node) (names []string) {
	seen := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok && !seen[name.Name] {
			seen[name.Name] = true
			names = append(names, name.Name)
		}
		return true
	})
	return names
}

// packagesIn returns the names in front of a dot that a declaration doesn't declare itself.
func packagesIn(d ast.Decl) (names []string) {
	own := map[string]bool{}
	declare := func(all ...ast.Expr) {
		for _, e := range all {
			if name, ok := e.(*ast.Ident); ok {
				own[name.Name] = true
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if name, ok := n.X.(*ast.Ident); ok {
				names = append(names, name.Name)
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				declare(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				declare(n.Key, n.Value)
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				declare(name)
			}
		case *ast.Field:
			for _, name := range n.Names {
				declare(name)
			}
		}
		return true
	})
	return slices.DeleteFunc(names, func(name string) bool { return own[name] })
}

// beginOf returns the beginning of a declaration, with its comment.
func beginOf(d ast.Decl) token.Pos {
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return d.Pos()
}
