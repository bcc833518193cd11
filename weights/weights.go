// Package weights holds the trained network that ships. MODEL_CARD.md says how
// it was made and how good it is.
package weights

import _ "embed"

// Safetensors is the file mnist-784-128-10.safetensors; mlp.Trained reads it.
//
//go:embed mnist-784-128-10.safetensors
var Safetensors []byte
