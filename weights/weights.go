// Package weights holds the trained network that comes with the course. MODEL_CARD.md
// says how it was made and how good it is.
package weights

// Name is the network's file, which mlp.Trained reads.
const Name = "mnist-784-128-10.safetensors"

// ConvName is the file of the network that looks, with filters.
const ConvName = "mnist-conv-16-32.safetensors"

// AttentionName is the file of the network that attends.
const AttentionName = "mnist-attention-32-4-2.safetensors"

// LettersName is the file of the language model that writes letters.
const LettersName = "letters-96-4-4.safetensors"
