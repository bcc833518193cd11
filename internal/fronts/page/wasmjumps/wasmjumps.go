// Package wasmjumps makes a Go program in WebAssembly faster without changing its behaviour.
//
// A Go function can pause in the middle when another goroutine takes its turn, and resume there
// later. So the compiler turns each function into a loop that begins with a table:
//
//	loop
//	  block block block …
//	    local.get $pc  br_table 0 1 2 …
//	  end  code of part 0
//	  end  code of part 1
//	end  …
//
// It turns every jump into a jump to the loop's beginning, where the table finds the target:
//
//	i32.const 2  local.set $pc  br $loop
//
// A browser's compiler then sees no conditions or switches, only one table for all jumps. However,
// the target of a forward jump is the end of a block, and a plain br leads there. Straighten
// replaces these jumps by a br. Backward jumps still go through the table, and so do calls that
// resume a function in the middle.
package wasmjumps

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// The sections of a module and the instructions that this package uses.
const (
	header      = 8 // the magic number and the version
	codeSection = 10

	opBlock    = 0x02
	opLoop     = 0x03
	opIf       = 0x04
	opEnd      = 0x0b
	opBr       = 0x0c
	opBrTable  = 0x0e
	opLocalGet = 0x20
	opLocalSet = 0x21
	opI32Const = 0x41
)

// Straighten returns a module in which forward jumps go straight to their targets.
func Straighten(module []byte) ([]byte, error) {
	if len(module) < header || string(module[:4]) != "\x00asm" {
		return nil, errors.New("this isn't WebAssembly")
	}
	out := slices.Clone(module[:header])
	for r := (&reader{left: module[header:]}); len(r.left) > 0; {
		id, content := r.byte(), r.take(int(r.unsigned()))
		if r.failed != nil {
			return nil, fmt.Errorf("reading the module's sections: %w", r.failed)
		}
		if id == codeSection {
			var err error
			if content, err = functions(content); err != nil {
				return nil, err
			}
		}
		out = append(out, id)
		out = withLength(out, content)
	}
	return out, nil
}

// withLength appends the length of the contents, then the contents.
func withLength(out, content []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(content))), content...)
}

// functions rewrites the section of the functions' code.
func functions(section []byte) ([]byte, error) {
	r := &reader{left: section}
	count := r.unsigned()
	out := binary.AppendUvarint(nil, count)
	for i := range count {
		body, err := function(r.take(int(r.unsigned())))
		if err = errors.Join(r.failed, err); err != nil {
			return nil, fmt.Errorf("reading function %d: %w", i, err)
		}
		out = withLength(out, body)
	}
	return out, nil
}

// An instruction is one instruction of a function. The number is its operand, if it has one.
type instruction struct {
	op     byte
	number int64
	bytes  []byte
}

// function rewrites one function: its variables and its instructions.
func function(body []byte) ([]byte, error) {
	r := &reader{left: body}
	for range r.unsigned() {
		r.unsigned()
		r.byte()
	}
	out := slices.Clone(body[:len(body)-len(r.left)])
	var code []instruction
	for len(r.left) > 0 && r.failed == nil {
		code = append(code, r.instruction())
	}
	if r.failed != nil {
		return nil, r.failed
	}
	w := writer{out: out, code: code}
	for at := 0; at < len(code); {
		at += w.write(at)
	}
	return w.out, nil
}

// A writer writes a function's instructions, and tracks the blocks around each.
type writer struct {
	out    []byte
	code   []instruction
	open   []int // the positions of the blocks, loops and conditions that are still open
	begins *dispatch
}

// A dispatch is the table at the beginning of a function.
type dispatch struct {
	loop   int   // the position of the loop
	pc     int64 // the variable that selects the next part
	blocks []int // by value of pc, the position of the block whose end is the target
}

// write writes the instructions at a position, and returns how many it has read.
func (w *writer) write(at int) int {
	in := w.code[at]
	switch in.op {
	case opBlock, opLoop, opIf:
		w.open = append(w.open, at)
	case opEnd:
		if len(w.open) > 0 { // otherwise this end is the function's
			w.open = w.open[:len(w.open)-1]
		}
	case opBrTable:
		w.begin(at)
	case opI32Const:
		if label, ok := w.forward(at); ok {
			w.out = binary.AppendUvarint(append(w.out, opBr), label)
			return 3
		}
	}
	w.out = append(w.out, in.bytes...)
	return 1
}

// begin records the table at a function's beginning, if this is one.
func (w *writer) begin(at int) {
	first := at - 2 // the innermost block
	for first >= 0 && w.code[first].op == opBlock {
		first--
	}
	if w.begins != nil || first < 0 || w.code[at-1].op != opLocalGet || w.code[first].op != opLoop {
		return
	}
	table := &reader{left: w.code[at].bytes[1:]}
	d := &dispatch{loop: first, pc: w.code[at-1].number}
	for range table.unsigned() {
		d.blocks = append(d.blocks, w.enclosing(int64(table.unsigned())))
	}
	w.begins = d
}

// forward returns the label of the block whose end is the target of the jump at a position. ok is
// false if there is no jump, or a backward jump.
func (w *writer) forward(at int) (label uint64, ok bool) {
	d := w.begins
	if d == nil || at+2 >= len(w.code) {
		return 0, false
	}
	to, set, jump := w.code[at].number, w.code[at+1], w.code[at+2]
	if set.op != opLocalSet || set.number != d.pc || jump.op != opBr || w.enclosing(jump.number) != d.loop || to < 0 || to >= int64(len(d.blocks)) {
		return 0, false
	}
	i := slices.Index(w.open, d.blocks[to])
	return uint64(len(w.open) - 1 - i), i >= 0
}

// enclosing returns the position of the block, loop or condition of a label, or -1 for the
// function.
func (w *writer) enclosing(label int64) int {
	if i := len(w.open) - 1 - int(label); i >= 0 {
		return w.open[i]
	}
	return -1
}
