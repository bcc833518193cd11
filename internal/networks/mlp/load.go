package mlp

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/weights"
)

// Trained returns the weights that ship with the course. With them, the network reads 99 % of
// MNIST's test images right.
func Trained() (*Weights, error) {
	data, err := weights.Safetensors()
	if err != nil {
		return nil, fmt.Errorf("reading the weights that ship: %w", err)
	}
	w, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("reading the weights that ship: %w", err)
	}
	return w, nil
}

// Load reads weights from a file or folder:
//   - a safetensors file of this project: w1, b1, w2, b2, as Weights.Encode writes them;
//   - a PyTorch state dict in safetensors: two linear layers, such as 0.weight [128, 784], 0.bias,
//     2.weight [10, 128] and 2.bias. PyTorch stores a weight as outputs × inputs, so Load
//     transposes it;
//   - a folder with w1.bin, b1.bin, w2.bin and b2.bin: raw little-endian float32, shaped as in
//     Weights.
//
// If the file has no normalisation, Load uses MNIST's mean and deviation.
func Load(path string) (*Weights, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("loading weights: %w", err)
	}
	load := loadFile
	if info.IsDir() {
		load = loadRaw
	}
	w, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("loading weights from %s: %w", path, err)
	}
	return w, nil
}

// maxFileBytes is far above the 400 kB of the network. It keeps a wrong path from filling the
// memory.
const maxFileBytes = 64 << 20

func loadFile(path string) (*Weights, error) {
	data, err := readBounded(path)
	if err != nil {
		return nil, err
	}
	return decode(data)
}

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err == nil && len(data) > maxFileBytes {
		err = fmt.Errorf("%s is larger than %d bytes: these aren't weights of this network", path, maxFileBytes)
	}
	return data, err
}

// decode reads weights from the bytes of a safetensors file, as Load does.
func decode(data []byte) (*Weights, error) {
	file, err := parameters.Decode(data)
	if err != nil {
		return nil, err
	}
	normalisation, err := normalisationOf(file.Metadata)
	if err != nil {
		return nil, err
	}
	w := &Weights{Normalisation: normalisation, Sign: file.Metadata["sign"]}
	if text, given := file.Metadata["epochs"]; given {
		if w.Epochs, err = strconv.ParseFloat(text, 64); err != nil || !(w.Epochs >= 0) || math.IsInf(w.Epochs, 0) {
			return nil, fmt.Errorf("the metadata's epochs is %q; it must be a number of 0 or more", text)
		}
	}
	if err := w.take(file.Tensors); err != nil {
		return nil, err
	}
	return w, w.Check()
}

func normalisationOf(metadata map[string]string) (Normalisation, error) {
	n := MNIST
	for key, into := range map[string]*float32{"mean": &n.Mean, "stddev": &n.Stddev} {
		text, given := metadata[key]
		if !given {
			continue
		}
		value, err := strconv.ParseFloat(text, 32)
		if err != nil {
			return n, fmt.Errorf("the metadata's %s is %q; it must be a number", key, text)
		}
		*into = float32(value)
	}
	return n, nil
}

// A naming lists the names of the four tensors in one kind of file, in the order of parameters.
type naming struct {
	names      [4]string
	transposed bool // weights are outputs × inputs
}

// namings are the known kinds: this project's, then PyTorch's nn.Sequential without and with a
// Flatten as its first module, then modules with named layers.
var namings = []naming{
	{[4]string{"w1", "b1", "w2", "b2"}, false},
	pytorch("0", "2"),
	pytorch("1", "3"),
	pytorch("fc1", "fc2"),
	pytorch("linear1", "linear2"),
}

func pytorch(first, second string) naming {
	return naming{[4]string{first + ".weight", first + ".bias", second + ".weight", second + ".bias"}, true}
}

// PyTorch returns the weights as safetensors of a PyTorch state dict, and at which bytes of it w1,
// b1, w2 and b2 begin. Load reads such a file.
func (w *Weights) PyTorch() (file []byte, at map[string]int, err error) {
	names := pytorch("0", "2").names
	tensors, ours := map[string]*parameters.Tensor{}, map[string]string{}
	begin := 0
	for i, p := range w.parameters() {
		t := &parameters.Tensor{Shape: p.Shape, Data: *p.Values}
		if len(p.Shape) == 2 {
			t = t.Transpose()
		}
		tensors[names[i]], ours[names[i]] = t, p.Name
		begin -= 4 * len(t.Data)
	}
	if file, err = parameters.Encode(&parameters.File{Tensors: tensors}); err != nil {
		return nil, nil, fmt.Errorf("writing the weights as PyTorch does: %w", err)
	}
	at, begin = map[string]int{}, len(file)+begin
	for _, name := range slices.Sorted(maps.Keys(tensors)) { // as Encode writes them
		at[ours[name]] = begin
		begin += 4 * len(tensors[name].Data)
	}
	return file, at, nil
}

// take fills w from the tensors if their names are exactly those of one naming.
func (w *Weights) take(tensors map[string]*parameters.Tensor) error {
	found := slices.Sorted(maps.Keys(tensors))
	for _, n := range namings {
		if !slices.Equal(found, slices.Sorted(slices.Values(n.names[:]))) {
			continue
		}
		return w.parameters().Take(tensors, n.names[:], n.transposed)
	}
	return fmt.Errorf("the tensors are %s; the network needs %s", list(found), wantedNames())
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	const most = 12
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

func wantedNames() string {
	var kinds []string
	for _, n := range namings {
		kinds = append(kinds, strings.Join(n.names[:], ", "))
	}
	return strings.Join(kinds, "; or ")
}

// loadRaw reads a folder of four files without headers. Only their sizes show whether they fit.
func loadRaw(dir string) (*Weights, error) {
	w := &Weights{Normalisation: MNIST}
	for _, p := range w.parameters() {
		values, err := readRaw(filepath.Join(dir, p.Name+".bin"), p.Shape)
		if err != nil {
			return nil, err
		}
		*p.Values = values
	}
	return w, w.Check()
}

func readRaw(path string, shape []int) ([]float32, error) {
	raw, err := readBounded(path)
	if err != nil {
		return nil, err
	}
	values := make([]float32, parameters.Size(shape))
	if want := 4 * len(values); len(raw) != want {
		return nil, fmt.Errorf("%s has %d bytes; %v float32 values need %d", filepath.Base(path), len(raw), shape, want)
	}
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return values, nil
}
