package syntax

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

//go:embed foreign.txt
var foreignText string

// An Advice is WGSL's replacement for a word of another language.
type Advice struct {
	From  string // the language it comes from, such as "GLSL"
	Write string // the word or call to write instead, if it can replace the word directly; else empty
	Hint  string // one sentence: what to try
}

// Finding returns a finding for the word at span.
func (a Advice) Finding(word string, span Span) *findings.Finding {
	kind := findings.ForeignWord
	if typeName.MatchString(a.Write) {
		kind = findings.ForeignType
	}
	d := findings.Errorf(kind, span, "`%s` is %s, not WGSL.", word, a.From)
	d.Hint = a.Hint
	if a.Write != "" {
		d.Replace(span, a.Write, "write `"+a.Write+"`")
	}
	return d
}

// typeName matches the beginning of the replacements that are types.
var typeName = regexp.MustCompile(`^([fiu]32|f16|bool|vec[234]|mat[234]x[234])`)

// Foreign looks up a name that people write by habit from another shading or programming language.
// Use it only for undeclared names: a learner's own variable may have any of these names.
func Foreign(name string) (Advice, bool) {
	if a, ok := foreignWords()[name]; ok {
		return a, true
	}
	return foreignShape(name)
}

func use(from, write string) Advice {
	return Advice{From: from, Write: write, Hint: "Write `" + write + "`."}
}

func tell(from, hint string) Advice { return Advice{From: from, Hint: hint} }

// foreignWords reads foreign.txt.
var foreignWords = sync.OnceValue(func() map[string]Advice {
	words := map[string]Advice{}
	for line := range strings.Lines(foreignText) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(fields) < 3 || fields[0] == "#" {
			continue
		}
		from, write := fields[1], fields[2]
		if from == "-" {
			from = "another language's"
		}
		words[fields[0]] = use(from, write)
		if hint, ok := strings.CutPrefix(write, ": "); ok {
			words[fields[0]] = tell(from, hint)
		} else if value, ok := strings.CutPrefix(write, "@"); ok {
			name, typ, _ := strings.Cut(value, " ")
			words[fields[0]] = tell(from, "Give the entry point a parameter such as `@builtin("+name+") id: "+typ+"` and use `id`.")
		}
	}
	return words
})

// foreignShape recognizes families of names: float4, uint3, mat4, ivec2, float4x4, gl_… and …f of
// C's math library.
func foreignShape(name string) (Advice, bool) {
	for prefix, scalar := range map[string]string{"float": "f", "int": "i", "uint": "u", "half": "h", "bool": "b", "double": "d"} {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok || rest == "" {
			continue
		}
		switch {
		case len(rest) == 1 && '2' <= rest[0] && rest[0] <= '4':
			return vectorAdvice("HLSL", rest, scalar), true
		case len(rest) == 3 && rest[1] == 'x' && strings.Trim(rest, "234x") == "" && (scalar == "f" || scalar == "h"):
			return use("HLSL", "mat"+rest[2:]+"x"+rest[:1]+scalar), true
		}
	}
	for prefix, scalar := range map[string]string{"ivec": "i", "uvec": "u", "bvec": "b", "dvec": "d"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && len(rest) == 1 && '2' <= rest[0] && rest[0] <= '4' {
			return vectorAdvice("GLSL", rest, scalar), true
		}
	}
	if rest, ok := strings.CutPrefix(name, "mat"); ok && len(rest) == 1 && '2' <= rest[0] && rest[0] <= '4' {
		return use("GLSL", "mat"+rest+"x"+rest+"f"), true
	}
	if strings.HasPrefix(name, "gl_") {
		return tell("GLSL", "The entry point gets such values as parameters: `@builtin(name) x: type`."), true
	}
	return Advice{}, false
}

func vectorAdvice(from, width, scalar string) Advice {
	switch scalar {
	case "b":
		return use(from, "vec"+width+"<bool>")
	case "d":
		return tell(from, "WGSL has no 64-bit floats; write `vec"+width+"f`.")
	}
	return use(from, "vec"+width+scalar)
}
