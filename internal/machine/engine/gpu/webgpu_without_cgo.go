//go:build !cgo && !js

package gpu

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// openWebGPU finds nothing: a program built without cgo can't reach a driver. The simulator needs
// none.
func openWebGPU(shader.AdapterKind) (platform, error) {
	return nil, fmt.Errorf("%w: this program was built without cgo, which WebGPU needs; install a C compiler, leave CGO_ENABLED unset and build it again, or use the browser's WebGPU with wgslab site", shader.ErrNoAdapter)
}
