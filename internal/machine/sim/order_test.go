package sim_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
)

// Every invocation takes a ticket, so the tickets show the order. Each order runs each invocation
// once, and those of a workgroup together.
func TestOrders(t *testing.T) {
	program := mustBuild(t, `
@group(0) @binding(0) var<storage, read_write> tickets: array<u32>;
@group(0) @binding(1) var<storage, read_write> next: atomic<u32>;
@compute @workgroup_size(3)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    tickets[id.x + 3u * 2u * id.y] = atomicAdd(&next, 1u);
}
`)
	tickets := func(order sim.Order) []uint32 {
		memory := make([]byte, 18*4)
		result, err := program.Run(t.Context(), [3]uint32{2, 3, 1}, []sim.BoundBuffer{{Data: memory}, {Binding: 1, Data: make([]byte, 4)}}, sim.Options{Order: order})
		require.NoError(t, err)
		require.True(t, result.Finished)
		var all []uint32
		for i := range 18 {
			all = append(all, binary.LittleEndian.Uint32(memory[4*i:]))
		}
		return all
	}
	numbers, backward := make([]uint32, 18), make([]uint32, 18)
	for i := range uint32(18) {
		numbers[i], backward[i] = i, 17-i
	}
	require.Equal(t, numbers, tickets(sim.Order{}))
	require.Equal(t, backward, tickets(sim.Order{Backward: true}))
	orders := map[[18]uint32]bool{}
	for seed := range uint64(20) {
		mixed := tickets(sim.Order{Seed: seed + 1})
		require.ElementsMatch(t, numbers, mixed)
		for group := range 6 {
			require.Equal(t, mixed[3*group]/3, mixed[3*group+2]/3, "a workgroup runs to its end before the next")
		}
		orders[[18]uint32(mixed)] = true
	}
	require.Greater(t, len(orders), 10, "seeds differ")
}
