package jail

import (
	"context"
	"sync/atomic"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A noted backend records whether it is compiling.
type noted struct {
	shader.Backend
	compiling *atomic.Bool
}

func (n noted) Compile(ctx context.Context, source *shader.Source) (shader.Program, error) {
	n.compiling.Store(true)
	defer n.compiling.Store(false)
	return n.Backend.Compile(ctx, source)
}
