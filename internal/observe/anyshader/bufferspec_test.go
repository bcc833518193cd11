package anyshader

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A file larger than the limit is refused before it is read, and one that never ends before it is
// opened.
func TestALargeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.bin")
	require.NoError(t, os.WriteFile(path, make([]byte, 10), 0o644))
	data, err := readLimited(path, 10)
	require.NoError(t, err)
	require.Len(t, data, 10)
	_, err = readLimited(path, 9)
	require.EqualError(t, err, path+" has more than 9 bytes")
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("this system has no /dev/zero, a file that never ends")
	}
	_, err = readLimited("/dev/zero", 1000)
	require.ErrorContains(t, err, "/dev/zero is a device")
}

func TestParseAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.bin")
	require.NoError(t, os.WriteFile(path, []byte{1, 2, 3, 4, 5}, 0o644))
	b, err := Parse("1.2=@"+path, nil)
	require.NoError(t, err)
	require.Equal(t, &Argument{Group: 1, Binding: 2, Data: []byte{1, 2, 3, 4, 5, 0, 0, 0}}, b)
}

// An f16 takes two bytes. What is read back is what was written, and an odd number gets one more.
func TestHalves(t *testing.T) {
	for text, want := range map[string]struct {
		data   string
		values string
	}{
		"0=f16:1,2.5h,-Inf":         {"003c004100fc0000", "[1 2.5 -Inf 0]"},
		"0=f16[2]:0x1p-24":          {"01000100", "[5.960464e-08 5.960464e-08]"},
		"0=f16:65519":               {"ff7b0000", "[65504 0]"},
		"0=vec2h[2]:2":              {"00400040" + "00400040", "[2 2 2 2]"},
		"0=vec3u[2]:7":              {"070000000700000007000000000000000700000007000000070000000" + "0000000"[:7], "[7 7 7 7 7 7]"},
		"0=mat2x2f[1]:0":            {"00000000000000000000000000000000", "[0 0 0 0]"},
		"0=vec4f[1]:1,2,3,4":        {"0000803f000000400000404000008040", "[1 2 3 4]"},
		"0=vec3h[2]":                {"0000003c0040000000420044004500000000"[:32], "[0 1 2 3 4 5]"},
		"0=mat2x3<f16>:1,2,3,4,5,6": {"003c004000420000004400450046" + "0000", "[1 2 3 4 5 6]"},
	} {
		b, err := Parse(text, nil)
		require.NoError(t, err, text)
		require.Equal(t, want.data, fmt.Sprintf("%x", b.Data), text)
		require.Equal(t, want.values, fmt.Sprint(b.Values()), text)
	}
	counted, err := Parse("0=f16[5000]", nil)
	require.NoError(t, err)
	for i, v := range counted.Values() {
		require.EqualValues(t, i%wholeF16, v, "counted without rounding")
	}
	for text, said := range map[string]string{
		"0=f16:1,65520":  `"65520" is no f16: the largest f16 is 65504`,
		"0=f16:1,x":      `"x" is not a value of type f16`,
		"0=vec2h:1,2,3":  "3 values do not fill a whole number of vec2h",
		"0=vec4h[2]:1,2": "2 values do not fill a whole number of vec4h",
		"0=f17[3]":       "examples are f32, f16 and vec4u",
	} {
		_, err := Parse(text, nil)
		require.ErrorContains(t, err, said)
	}
}

const owned = `enable f16;
struct P { n: u32, scale: f32, off: vec3f }
struct Cell { at: vec3f, mass: f16, kind: i32 }
struct Box { count: atomic<u32>, all: array<Cell> }
alias Params = P;
@group(0) @binding(0) var<uniform> p: P;
@group(0) @binding(1) var<storage, read_write> cells: array<Cell>;
@group(0) @binding(2) var<storage, read_write> box: Box;
@group(1) @binding(3) var<storage, read> four: array<P, 2>;
@group(1) @binding(4) var<storage, read> words: array<u32>;
@group(1) @binding(5) var photo: texture_2d<f32>;
@group(1) @binding(6) var<uniform> q: vec2u;
@compute @workgroup_size(1) fn main() {}
`

