package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/format"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A reading is what this front end says about one shader.
type reading struct {
	Accepted   bool   `json:"accepted"`
	Error      string `json:"error,omitempty"`       // the first one of a shader that isn't accepted
	Layout     string `json:"layout,omitempty"`      // the formatter's fault
	WhiteSpace string `json:"white_space,omitempty"` // how white space changes the verdict
}

// oneFile is the name of the command that reads one file.
const oneFile = "read-one-file"

// newReadCommand returns the command of the processes that read one file each.
func newReadCommand() *cobra.Command {
	return &cobra.Command{
		Use:    oneFile + " FILE",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(args[0])
			if err != nil {
				return fmt.Errorf("reading a shader: %w", err)
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(read(string(text)))
		},
	}
}

func read(text string) reading {
	shader := wgsl.Read("", text, types.Options{Features: types.AllFeatures})
	r := reading{Accepted: shader.Valid(), Layout: layoutFault(text)}
	if shader.Valid() {
		analysis.Analyze(shader.Info) // only its crashes and its time count
	} else {
		first := shader.Findings[slices.IndexFunc(shader.Findings, (*findings.Finding).IsError)]
		r.Error = fmt.Sprintf("line %d: %s", first.Line, first.Message)
	}
	was := verdict(shader)
	if is := verdict(wgsl.Read("", onOneLine(text), types.Options{Features: types.AllFeatures})); is != was {
		r.WhiteSpace = fmt.Sprintf("%s, on one line %s", was, is)
	}
	return r
}

// verdict returns "refused", or "accepted" with the kinds of the warnings.
func verdict(shader *wgsl.Shader) string {
	if !shader.Valid() {
		return "refused"
	}
	words := []string{"accepted"}
	for _, f := range shader.Findings {
		words = append(words, string(f.Kind))
	}
	return strings.Join(words, " ")
}

// layoutFault says what is wrong with the formatter's text, or "". A shader that doesn't parse, or
// that would be too long, has none.
func layoutFault(text string) string {
	once, err := format.Format(text)
	if errors.As(err, new(*format.SyntaxError)) || errors.As(err, new(*format.TooLongError)) {
		return ""
	}
	if err != nil {
		return err.Error()
	}
	twice, err := format.Format(once)
	if err != nil {
		return "the second time: " + err.Error()
	}
	if once != twice {
		return "the second time changes line " + fmt.Sprint(1+firstDifference(strings.Split(once, "\n"), strings.Split(twice, "\n")))
	}
	return ""
}

func firstDifference(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// lineBreaks replaces each line break of § 3.3 by a space.
var lineBreaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\v", " ", "\f", " ", "\r", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// onOneLine returns the shader with spaces for line breaks and line comments, which no verdict may
// depend on (§ 3.3).
func onOneLine(text string) string {
	source := syntax.NewSource("", text)
	file, _ := syntax.Parse(source)
	var out strings.Builder
	end := int32(0)
	for _, c := range file.Comments {
		if !c.Block {
			out.WriteString(lineBreaks.Replace(text[end:c.Span.Start]) + " ")
			end = c.Span.End
		}
	}
	return out.String() + lineBreaks.Replace(text[end:])
}
