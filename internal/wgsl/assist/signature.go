package assist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// setWords describe the types in the sets of the table of builtins. Abstract numbers become one of
// these types in a call.
var setWords = map[string]string{
	"any": "any scalar", "scalar": "any scalar", "number": "i32, u32, f32 or f16", "concrete": "i32, u32, f32 or f16",
	"number32": "i32, u32 or f32", "float": "f32 or f16", "integer": "i32 or u32", "int": "i32 or u32",
	"signed": "i32, f32 or f16", "signedint": "i32", "f32": "f32", "bool": "bool", "type": "any type",
}

// Signatures returns the ways to call a builtin, for people to read. Explanations of the table's
// letters and of S~ follow at the end.
func Signatures(b *types.Builtin) []string {
	signatures := b.Signatures()
	for i, text := range signatures {
		signatures[i] = readable(text)
	}
	return signatures
}

func readable(text string) string {
	text, constraints, constrained := strings.Cut(text, " where ")
	if !constrained {
		return text
	}
	var explained []string
	for _, constraint := range strings.Split(constraints, ", ") {
		letter, set, _ := strings.Cut(constraint, ": ")
		words := setWords[set]
		if shaped := letter + "~"; strings.Contains(text, shaped) {
			text = strings.ReplaceAll(text, shaped, letter)
			words += fmt.Sprintf(", or a vector of %s", plural(words))
		}
		explained = append(explained, letter+" is "+words)
	}
	return text + ", where " + strings.Join(explained, "; ")
}

// plural returns the pronoun for the types that words list: it or them.
func plural(words string) string {
	if slices.Contains([]string{"bool", "f32", "i32"}, words) {
		return "it"
	}
	return "them"
}
