package assist

import "github.com/wgslab/wgslab/internal/wgsl/syntax"

// CallAt describes the call whose parentheses contain the cursor.
type CallAt struct {
	Inspection     // of the called function
	Argument   int // the number of the argument at the cursor, from 0
}

// Call describes the innermost call whose parentheses contain the byte offset.
func Call(text string, offset int) (CallAt, bool) {
	offset = clamp(text, offset)
	if len(text) > syntax.MaxSource {
		return CallAt{}, false
	}
	c := cursorAt(text, offset)
	called, ok := c.callee()
	if !ok {
		return CallAt{}, false
	}
	found, ok := Inspect(text, called)
	if !ok || found.Kind != Function && found.Kind != BuiltinFunction && found.Kind != Type {
		return CallAt{}, false
	}
	// The parentheses follow the name; brackets within them that are open have commas of their own.
	for _, b := range c.open {
		if b.text == "(" && b.index > 0 && c.starts[b.index-1] == called {
			return CallAt{found, b.comma}, true
		}
	}
	return CallAt{}, false
}
