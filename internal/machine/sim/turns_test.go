package sim_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Side by side, a load and a store lose what others write in between, also those of other
// workgroups. A lock, a barrier, or a function that does both in one step lose nothing.
func TestRunInTurns(t *testing.T) {
	const head = `
@group(0) @binding(0) var<storage, read_write> total: array<atomic<u32>>;
var<workgroup> here: atomic<u32>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) group: vec3<u32>) {
`
	cases := map[string]struct {
		body  string
		total uint32
		found string // of the messages, the first
	}{
		"one step": {"atomicAdd(&total[0], 1u);", 32, ""},
		"two steps": {"atomicStore(&total[0], atomicLoad(&total[0]) + 1u);", 1,
			"invocation 6 of workgroup 3 loads and stores `total[0]` on line 6; in between, invocation 7 of workgroup 3 may write it, and what that one wrote is lost"},
		"one of each workgroup": {"if (me == 0u) {\nlet old = atomicLoad(&total[0]);\natomicStore(&total[0], old + 1u);\n}", 1,
			"invocation 0 of workgroup 2 loads `total[0]` on line 7 and stores it on line 8; in between, invocation 0 of workgroup 3 may write it, and what that one wrote is lost"},
		"in workgroup memory": {"atomicStore(&here, atomicLoad(&here) + 1u);\nworkgroupBarrier();\nif (me == 0u) { atomicAdd(&total[0], atomicLoad(&here)); }", 4,
			"invocation 6 of workgroup 3 loads and stores `here` on line 6; in between, invocation 7 of workgroup 3 may write it, and what that one wrote is lost"},
		"one after the other": {"for (var i = 0u; i < 8u; i++) {\nif (me == i && group.x == 0u) { atomicStore(&total[0], atomicLoad(&total[0]) + 1u); }\nstorageBarrier();\n}", 8, ""},
		"compare and exchange": {`loop {
			let old = atomicLoad(&total[0]);
			if (atomicCompareExchangeWeak(&total[0], old, old + 1u).exchanged) { break; }
		}`, 32, ""},
		"a lock": {`for (var done = false; !done;) {
			if (atomicExchange(&total[1], 1u) == 0u) {
				atomicStore(&total[0], atomicLoad(&total[0]) + 1u);
				atomicStore(&total[1], 0u);
				done = true;
			}
		}`, 32, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			program := mustBuild(t, head+c.body+"\n}\n")
			memory := make([]byte, 8)
			result, err := program.RunInTurns(t.Context(), [3]uint32{4, 1, 1}, []sim.BoundBuffer{{Data: memory}}, sim.DefaultSteps/100)
			require.NoError(t, err)
			require.True(t, result.Finished)
			require.Equal(t, c.total, binary.LittleEndian.Uint32(memory))
			if c.found == "" {
				require.Empty(t, result.Findings)
				return
			}
			require.NotEmpty(t, result.Findings)
			require.Equal(t, c.found, result.Findings[0].Message)
			require.Equal(t, findings.LostUpdate, result.Findings[0].Kind)
		})
	}
}

// Run lets the first invocation come first, and RunInTurns the last one: so tickets go the other
// way.
func TestRunInTurnsTurnsTheOrderRound(t *testing.T) {
	program := mustBuild(t, `
@group(0) @binding(0) var<storage, read_write> next: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
	out[atomicAdd(&next, 1u)] = id.x;
}
`)
	order := func(run func(buffers []sim.BoundBuffer) error) []byte {
		out := make([]byte, 4*4)
		require.NoError(t, run([]sim.BoundBuffer{{Data: make([]byte, 4)}, {Binding: 1, Data: out}}))
		return []byte{out[0], out[4], out[8], out[12]}
	}
	require.Equal(t, []byte{0, 1, 2, 3}, order(func(buffers []sim.BoundBuffer) error {
		_, err := program.Run(t.Context(), [3]uint32{2, 1, 1}, buffers, sim.Options{})
		return err
	}))
	require.Equal(t, []byte{3, 2, 1, 0}, order(func(buffers []sim.BoundBuffer) error {
		_, err := program.RunInTurns(t.Context(), [3]uint32{2, 1, 1}, buffers, sim.DefaultSteps)
		return err
	}))
}

// A wait that no one ends uses up the steps.
func TestRunInTurnsEnds(t *testing.T) {
	program := mustBuild(t, `
@group(0) @binding(0) var<storage, read_write> total: atomic<u32>;
@compute @workgroup_size(8)
fn main() {
	while (atomicLoad(&total) == 0u) {}
}
`)
	result, err := program.RunInTurns(t.Context(), [3]uint32{1, 1, 1}, []sim.BoundBuffer{{Data: make([]byte, 4)}}, 100_000)
	require.NoError(t, err)
	require.False(t, result.Finished)
}
