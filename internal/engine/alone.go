//go:build !js

package engine

// aloneSteps bounds a shader that nobody but the simulator runs: three seconds or
// so.
const aloneSteps = 500_000_000
