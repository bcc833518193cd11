package ir

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
	fmt.Fprintf(&out, "an invocation has %d slots, its workgroup shares %d words\n", len(p.Initial), p.SharedWords)
	functions := slices.Clone(p.functions)
	slices.SortFunc(functions, func(a, b function) int { return int(a.code.From) - int(b.code.From) })
	for _, f := range functions {
		p.disassembleFunction(&out, f)
	}
	_, err := io.WriteString(to, out.String())
	return err
}

func (p *Program) disassembleFunction(out *strings.Builder, f function) {
	fmt.Fprintf(out, "\nfn %s\n", f.Object.Name)
	last := 0
	for pc := f.code.From; pc < f.code.To; pc++ {
		if at := p.Source.Region(p.Notes[pc].Span); at.Line != last {
			last = at.Line
			fmt.Fprintf(out, "%4d | %s\n", at.Line, strings.TrimSpace(p.Source.WrittenLine(at)))
		}
		d := disassembled{p, f, pc, p.Code[pc]}
		info := d.in.Op.Info()
		line := fmt.Sprintf("%9d  %-15s  %s", pc, info.name, d.effect(info))
		if info.ReadsOrWritesShared() {
			line = fmt.Sprintf("%-60s  ; %s", line, p.Text(p.Notes[pc].Span))
		}
		fmt.Fprintln(out, line)
	}
}

// disassembled is one instruction of a function.
type disassembled struct {
	*Program
	f  function
	pc uint32
	in Instr
}

var operandLetter = regexp.MustCompile(`\b[nabc]\b`)

// effect returns the table's sentence with the operands filled in.
func (d disassembled) effect(info *Instruction) string {
	text, o := info.effect, info.Operands
	if d.in.Op == OpAtomic {
		text = atomicEffect(d.in.N &^ AtomicInBuffer)
	}
	switch {
	case info.Access != noAccess && o.C == OperandNumber && d.constant(d.in.B):
		text = strings.Replace(text, "b + c", fmt.Sprint(d.Initial[d.in.B]+d.in.C), 1)
	case o.C == OperandNumber && d.in.C == 0:
		text = strings.Replace(text, " + c", "", 1)
	}
	return operandLetter.ReplaceAllStringFunc(text, func(letter string) string {
		switch letter {
		case "n":
			return d.operand(o.N, uint32(d.in.N), info)
		case "a":
			return d.operand(o.A, d.in.A, info)
		case "b":
			return d.operand(o.B, d.in.B, info)
		}
		return d.operand(o.C, d.in.C, info)
	})
}

// atomicEffect leaves out the operands that a kind of atomic function does not have.
func atomicEffect(kind uint16) string {
	switch kind {
	case AtomicLoad:
		return "a = n(b)"
	case AtomicStore, AtomicStoreMax64, AtomicStoreMin64:
		return "n(b, c)"
	}
	return OpAtomic.Info().effect
}

func (d disassembled) operand(kind operand, value uint32, info *Instruction) string {
	switch kind {
	case OperandRead, OperandWrite, OperandWriteBool, OperandWriteAddress, OperandWriteIf, OperandWriteResult:
		return d.slot(value, info.Of)
	case OperandReadRow, OperandWriteRow:
		return d.row(value, uint32(d.in.N))
	case OperandReadMany, OperandWriteMany:
		return d.row(value, d.in.C)
	case OperandReadThree:
		return fmt.Sprintf("%s, %s, %s", d.slot(value, info.Of), d.slot(value+1, info.Of), d.slot(value+2, info.Of))
	case OperandTarget:
		if d.in.Op == OpCall {
			return d.FunctionAt(value).Object.Name
		}
	case OperandArrayAt:
		a := d.Arrays[value]
		return d.Bindings[a.Binding].Object.Name + d.runtimeMember(a)
	case OperandBigIndexAt:
		big := d.BigIndexes[value]
		return fmt.Sprintf("%d, if %s < %d", big.Stride, d.slot(d.in.B, info.Of), big.Limit)
	case OperandFunctionAt:
		return d.function(value)
	case OperandAtomicKind:
		return atomicNames[value&^AtomicInBuffer]
	case OperandReadSample:
		return d.row(value, SampleSlots)
	case OperandFormatAt:
		return Formats[value].Name
	case OperandSampleKind:
		return sampleNames[value]
	case OperandSubgroupKind:
		return subgroupNames[value]
	case OperandBarrierKind:
		return barrierName(value)
	}
	return fmt.Sprint(value)
}

