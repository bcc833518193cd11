package show

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"syscall/js"
)

// page is the function that a web page gives for what cells show: it takes the place,
// "" for none, and an object with the content by MIME type.
const page = "wgslabDisplay"

var places atomic.Uint64

func uniqueID() string { return strconv.FormatUint(places.Add(1), 10) }

// send hands a view to the page, for a place where it has one.
func send(view View, place string) {
	display := js.Global().Get(page)
	if display.IsUndefined() {
		fmt.Fprintln(os.Stdout, view.Text())
		return
	}
	content := make(map[string]any)
	for format, text := range Formats(view) {
		content[format] = text
	}
	display.Invoke(place, content)
}

// sync has nothing to wait for: the page has what was sent.
func sync() {}

// KernelGone says whether nobody sees any more what the running cell shows. A page
// ends its cells when it goes.
func KernelGone() bool { return false }
