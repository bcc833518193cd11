package weights

import "os"

// Safetensors returns the contents of the file, which the page fetches on first use.
func Safetensors() ([]byte, error) { return os.ReadFile("/course/" + Name) }

// Conv returns the contents of the file of the network with filters, which the page fetches on
// first use.
func Conv() ([]byte, error) { return os.ReadFile("/course/" + ConvName) }

// Attention returns the contents of the file of the network that attends, which the page fetches on
// first use.
func Attention() ([]byte, error) { return os.ReadFile("/course/" + AttentionName) }

// Letters returns the contents of the file of the language model, which the page fetches on first
// use.
func Letters() ([]byte, error) { return os.ReadFile("/course/" + LettersName) }
