package show

import (
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Must is value, for a cell that cannot go on without it: an error is drawn, and
// ends the cell.
//
//	out := show.Must(gpu.Compute[float32]("work/relu.wgsl", gpu.Elements(len(x)), x))
func Must[T any](value T, err error) T {
	if err != nil {
		Display(Failure(err))
		os.Exit(1)
	}
	return value
}

// Failure is the view of an error: its first line as a sentence, and the others, such
// as the line of a shader with a mark below the place, as code.
func Failure(err error) Note {
	message, code, _ := strings.Cut(err.Error(), "\n")
	return Note{Mark: Bad, Title: "This cell could not go on", Body: sentence(message), Code: code}
}

// sentence makes a message one: a capital, unless it begins with a file's name, and a
// full stop.
func sentence(message string) string {
	first, size := utf8.DecodeRuneInString(message)
	if word, _, _ := strings.Cut(message, " "); !strings.ContainsAny(word, "/.:") {
		message = string(unicode.ToUpper(first)) + message[size:]
	}
	if message != "" && !strings.ContainsAny(message[len(message)-1:], ".!?:") {
		message += "."
	}
	return message
}
