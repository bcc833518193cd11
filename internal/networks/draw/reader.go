package draw

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/vit"
)

// src is the side of the image that the page sends; SRC in frame.js must be the same.
const src = 140

// answer is the page's answer to a drawing.
type answer struct {
	Pixels        []byte          `json:"pixels"` // the network's input, 28×28
	Probabilities []float32       `json:"probabilities"`
	Passes        []pass          `json:"passes"`
	Box           []uint32        `json:"box,omitempty"` // around the ink, if the learner's shaders framed the drawing
	Filters       *filtersReading `json:"beside,omitempty"`
	Attention     *attention      `json:"attends,omitempty"`
}

// notNumbers replaces an answer with NaN or infinite numbers, which a shader can produce and JSON
// cannot express.
const notNumbers = `{"error":"The network answered with something that is not a number."}`

// pass is one pass on the device.
type pass struct {
	Name         string   `json:"name"`
	Milliseconds *float64 `json:"milliseconds"` // null if the adapter has no timestamps
}

// reader reads drawings, one at a time, on one device.
type reader struct {
	device  *gpu.Device
	authors []Author
	turn    chan struct{} // holds a token while the device is in use
	work    string        // the folder of the learner's shaders
	keep    string        // the file for weights that learned a sign; "" if the network only reads

	weights      *mlp.Weights
	shaders      mlp.Shaders
	sources      map[string]string // of all shaders, by the id of their exercise
	network      *mlp.Network
	image, small *gpu.Buffer
	downsample   gpu.Pass
	framing      *framing    // nil if the page frames the drawings
	filters      *cnn.Reader // nil if the network with filters doesn't read
	attention    *vit.Reader // nil if the transformer doesn't read
}

// newReader opens a device and makes the network from the learner's shaders that are right now, and
// the reference for the others. work is the folder of the learner's shaders, files those of the
// network's weights.
func newReader(work string, files Files) (*reader, error) {
	device, err := gpu.Open()
	if err != nil {
		return nil, err
	}
	r := &reader{device: device, turn: make(chan struct{}, 1), work: work, keep: files.Keep}
	if err := r.prepare(work, files); err != nil {
		device.Close()
		return nil, err
	}
	return r, nil
}

func (r *reader) prepare(work string, files Files) error {
	source := map[string]string{}
	if err := r.choose(work, Exercises, source); err != nil {
		return err
	}
	weights, err := weightsIn(files.Weights)
	if err != nil {
		return err
	}
	r.shaders = mlp.Shaders{Normalize: source["normalize"], Linear: source["linear"], Relu: source["relu"], Softmax: source["softmax"]}
	if err := r.readWith(weights); err != nil {
		return err
	}
	r.sources = source
	if files.Filters {
		if err := r.prepareFilters(work, source); err != nil {
			return err
		}
	}
	if files.Attention {
		if err := r.prepareAttention(work, source); err != nil {
			return err
		}
	}
	return errors.Join(r.prepareDownsample(source["downsample"]), r.prepareFraming(work))
}

// choose adds the shaders of exercises to sources, unless they are there, and notes their authors.
func (r *reader) choose(work string, exercises []string, sources map[string]string) error {
	for _, id := range exercises {
		if sources[id] != "" {
			continue
		}
		shader, err := ownshaders.Find(context.Background(), r.device, work, id)
		if err != nil {
			return err
		}
		sources[id] = shader.Source
		r.authors = append(r.authors, Author{Name: id, Own: shader.Learners})
	}
	return nil
}

// weightsIn reads weights from a file; "" means those that ship.
func weightsIn(file string) (*mlp.Weights, error) {
	if file == "" {
		return mlp.Trained()
	}
	return mlp.Load(file)
}

func (r *reader) prepareDownsample(source string) error {
	pipeline, err := r.device.Compile("downsample", source)
	if err != nil {
		return err
	}
	params, err := gpu.Uniform(r.device, uint32(src), uint32(mnist.Side))
	if err != nil {
		return err
	}
	if r.image, err = gpu.Alloc[float32](r.device, src*src); err != nil {
		return err
	}
	if r.small, err = gpu.Alloc[float32](r.device, mnist.Pixels); err != nil {
		return err
	}
	size := pipeline.WorkgroupSize()
	groups := [3]uint32{gpu.Groups(mnist.Side, size[0]), gpu.Groups(mnist.Side, size[1]), 1}
	r.downsample, err = pipeline.Pass(groups, params, r.image, r.small)
	return err
}

// close closes the device after the read in progress has ended.
func (r *reader) close() {
	r.turn <- struct{}{}
	r.device.Close()
}

// read reads an image of src×src bytes when its turn comes, which the learner's shaders frame if it
// is not ready. The transformer reads it without the heads that are off. It skips a request
// whose client leaves while it waits.
func (r *reader) read(ctx context.Context, image []byte, ready bool, off vit.Off) (*answer, error) {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	values := make([]float32, len(image))
	for i, b := range image {
		values[i] = float32(b) / 255
	}
	if err := gpu.Write(r.image, values); err != nil {
		return nil, fmt.Errorf("uploading the drawing: %w", err)
	}
	var a answer
	steps, box, err := r.reduce(ready)
	if err != nil {
		return nil, fmt.Errorf("shrinking the drawing: %w", err)
	}
	a.Box = box
	if a.Pixels, err = r.pixels(); err != nil {
		return nil, err
	}
	var network []mlp.TimedPass
	if a.Probabilities, network, err = r.network.ForwardSteps(a.Pixels); err != nil {
		return nil, fmt.Errorf("running the network: %w", err)
	}
	for _, step := range append(steps, network...) {
		a.Passes = append(a.Passes, r.pass(step))
	}
	if r.filters != nil {
		if a.Filters, err = r.readFilters(a.Pixels); err != nil {
			return nil, err
		}
	}
	if r.attention != nil {
		if a.Attention, err = r.readAttention(a.Pixels, off); err != nil {
			return nil, err
		}
	}
	return &a, nil
}

func (r *reader) pass(step mlp.TimedPass) pass {
	if !r.device.Adapter().Timestamps {
		return pass{Name: step.Shader}
	}
	milliseconds := float64(step.Took) / float64(time.Millisecond)
	return pass{Name: step.Shader, Milliseconds: &milliseconds}
}

// pixels reads back the small image, in bytes like MNIST's own images.
func (r *reader) pixels() ([]byte, error) {
	values, err := gpu.Read[float32](r.small)
	if err != nil {
		return nil, fmt.Errorf("reading the small image back: %w", err)
	}
	bytes := make([]byte, len(values))
	for i, v := range values {
		bytes[i] = byte(math.Round(255 * float64(min(1, max(0, v)))))
	}
	return bytes, nil
}
