package program

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"

	"github.com/wgslab/wgslab/internal/atomicfile"
	"github.com/wgslab/wgslab/internal/judge/workdir"
)

// OfFunction returns the program of a function that a cell has given to a check, or "" if it isn't
// known: the function has no name, or its file is gone.
func OfFunction(function any) string {
	v := reflect.ValueOf(function)
	if v.Kind() != reflect.Func || v.IsNil() {
		return ""
	}
	at := runtime.FuncForPC(v.Pointer())
	if at == nil {
		return ""
	}
	name, isMain := strings.CutPrefix(at.Name(), "main.")
	file, _ := at.FileLine(v.Pointer())
	text, err := os.ReadFile(file)
	if !isMain || err != nil {
		return ""
	}
	name, _, _ = strings.Cut(name, ".") // a function in a function
	extracted, err := Extract(string(text), name)
	if err != nil {
		return ""
	}
	return extracted
}

// Save writes a learner's program to work/, for `wgslab check` and the tutor. Without a folder it
// does nothing: only a checked program has one.
func Save(id, text string) error {
	if text == "" {
		return nil
	}
	if err := os.MkdirAll(workdir.Dir, 0o755); err != nil {
		return fmt.Errorf("making the folder of your programs: %w", err)
	}
	if err := atomicfile.Write(workdir.GoPath(id), []byte(text), 0o644); err != nil {
		return fmt.Errorf("saving your program: %w", err)
	}
	return nil
}
