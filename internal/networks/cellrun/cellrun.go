// Package cellrun tells a running cell when the reader stops it, and whether anyone watches.
package cellrun

// Variable names an environment variable that wgslab run and nbgrader set for a kernel: no one
// watches its cells.
const Variable = "WGSLAB_UNATTENDED"
