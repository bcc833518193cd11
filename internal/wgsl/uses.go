package wgsl

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Uses counts how often the functions that an entry point runs name a module-scope variable.
func (s *Shader) Uses(entry *types.EntryPoint, variable string) int {
	count := 0
	s.inFunctions(entry, func(n syntax.Node) {
		if name, ok := n.(*syntax.IdentExpr); ok {
			if o := s.Info.Uses[name]; o != nil && o.Global && o.Name == variable {
				count++
			}
		}
	})
	return count
}

// Assigns reports whether the functions that an entry point runs give a variable a new value, in
// memory or of their own.
func (s *Shader) Assigns(entry *types.EntryPoint) bool {
	assigns := false
	s.inFunctions(entry, func(n syntax.Node) {
		assigns = assigns || syntax.Assigned(n) != nil
	})
	return assigns
}

// barriers are the builtin functions at which invocations wait for each other (§ 17.11, § 17.12).
var barriers = []string{"workgroupBarrier", "storageBarrier", "textureBarrier", "workgroupUniformLoad"}

// Waits reports whether the functions that an entry point runs contain a barrier.
func (s *Shader) Waits(entry *types.EntryPoint) bool {
	waits := false
	s.inFunctions(entry, func(n syntax.Node) {
		if call, ok := n.(*syntax.CallExpr); ok {
			c := s.Info.Calls[call]
			waits = waits || c != nil && c.Kind == types.BuiltinCall && slices.Contains(barriers, c.Builtin.Name)
		}
	})
	return waits
}

// inFunctions visits the bodies of all functions that an entry point runs.
func (s *Shader) inFunctions(entry *types.EntryPoint, visit func(syntax.Node)) {
	for _, f := range entry.Functions {
		for n := range syntax.All[syntax.Node](f.Decl.Body) {
			visit(n)
		}
	}
}
