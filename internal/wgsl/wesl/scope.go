package wesl

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A declaration is one at module scope, and all that it names.
type declaration struct {
	in      *module
	name    string // empty for a const assertion
	nameAt  syntax.Span
	span    syntax.Span
	fixed   bool // the host knows the name: an entry point or an override
	entry   bool
	assert  bool
	uses    []use
	as      string // its name in the result
	reached bool
	via     syntax.Span // where the root uses it
}

// A use is a name in a declaration that isn't a local one.
type use struct {
	name   string
	at     syntax.Span
	locals []string // that can be seen there, and would capture another name
	target *declaration
}

// declare collects the module's declarations.
func (m *module) declare() {
	m.decls = map[string]*declaration{}
	for _, node := range m.unit.Decls {
		d := &declaration{in: m, span: node.Span()}
		var name *syntax.Ident
		switch n := node.(type) {
		case *syntax.VarDecl:
			name = n.Name
		case *syntax.ConstDecl:
			name = n.Name
		case *syntax.OverrideDecl:
			name, d.fixed = n.Name, true
		case *syntax.AliasDecl:
			name = n.Name
		case *syntax.StructDecl:
			name = n.Name
		case *syntax.FuncDecl:
			name = n.Name
			for _, stage := range []string{"compute", "vertex", "fragment"} {
				d.entry = d.entry || syntax.FindAttribute(n.Attrs, stage) != nil
			}
			d.fixed = d.entry
		case *syntax.ConstAssert:
			d.assert = true
		default:
			continue
		}
		if name != nil {
			d.name, d.nameAt = name.Name, name.Span()
			if m.decls[d.name] == nil {
				m.decls[d.name] = d
			}
		}
		d.uses = usesIn(node)
		m.all = append(m.all, d)
	}
}

// A scope keeps the local names while a declaration is walked (§ 3.9).
type scope struct {
	names  []string
	blocks []int                      // how many names there were before each block
	shared map[*syntax.BlockStmt]bool // blocks whose names belong to the statement around them
	params map[*syntax.BlockStmt][]*syntax.Param
	uses   []use
}

// usesIn returns the names that a declaration at module scope uses, without its local ones.
func usesIn(node syntax.Decl) []use {
	s := &scope{shared: map[*syntax.BlockStmt]bool{}, params: map[*syntax.BlockStmt][]*syntax.Param{}}
	syntax.Walk(node, s.enter, func(n syntax.Node) { s.leave(n, node) })
	return s.uses
}

// wordsOnly are the attributes whose arguments are words of WGSL and no names.
var wordsOnly = []string{"builtin", "interpolate", "diagnostic"}

func (s *scope) enter(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Attribute:
		return !slices.Contains(wordsOnly, n.Name.Name)
	case *syntax.FuncDecl:
		s.params[n.Body] = n.Params
	case *syntax.LoopStmt: // its continuing part sees the names of its body
		s.blocks = append(s.blocks, len(s.names))
		s.shared[n.Body] = true
	case *syntax.ForStmt:
		s.blocks = append(s.blocks, len(s.names))
	case *syntax.BlockStmt:
		if s.shared[n] {
			break
		}
		s.blocks = append(s.blocks, len(s.names))
		for _, p := range s.params[n] {
			s.names = append(s.names, p.Name.Name)
		}
	case *syntax.IdentExpr:
		if name := n.Name.Name; !slices.Contains(s.names, name) {
			s.uses = append(s.uses, use{name: name, at: n.Name.Span(), locals: slices.Clone(s.names)})
		}
	}
	return true
}

// leave ends a block, or begins the scope of a local name: after its declaration.
func (s *scope) leave(n syntax.Node, global syntax.Decl) {
	switch n := n.(type) {
	case *syntax.BlockStmt:
		if s.shared[n] {
			return
		}
		s.end()
	case *syntax.LoopStmt, *syntax.ForStmt:
		s.end()
	case *syntax.VarDecl:
		s.declare(n, global, n.Name)
	case *syntax.LetDecl:
		s.declare(n, global, n.Name)
	case *syntax.ConstDecl:
		s.declare(n, global, n.Name)
	}
}

func (s *scope) declare(n, global syntax.Decl, name *syntax.Ident) {
	if n != global {
		s.names = append(s.names, name.Name)
	}
}

func (s *scope) end() {
	last := len(s.blocks) - 1
	s.names, s.blocks = s.names[:s.blocks[last]], s.blocks[:last]
}
