// This file answers what an editor asks about a shader's names and structure: where a name
// is declared and used, what a new name would change, which lines fold, what a token means. It
// knows no editor's protocol.
//
// It accepts any text. Where a part of the text can't be understood, the answers leave out that
// part alone. Offsets and spans count bytes.

package assist

import (
	"sort"
	"sync"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Document is a shader whose names have been resolved as far as possible. It is read-only and
// safe for concurrent use.
type Document struct {
	source *syntax.Source
	file   *syntax.TranslationUnit
	info   *types.Info
	errors int               // the number of errors that the front end found
	broken *findings.Finding // the first syntax error, or nil
	index  func() *index
}

// Read reads a shader with the language features of the course.
func Read(name, text string) *Document {
	return Of(wgsl.Read(name, text, types.Options{Features: wgsl.LanguageFeatures}))
}

// Of returns the document of a shader that was read already.
func Of(s *wgsl.Shader) *Document {
	d := &Document{source: s.Source, file: s.File, info: s.Info}
	for _, f := range s.Findings {
		if f.IsError() {
			d.errors++
		}
	}
	if d.info == nil {
		d.broken = findings.FirstError(s.Findings)
		d.info, _ = types.Check(s.File, types.Options{Features: wgsl.LanguageFeatures})
	}
	d.index = sync.OnceValue(d.makeIndex)
	return d
}

// A target is what a name of the shader denotes: an object or, if that is nil, a member.
type target struct {
	object *types.Object
	member *syntax.Member
}

// ident returns the name in the declaration.
func (t target) ident() *syntax.Ident {
	if t.object != nil {
		return t.object.Ident
	}
	return t.member.Name
}

// A Mention is a place in the text that names something which the shader declares.
type Mention struct {
	Span     syntax.Span
	Declares bool // this is the declaration
	Writes   bool // the statement assigns to it

	of target
}

// An index lists all mentions, in source order.
type index struct {
	mentions []Mention
	unknown  map[string]syntax.Span // the members of values whose type is unknown, by name
}

// ownWords are the attributes whose arguments are words of their own, and no names.
var ownWords = map[string]bool{"builtin": true, "interpolate": true, "diagnostic": true}

func (d *Document) makeIndex() *index {
	x := &indexer{Document: d, index: &index{unknown: map[string]syntax.Span{}}, written: map[syntax.Node]bool{}, declared: map[string]bool{}}
	for ident := range d.info.Defs {
		x.declared[ident.Name] = true
	}
	syntax.Walk(d.file, x.enter, nil)
	m := x.index.mentions
	sort.SliceStable(m, func(i, j int) bool { return m[i].Span.Start < m[j].Span.Start })
	return x.index
}

type indexer struct {
	*Document
	*index
	written  map[syntax.Node]bool // the names and accesses that an assignment changes
	declared map[string]bool
}

func (x *indexer) add(ident *syntax.Ident, of target, declares, writes bool) {
	if ident.Span().Len() > 0 {
		x.mentions = append(x.mentions, Mention{ident.Span(), declares, writes, of})
	}
}

func (x *indexer) enter(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Attribute:
		return !ownWords[n.Name.Name]
	case *syntax.AssignStmt:
		x.writes(n.LHS)
	case *syntax.IncDecStmt:
		x.writes(n.X)
	case *syntax.Ident:
		if o := x.info.Defs[n]; o != nil {
			x.add(n, target{object: o}, true, false)
		}
	case *syntax.Member:
		x.add(n.Name, target{member: n}, true, false)
	case *syntax.IdentExpr:
		if o := x.resolve(n); o != nil && o.Ident != nil {
			x.add(n.Name, target{object: o}, false, x.written[n])
		}
	case *syntax.MemberExpr:
		x.member(n)
	}
	return true
}

// writes notes that a statement assigns to an expression, and so to what it is a part of.
func (x *indexer) writes(lhs syntax.Expr) {
	for lhs != nil {
		x.written[lhs] = true
		switch e := lhs.(type) {
		case *syntax.ParenExpr:
			lhs = e.X
		case *syntax.IndexExpr:
			lhs = e.X
		case *syntax.MemberExpr:
			lhs = e.X
		default:
			return
		}
	}
}

// resolve returns the object that a name denotes, or nil. In an expression with an error it looks
// the name up by scope.
func (x *indexer) resolve(n *syntax.IdentExpr) *types.Object {
	if o := x.info.Uses[n]; o != nil || !x.declared[n.Name.Name] {
		return o
	}
	for _, o := range x.info.InScope(n.Span().Start) {
		if o.Name == n.Name.Name {
			return o
		}
	}
	return nil
}

func (x *indexer) member(n *syntax.MemberExpr) {
	switch t := typeOfOwner(x.info, n).(type) {
	case nil:
		x.unknown[n.Name.Name] = n.Name.Span()
	case *types.Struct:
		if m := t.Member(n.Name.Name); m != nil && m.Decl != nil {
			x.add(n.Name, target{member: m.Decl}, false, x.written[n])
		}
	}
}

// ownerType returns the type of the value before the dot, or nil if it is unknown.
func typeOfOwner(info *types.Info, n *syntax.MemberExpr) types.Type {
	t := types.Unref(info.TypeOf(n.X))
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem
	}
	return t
}

// at returns the mention at an offset, which may also be just after it.
func (d *Document) at(offset int) (Mention, bool) {
	all := d.index().mentions
	i := sort.Search(len(all), func(i int) bool { return int(all[i].Span.End) >= offset })
	if i < len(all) && int(all[i].Span.Start) <= offset {
		return all[i], true
	}
	return Mention{}, false
}

// Definition returns the declaring name of what is named at the offset.
func (d *Document) Definition(offset int) (syntax.Span, bool) {
	m, ok := d.at(offset)
	if !ok {
		return syntax.Span{}, false
	}
	return m.of.ident().Span(), true
}

// TypeDefinition returns the name of the structure that is the type of what is named at the offset.
func (d *Document) TypeDefinition(offset int) (syntax.Span, bool) {
	m, ok := d.at(offset)
	if !ok {
		return syntax.Span{}, false
	}
	var t types.Type
	if m.of.object != nil {
		t = m.of.object.Store()
	} else if found := d.memberOf(m.of.member); found != nil {
		t = found.Type
	}
	for {
		switch inner := t.(type) {
		case *types.Array:
			t = inner.Elem
		case *types.Pointer:
			t = inner.Elem
		case *types.Struct:
			if inner.Decl == nil {
				return syntax.Span{}, false
			}
			return inner.Decl.Name.Span(), true
		default:
			return syntax.Span{}, false
		}
	}
}

// memberOf returns the checked member of a declaration, or nil.
func (d *Document) memberOf(decl *syntax.Member) *types.Member {
	for _, s := range d.info.Structs {
		for _, m := range s.Members {
			if m.Decl == decl {
				return m
			}
		}
	}
	return nil
}

// References returns all mentions of what is named at the offset, in source order, the declaration
// included.
func (d *Document) References(offset int) []Mention {
	m, ok := d.at(offset)
	if !ok {
		return nil
	}
	return d.mentionsOf(m.of)
}

func (d *Document) mentionsOf(of target) (found []Mention) {
	for _, m := range d.index().mentions {
		if m.of == of {
			found = append(found, m)
		}
	}
	return found
}
