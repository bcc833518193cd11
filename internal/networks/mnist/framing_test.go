package mnist_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"gotest.tools/v3/golden"
)

// The sheet's size and pen: SRC and PEN in frame.js.
const (
	sheet = 140
	pen   = 0.08
)

// A framing is a drawing and what becomes of it. The drawing page frames in JavaScript; its test,
// frame.test.mjs, reads the same table.
type framing struct {
	Strokes [][][2]float64 `json:"strokes"`
	Drawing string         `json:"drawing"` // the SHA-256 of the sheet's bytes
	Framed  string         `json:"framed"`  // bytes in hexadecimal, as is the next
	AsIs    string         `json:"as_is"`
}

func TestFramingTable(t *testing.T) {
	var table []framing
	for _, strokes := range drawings() {
		image := mnist.Rasterise(strokes, sheet, pen)
		drawing, framed, asIs := sha256.Sum256(image), mnist.Frame(image, sheet, sheet), mnist.Shrink(image, sheet, sheet)
		f := framing{
			Strokes: [][][2]float64{}, Drawing: hex.EncodeToString(drawing[:]),
			Framed: hex.EncodeToString(framed[:]), AsIs: hex.EncodeToString(asIs[:]),
		}
		for _, stroke := range strokes {
			var line [][2]float64
			for _, p := range stroke {
				line = append(line, [2]float64{p.X, p.Y})
			}
			f.Strokes = append(f.Strokes, line)
		}
		table = append(table, f)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", " ")
	require.NoError(t, encoder.Encode(table))
	golden.Assert(t, text.String(), "framing.json")
}

// drawings returns random drawings and those at the edges.
func drawings() [][]mnist.Stroke {
	all := [][]mnist.Stroke{
		nil,
		{{{X: .5, Y: .5}}},
		{{{X: 0, Y: 0}, {X: 1, Y: 0}}},
		{{{X: .98, Y: .1}, {X: 1, Y: 1}}, {{X: .9, Y: .99}}},
	}
	rng := rand.New(rand.NewPCG(1, 0))
	for range 16 {
		var strokes []mnist.Stroke
		for range 1 + rng.IntN(3) {
			var stroke mnist.Stroke
			for range 2 + rng.IntN(8) {
				stroke = append(stroke, mnist.Point{X: rng.Float64(), Y: rng.Float64()})
			}
			strokes = append(strokes, stroke)
		}
		all = append(all, strokes)
	}
	return all
}
