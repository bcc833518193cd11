// This file reads and writes the safetensors format: a JSON header with the name, type,
// shape and place of each tensor, then the bytes of all tensors in sequence. It supports tensors
// of 32-bit and 16-bit floats, which are all that the course's networks need, and validates
// everything it reads.
//
// The format: https://github.com/huggingface/safetensors#format

package parameters

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

const (
	lengthBytes    = 8           // the header's length, a little-endian uint64
	maxHeaderBytes = 100_000_000 // the limit in the format's definition
	metadataName   = "__metadata__"
	dtypeF32       = "F32"
	dtypeF16       = "F16"
)

// elementBytes holds the supported types.
var elementBytes = map[string]int{dtypeF32: 4, dtypeF16: 2}

// A File holds the contents of a safetensors file.
type File struct {
	Tensors  map[string]*Tensor
	Metadata map[string]string // free text; nil if there is none
	Halves   bool              // Encode writes 16-bit floats
}

// An entry is the header's description of a tensor.
type entry struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets []uint64 `json:"data_offsets"` // the first byte, and the one after the last
}

// Decode reads a file. It rejects everything that the format forbids: a header that is too long or
// not a JSON object, a repeated name, a type other than F32 and F16, a shape that does not fit its
// bytes, tensors that overlap or leave gaps, and missing or extra bytes.
func Decode(data []byte) (*File, error) {
	header, body, err := split(data)
	if err != nil {
		return nil, err
	}
	entries, metadata, err := parseHeader(header)
	if err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	if err := checkPlaces(entries, uint64(len(body))); err != nil {
		return nil, err
	}
	file := &File{Tensors: make(map[string]*Tensor, len(entries)), Metadata: metadata}
	for name, e := range entries {
		file.Tensors[name] = &Tensor{Shape: e.Shape, Data: floats(e.DType, body[e.Offsets[0]:e.Offsets[1]])}
	}
	return file, nil
}

// split splits a file into its header and the bytes of the tensors.
func split(data []byte) (header, body []byte, err error) {
	if len(data) < lengthBytes {
		return nil, nil, fmt.Errorf("cut short: %d bytes, and a safetensors file starts with %d that say how long its header is", len(data), lengthBytes)
	}
	length, rest := binary.LittleEndian.Uint64(data), data[lengthBytes:]
	if length > maxHeaderBytes {
		return nil, nil, fmt.Errorf("not a safetensors file: its first %d bytes would make the header %d bytes long, and at most %d are allowed", lengthBytes, length, maxHeaderBytes)
	}
	if length > uint64(len(rest)) {
		return nil, nil, fmt.Errorf("cut short: the header is %d bytes long, but only %d follow", length, len(rest))
	}
	return rest[:length], rest[length:], nil
}

