package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestARunTooLongToBeExplained(t *testing.T) {
	program := compiled(t, `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn main() { loop { out[0] += 1u; if (out[0] == 0u) { break; } } }`)
	r, err := program.newRecorder(t.Context(), [3]uint32{1, 1, 1}, []BoundBuffer{{Data: make([]byte, 4)}}, 10_000)
	require.NoError(t, err)
	assert.ErrorIs(t, r.tell(r), ErrTooManySteps)
}
