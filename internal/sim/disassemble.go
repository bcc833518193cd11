package sim

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Disassemble writes the program's code, function by function, as an unwatched run executes it.
// Each source line is followed by its instructions with number, name and effect. A slot that holds
// a variable has the variable's name, and a constant has its value; any other slot is %SLOT. A
// comment quotes the expression that an instruction loads or stores.
func (p *Program) Disassemble(to io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "an invocation has %d slots, its workgroup shares %d words\n", len(p.initial), p.sharedWords)
	functions := slices.Clone(p.functions)
	slices.SortFunc(functions, func(a, b function) int { return int(a.code.from) - int(b.code.from) })
	for _, f := range functions {
		p.disassembleFunction(&out, f)
	}
	_, err := io.WriteString(to, out.String())
	return err
}

func (p *Program) disassembleFunction(out *strings.Builder, f function) {
	fmt.Fprintf(out, "\nfn %s\n", f.Object.Name)
	last := 0
	for pc := f.code.from; pc < f.code.to; pc++ {
		if line := p.source.Position(p.notes[pc].span.Start).Line; line != last {
			last = line
			fmt.Fprintf(out, "%4d | %s\n", line, strings.TrimSpace(p.source.Slice(p.source.Line(line))))
		}
		d := disassembled{p, f, pc, p.code[pc]}
		info := d.in.op.info()
		line := fmt.Sprintf("%9d  %-15s  %s", pc, info.name, d.effect(info))
		if info.readsOrWritesShared() {
			line = fmt.Sprintf("%-60s  ; %s", line, p.text(p.notes[pc].span))
		}
		fmt.Fprintln(out, line)
	}
}

// disassembled is one instruction of a function.
type disassembled struct {
	*Program
	f  function
	pc uint32
	in instr
}

var operandLetter = regexp.MustCompile(`\b[nabc]\b`)

// effect returns the table's sentence with the operands filled in.
func (d disassembled) effect(info *instruction) string {
	text, o := info.effect, info.operands
	if d.in.op == opAtomic {
		text = atomicEffect(d.in.n &^ atomicInBuffer)
	}
	switch {
	case info.access != noAccess && o.c == number && d.constant(d.in.b):
		text = strings.Replace(text, "b + c", fmt.Sprint(d.initial[d.in.b]+d.in.c), 1)
	case o.c == number && d.in.c == 0:
		text = strings.Replace(text, " + c", "", 1)
	}
	return operandLetter.ReplaceAllStringFunc(text, func(letter string) string {
		switch letter {
		case "n":
			return d.operand(o.n, uint32(d.in.n), info)
		case "a":
			return d.operand(o.a, d.in.a, info)
		case "b":
			return d.operand(o.b, d.in.b, info)
		}
		return d.operand(o.c, d.in.c, info)
	})
}

// atomicEffect leaves out the operands that a kind of atomic function does not have.
func atomicEffect(kind uint16) string {
	switch kind {
	case atomicLoad:
		return "a = n(b)"
	case atomicStore, atomicStoreMax64, atomicStoreMin64:
		return "n(b, c)"
	}
	return opAtomic.info().effect
}

func (d disassembled) operand(kind operand, value uint32, info *instruction) string {
	switch kind {
	case read, write, writeBool, writeAddress, writeIf, writeResult:
		return d.slot(value, info.of)
	case readRow, writeRow:
		return d.row(value, uint32(d.in.n))
	case readMany, writeMany:
		return d.row(value, d.in.c)
	case readThree:
		return fmt.Sprintf("%s, %s, %s", d.slot(value, info.of), d.slot(value+1, info.of), d.slot(value+2, info.of))
	case target:
		if d.in.op == opCall {
			return d.functionAt(value).Object.Name
		}
	case arrayAt:
		a := d.arrays[value]
		return d.Bindings[a.binding].Object.Name + d.runtimeMember(a)
	case bigIndexAt:
		big := d.bigIndexes[value]
		return fmt.Sprintf("%d, if %s < %d", big.stride, d.slot(d.in.b, info.of), big.limit)
	case functionAt:
		return d.function(value)
	case atomicKind:
		return atomicNames[value&^atomicInBuffer]
	case barrierKind:
		return barrierName(value)
	}
	return fmt.Sprint(value)
}

