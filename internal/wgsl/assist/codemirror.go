// This file teaches WGSL to CodeMirror, the editor of JupyterLab and of the course's page.
// It combines language.js with the words of the language from the front end.

package assist

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

//go:embed language.js
var language []byte

// Script returns JavaScript that declares parser, a stream parser, and fold, which creates a fold
// service of @codemirror/language. It imports and exports nothing.
func Script() []byte {
	list, _ := json.Marshal(wordsOfWGSL()) // strings always marshal
	return slices.Concat(bytes.TrimSpace(language), []byte("\nconst { parser, fold } = wgsl("), list, []byte(");\n"))
}

// words are the words to highlight.
type words struct {
	Keywords      []string `json:"keywords"`
	Reserved      []string `json:"reserved"`
	Types         []string `json:"types"`
	Functions     []string `json:"functions"`
	Enumerants    []string `json:"enumerants"`
	BuiltinValues []string `json:"builtinValues"`
}

func wordsOfWGSL() words {
	w := words{Keywords: syntax.Keywords(), Reserved: syntax.ReservedWords()}
	for _, o := range types.Predeclared() {
		switch o.Kind {
		case types.BuiltinObject:
			w.Functions = append(w.Functions, o.Name)
		case types.EnumerantObject:
			w.Enumerants = append(w.Enumerants, o.Name)
		default:
			w.Types = append(w.Types, o.Name)
		}
	}
	for _, v := range types.BuiltinValues() {
		w.BuiltinValues = append(w.BuiltinValues, v.Name)
	}
	w.BuiltinValues = slices.Compact(w.BuiltinValues)
	return w
}
