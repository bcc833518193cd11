//go:build !cgo && !js

package gpu

import "fmt"

// openWebGPU finds nothing: a program that was built without C cannot reach a
// driver. The simulator needs none.
func openWebGPU(Kind) (platform, error) {
	return nil, fmt.Errorf("%w: this program was built without cgo, which WebGPU needs; install a C compiler, and leave CGO_ENABLED unset", ErrNoAdapter)
}
