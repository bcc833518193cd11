package types

import (
	_ "embed"
	"strings"
	"sync"
)

// A Builtin is a builtin function, value constructor or operator with all that the table builtins.txt says of it.
// Get it from LookupBuiltin.
type Builtin struct {
	Kind    BuiltinKind
	Name    string // abs, vec3, +
	Doc     string // one sentence
	Section string // of the specification, such as 17.5.1
	Anchor  string // of the section in https://www.w3.org/TR/WGSL/, without the #; may be empty
	Needs   Feature

	Const    bool // may be evaluated when the shader is read
	MustUse  bool // a call may not stand alone as a statement
	Compute  bool // only in compute shaders; with Fragment, in both
	Fragment bool // only in fragment shaders; with Compute, in both
	NoVertex bool // not in vertex shaders
	Uniform  bool // must be reached by all invocations of its scope alike (§ 15.2)

	lines     []string
	once      sync.Once
	overloads []*Overload
	eval      constFunc
}

// BuiltinKind says what sort of builtin it is.
type BuiltinKind uint8

// The builtin kinds.
const (
	FunctionBuiltin BuiltinKind = iota
	ConstructorBuiltin
	OperatorBuiltin
	PrefixBuiltin
)

var builtinKinds = map[string]BuiltinKind{
	"fn": FunctionBuiltin, "new": ConstructorBuiltin, "op": OperatorBuiltin, "prefix": PrefixBuiltin,
}

//go:embed builtins.txt
var builtinText string

// builtinTable is the table's index by kind and name; what a line of it means is found out when it is first needed.
var builtinTable = sync.OnceValue(func() (table [4]map[string]*Builtin) {
	for kind := range table {
		table[kind] = map[string]*Builtin{}
	}
	var b *Builtin
	for line := range strings.Lines(builtinText) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case !strings.HasPrefix(line, "  "):
			b = builtinHeader(strings.Fields(line))
			table[b.Kind][b.Name] = b
		case b.Doc == "":
			b.Doc = strings.TrimSpace(line)
		default:
			b.lines = append(b.lines, strings.TrimSpace(line))
		}
	}
	return table
})

func builtinHeader(words []string) *Builtin {
	b := &Builtin{Kind: builtinKinds[words[0]], Name: words[1]}
	for _, word := range words[2:] {
		switch {
		case word == "const":
			b.Const = true
		case word == "must_use":
			b.MustUse = true
		case word == "compute":
			b.Compute = true
		case word == "fragment":
			b.Fragment = true
		case word == "novertex":
			b.NoVertex = true
		case word == "uniform":
			b.Uniform = true
		case strings.HasPrefix(word, "needs:"):
			b.Needs = FeatureNamed(word[len("needs:"):])
		case strings.HasPrefix(word, "§"):
			b.Section = word[len("§"):]
		case word[0] == '#':
			b.Anchor = word[1:]
		default:
			panic("builtins.txt: " + b.Name + " has the unknown flag " + word)
		}
	}
	return b
}

// LookupBuiltin is the builtin of that kind and name, or nil.
func LookupBuiltin(kind BuiltinKind, name string) *Builtin { return builtinTable()[kind][name] }

// Builtins is every builtin of the kind, in no order.
func Builtins(kind BuiltinKind) []*Builtin {
	all := make([]*Builtin, 0, 160)
	for _, b := range builtinTable()[kind] {
		all = append(all, b)
	}
	return all
}

// Overloads is the ways to call it.
func (b *Builtin) Overloads() []*Overload {
	b.once.Do(func() {
		for _, line := range b.lines {
			b.overloads = append(b.overloads, parseOverloads(b, line)...)
		}
		b.eval = constFuncs[b.Kind][b.Name]
	})
	return b.overloads
}

// Signatures is the ways to call it as the table writes them, for people to read.
func (b *Builtin) Signatures() []string {
	signatures := make([]string, len(b.lines))
	for i, line := range b.lines {
		signatures[i] = b.Name + line
	}
	return signatures
}
