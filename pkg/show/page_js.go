package show

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"syscall/js"

	"github.com/wgslab/wgslab/internal/ground/view"
)

// page names the function with which a web page shows a cell's views. It takes the place, or "" for
// none, and an object with the content by MIME type.
const page = "wgslabDisplay"

var places atomic.Uint64

func uniqueID() string { return strconv.FormatUint(places.Add(1), 10) }

// send sends a view to the page; place is "" for a view without a place.
func send(v View, place string) {
	display := js.Global().Get(page)
	if display.IsUndefined() {
		fmt.Fprintln(os.Stdout, v.Text())
		return
	}
	content := make(map[string]any)
	for format, text := range view.Formats(v) {
		content[format] = text
	}
	display.Invoke(place, content)
}

// shownLive reports whether a reader sees the views as they are sent, and a place's last one only.
func shownLive() bool { return !js.Global().Get(page).IsUndefined() }

// sync does nothing: the page receives each view at once.
func sync() {}

// KernelGone returns false: a page ends its cells when it closes.
func KernelGone() bool { return false }
