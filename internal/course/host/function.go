//go:build !js

package host

import (
	"os"
	"reflect"
	"runtime"
	"strings"
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
