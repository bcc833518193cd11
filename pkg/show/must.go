package show

import (
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Must returns value if err is nil. Otherwise it shows the error and ends the cell.
//
//	out := show.Must(gpu.Compute[float32]("work/relu.wgsl", gpu.Elements(len(x)), x))
func Must[T any](value T, err error) T {
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
	return Note{Mark: Bad, Title: "This cell could not go on", Body: sentence(message), Code: code}
}

// sentence turns a message into a sentence. It adds a full stop, and a capital unless the message
// begins with a file's name.
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
