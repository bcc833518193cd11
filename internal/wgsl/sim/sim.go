// Package sim runs compute shaders and watches them: a register machine that does what WGSL says, one invocation after
// the other, and sees races, accesses out of bounds, barriers that not all reach, loops without end, and where the
// first NaN was born.
//
// Compile makes a Program of a checked pipeline, Run dispatches it. A run is deterministic: see Program.Run.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package sim
