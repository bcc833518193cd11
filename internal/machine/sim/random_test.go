package sim_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/machine/sim"
)

// A randomExpr is one expression in two forms. The literal form is computed by the front end, and
// the loaded form, which reads a buffer's elements, by the machine.
type randomExpr struct{ literal, loaded string }

// expressions draws expressions of a type and collects the words for their buffer.
type expressions struct {
	t     *rapid.T
	words []uint32
}

var randomOperators = map[string][]string{
	"i32": {"+", "-", "*", "/", "%", "&", "|", "^"},
	"u32": {"+", "-", "*", "/", "%", "&", "|", "^"},
	"f32": {"+", "-", "*", "/"},
}

var randomFunctions = map[string][]string{
	"i32": {"abs(%s)", "sign(%s)", "-(%s)", "~(%s)", "countLeadingZeros(%s)", "firstLeadingBit(%s)", "reverseBits(%s)"},
	"u32": {"~(%s)", "countOneBits(%s)", "firstTrailingBit(%s)", "reverseBits(%s)"},
	"f32": {"abs(%s)", "floor(%s)", "ceil(%s)", "trunc(%s)", "round(%s)", "-(%s)", "sign(%s)", "saturate(%s)"},
}

func (e *expressions) draw(kind string, depth int) randomExpr {
	choice := 0
	if depth > 0 {
		choice = rapid.IntRange(0, 5).Draw(e.t, "form")
	}
	switch choice {
	case 1, 2:
		a, b := e.draw(kind, depth-1), e.draw(kind, depth-1)
		return both(a, b, "(%s "+rapid.SampledFrom(randomOperators[kind]).Draw(e.t, "operator")+" %s)")
	case 3:
		a := e.draw(kind, depth-1)
		form := rapid.SampledFrom(randomFunctions[kind]).Draw(e.t, "function")
		return randomExpr{fmt.Sprintf(form, a.literal), fmt.Sprintf(form, a.loaded)}
	case 4:
		a, b, c, d := e.draw(kind, depth-1), e.draw(kind, depth-1), e.draw("i32", depth-1), e.draw("i32", depth-1)
		condition := both(c, d, "%s < %s")
		values := both(a, b, "%s, %s")
		return both(values, condition, "select(%s, %s)")
	case 5:
		of := rapid.SampledFrom([]string{"i32", "u32", "f32"}).Draw(e.t, "converted")
		a := e.draw(of, depth-1)
		return randomExpr{kind + "(" + a.literal + ")", kind + "(" + a.loaded + ")"}
	}
	return e.leaf(kind)
}

func both(a, b randomExpr, form string) randomExpr {
	return randomExpr{fmt.Sprintf(form, a.literal, b.literal), fmt.Sprintf(form, a.loaded, b.loaded)}
}

func (e *expressions) leaf(kind string) randomExpr {
	at := len(e.words)
	loaded := fmt.Sprintf("bitcast<%s>(x[%d])", kind, at)
	switch kind {
	case "i32":
		v := rapid.Int32Range(math.MinInt32+1, math.MaxInt32).Draw(e.t, "i32")
		e.words = append(e.words, uint32(v))
		return randomExpr{fmt.Sprintf("i32(%d)", v), loaded}
	case "u32":
		v := rapid.Uint32().Draw(e.t, "u32")
		e.words = append(e.words, v)
		return randomExpr{fmt.Sprintf("%du", v), loaded}
	}
	v := float32(rapid.IntRange(-1000, 1000).Draw(e.t, "f32")) / 8
	e.words = append(e.words, math.Float32bits(v))
	text := fmt.Sprintf("%vf", v)
	if strings.HasPrefix(text, "-") {
		text = "(" + text + ")"
	}
	return randomExpr{text, loaded}
}

// TestConstantsAndTheMachineAgree checks that the front end's constants equal the machine's
// results, and that watching changes nothing.
func TestConstantsAndTheMachineAgree(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"i32", "u32", "f32"}).Draw(t, "kind")
		e := &expressions{t: t}
		x := e.draw(kind, 4)
		frame := `@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: %s;
@compute @workgroup_size(1) fn main() { out = %s; _ = x[0]; }`
		constant, err := build(fmt.Sprintf(frame, kind, x.literal), "main", nil)
		if err != nil {
			return // an overflow in a constant is an error, so there is nothing to compare
		}
		loaded, err := build(fmt.Sprintf(frame, kind, x.loaded), "main", nil)
		require.NoError(t, err)
		in := make([]byte, 0, 4*len(e.words))
		for _, w := range e.words {
			in = binary.LittleEndian.AppendUint32(in, w)
		}
		want := make([]byte, 4)
		runRapid(t, constant, sim.Options{}, in, want)
		for _, options := range []sim.Options{{Compile: sim.Never}, {Compile: sim.Always}, {Watch: true, Compile: sim.Never}, {Watch: true, Compile: sim.Always}} {
			got := make([]byte, 4)
			runRapid(t, loaded, options, in, got)
			a, b := binary.LittleEndian.Uint32(want), binary.LittleEndian.Uint32(got)
			if a != b && !(kind == "f32" && math.Float32frombits(a) == math.Float32frombits(b)) {
				t.Fatalf("%s\nis %#x when it is read and %#x when it runs", x.literal, a, b)
			}
		}
		compared++
	})
	t.Logf("%d expressions compared", compared)
	require.Positive(t, compared)
}
