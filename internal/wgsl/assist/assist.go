// Package assist supports editors for WGSL. Complete proposes names at the cursor, Inspect
// describes the name there, and IsComplete reports whether the text is complete.
//
// It accepts any text, and unfinished text most of all. Offsets are bytes; ByteOffset and
// CodePoints convert from and to the code points that Jupyter counts. The table of package types
// describes builtin functions. words.txt describes attributes, keywords and the other words.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package assist

import (
	"slices"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// NameKind is the kind of a name.
type NameKind uint8

// The kinds.
const (
	Function NameKind = iota
	BuiltinFunction
	Variable
	Constant // const, override and let
	Parameter
	Struct
	Alias
	Type // that WGSL declares, type generators included
	Member
	Keyword
	Attribute
	BuiltinValue
	AddressSpace
	AccessMode
	TexelFormat
	DepthMode
	Interpolation
	Sampling
	Severity
	DiagnosticRule
	Extension
	LanguageFeature
)

// kindNames are short, because a menu has a narrow column for them.
var kindNames = [...]string{
	"function", "builtin", "variable", "constant", "parameter", "struct", "alias", "type", "member", "keyword", "attribute",
	"value", "space", "access", "format", "depth", "interpolation", "sampling", "severity", "rule", "extension", "feature",
}

// String returns the kind in one short word.
func (k NameKind) String() string { return kindNames[k] }

// longNames are the full names of the kinds whose short word is unclear.
var longNames = map[NameKind]string{
	BuiltinFunction: "builtin function", BuiltinValue: "built-in value", AddressSpace: "address space", AccessMode: "access mode",
	TexelFormat: "texel format", DepthMode: "depth mode", DiagnosticRule: "diagnostic rule", LanguageFeature: "language feature",
}

// long returns the kind in the specification's words.
func (k NameKind) long() string {
	if name, ok := longNames[k]; ok {
		return name
	}
	return k.String()
}

func kindNamed(name string) NameKind { return NameKind(slices.Index(kindNames[:], name)) }

// objectKinds maps the kinds of declared and predeclared objects to the kinds of this package.
var objectKinds = map[types.ObjectKind]NameKind{
	types.ConstObject: Constant, types.OverrideObject: Constant, types.LetObject: Constant, types.VarObject: Variable,
	types.ParamObject: Parameter, types.FunctionObject: Function, types.StructObject: Struct, types.AliasObject: Alias,
	types.TypeObject: Type, types.GeneratorObject: Type, types.BuiltinObject: BuiltinFunction,
}

func kindOf(o *types.Object) NameKind {
	if o.Kind == types.EnumerantObject {
		return enumerantKind(o.Name)
	}
	return objectKinds[o.Kind]
}

// A document is a shader as far as the front end can understand it.
type document struct {
	source *syntax.Source
	file   *syntax.TranslationUnit
	info   *types.Info
}

func read(text string) *document {
	d := &document{source: syntax.NewSource("", text)}
	d.file, _ = syntax.Parse(d.source)
	d.info, _ = types.Check(d.file, types.Options{Features: wgsl.LanguageFeatures})
	return d
}

// available reports whether the shader may use something that needs the given features: those of
// every browser, and those that the shader enables.
func (d *document) available(needs types.Feature) bool {
	return (wgsl.LanguageFeatures | d.info.Enabled).Has(needs)
}

// function returns the function whose body contains the offset, or nil.
func (d *document) function(offset int32) *syntax.FuncDecl {
	for _, decl := range d.file.Decls {
		if f, ok := decl.(*syntax.FuncDecl); ok && f.Span().Start <= offset && offset <= f.Span().End {
			return f
		}
	}
	return nil
}

// commented reports whether the byte at the offset is part of a comment.
func (d *document) commented(offset int32) bool {
	return slices.ContainsFunc(d.file.Comments, func(c syntax.Comment) bool { return c.Span.Holds(int(offset)) })
}

// ByteOffset returns the byte offset of a place counted in Unicode code points, as Jupyter counts.
// It moves places outside the text to the text's start or end.
func ByteOffset(text string, codePoints int) int {
	offset := 0
	for ; codePoints > 0 && offset < len(text); codePoints-- {
		_, size := utf8.DecodeRuneInString(text[offset:])
		offset += size
	}
	return offset
}

// CodePoints returns the place of a byte offset, counted in Unicode code points.
func CodePoints(text string, offset int) int {
	return utf8.RuneCountInString(text[:clamp(text, offset)])
}

// clamp moves an offset into the text and to the start of a character.
func clamp(text string, offset int) int {
	offset = min(max(offset, 0), len(text))
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	return offset
}
