package course

import (
	"sync"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// rightShaders are the right shaders of an exercise, the reference first.
type rightShaders struct {
	sources []*shader.Source
	sizes   sync.Map // of []*shader.Source, by workgroup size
}

// RightIn returns the reference and the right shaders in other styles. Those that can have the
// given workgroup size have it.
func (e *Exercise) RightIn(size [3]uint32) ([]*shader.Source, error) {
	right, err := e.right()
	if err != nil {
		return nil, err
	}
	if known, found := right.sizes.Load(size); found {
		return known.([]*shader.Source), nil
	}
	var all []*shader.Source
	for _, source := range right.sources {
		if resized, ok := shader.Resized(source.Name, source.Text, size); ok && len(e.Later) == 0 && resized.Mistake() == nil {
			source = resized
		}
		all = append(all, source.At(e.Entry))
	}
	right.sizes.Store(size, all)
	return all, nil
}

func (e *Exercise) readRightShaders() (*rightShaders, error) {
	reference, err := e.Reference()
	if err != nil {
		return nil, err
	}
	others, err := e.Right()
	return &rightShaders{sources: append([]*shader.Source{reference}, others...)}, err
}
