// Package weights holds the trained network that comes with the course. MODEL_CARD.md
// says how it was made and how good it is.
package weights

// Name is the network's file, which mlp.Trained reads.
const Name = "mnist-784-128-10.safetensors"
