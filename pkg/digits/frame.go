package digits

import (
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/why"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// Framed frames a drawn digit and shows it before and after. It runs your ink-box and your frame if
// they are right. The same seed gives the same drawing.
func Framed(seed uint64, digit int) {
	const side, ink = 280, 0.05
	inkBox, frame := show.Must(check.Own("ink-box")), show.Must(check.Own("frame"))
	image := mnist.Drawing(seed, digit, side)
	box := show.Must(gpu.Compute[uint32](inkBox.Source, gpu.Grid{side, side},
		gpu.Members{side, side, ink}, image, []uint32{math.MaxUint32, math.MaxUint32, 0, 0}))
	framed := show.Must(gpu.Compute[float32](frame.Source, gpu.Workgroups(1),
		gpu.Members{side, side}, image, box, gpu.Out(mnist.Pixels)))
	show.Display(
		show.HeatMap{Title: "the drawing", Values: image, Rows: side, Cols: side},
		show.HeatMap{Title: fmt.Sprintf("framed; the box was columns %d to %d, rows %d to %d", box[0], box[2], box[1], box[3]),
			Values: framed, Rows: mnist.Side, Cols: mnist.Side},
		check.Whose(inkBox, frame),
	)
}

// OnlyInk lists the pixels with ink of a drawn digit, and starts an example's shader for those
// alone. It runs your compact if it is right. The example has two entry points: count_workgroups
// counts the workgroups that cover the list, and draw is started for them.
func OnlyInk(file string, seed uint64, digit int) {
	const side = 200
	compact := show.Must(check.Own("compact"))
	example := show.Must(exampleOf(file))
	d := show.Must(why.Draw(show.Must(gpu.Default()), mnist.Drawing(seed, digit, side), shader.Read("compact", compact.Source), example))
	show.Display(
		show.HeatMap{Title: "each pixel's place in the list, from 1; 0 where no invocation wrote", Values: d.Out, Rows: side, Cols: side},
		show.Table{
			Headers: []string{"", "pixels", "workgroups", "invocations"},
			Rows: [][]any{
				{"the list", english.Thousands(d.Listed), d.Groups, english.Thousands(int(d.Groups * d.Size))},
				{"all pixels", english.Thousands(side * side), d.AllGroups(), english.Thousands(int(d.AllGroups() * d.Size))},
			},
		},
		check.Whose(compact),
	)
}

// exampleOf reads the shader of a worked example.
func exampleOf(file string) (*shader.Source, error) {
	text, err := shader.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s yet: run the cell that starts with %%%%writefile %s, then this one again", file, file)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the example: %w", err)
	}
	return shader.ReadCell(file, text), nil
}
