// Package straight makes a Go program in WebAssembly faster, without a change to what it
// does.
//
// A Go function can be left in the midst of it, when another goroutine's turn comes, and
// entered there again. So the compiler makes of each a loop that begins with a table:
//
//	loop
//	  block block block …
//	    local.get $pc  br_table 0 1 2 …
//	  end  code of part 0
//	  end  code of part 1
//	  end  …
//
// and of every jump one to the loop's beginning, which looks in the table where to go on:
//
//	i32.const 2  local.set $pc  br $loop
//
// A browser's compiler sees no conditions and switches then, but one table that everything
// goes through. The end of a part that lies further on is the end of a block, though, and
// a plain br leads there. That is what Jumps puts in place of these jumps. Jumps back go
// through the table as before, and so does whoever enters a function in its midst.
package straight

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// The parts of a module and the instructions that matter here.
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

// Jumps gives a module in which jumps forward go straight to where they lead.
func Jumps(module []byte) ([]byte, error) {
	if len(module) < header || string(module[:4]) != "\x00asm" {
		return nil, errors.New("this is no WebAssembly")
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

// withLength appends contents behind their length.
func withLength(out, content []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(content))), content...)
}

// functions is the section of the functions' code.
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

// An instruction is what stands at one place of a function. The number is the one that
// follows the code, where there is one.
type instruction struct {
	op     byte
	number int64
	bytes  []byte
}

// function is one function: its variables, and its instructions.
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

// A writer writes a function's instructions, and knows what encloses each.
type writer struct {
	out    []byte
	code   []instruction
	open   []int // where the blocks, loops and conditions begin that are not at their end
	begins *dispatch
}

// A dispatch is the table at a function's beginning.
type dispatch struct {
	loop   int   // where the loop begins
	pc     int64 // the variable that says where to go on
	blocks []int // by its value, where the block begins whose end it leads to
}

// write writes what stands at a place, and says how many instructions that were.
func (w *writer) write(at int) int {
	in := w.code[at]
	switch in.op {
	case opBlock, opLoop, opIf:
		w.open = append(w.open, at)
	case opEnd:
		if len(w.open) > 0 { // else it is the function's
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

// begin notes the table of a function's beginning, where this is one.
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

// forward is the label of the block whose end a jump leads to, which begins at a place:
// not ok where that is no jump, or one that leads back.
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

// enclosing is where the block, loop or condition of a label begins; -1 for the function.
func (w *writer) enclosing(label int64) int {
	if i := len(w.open) - 1 - int(label); i >= 0 {
		return w.open[i]
	}
	return -1
}
