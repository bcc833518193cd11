// Package sim is a machine for compute shaders. It runs them as WGSL says. It reports races,
// out-of-bounds accesses, barriers that some invocations miss, endless loops, and where the first
// NaN appears.
//
// # From a checked shader to a running workgroup
//
//  1. CompileEntry (source.go) finds the entry point in a checked translation unit, and gives its
//     overrides their values. The result is a types.Pipeline, in which every constant is known.
//  2. ir.Compile gives each variable its place: globals first, then each function's parameters and
//     result. It compiles the entry point first, then the functions that it calls.
//  3. Statements, expressions, calls and references emit instructions. A condition becomes a jump,
//     not a bool. The last instruction of an expression writes to the assigned variable directly,
//     if it can.
//  4. Every instruction has a note of its source text. The ir.Program holds the code twice: plain,
//     and watched.
//  5. Program.Run (run.go) lays the host's buffers out in one memory. It makes a machine for each
//     core; a machine takes one workgroup after another until none is left.
//  6. machine.enter clears workgroup memory. machine.start writes an invocation's ids to its slots.
//  7. machine.runGroup runs each invocation to the next barrier or its end, and repeats. The loop in
//     machine.exec (exec.go) carries the instructions out.
//  8. In watched code, exec asks the watcher (watch.go) before each access. The watcher compares it
//     with those since the last barrier and writes findings (message.go).
//  9. After many steps, the machine looks whether a loop comes again to where it was (endless.go).
//     Then, or at the limit, the watcher says what the loop waits for (step_limit.go, condition.go).
//  10. If a watched run reads out of bounds, trials repeat it with other values (out_of_bounds.go): does
//     anything depend on them? Then the host gets the buffers back, and the caller the Result.
//
// All other runs are the same machine with a companion. The machine stops for it before chosen
// instructions, so a run without a companion pays nothing:
//
//   - a trace keeps every access (trace.go)
//   - Program.Counter counts what a workgroup costs (count.go, package coalesce)
//   - an exact run estimates floats in 64 bits (exact.go)
//   - Program.Explain follows a number back to its sources (explain.go)
//   - Program.Rerun finds out what a number depends on (rerun.go)
//
// Program.Debug stops before statements instead (step.go), and evaluates expressions there
// (evaluate.go). Program.RunInTurns takes turns after each atomic function (turns.go).
// Program.Disassemble prints the code.
//
// # The machine
//
// The machine executes the instructions of package ir, which have up to four operands.
//
//   - Slots. Each invocation has slots of 32 bits. A slot holds a scalar: i32 and u32 in two's
//     complement, f32 in IEEE 754 binary32, f16 as the f32 of the same value, bool as 0 or 1. The
//     compiler takes vectors, matrices, arrays and structures apart. WGSL has no recursion, so every
//     variable, parameter, constant, return address and temporary has a fixed slot, and there is no
//     stack. The first slots hold the built-in inputs, such as the invocation's ids.
//   - Memory. Workgroup memory is an array of words; values in it have no padding. All buffers share
//     one memory with addresses in bytes, laid out as § 14.4 says.
//   - Textures. A texel is four words in the same memory, as the shader reads it, whatever its format.
//     The value of a texture or sampler is the number of its binding (texture.go, package texture).
//   - Addresses. An index out of bounds makes an address with the highest bit set, which also names
//     the instruction that made it. Passing it on is not a mistake; using it is. Such a read gives
//     zero, such a write does nothing, and an atomic function that writes there gives zero (§ 14.6).
//   - Invocations. Those of a workgroup run one after the other, in the order of their index, each up
//     to the next barrier or its end. Workgroups run in order as well. Unwatched programs without atomics
//     or f16 in buffers may run workgroups on several cores at once.
//   - Subgroups. At a function of its subgroup, an invocation waits for those that come the same way,
//     and they take it together (subgroup.go). A comment in the shader sets the size: // subgroups: 8.
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
//
//   - workgroupBarrier orders workgroup memory and storageBarrier orders buffers (§ 17.11). Nothing
//     orders two workgroups. Two races are only remarks because no GPU is known to show them: two
//     invocations that write the same value, and a read and a later write with only the other
//     barrier between them.
//
//   - Floats are never flushed to zero. Infinities and NaN follow IEEE 754 (§ 15.7).
//
//   - Filters compute weights in 32 bits, and texels that a device keeps in fewer bits are rounded to
//     the nearest. Devices may use fewer bits for weights, and may round towards zero.
//
// The machine has no immediates: CompileEntry refuses them.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package sim
