// Package wasm compiles the simulator's instructions to WebAssembly, and runs the result as
// machine code. Package sim decides when that pays.
//
// A module has a function that runs the invocations of a workgroup up to the next barrier, from
// wherever each of them is (emit.go, driver.go). It also has one for each region, which is the
// code from one barrier to the next (region.go), and one that runs whole workgroups, region after
// region (groups.go). An index that is known to be in bounds is not compared (limits.go). The
// module's memory is the machine's (memory.go): the buffers come first, so their addresses are
// those of the instructions. Each core's slots and workgroup memory follow. Package sim sees the
// same memory as slices. So the interpreter can go on wherever compiled code leaves off, and the
// other way round: where a loop's round or a function begins, and after a barrier (expand.go).
//
// Within an invocation, slots are the module's locals. Compiled code loads those that are alive
// when it enters, and stores those that may have changed when it leaves (alive.go).
package wasm
