// Package sim is a machine for compute shaders. It runs them as WGSL says. It reports races,
// out-of-bounds accesses, barriers that some invocations miss, endless loops, and where the first
// NaN appears.
//
// CompileEntry turns a shader into a Program. Program.Run dispatches it, Program.Debug steps
// through it, Program.Explain follows one number back to its sources, and Program.Disassemble
// prints the code.
//
// # The machine
//
// The machine executes instructions of up to four operands; the table in instruction.go has them
// all.
//
//   - Slots. Each invocation has slots of 32 bits. A slot holds a scalar: i32 and u32 in two's
//     complement, f32 in IEEE 754 binary32, f16 as the f32 of the same value, bool as 0 or 1. The
//     compiler takes vectors, matrices, arrays and structures apart. WGSL has no recursion, so every
//     variable, parameter, constant, return address and temporary has a fixed slot, and there is no
//     stack. The first slots hold the built-in inputs, such as the invocation's ids.
//   - Memory. Workgroup memory is an array of words; values in it have no padding. All buffers share
//     one memory with addresses in bytes, laid out as § 14.4 says.
//   - Addresses. An index out of bounds makes an address with the highest bit set, which also names
//     the instruction that made it. Passing it on is not a mistake; using it is. Such a read gives
//     zero, such a write does nothing, and such an atomic gives zero (§ 14.6).
//   - Invocations. Those of a workgroup run one after the other, in the order of their index, each up
//     to the next barrier or its end. Workgroups run in order as well. Unwatched programs without atomics
//     or f16 in buffers may run workgroups on several cores at once.
//   - Barriers. Once every invocation waits or has ended, those that wait continue together. If they
//     wait at different barriers, or some have ended, the machine reports that, and nothing more
//     about their workgroup.
//   - Steps. An instruction is a step. Only jumps backwards count them against the limit, so loops end
//     and straight code is fast.
//   - Plain and watched code. A program has its code twice, with the same numbering. In the watched
//     copy, instructions that can go wrong have a form that reports it. A watched run is
//     deterministic.
//
// # What the specification leaves open
//
//   - A read out of bounds is only a remark if its value does not matter: the run ends with the same
//     buffers whatever the read gives.
//   - workgroupBarrier orders workgroup memory and storageBarrier orders buffers (§ 17.11). Nothing
//     orders two workgroups. Two races are only remarks because no GPU is known to show them: two
//     invocations that write the same value, and a read and a later write with only the other
//     barrier between them.
//   - Floats are never flushed to zero. Infinities and NaN follow IEEE 754 (§ 15.7).
//
// The machine has no textures, samplers, immediates or subgroups: CompileEntry refuses them.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package sim
