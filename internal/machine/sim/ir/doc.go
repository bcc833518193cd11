// Package ir is the simulator's intermediate representation: a shader as instructions for a machine
// with slots. The compiler in compile.go, stmt.go, expr.go, call.go, builtin.go and place.go makes
// them; the table in instruction.go has them all. Nothing here runs: package sim does.
//
// The rest is what can be read from a program without a run: its layout in memory (layout.go), the
// shader's names for words (names.go), how long a block takes (blocks.go), and its code as text
// (disassemble.go). ExpressionAt compiles a debugger's expression after the program.
package ir
