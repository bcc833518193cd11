package engine

// aloneSteps bounds a shader that nobody but the simulator runs: three seconds or
// so, in WebAssembly and on one core.
const aloneSteps = 100_000_000
