package show

import (
	"errors"
	"os"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
)

// Must returns value if err is nil. Otherwise it shows the error and ends the cell. A shader that
// isn't begun is no error of the cell's: there is nothing to see yet.
//
//	out := show.Must(gpu.Compute[float32]("work/relu.wgsl", gpu.Elements(len(x)), x))
func Must[T any](value T, err error) T {
	var shader interface{ NotBegun() bool }
	if errors.As(err, &shader) && shader.NotBegun() {
		message, _, _ := strings.Cut(err.Error(), "\n")
		Display(Note{Mark: Neutral, Title: "Nothing to see yet", Body: english.Sentence(message)})
		os.Exit(0)
	}
	if err != nil {
		Display(Failure(err))
		os.Exit(1)
	}
	return value
}

// Failure returns a note about an error. The error's first line becomes a sentence. The other
// lines, such as a shader's line with a mark below the error, become code.
func Failure(err error) Note {
	message, code, _ := strings.Cut(err.Error(), "\n")
	return Note{Mark: Bad, Title: "This cell could not go on", Body: english.Sentence(message), Code: code}
}