func (d disassembled) function(number uint32) string {
	switch d.in.op {
	case opApply1:
		return functions1[number].name
	case opApply2:
		return functions2[number].name
	}
	return functions3[number].name
}

// runtimeMember returns the member path from a binding to its runtime-sized array.
func (d disassembled) runtimeMember(a arrayInBuffer) string {
	if s, ok := d.Bindings[a.binding].Object.Store().(*types.Struct); ok {
		return "." + s.Members[len(s.Members)-1].Name
	}
	return ""
}

func barrierName(kind uint32) string {
	var orders []string
	for _, k := range []struct {
		bit  uint32
		name string
	}{{workgroupMemory, "workgroup memory"}, {bufferMemory, "buffers"}, {uniformLoad, "before a uniform load"}, {afterLoad, "after a uniform load"}} {
		if kind&k.bit != 0 {
			orders = append(orders, k.name)
		}
	}
	if orders == nil {
		return "textures"
	}
	return strings.Join(orders, ", ")
}

// row formats several slots: as the variable that they hold, or as the first and the last slot.
func (d disassembled) row(first, n uint32) string {
	if v, ok := d.variableAt(first); ok {
		slots := d.slotsOf(v)
		if slots[0] == first && uint32(len(slots)) == n {
			return v.object.Name
		}
	}
	if n == 1 {
		return d.slot(first, anyKind)
	}
	return d.slot(first, anyKind) + " … " + d.slot(first+n-1, anyKind)
}

// slot formats what a slot holds at this instruction.
func (d disassembled) slot(at uint32, kind types.ScalarKind) string {
	if d.constant(at) {
		return constantText(d.initial[at], kind)
	}
	if v, ok := d.variableAt(at); ok {
		name := v.object.Name
		if v.in != nil && v.in != d.f.Function {
			name = v.in.Object.Name + "." + name
		}
		return name + d.partName(v.object.Store(), uint32(slices.Index(d.slotsOf(v), at)))
	}
	for _, f := range d.functions {
		if at == f.ret {
			return f.Object.Name + ".return"
		}
		if i := slices.Index(f.result, at); i >= 0 {
			return f.Object.Name + ".result" + d.partName(f.Result, uint32(i))
		}
	}
	for _, b := range d.Bindings {
		if at == b.slot {
			return "&" + b.Object.Name
		}
	}
	return fmt.Sprintf("%%%d", at)
}

func (d disassembled) constant(slot uint32) bool {
	return slot < uint32(len(d.pinned)) && d.pinned[slot]
}

// constantText formats a constant. It guesses the kind of number if the instruction does not say.
func constantText(bits uint32, kind types.ScalarKind) string {
	const small = 1 << 20
	if kind == anyKind {
		kind = types.F32Kind
		if n := int32(bits); -small < n && n < small {
			kind = types.I32Kind
		}
	}
	text := formatBits(bits, kind)
	if kind == types.F32Kind && !strings.ContainsAny(text, ".eNi") {
		text += ".0"
	}
	return text
}

// variableAt returns the variable whose value a slot holds at this instruction.
func (d disassembled) variableAt(slot uint32) (variable, bool) {
	end := d.notes[d.pc].span.End
	for _, v := range slices.Backward(d.variables) {
		if v.where != inSlots {
			continue
		}
		if v.in != nil && v.object.Kind != types.ParamObject {
			if v.in != d.f.Function || end < v.object.Span().End || end > v.scope.End {
				continue
			}
		}
		if slices.Contains(d.slotsOf(v), slot) {
			return v, true
		}
	}
	return variable{}, false
}

// partName returns the shader's notation for a scalar of a value: .x, [3], .member.
func (d disassembled) partName(t types.Type, word uint32) string {
	var s spot
	d.walkSpot(&s, t, word, false, 0)
	return s.text
}
