// Package prints reads the print comments of a shader. A print comment names values to show at its
// place, for each invocation or for some:
//
//	let i = id.x; // print: i, a[i] + b[i]
//	// print if id.x == 3u: sum
//
// No engine sees them. To show the values, package printing runs the shader in the simulator.
package prints

import (
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Print is a print comment.
type Print struct {
	Span      syntax.Span
	File      string // "" for the file that the shader begins with
	Line      int
	Condition PrintedExpression   // its Text is empty if there is none
	Values    []PrintedExpression // at least one, unless the comment is unfinished
}

// A PrintedExpression is an expression in a comment.
type PrintedExpression struct {
	Text string
	Span syntax.Span
}

var form = regexp.MustCompile(`^//[ \t]*print(?:[ \t]*|[ \t]+if\b([^:]*)):(.*)$`)

// Of returns the print comments of a shader that was parsed, in source order.
func Of(file *syntax.TranslationUnit) (list []Print) {
	for _, c := range file.Comments {
		if c.Block {
			continue
		}
		text := strings.TrimRight(file.Source.Slice(c.Span), "\r\n")
		at := form.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		place := file.Source.Region(c.Span)
		found := Print{Span: c.Span, File: place.File, Line: place.Line}
		if at[2] >= 0 {
			found.Condition = part(text, at[2], at[3], c.Span.Start)
		}
		found.Values = split(text, at[4], at[5], c.Span.Start)
		list = append(list, found)
	}
	return list
}

// part returns an expression without the spaces around it. The text begins at an offset of the
// shader.
func part(text string, from, to int, offset int32) PrintedExpression {
	kept := strings.TrimSpace(text[from:to])
	start := offset + int32(from+strings.Index(text[from:to], kept))
	return PrintedExpression{kept, syntax.Span{Start: start, End: start + int32(len(kept))}}
}

// split returns the expressions between the commas that are not in brackets.
func split(text string, from, to int, offset int32) (list []PrintedExpression) {
	depth, start := 0, from
	for i := from; i <= to; i++ {
		if i < to {
			switch text[i] {
			case '(', '[':
				depth++
				continue
			case ')', ']':
				depth--
				continue
			case ',':
				if depth > 0 || inTemplate(text[start:i]) {
					continue
				}
			default:
				continue
			}
		}
		if p := part(text, start, i, offset); p.Text != "" {
			list = append(list, p)
		}
		start = i + 1
	}
	return list
}

// opened matches a type whose template list has no end yet: `array<f32`.
var opened = regexp.MustCompile(`\b(?:array|vec[234]|mat[234]x[234])\s*<[^<>]*$`)

func inTemplate(text string) bool { return opened.MatchString(text) }

// Marked returns a shader's text with an empty statement in the place of each comment, where a
// debugger can stop. It takes the comment's first three bytes, so everything else keeps its place.
func Marked(text string, comments ...Print) string {
	marked := []byte(text)
	for _, c := range comments {
		copy(marked[c.Span.Start:], ";//")
	}
	return string(marked)
}

// problem returns a warning: a comment changes nothing in what the shader does.
func problem(at syntax.Span, message, hint string) *findings.Finding {
	f := findings.Errorf(findings.PrintComment, at, "%s", message).Try("%s", hint)
	f.Severity = findings.Warning
	return f
}
