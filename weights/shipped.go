//go:build !js

package weights

import _ "embed"

//go:embed mnist-784-128-10.safetensors
var safetensors []byte

//go:embed mnist-conv-16-32.safetensors
var conv []byte

//go:embed mnist-attention-32-4-2.safetensors
var attention []byte

//go:embed letters-96-4-4.safetensors
var letters []byte

// Safetensors returns the contents of the file.
func Safetensors() ([]byte, error) { return safetensors, nil }

// Conv returns the contents of the file of the network with filters.
func Conv() ([]byte, error) { return conv, nil }

// Attention returns the contents of the file of the network that attends.
func Attention() ([]byte, error) { return attention, nil }

// Letters returns the contents of the file of the language model.
func Letters() ([]byte, error) { return letters, nil }