// What a shader declares is bound by its own types and names. The numbers go in the order of the
// members, and the layout has the padding (§ 14.4).
func TestOwnTypes(t *testing.T) {
	source := shader.ReadWith("own.wgsl", owned, types.AllFeatures)
	for text, want := range map[string]string{
		"0=4,0.5,1,2,3":              "P [4 0.5 1 2 3] 32",
		"0=P:4u,0.5f,1,2,3":          "P [4 0.5 1 2 3] 32",
		"p=Params:4,0.5,1,2,3":       "P [4 0.5 1 2 3] 32",
		"0=P[1]":                     "P [0 1 2 3 4] 32",
		"1=Cell[2]":                  "array<Cell> [0 1 2 3 4 5 6 7 8 9] 64",
		"cells=Cell[2]:1,2,3,0.5,-1": "array<Cell> [1 2 3 0.5 -1 1 2 3 0.5 -1] 64",
		"1=Cell:1,2,3,0.5,-1":        "array<Cell> [1 2 3 0.5 -1] 32",
		"box=7,1,2,3,0.5,-1":         "Box [7 1 2 3 0.5 -1] 48",
		"2=Box[2]":                   "Box [0 1 2 3 4 5 6 7 8 9 10] 80",
		"1.3=P[2]:1,2,3,4,5":         "array<P, 2> [1 2 3 4 5 1 2 3 4 5] 64",
		"words=1,2":                  "array<u32> [1 2] 8",
		"words=f32:1,2":              "f32 [1 2] 8",
		"0=u32:4,0x3f000000":         "u32 [4 1056964608] 8",
		"0=u32:4,0,0,0":              "u32 [4 0 0 0] 16",
		"1=f32[8]":                   "f32 [0 1 2 3 4 5 6 7] 32",
		"0=f32:4,0.5,0,0,0":          "error: `p` has type P, and its number p.n is u32: write 0=n,scale,off.x,off.y,…",
		"0=f32[8]":                   "f32 [0 1 2 3 4 5 6 7] 32",
		"q=f32[2]":                   "error: `q` has type vec2u, and its number q.y is u32: write q=x,y",
		"q=f32:2,3":                  "error: `q` has type vec2u, and its number q.x is u32: write q=x,y",
		"0=u32:4,2":                  "error: `p` has type P, and its number p.scale is f32",
		"p=vec2i:4,2":                "error: `p` has type P, and its number p.scale is f32: write p=n,scale",
		"1=f32[16]:1":                "error: `cells` has type array<Cell>, and its number cells[0].mass is f16: write 1=Cell[COUNT], or 1=Cell:v,v,… with",
		"0=4,0.5,1":                  "error: `p` has 5 numbers, as P has, and 3 are given: write 0=n,scale",
		"0=P[2]":                     "error: `p` is no array",
		"1.3=P[3]":                   "error: `four` has 2 elements: write 1.3=",
		"1=Cell[2]:1,2":              "error: 2 numbers are not one element of `cells` to repeat",
		"1=Cell[0]":                  `error: "0" is not a number of elements`,
		"1=Cell:1,2,3":               "error: `cells` has type array<Cell>, and 3 numbers fill no whole number of its elements of 5",
		"0=P:-4,0.5,1,2,3":           "error: `p.n`: -4 is no value of type u32",
		"0=P:4,x,1,2,3":              `error: "x" is no number`,
		"0=Q:4,0.5":                  `error: "Q" is not an element type for a buffer; examples are f32, f16 and vec4u. ` + "`p` has type P: write 0=n,scale",
		"1=P[4]":                     "`cells` has type array<Cell>: write 1=Cell[COUNT], or",
		"pp=1":                       `error: "pp" is not a binding number, and no variable that the shader binds: these are p, cells, box, four, words, photo, q`,
		"9=1,2":                      "error: the shader declares no variable there",
		"photo=1,2":                  "error: `photo` has type texture_2d<f32>, which has no numbers",
	} {
		b, err := Parse(text, source)
		got := ""
		if err != nil {
			got = "error: " + strings.TrimPrefix(err.Error(), text+": ")
			require.Contains(t, got, want, text)
			continue
		}
		if b.Element != nil {
			got = fmt.Sprint(b.Element, " ", b.Values())
		} else {
			got = fmt.Sprint(b.Type(), " ", b.Values())
		}
		require.Equal(t, want, fmt.Sprint(got, " ", len(b.Data)), text)
	}
	wrong := shader.Read("wrong.wgsl", owned+"fn f() { nosuch(); }")
	_, err := Parse("0=P:4,0.5,1,2,3", wrong)
	require.NoError(t, err, "a run says what is wrong with the shader")
}
