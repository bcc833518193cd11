// Package machinecode lets the simulator run long dispatches as machine code. A program imports it
// for that. In a process, wazero makes machine code of WebAssembly; in a page, the browser does.
package machinecode
