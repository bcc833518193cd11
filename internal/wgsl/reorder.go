package wgsl

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An Order is another order in which the invocations of a workgroup may run.
// WGSL promises none, so a right shader gives the same in each.
type Order string

// The orders. Reversed and Scattered give every invocation the number of
// another one; Forward and Backward let one run after the other, alone from
// beginning to end, which is possible only where no barrier makes them wait.
const (
	Reversed  Order = "reversed"
	Scattered Order = "scattered"
	Forward   Order = "forward"
	Backward  Order = "backward"
)

// Orders are those that an entry point can run in.
func (s *Shader) Orders(entry *types.EntryPoint) []Order {
	if s.Waits(entry) {
		return []Order{Reversed, Scattered}
	}
	return []Order{Forward, Backward}
}

// What the rewritten shader calls the original's main, and the numbers that it
// passes on.
const (
	renamedMain = "wgslab_main"
	oldIndex    = "wgslab_hardware"
	newIndex    = "wgslab_index"
	newLocal    = "wgslab_local"
	newGroup    = "wgslab_group"
	newGroups   = "wgslab_groups"
)

// passedOn is what the original's main gets for each builtin.
var passedOn = map[string]string{
	"local_invocation_id":    newLocal,
	"local_invocation_index": newIndex,
	"global_invocation_id":   newGroup + " * wgslab_size + " + newLocal,
	"workgroup_id":           newGroup,
	"num_workgroups":         newGroups,
}

// Reorder rewrites source so that the invocations of a workgroup run in another
// order. All lines keep their numbers. It fails, with false, on an entry point
// that it cannot take apart, such as one whose builtins come in a struct.
func (s *Shader) Reorder(entry *types.EntryPoint, size [3]uint32, order Order) (string, bool) {
	arguments, ok := arguments(entry)
	if !ok {
		return "", false
	}
	edits := s.withoutAttributes(entry.Decl.Attrs)
	edits = append(edits, syntax.Edit{Span: entry.Decl.Name.Span(), New: renamedMain})
	for _, p := range entry.Decl.Params {
		edits = append(edits, s.withoutAttributes(p.Attrs)...)
	}
	rewritten, err := syntax.Apply(s.Source.Text, edits)
	return rewritten + newMain(size, order, arguments), err == nil
}

// withoutAttributes takes attributes away, and leaves their line breaks.
func (s *Shader) withoutAttributes(attributes []*syntax.Attribute) []syntax.Edit {
	edits := make([]syntax.Edit, len(attributes))
	for i, a := range attributes {
		edits[i] = syntax.Edit{Span: a.Span(), New: lineBreaks(s.Source.Slice(a.Span()))}
	}
	return edits
}

// arguments are what the original's main is called with.
func arguments(entry *types.EntryPoint) ([]string, bool) {
	if len(entry.Inputs) != len(entry.Decl.Params) {
		return nil, false
	}
	var list []string
	for _, in := range entry.Inputs {
		argument, ok := passedOn[in.Builtin]
		if !ok || in.Member != nil {
			return nil, false
		}
		list = append(list, argument)
	}
	return list, true
}

// newMain gives each invocation, which the device calls wgslab_hardware, its new
// number, and calls the original's main with it.
func newMain(size [3]uint32, order Order, arguments []string) string {
	invocations := uint64(size[0]) * uint64(size[1]) * uint64(size[2])
	call := fmt.Sprintf("  let %s = %s;\n%s", newIndex, order.index(invocations), callMain(size, arguments))
	if turn, alone := order.turn(invocations); alone {
		call = fmt.Sprintf("  for (var wgslab_turn = 0u; wgslab_turn < %du; wgslab_turn++) {\n  if (wgslab_turn == %s) {\n%s  }\n  }\n", invocations, turn, call)
	}
	return fmt.Sprintf(`
@compute @workgroup_size(%d, %d, %d)
fn main(@builtin(local_invocation_index) %s: u32, @builtin(workgroup_id) %s: vec3<u32>, @builtin(num_workgroups) %s: vec3<u32>) {
%s}
`, size[0], size[1], size[2], oldIndex, newGroup, newGroups, call)
}

// callMain passes an invocation's new numbers on.
func callMain(size [3]uint32, arguments []string) string {
	return fmt.Sprintf("  let wgslab_size = vec3<u32>(%du, %du, %du);\n", size[0], size[1], size[2]) +
		fmt.Sprintf("  let %s = vec3<u32>(%s %% %du, %s / %du %% %du, %s / %du);\n", newLocal, newIndex, size[0], newIndex, size[0], size[1], newIndex, size[0]*size[1]) +
		fmt.Sprintf("  %s(%s);\n", renamedMain, strings.Join(arguments, ", "))
}

// index is the number that an invocation takes.
func (o Order) index(invocations uint64) string {
	switch o {
	case Reversed:
		return fmt.Sprintf("%du - %s", invocations-1, oldIndex)
	case Scattered:
		return fmt.Sprintf("(%s * %du + %du) %% %du", oldIndex, scatter(invocations), invocations/3, invocations)
	}
	return oldIndex
}

// turn is when an invocation runs, where each runs alone.
func (o Order) turn(invocations uint64) (string, bool) {
	switch o {
	case Forward:
		return oldIndex, true
	case Backward:
		return fmt.Sprintf("%du - %s", invocations-1, oldIndex), true
	}
	return "", false
}

// scatter is a stride near the golden section of n that visits all n places:
// neighbours end up far apart.
func scatter(n uint64) uint64 {
	stride := max(1, n*618/1000)
	for gcd(stride, n) != 1 {
		stride++
	}
	return stride
}

func gcd(a, b uint64) uint64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}
