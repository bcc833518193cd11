package draw

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"

	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/networks/mlp"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// MaxExport is the largest size of the exported page, in bytes. The weights alone take 543 kB.
const MaxExport = 1_000_000

// inBytes lists the exercises whose shaders read a drawing with weights of eight bits.
var inBytes = append([]string{"downsample"}, mlp.Exercises...)

// An Export is the page to take home: one HTML file that needs no server and works offline. The
// browser's WebGPU runs its shaders.
type Export struct {
	Shaders []ownshaders.LessonShader // one per exercise, in the order of their first pass
	HTML    []byte
}

// NewExport makes the page from the learner's shaders that are right now, and the reference for the
// others. work is the folder of the learner's shaders, and weightsFile has the network's weights;
// "" means those that ship. With eightBits, the page has the weights in bytes, and the shaders that
// run them. host is the learner's own host in JavaScript, with its function readDigits; "" means
// the page's. The error wraps shader.ErrNoAdapter if no adapter can check the shaders.
func NewExport(ctx context.Context, work, weightsFile string, eightBits bool, host string) (*Export, error) {
	device, err := gpu.Open()
	if err != nil {
		return nil, err
	}
	device = device.WithContext(ctx)
	defer device.Close()
	weights, err := weightsIn(weightsFile)
	if err != nil {
		return nil, err
	}
	e := &Export{}
	exercises := Exercises
	if eightBits {
		exercises, host = inBytes, "" // its file has floats
	}
	if host != "" {
		exercises = append(slices.Clone(exercises), "argmax")
	}
	var sources map[string]string
	if sources, e.Shaders, err = ownshaders.Sources(ctx, device, work, exercises...); err != nil {
		return nil, err
	}
	numbers := numbersOf(weights)
	if eightBits {
		small, err := mlp.NewQuantized(device, weights, sources)
		if err != nil {
			return nil, err
		}
		numbers.putInBytes(small)
	}
	return e, e.fill(numbers, weights.Sign, host)
}

// endsScript matches what would end the page's script, or hide its end, in a learner's program.
var endsScript = regexp.MustCompile(`(?i)<(/script|!--|script)`)

// hosted returns a script that defines the learner's function as learnersHost; null if there is
// none.
func hosted(program string) string {
	if program == "" {
		return "const learnersHost = null;\n"
	}
	return "const learnersHost = (() => {\n" + endsScript.ReplaceAllString(program, `<\$1`) + "\nreturn readDigits;\n})();\n"
}

func (e *Export) fill(weights numbers, sign, host string) error {
	var authors []Author
	programs := map[string]exportedShader{}
	for _, s := range e.Shaders {
		authors = append(authors, Author{Name: s.ID, Own: s.Learners})
		p, err := programOf(s)
		if err != nil {
			return err
		}
		programs[s.ID] = p
	}
	scripts := []string{"frame.js", "page.js", "webgpu.js", "plain.js", "host.js", "export.js"}
	before := hosted(host)
	p := PageValues{Before: before, Policy: sealed(before + Bundle(scripts...)), Data: map[string]any{
		"samples": Samples(),
		"kernels": authors,
		"shaders": programs,
		"weights": weights,
		"sign":    sign,
	}}
	var whole bytes.Buffer
	if err := p.Write(&whole, scripts...); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	if whole.Len() > MaxExport {
		return fmt.Errorf("the page would have %d bytes, but the limit is %d: %s", whole.Len(), MaxExport, largest(e.Shaders))
	}
	e.HTML = whole.Bytes()
	return nil
}

// sealed returns a content security policy that lets the page run only its own script and connect
// to no host.
func sealed(script string) string {
	sum := sha256.Sum256([]byte(script))
	return fmt.Sprintf("default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",
		base64.StdEncoding.EncodeToString(sum[:]))
}

// exportedShader is a shader with the facts that a host needs to run it.
type exportedShader struct {
	Source    string    `json:"source"`
	Workgroup [3]uint32 `json:"workgroup"`
	Bindings  []string  `json:"bindings"` // their types in WebGPU's words, starting with @binding(0)
}

func programOf(s ownshaders.LessonShader) (exportedShader, error) {
	module, err := shader.Read(s.ID, s.Source).Module()
	if err != nil {
		return exportedShader{}, fmt.Errorf("reading the shader %s: %w", s.ID, err)
	}
	entry, found := module.Entry(shader.EntryPoint)
	if !found {
		return exportedShader{}, fmt.Errorf("the shader %s has no entry point `%s`", s.ID, shader.EntryPoint)
	}
	p := exportedShader{Source: s.Source, Workgroup: entry.WorkgroupSize}
	for _, b := range module.Bindings { // the check made sure that no binding is missing
		p.Bindings = append(p.Bindings, shader.BindingKinds[b.Space])
	}
	return p, nil
}

// numbers holds weights as the page stores them: little-endian float32, in base64.
type numbers struct {
	Mean   float32 `json:"mean"`
	Stddev float32 `json:"stddev"`
	W1     []byte  `json:"w1"`
	B1     []byte  `json:"b1"`
	W2     []byte  `json:"w2"`
	B2     []byte  `json:"b2"`

	// If there are scales, W1 and W2 are signed bytes, with a row for each neuron.
	S1 []byte `json:"s1,omitempty"`
	S2 []byte `json:"s2,omitempty"`
}

// putInBytes replaces the weights by those of a network in bytes.
func (n *numbers) putInBytes(small *mlp.Quantized) {
	n.W1, n.S1 = littleEndian(small.First.Words), littleEndian(small.First.Scales)
	n.W2, n.S2 = littleEndian(small.Second.Words), littleEndian(small.Second.Scales)
}

func numbersOf(w *mlp.Weights) numbers {
	return numbers{
		Mean: w.Normalisation.Mean, Stddev: w.Normalisation.Stddev,
		W1: littleEndian(w.W1), B1: littleEndian(w.B1), W2: littleEndian(w.W2), B2: littleEndian(w.B2),
	}
}

func littleEndian[T float32 | uint32](values []T) []byte {
	bytes, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		panic(err) // these can always be encoded
	}
	return bytes
}

// largest names the shader that takes the most space in the page.
func largest(shaders []ownshaders.LessonShader) string {
	most := shaders[0]
	for _, s := range shaders {
		if len(s.Source) > len(most.Source) {
			most = s
		}
	}
	return fmt.Sprintf("the shader %s by itself has %d", most.ID, len(most.Source))
}
