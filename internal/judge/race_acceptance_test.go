//go:build acceptance && race

package judge

// The race detector makes the search thirty times slower, and a few shaders show a race as well as all.
func init() { oneIn = 40 }
