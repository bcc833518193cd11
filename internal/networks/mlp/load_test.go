package mlp_test

import (
	"encoding/binary"
	"maps"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/parameters"
)

// numbered returns weights that are all different, so that a transposed or swapped tensor shows.
func numbered() *mlp.Weights {
	next := float32(0)
	count := func(n int) []float32 {
		values := make([]float32, n)
		for i := range values {
			next++
			values[i] = next / 1000
		}
		return values
	}
	return &mlp.Weights{
		W1: count(mlp.Inputs * mlp.Hidden), B1: count(mlp.Hidden),
		W2: count(mlp.Hidden * mlp.Outputs), B2: count(mlp.Outputs),
		Normalisation: mlp.MNIST,
	}
}

// stateDict returns w as PyTorch would save it, with the given names of the layers.
func stateDict(w *mlp.Weights, first, second string) map[string]*parameters.Tensor {
	transposed := func(data []float32, rows, columns int) *parameters.Tensor {
		return (&parameters.Tensor{Shape: []int{rows, columns}, Data: data}).Transpose()
	}
	return map[string]*parameters.Tensor{
		first + ".weight":  transposed(w.W1, mlp.Inputs, mlp.Hidden),
		first + ".bias":    {Shape: []int{mlp.Hidden}, Data: w.B1},
		second + ".weight": transposed(w.W2, mlp.Hidden, mlp.Outputs),
		second + ".bias":   {Shape: []int{mlp.Outputs}, Data: w.B2},
	}
}

func save(t *testing.T, tensors map[string]*parameters.Tensor, metadata map[string]string) string {
	t.Helper()
	data, err := parameters.Encode(&parameters.File{Tensors: tensors, Metadata: metadata})
	require.NoError(t, err)
	return saveBytes(t, data)
}

func saveBytes(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "weights.safetensors")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

func TestWhatIsEncodedIsLoaded(t *testing.T) {
	for _, normalisation := range []mlp.Normalisation{mlp.MNIST, mlp.None} {
		want := numbered()
		want.Normalisation = normalisation
		data, err := want.Encode(map[string]string{"seed": "1"})
		require.NoError(t, err)
		got, err := mlp.Load(saveBytes(t, data))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestStateDictsOfPyTorch(t *testing.T) {
	want := numbered()
	for _, layers := range [][2]string{{"0", "2"}, {"1", "3"}, {"fc1", "fc2"}, {"linear1", "linear2"}} {
		got, err := mlp.Load(save(t, stateDict(want, layers[0], layers[1]), map[string]string{"format": "pt"}))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestLoadRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(map[string]*parameters.Tensor)
		want   string
	}{
		"not transposed": {func(d map[string]*parameters.Tensor) { d["0.weight"].Shape = []int{784, 128} }, "0.weight has shape [784 128]; the network needs [128 784]"},
		"other size": {func(d map[string]*parameters.Tensor) {
			d["2.bias"] = &parameters.Tensor{Shape: []int{9}, Data: make([]float32, 9)}
		}, "2.bias has shape [9]; the network needs [10]"},
		"flat":         {func(d map[string]*parameters.Tensor) { d["2.weight"].Shape = []int{1280} }, "2.weight has shape [1280]; the network needs [10 128]"},
		"NaN":          {func(d map[string]*parameters.Tensor) { d["0.bias"].Data[3] = float32(math.NaN()) }, "0.bias: value 3 is NaN"},
		"infinite":     {func(d map[string]*parameters.Tensor) { d["2.weight"].Data[5] = float32(math.Inf(-1)) }, "2.weight: value 5 is -Inf"},
		"missing":      {func(d map[string]*parameters.Tensor) { delete(d, "0.bias") }, "the tensors are 0.weight, 2.bias, 2.weight; the network needs w1, b1, w2, b2; or 0.weight, 0.bias, 2.weight, 2.bias"},
		"one more":     {func(d map[string]*parameters.Tensor) { d["4.bias"] = d["2.bias"] }, "4.bias; the network needs"},
		"unknown name": {func(d map[string]*parameters.Tensor) { d["head.bias"] = d["2.bias"]; delete(d, "2.bias") }, "head.bias; the network needs"},
		"no tensors":   {func(d map[string]*parameters.Tensor) { clear(d) }, "the tensors are none; the network needs"},
	} {
		t.Run(name, func(t *testing.T) {
			tensors := stateDict(numbered(), "0", "2")
			c.change(tensors)
			path := save(t, tensors, nil)
			_, err := mlp.Load(path)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, path)
		})
	}
}

func TestLoadRefusesMetadata(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"mean", "much", `the metadata's mean is "much"; it must be a number`},
		{"stddev", "0", "stddev 0; both must be finite, and stddev above 0"},
		{"mean", "NaN", "mean NaN"},
		{"stddev", "1e60", "stddev"},
		{"epochs", "two", `the metadata's epochs is "two"`},
		{"epochs", "-1", "epochs"},
		{"epochs", "NaN", "epochs"},
		{"epochs", "Inf", "epochs"},
	} {
		_, err := mlp.Load(save(t, stateDict(numbered(), "0", "2"), map[string]string{c.key: c.value}))
		require.ErrorContains(t, err, c.want)
	}
}

