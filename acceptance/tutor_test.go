//go:build acceptance

package acceptance

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

// lastMissing is a vector-add without its last element.
const lastMissing = `// A vector-add that is nearly right.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i + 1u < arrayLength(&out)) {
        out[i] = a[i] + b[i];
    }
}
`

// A client in another language drives each tool of the tutor's server, makes mistakes, and asks 200
// times at once. The protocol is what they share: the Go tests use the library of the server.
func TestTutorWithPythonsClient(t *testing.T) {
	coursetest.NeedsChange(t, "internal/fronts/tutor/", "cmd/wgslab/", "setup/mcp.lock", "go.mod")
	packages := lab.Wheels(t, "setup/mcp.lock")
	folder := t.TempDir()
	shader := filepath.Join(folder, "work", "vector-add.wgsl")
	require.NoError(t, os.Mkdir(filepath.Dir(shader), 0o755))
	require.NoError(t, os.WriteFile(shader, []byte(lastMissing), 0o644))

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	root := lab.Root(t)
	client := exec.CommandContext(ctx, filepath.Join(root, ".venv", "bin", "python"),
		filepath.Join("testdata", "tutor_client.py"), filepath.Join(root, ".build", "bin", "wgslab"), folder)
	client.Env = append(os.Environ(), "PYTHONPATH="+packages)
	said, err := client.CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.Equal(t, "attempts concept examine hear say suppose task\n", string(said))
	require.Equal(t, lastMissing, lab.Read(t, shader), "no tool writes it")
}
