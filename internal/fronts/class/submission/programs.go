package submission

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	notebookcell "github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// hostChecks matches the calls that check a program for the host.
var hostChecks = regexp.MustCompile("check\\.(?:Host\\(\\s*[\"`]([a-z0-9-]+)[\"`]|(Forward|Train)\\()")

// declare records what a cell of Go declares. A program for the host is what the session has when a
// cell checks it.
func (w *written) declare(source *notebookcell.CellSource, c *rawCell, number int) {
	names, err := w.session.Add(source)
	if err != nil {
		w.unparsed(source, c, number)
	}
	for _, e := range course.OnHost {
		if slices.Contains(names, e.Host.Function) {
			w.cells[e.ID] = number
		}
	}
	checked := []string{strings.TrimSuffix(c.ID, "-check"), strings.TrimSuffix(c.gradeID(), "-check")}
	for _, found := range hostChecks.FindAllStringSubmatch(source.Code, -1) {
		checked = append(checked, found[1], strings.ToLower(found[2]))
	}
	for _, e := range course.OnHost {
		if slices.Contains(checked, e.ID) {
			w.takeProgram(e)
		}
	}
}

// unparsed records a cell that isn't Go and should declare a program.
func (w *written) unparsed(source *notebookcell.CellSource, c *rawCell, number int) {
	for _, e := range course.OnHost {
		if c.ID == e.ID+"-host" || c.gradeID() == e.ID+"-host" || strings.Contains(source.Code, "func "+e.Host.Function+"(") {
			w.broken[e.ID] = HandIn{Source: cut(source.Program().Declarations), Cell: number}
		}
	}
}

// takeProgram records the program of an exercise as the session has it.
func (w *written) takeProgram(e *course.Exercise) {
	broken, isBroken := w.broken[e.ID]
	switch at, declared := w.cells[e.ID]; {
	case isBroken && broken.Cell > at:
		w.programs[e.ID] = broken
	case declared:
		w.programs[e.ID] = HandIn{Source: cut(w.session.Program(e.Host.Function)), Cell: at}
	}
}

// end records the programs that no cell checks.
func (w *written) end() {
	for _, e := range course.OnHost {
		if _, found := w.programs[e.ID]; !found {
			w.takeProgram(e)
		}
	}
}

// Untouched reports whether a program is what its exercise begins with.
func Untouched(e *course.Exercise, own HandIn) bool {
	if own.Script {
		skeleton, err := e.ScriptSkeleton()
		return err == nil && strings.TrimSpace(skeleton) == strings.TrimSpace(own.Source)
	}
	skeleton, err := e.SkeletonCell()
	if err != nil {
		return false
	}
	begun := functionIn("package main\n"+notebookcell.Read(skeleton).Program().Declarations, e.Host.Function)
	return begun != "" && begun == functionIn(own.Source, e.Host.Function)
}

// functionIn returns a function of a program, without comments and layout; "" if it has none of
// that name.
func functionIn(source, name string) string {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
			return goTokens(source[files.PositionFor(f.Pos(), false).Offset:files.PositionFor(f.End(), false).Offset])
		}
	}
	return ""
}

// goTokens returns Go without comments and layout.
func goTokens(source string) string {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(source)), []byte(source), func(token.Position, string) {}, 0)
	var all strings.Builder
	for {
		_, kind, text := s.Scan()
		if kind == token.EOF {
			return all.String()
		}
		all.WriteString(kind.String() + " " + text + "\n")
	}
}

// onHost returns an exercise of the host's calls, or nil.
func onHost(id string) *course.Exercise {
	for _, e := range course.OnHost {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// workID returns the id of the exercise that a file in a folder work belongs to, or "".
func workID(name string) string {
	if strings.HasSuffix(name, ".wgsl") {
		return exerciseOf()["work/"+name]
	}
	if id, isScript := strings.CutSuffix(name, ".js"); isScript && onHost(id) != nil {
		return id
	}
	return ""
}

// RightPrograms returns a submission with the right program of each exercise for the host.
func RightPrograms() (Submission, error) {
	s := Submission{Student: "right", Programs: map[string]HandIn{}}
	for _, e := range course.OnHost {
		text, err := e.ReferenceCell()
		if err != nil {
			return s, err
		}
		var session notebookcell.Session
		if _, err := session.Add(notebookcell.Read(text)); err != nil {
			return s, fmt.Errorf("reading the program of %s: %w", e.ID, err)
		}
		s.Programs[e.ID] = HandIn{Source: session.Program(e.Host.Function)}
	}
	return s, nil
}
