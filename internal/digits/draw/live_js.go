package draw

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall/js"

	"github.com/wgslab/wgslab/internal/judge/workdir"
	"github.com/wgslab/wgslab/internal/view"
)

// drawFunction names the function with which the page of the course's site opens the sheet. The
// function takes the sheet's settings as JSON, and a callback. The callback takes the bytes of a
// drawing, whether to frame it, and a function to call with the answer, as JSON.
const drawFunction = "wgslabDraw"

// Live reads drawings until the site's page ends the cell. weights is the file of the network's
// weights; "" means those that ship. show replaces what the running cell shows.
func Live(weights string, show func(view.View), _ func() bool) error {
	show(preparing)
	r, err := newReader(workdir.Dir, weights)
	if err != nil {
		return err
	}
	js.Global().Call(drawFunction, encoded(map[string]any{"kernels": r.authors, "frames": r.framing != nil, "label": "on " + r.device.Adapter().String()}),
		js.FuncOf(func(_ js.Value, arguments []js.Value) any {
			image := make([]byte, src*src)
			js.CopyBytesToGo(image, arguments[0])
			ready := !arguments[1].Bool()
			go func() { arguments[2].Invoke(r.answer(image, ready)) }()
			return nil
		}))
	select {} // the page ends it
}

// answer returns the answer to a drawing, as JSON for the sheet.
func (r *reader) answer(image []byte, ready bool) string {
	read, err := r.read(context.Background(), image, ready)
	if err != nil {
		return encoded(map[string]string{"error": fmt.Sprintf("%v. Run the cell again.", err)})
	}
	return encoded(read)
}

func encoded(value any) string {
	body, err := json.Marshal(value)
	if err != nil {
		return notNumbers
	}
	return string(body)
}