func (d disassembled) function(number uint32) string {
	switch d.in.Op {
	case OpApply1:
		return Functions1[number].Name
	case OpApply2:
		return Functions2[number].Name
	}
	return Functions3[number].Name
}

// runtimeMember returns the member path from a binding to its runtime-sized array.
func (d disassembled) runtimeMember(a arrayInBuffer) string {
	if s, ok := d.Bindings[a.Binding].Object.Store().(*types.Struct); ok {
		return "." + s.Members[len(s.Members)-1].Name
	}
	return ""
}

func barrierName(kind uint32) string {
	var orders []string
	for _, k := range []struct {
		bit  uint32
		name string
	}{{WorkgroupMemory, "workgroup memory"}, {BufferMemory, "buffers"}, {TextureMemory, "textures"}, {uniformLoad, "before a uniform load"}, {afterLoad, "after a uniform load"}} {
		if kind&k.bit != 0 {
			orders = append(orders, k.name)
		}
	}
	return strings.Join(orders, ", ")
}

// row formats several slots: as the variable that they hold, or as the first and the last slot.
func (d disassembled) row(first, n uint32) string {
	if v, ok := d.variableAt(first); ok {
		slots := d.SlotsOf(v)
		if slots[0] == first && uint32(len(slots)) == n {
			return v.Object.Name
		}
	}
	if n == 1 {
		return d.slot(first, AnyKind)
	}
	return d.slot(first, AnyKind) + " … " + d.slot(first+n-1, AnyKind)
}

// slot formats what a slot holds at this instruction.
func (d disassembled) slot(at uint32, kind types.ScalarKind) string {
	if d.constant(at) {
		return constantText(d.Initial[at], kind)
	}
	if v, ok := d.variableAt(at); ok {
		name := v.Object.Name
		if v.In != nil && v.In != d.f.Function {
			name = v.In.Object.Name + "." + name
		}
		return name + d.partName(v.Object.Store(), uint32(slices.Index(d.SlotsOf(v), at)))
	}
	for _, f := range d.functions {
		if at == f.Ret {
			return f.Object.Name + ".return"
		}
		if i := slices.Index(f.result, at); i >= 0 {
			return f.Object.Name + ".result" + d.partName(f.Result, uint32(i))
		}
	}
	for _, b := range d.Bindings {
		if at == b.Slot {
			return "&" + b.Object.Name
		}
	}
	return fmt.Sprintf("%%%d", at)
}

func (d disassembled) constant(slot uint32) bool {
	return slot < uint32(len(d.Pinned)) && d.Pinned[slot]
}

// constantText formats a constant. It guesses the kind of number if the instruction does not say.
func constantText(bits uint32, kind types.ScalarKind) string {
	const small = 1 << 20
	if kind == AnyKind {
		kind = types.F32Kind
		if n := int32(bits); -small < n && n < small {
			kind = types.I32Kind
		}
	}
	text := FormatBits(bits, kind)
	if kind == types.F32Kind && !strings.ContainsAny(text, ".eNi") {
		text += ".0"
	}
	return text
}

// variableAt returns the variable whose value a slot holds at this instruction.
func (d disassembled) variableAt(slot uint32) (VariablePlace, bool) {
	end := d.Notes[d.pc].Span.End
	for _, v := range slices.Backward(d.Variables) {
		if v.Where != InSlots {
			continue
		}
		if v.In != nil && v.Object.Kind != types.ParamObject {
			if v.In != d.f.Function || end < v.Object.Span().End || end > v.scope.End {
				continue
			}
		}
		if slices.Contains(d.SlotsOf(v), slot) {
			return v, true
		}
	}
	return VariablePlace{}, false
}

// partName returns the shader's notation for a scalar of a value: .x, [3], .member.
func (d disassembled) partName(t types.Type, word uint32) string {
	var s NamedWord
	d.WalkSpot(&s, t, word, false, 0)
	return s.Text
}
