package assist

import (
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A FunctionCalls is a function that another calls, or is called by, and the names in these calls.
type FunctionCalls struct {
	Function Symbol
	Sites    []syntax.Span
}

// Function returns the function that is named at the offset.
func (d *Document) Function(offset int) (Symbol, bool) {
	if f := d.function(offset); f != nil {
		return d.symbol(f.Decl)
	}
	return Symbol{}, false
}

func (d *Document) function(offset int) *types.Function {
	m, ok := d.at(offset)
	if !ok || m.of.object == nil {
		return nil
	}
	return d.info.Function(m.of.object)
}

// Callers returns the functions that call the one named at the offset, in source order.
func (d *Document) Callers(offset int) []FunctionCalls {
	f := d.function(offset)
	var found []FunctionCalls
	for _, caller := range d.info.Functions {
		found = d.called(found, caller, f, caller)
	}
	return found
}

// Callees returns the functions that the one named at the offset calls, in the order of their
// declarations.
func (d *Document) Callees(offset int) []FunctionCalls {
	f := d.function(offset)
	if f == nil {
		return nil
	}
	var found []FunctionCalls
	for _, callee := range d.info.Functions {
		found = d.called(found, f, callee, callee)
	}
	return found
}

// called adds the function shown to the list, if caller calls callee.
func (d *Document) called(list []FunctionCalls, caller, callee, shown *types.Function) []FunctionCalls {
	var sites []syntax.Span
	for _, site := range caller.Calls {
		if site.Callee == callee && callee != nil {
			sites = append(sites, site.Call.Callee.Name.Span())
		}
	}
	if len(sites) == 0 {
		return list
	}
	s, _ := d.symbol(shown.Decl)
	return append(list, FunctionCalls{s, sites})
}
