//go:build !js

package weights

import _ "embed"

//go:embed mnist-784-128-10.safetensors
var safetensors []byte

// Safetensors returns the contents of the file.
func Safetensors() ([]byte, error) { return safetensors, nil }
