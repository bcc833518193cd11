//go:build !js

package host

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A HandInFile is a learner's program for an exercise of the host's calls, before it runs.
type HandInFile struct {
	Exercise *course.Exercise
	Path     string // as the program's calls name it
	Text     string
}

var (
	buildTag = regexp.MustCompile(`(?m)^//go:build .*$`)
	ownMain  = regexp.MustCompile(`(?m)^func main\(`)
)

// Source returns the learner's file as a part of the program. Lines keep their numbers. A cell's
// commands to GoNB are left out, and a main of the learner's own never runs.
func (f *HandInFile) Source() string {
	text := cell.Read(f.Text).Program().Declarations
	text = ownMain.ReplaceAllString(buildTag.ReplaceAllString(text, "//"), "func _(")
	begin := "//line " + f.Path + ":1:1\n"
	if !regexp.MustCompile(`(?m)^package \w+`).MatchString(text) {
		begin = "package main\n" + begin // a cell
	}
	return begin + text
}

// compilerPlace matches a message of Go's compiler.
var compilerPlace = regexp.MustCompile(`(?m)^(.+\.go):(\d+):(\d+): (.+)$`)

// CompilerVerdict is the verdict on a file that doesn't compile, or nil if the compiler's messages
// are about another file.
func (f *HandInFile) CompilerVerdict(said string, seed uint64) *verdict.Verdict {
	for _, found := range compilerPlace.FindAllStringSubmatch(said, -1) {
		if filepath.Base(found[1]) != filepath.Base(f.Path) {
			continue
		}
		line, _ := strconv.Atoi(found[2])   // digits
		column, _ := strconv.Atoi(found[3]) // digits
		message := found[4]
		if missing, found := strings.CutPrefix(message, "no required module provides package "); found {
			missing, _, _ = strings.Cut(missing, ";")
			message = fmt.Sprintf("There is no package `%s` here: a program imports Go's standard library and the course's packages", missing)
		}
		return f.Refused(message, line, column, seed)
	}
	return nil
}

// Refused is the verdict on a file that can't be run.
func (f *HandInFile) Refused(message string, line, column int, seed uint64) *verdict.Verdict {
	v := &verdict.Verdict{Exercise: f.Exercise.ID, Seed: seed, Adapter: "Go's compiler", Cases: []verdict.CaseResult{}, Findings: []findings.Finding{}, Places: []verdict.Place{}}
	d := verdict.Diagnosis{Stage: verdict.StageCompile, Slug: "compile", Message: message}
	if lines := strings.Split(f.Text, "\n"); line > 0 && line <= len(lines) {
		d.Message = fmt.Sprintf("%s (line %d).", strings.TrimSuffix(message, "."), line)
		d.Region = findings.Region{Line: line, Column: column, EndLine: line, EndColumn: column + 1}
		d.Excerpt = d.Region.Excerpt(lines[line-1])
	}
	v.Fail(d)
	return v
}

// Unreadable is the verdict on a file that is no program in any language, or nil.
func (f *HandInFile) Unreadable(seed uint64) *verdict.Verdict {
	switch name := filepath.Base(f.Path); {
	case len(f.Text) > shader.MaxSource:
		return f.Refused(fmt.Sprintf("%s is larger than %d KiB. Programs in this course have two to ten.", name, shader.MaxSource>>10), 0, 0, seed)
	case !utf8.ValidString(f.Text) || strings.ContainsRune(f.Text, 0):
		return f.Refused(fmt.Sprintf("%s has bytes that aren't text. Is it really the program?", name), 0, 0, seed)
	}
	return nil
}

// NotGo is the verdict on a file without the function that the exercise asks for, or nil. The
// compiler says more about a file that isn't Go.
func (f *HandInFile) NotGo(seed uint64) *verdict.Verdict {
	name := f.Exercise.Host.Function
	if of, at := f.packageName(); of != "main" && of != "" {
		return f.Refused(fmt.Sprintf("The file is in package `%s`: write `package main`", of), at.Line, at.Column, seed)
	}
	if declared := f.Declaration(name); declared.IsValid() {
		return nil
	}
	return f.Refused(fmt.Sprintf("%s declares no function `%s`, which the exercise asks for.", filepath.Base(f.Path), name), 0, 0, seed)
}

// packageName returns the name of the file's package, and where it is; "" if the file isn't Go.
func (f *HandInFile) packageName() (name string, at token.Position) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", f.Source(), parser.PackageClauseOnly)
	if err != nil {
		return "", at
	}
	return file.Name.Name, files.Position(file.Name.Pos())
}

// Declaration returns where the file declares a function; it is valid without a line if the file
// isn't Go.
func (f *HandInFile) Declaration(name string) token.Position {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", f.Source(), parser.SkipObjectResolution)
	if err != nil {
		return token.Position{Line: 1}
	}
	for _, d := range file.Decls {
		if function, ok := d.(*ast.FuncDecl); ok && function.Recv == nil && function.Name.Name == name {
			return files.Position(function.Name.Pos())
		}
	}
	return token.Position{}
}
