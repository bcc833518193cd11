package draw

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall/js"

	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/networks/epochs"
	"github.com/wgslab/wgslab/internal/networks/vit"
)

// drawFunction names the function with which the page of the course's site opens the sheet. The
// function takes the sheet's settings as JSON, and three callbacks. The first takes the bytes of a
// drawing, whether to frame it, which heads are off, and a function to call with the answer, as
// JSON. The second takes a sign as JSON, and a function to call with the progress of its training,
// again and again. The third takes the bytes of an image, a question as JSON, and a function to
// call with the reason, as JSON.
const drawFunction = "wgslabDraw"

// Live reads drawings until the site's page ends the cell. show replaces what the running cell
// shows.
func Live(files Files, show func(view.View), _ func() bool) error {
	show(preparing)
	r, err := newReader(learner.Dir, files)
	if err != nil {
		return err
	}
	js.Global().Call(drawFunction, encoded(map[string]any{
		"kernels": r.authors, "frames": r.framing != nil, "sign": r.weights.Sign, "teach": r.keep != "", "beside": r.filters != nil, "attends": r.attention != nil,
		"label": "on " + r.device.Adapter().String(),
	}),
		js.FuncOf(func(_ js.Value, arguments []js.Value) any {
			image := make([]byte, src*src)
			js.CopyBytesToGo(image, arguments[0])
			ready, off := !arguments[1].Bool(), offOf(arguments[2].String())
			go func() { arguments[3].Invoke(r.answer(image, ready, off)) }()
			return nil
		}),
		js.FuncOf(func(_ js.Value, arguments []js.Value) any {
			sign, reply := arguments[0].String(), arguments[1]
			go r.teachFor(sign, func(event any) { reply.Invoke(encoded(event)) })
			return nil
		}),
		js.FuncOf(func(_ js.Value, arguments []js.Value) any {
			image := make([]byte, network.Inputs)
			js.CopyBytesToGo(image, arguments[0])
			asked := arguments[1].String()
			go func() { arguments[2].Invoke(r.reasonFor(image, asked)) }()
			return nil
		}))
	select {} // the page ends it
}

// teachFor teaches a sign, given as JSON, and tells the page about it.
func (r *reader) teachFor(encodedSign string, tell func(event any)) {
	var sign epochs.Sign
	err := json.Unmarshal([]byte(encodedSign), &sign)
	if err == nil {
		err = r.teach(context.Background(), sign, func(p progress) { tell(p) })
	}
	if err != nil {
		tell(map[string]string{"error": err.Error()})
	}
}

// reasonFor returns the answer to a question, both as JSON.
func (r *reader) reasonFor(image []byte, asked string) string {
	var q question
	err := json.Unmarshal([]byte(asked), &q)
	if err == nil {
		var found *reason
		if found, err = r.why(context.Background(), image, q); err == nil {
			return encoded(found)
		}
	}
	return encoded(map[string]string{"error": err.Error()})
}

// answer returns the answer to a drawing, as JSON for the sheet.
func (r *reader) answer(image []byte, ready bool, off vit.Off) string {
	read, err := r.read(context.Background(), image, ready, off)
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
