package parameters_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"pgregory.net/rapid"
)

// file puts a header in front of body, as the format requires.
func file(header string, body ...float32) []byte {
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	data = append(data, header...)
	for _, value := range body {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(value))
	}
	return data
}

func TestDecode(t *testing.T) {
	got, err := parameters.Decode(file(`{"__metadata__":{"seed":"1"},"b":{"dtype":"F32","shape":[],"data_offsets":[8,12]},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}   `, 1, 2, 3))
	require.NoError(t, err)
	require.Equal(t, &parameters.File{
		Metadata: map[string]string{"seed": "1"},
		Tensors: map[string]*parameters.Tensor{
			"a": {Shape: []int{2, 1}, Data: []float32{1, 2}},
			"b": {Shape: []int{}, Data: []float32{3}},
		},
	}, got)
}

func TestDecodeRefuses(t *testing.T) {
	const a = `"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":             {nil, "cut short: 0 bytes"},
		"half a length":       {[]byte{1, 2, 3}, "cut short: 3 bytes"},
		"huge header":         {[]byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"), "not a safetensors file"},
		"text":                {[]byte("version https://git-lfs"), "not a safetensors file"},
		"cut header":          {file(`{` + a + `}`)[:20], "cut short: the header is 54 bytes long, but only 12 follow"},
		"no JSON":             {file(`hello`), "the header: it is not a JSON object"},
		"an array":            {file(`[]`), "the header: it is not a JSON object"},
		"broken JSON":         {file(`{"a":`), "the header"},
		"open JSON":           {file(`{`+a, 1, 2), "the header: it breaks off"},
		"more JSON":           {file(`{`+a+`}{}`, 1, 2), "something follows its closing brace"},
		"twice":               {file(`{`+a+`,`+a+`}`, 1, 2), `the name "a" comes twice`},
		"metadata is no text": {file(`{"__metadata__":{"a":1}}`), "__metadata__"},
		"double precision":    {file(`{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}`, 1, 2), `tensor "a": its dtype is "F64"; only F32 and F16`},
		"no dtype":            {file(`{"a":{"shape":[2],"data_offsets":[0,8]}}`, 1, 2), `its dtype is ""`},
		"backwards":           {file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}`, 1, 2), "ends at byte 0, before it starts at byte 8"},
		"negative offset":     {file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}}`, 1, 2), `tensor "a"`},
		"three offsets":       {file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,9]}}`, 1, 2), "3 data_offsets"},
		"no offsets":          {file(`{"a":{"dtype":"F32","shape":[2]}}`, 1, 2), "0 data_offsets"},
		"no shape":            {file(`{"a":{"dtype":"F32","data_offsets":[0,4]}}`, 1), `tensor "a": it has no shape`},
		"null":                {file(`{"a":null}`), `tensor "a": its dtype is ""`},
		"wrong shape":         {file(`{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}`, 1, 2), "shape [3] needs 12 bytes, but the header gives it 8"},
		"negative shape":      {file(`{"a":{"dtype":"F32","shape":[-2,-1],"data_offsets":[0,8]}}`, 1, 2), "makes no sense"},
		"overflowing shape":   {file(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`), "makes no sense"},
		"overlap":             {file(`{`+a+`,"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}`, 1, 2, 3), `tensor "b" starts at byte 4 and overlaps "a", which ends at byte 8`},
		"the same bytes":      {file(`{`+a+`,"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 1, 2), "overlaps"},
		"gap":                 {file(`{`+a+`,"b":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}}`, 1, 2, 3, 4), "nothing owns the bytes 8 to 12"},
		"out of range":        {file(`{`+a+`}`, 1), `cut short: tensor "a" ends at byte 8, but the file holds 4 bytes`},
		"extra bytes":         {file(`{`+a+`}`, 1, 2, 3), "4 bytes follow the last tensor"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parameters.Decode(c.data)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	_, err := parameters.Encode(&parameters.File{Tensors: map[string]*parameters.Tensor{"a": {Shape: []int{3}, Data: []float32{1}}}})
	require.EqualError(t, err, `tensor "a": shape [3] holds 3 values, but there are 1`)
	_, err = parameters.Encode(&parameters.File{Tensors: map[string]*parameters.Tensor{"__metadata__": {Shape: []int{1}, Data: []float32{1}}}})
	require.ErrorContains(t, err, "no tensor can have the name")
}

// Decode returns what Encode wrote bit for bit, including NaNs.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := &parameters.File{Tensors: map[string]*parameters.Tensor{}, Metadata: rapid.MapOfN(rapid.String(), rapid.String(), 1, 4).Draw(t, "metadata")}
		for _, name := range rapid.SliceOfDistinct(rapid.StringMatching(`[a-z0-9."ü]{1,9}`), rapid.ID).Draw(t, "names") {
			shape := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 3).Draw(t, "shape")
			tensor := &parameters.Tensor{Shape: append([]int{}, shape...), Data: make([]float32, parameters.Size(shape))}
			for i := range tensor.Data {
				tensor.Data[i] = math.Float32frombits(rapid.Uint32().Draw(t, "bits"))
			}
			want.Tensors[name] = tensor
		}
		data, err := parameters.Encode(want)
		require.NoError(t, err)
		again, err := parameters.Encode(want)
		require.NoError(t, err)
		require.Equal(t, data, again, "the same file makes the same bytes")
		got, err := parameters.Decode(data)
		require.NoError(t, err)
		require.Equal(t, want.Metadata, got.Metadata)
		require.Len(t, got.Tensors, len(want.Tensors))
		for name, w := range want.Tensors {
			require.Equal(t, w.Shape, got.Tensors[name].Shape)
			require.Equal(t, bits(w.Data), bits(got.Tensors[name].Data))
		}
	})
}

func bits(values []float32) []uint32 {
	bits := make([]uint32, len(values))
	for i, value := range values {
		bits[i] = math.Float32bits(value)
	}
	return bits
}

// FuzzDecode checks that no input makes Decode panic, and that accepted files have shapes that fit
// and can be written again.
func FuzzDecode(f *testing.F) {
	f.Add(file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 1, 2))
	f.Add(file(`{"__metadata__":{"seed":"1"},"b":{"dtype":"F32","shape":[],"data_offsets":[4,8]},"a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`, 1, 2))
	f.Add(file(`{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}`))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		decoded, err := parameters.Decode(data)
		if err != nil {
			return
		}
		for name, got := range decoded.Tensors {
			require.Equal(t, parameters.Size(got.Shape), len(got.Data), name)
		}
		_, err = parameters.Encode(decoded)
		require.NoError(t, err)
	})
}
