package draw

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"syscall/js"

	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/pkg/show"
)

// sheet is the function that a page of the course's site gives for the sheet to draw
// on. It takes what the sheet has to know, in JSON, and a function that takes the bytes
// of a drawing and a function for the answer, in JSON.
const sheet = "wgslabDraw"

// Live shows the page in the running cell, and reads what is drawn there until the
// site's page ends the cell. When it cannot, it ends the cell with an error.
func Live() {
	place := show.NewPlace()
	place.Show(show.Note{Title: "Checking which of your shaders pass…"})
	r, err := newReader(learner.WorkDir)
	if err != nil {
		place.Show(show.Note{Mark: show.Bad, Title: "The page could not be shown", Body: err.Error()})
		os.Exit(1)
	}
	js.Global().Call(sheet, encoded(map[string]any{"kernels": r.kernels, "label": "on " + r.device.Adapter().String()}),
		js.FuncOf(func(_ js.Value, arguments []js.Value) any {
			image := make([]byte, src*src)
			js.CopyBytesToGo(image, arguments[0])
			go func() { arguments[1].Invoke(r.answer(image)) }()
			return nil
		}))
	select {} // the page ends it
}

// answer is what the sheet is told of a drawing.
func (r *reader) answer(image []byte) string {
	read, err := r.read(context.Background(), image)
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
