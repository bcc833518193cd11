package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestARunTooLongToBeExplained(t *testing.T) {
	program := compiled(t, `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn main() { loop { out[0] += 1u; if (out[0] == 0u) { break; } } }`)
	host, err := program.upload([]BoundBuffer{{Data: make([]byte, 4)}})
	require.NoError(t, err)
	r := newRecorder(t.Context(), program, host, [3]uint32{1, 1, 1})
	assert.Equal(t, maxRecorded, r.most)
	r.most = 10_000
	assert.ErrorIs(t, r.run(), ErrTooManySteps)
}