// A file that is cut at any place gives an error.
func TestLoadRefusesCutFiles(t *testing.T) {
	data, err := numbered().Encode(nil)
	require.NoError(t, err)
	for _, length := range []int{0, 1, 7, 8, 9, 100, 1000, len(data) / 2, len(data) - 1} {
		_, err := mlp.Decode(data[:length])
		require.ErrorContains(t, err, "cut short", "cut after %d bytes", length)
	}
}

func TestLoadRefusesOtherFiles(t *testing.T) {
	_, err := mlp.Load(filepath.Join(t.TempDir(), "nothing"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = mlp.Load(saveBytes(t, []byte("PK\x03\x04 a zip file, as torch.save writes it")))
	require.ErrorContains(t, err, "not a safetensors file")

	huge := filepath.Join(t.TempDir(), "huge")
	require.NoError(t, os.WriteFile(huge, nil, 0o644))
	require.NoError(t, os.Truncate(huge, 1<<40))
	_, err = mlp.Load(huge)
	require.ErrorContains(t, err, "these aren't weights of this network")
}

func TestRawFiles(t *testing.T) {
	w := numbered()
	files := map[string][]byte{"w1.bin": raw(t, w.W1), "b1.bin": raw(t, w.B1), "w2.bin": raw(t, w.W2), "b2.bin": raw(t, w.B2)}
	loaded, err := mlp.Load(folder(t, files))
	require.NoError(t, err)
	require.Equal(t, w, loaded)
	for name, c := range map[string]struct {
		change func(map[string][]byte)
		want   string
	}{
		"missing": {func(f map[string][]byte) { delete(f, "b1.bin") }, "b1.bin: no such file"},
		"short":   {func(f map[string][]byte) { f["w1.bin"] = f["w1.bin"][:401407] }, "w1.bin has 401407 bytes; [784 128] float32 values need 401408"},
		"long":    {func(f map[string][]byte) { f["b2.bin"] = append(f["b2.bin"][:40:40], 0) }, "b2.bin has 41 bytes; [10] float32 values need 40"},
		"NaN":     {func(f map[string][]byte) { f["w2.bin"] = append([]byte{0, 0, 0xc0, 0x7f}, f["w2.bin"][4:]...) }, "w2: value 0 is NaN"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := maps.Clone(files)
			c.change(changed)
			_, err := mlp.Load(folder(t, changed))
			require.ErrorContains(t, err, c.want)
		})
	}
}

// raw returns the bytes of a .bin file: float32, little-endian.
func raw(t *testing.T, values []float32) []byte {
	t.Helper()
	data, err := binary.Append(nil, binary.LittleEndian, values)
	require.NoError(t, err)
	return data
}

// folder writes files into a new folder.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	return dir
}

func TestCheckAndEncodeRefuseWrongWeights(t *testing.T) {
	w := numbered()
	w.B1 = w.B1[1:]
	require.EqualError(t, w.Check(), "b1 has 127 values; the network needs [128], that is 128")
	_, err := w.Encode(nil)
	require.Error(t, err)
	_, err = mlp.New(open(t), w)
	require.Error(t, err)
}

// The file is one that Load reads, and the places in it are those of the numbers.
func TestWeightsAsPyTorchWritesThem(t *testing.T) {
	w := numbered()
	file, at, err := w.PyTorch()
	require.NoError(t, err)
	loaded, err := mlp.Load(saveBytes(t, file))
	require.NoError(t, err)
	require.Equal(t, w, loaded)
	number := func(name string, i int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(file[at[name]+4*i:]))
	}
	require.Equal(t, w.W1[3*mlp.Hidden+2], number("w1", 2*mlp.Inputs+3), "[out, in]")
	require.Equal(t, w.B1[2], number("b1", 2))
	require.Equal(t, w.W2[3*mlp.Outputs+2], number("w2", 2*mlp.Hidden+3))
	require.Equal(t, w.B2[2], number("b2", 2))
}