// parseHeader decodes the JSON name by name, because a map would hide a repeated name.
func parseHeader(header []byte) (map[string]entry, map[string]string, error) {
	decoder := json.NewDecoder(bytes.NewReader(header))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, nil, errors.New("it is not a JSON object")
	}
	entries, metadata := map[string]entry{}, map[string]string(nil)
	seen := map[string]bool{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, nil, err
		}
		name, _ := token.(string)
		if seen[name] {
			return nil, nil, fmt.Errorf("the name %q comes twice", name)
		}
		seen[name] = true
		if name == metadataName {
			if err := decoder.Decode(&metadata); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", metadataName, err)
			}
			continue
		}
		var e entry
		if err := decoder.Decode(&e); err != nil {
			return nil, nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		if err := e.validate(); err != nil {
			return nil, nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		entries[name] = e
	}
	if _, err := decoder.Token(); err != nil {
		return nil, nil, fmt.Errorf("it breaks off: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, nil, errors.New("something follows its closing brace")
	}
	return entries, metadata, nil
}

// validate compares a tensor's type and shape with its number of bytes.
func (e entry) validate() error {
	size, supported := elementBytes[e.DType]
	if !supported {
		return fmt.Errorf("its dtype is %q; only %s and %s are supported: convert it first", e.DType, dtypeF32, dtypeF16)
	}
	if e.Shape == nil {
		return errors.New("it has no shape")
	}
	if len(e.Offsets) != 2 {
		return fmt.Errorf("it has %d data_offsets, not 2", len(e.Offsets))
	}
	if e.Offsets[0] > e.Offsets[1] {
		return fmt.Errorf("it ends at byte %d, before it starts at byte %d", e.Offsets[1], e.Offsets[0])
	}
	want := uint64(size)
	for _, d := range e.Shape {
		if d < 0 || d > 0 && want > math.MaxInt64/uint64(d) {
			return fmt.Errorf("shape %v makes no sense", e.Shape)
		}
		want *= uint64(d)
	}
	if got := e.Offsets[1] - e.Offsets[0]; got != want {
		return fmt.Errorf("shape %v needs %d bytes, but the header gives it %d", e.Shape, want, got)
	}
	return nil
}

// checkPlaces checks that the tensors cover the bytes exactly once, without gaps.
func checkPlaces(entries map[string]entry, bytes uint64) error {
	end, previous := uint64(0), "the header"
	for _, name := range byPlace(entries) {
		switch offsets := entries[name].Offsets; {
		case offsets[0] < end:
			return fmt.Errorf("tensor %q starts at byte %d and overlaps %q, which ends at byte %d", name, offsets[0], previous, end)
		case offsets[0] > end:
			return fmt.Errorf("nothing owns the bytes %d to %d, before tensor %q", end, offsets[0], name)
		case offsets[1] > bytes:
			return fmt.Errorf("cut short: tensor %q ends at byte %d, but the file holds %d bytes of tensors", name, offsets[1], bytes)
		default:
			end, previous = offsets[1], name
		}
	}
	if end < bytes {
		return fmt.Errorf("%d bytes follow the last tensor", bytes-end)
	}
	return nil
}

func byPlace(entries map[string]entry) []string {
	names := make([]string, 0, len(entries))
	for name := range entries {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if c := slices.Compare(entries[a].Offsets, entries[b].Offsets); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	return names
}

func floats(dtype string, raw []byte) []float32 {
	size := elementBytes[dtype]
	values := make([]float32, len(raw)/size)
	for i := range values {
		if dtype == dtypeF16 {
			values[i] = numeric.FromF16Bits(binary.LittleEndian.Uint16(raw[i*size:]))
		} else {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[i*size:]))
		}
	}
	return values
}

// Encode returns the bytes of a file; the same File always gives the same bytes. It fails if a
// tensor's shape does not fit its values.
func Encode(file *File) ([]byte, error) {
	header := map[string]any{}
	if len(file.Metadata) > 0 {
		header[metadataName] = file.Metadata
	}
	var body []byte
	dtype := dtypeF32
	if file.Halves {
		dtype = dtypeF16
	}
	for _, name := range names(file.Tensors) {
		t := file.Tensors[name]
		if name == metadataName {
			return nil, fmt.Errorf("no tensor can have the name %q", name)
		}
		if want := Size(t.Shape); want != len(t.Data) {
			return nil, fmt.Errorf("tensor %q: shape %v holds %d values, but there are %d", name, t.Shape, want, len(t.Data))
		}
		start := uint64(len(body))
		for _, value := range t.Data {
			if file.Halves {
				body = binary.LittleEndian.AppendUint16(body, numeric.F16Bits(value))
			} else {
				body = binary.LittleEndian.AppendUint32(body, math.Float32bits(value))
			}
		}
		header[name] = entry{DType: dtype, Shape: append([]int{}, t.Shape...), Offsets: []uint64{start, uint64(len(body))}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	for (lengthBytes+len(text))%lengthBytes != 0 {
		text = append(text, ' ') // aligns the tensors for readers that map the file
	}
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return slices.Concat(data, text, body), nil
}

func names(tensors map[string]*Tensor) []string {
	sorted := make([]string, 0, len(tensors))
	for name := range tensors {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	return sorted
}
