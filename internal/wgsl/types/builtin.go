package types

import (
	_ "embed"
	"strings"
	"sync"
)

// A Builtin is a builtin function, value constructor or operator, with its data from the table
// builtins.txt. LookupBuiltin returns it.
type Builtin struct {
	Kind    BuiltinKind
	Name    string // abs, vec3, +
	Doc     string // one sentence
	Section string // of the specification, such as 17.5.1
	Anchor  string // of the section in https://www.w3.org/TR/WGSL/, without the #; may be empty
	Needs   Feature

	Const    bool // can be evaluated when the shader is read
	MustUse  bool // a call must not be a statement by itself
	Compute  bool // only in compute shaders; with Fragment, in both
	Fragment bool // only in fragment shaders; with Compute, in both
	NoVertex bool // not in vertex shaders
	Uniform  bool // all invocations of its scope must reach it together (§ 15.2)

	lines     []string
	once      sync.Once
	overloads []*Overload
	eval      constFunc
}

// BuiltinKind is the kind of a builtin.
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

// builtinTable returns the table's index by kind and name. It parses a line only when the line is
// first needed.
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

// LookupBuiltin returns the builtin with the kind and name, or nil.
func LookupBuiltin(kind BuiltinKind, name string) *Builtin { return builtinTable()[kind][name] }

// Builtins returns every builtin of the kind, in no particular order.
func Builtins(kind BuiltinKind) []*Builtin {
	all := make([]*Builtin, 0, 160)
	for _, b := range builtinTable()[kind] {
		all = append(all, b)
	}
	return all
}

// Overloads returns the ways to call the builtin.
func (b *Builtin) Overloads() []*Overload {
	b.once.Do(func() {
		for _, line := range b.lines {
			b.overloads = append(b.overloads, parseOverloads(b, line)...)
		}
		b.eval = constFuncs[b.Kind][b.Name]
	})
	return b.overloads
}

// Signatures returns the ways to call the builtin as the table writes them, for people to read.
func (b *Builtin) Signatures() []string {
	signatures := make([]string, len(b.lines))
	for i, line := range b.lines {
		signatures[i] = b.Name + line
	}
	return signatures
}
