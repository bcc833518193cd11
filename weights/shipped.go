//go:build !js

package weights

import _ "embed"

//go:embed mnist-784-128-10.safetensors
var safetensors []byte

// Safetensors is what is in the file.
func Safetensors() ([]byte, error) { return safetensors, nil }
