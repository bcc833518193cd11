package desk

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Every check draws its own cases, unless the request names a seed.
func TestEveryCheckHasItsOwnSeed(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir(learner.Dir, 0o755))
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	reference, err := exercise.Reference()
	require.NoError(t, err)
	path := learner.ShaderPath(exercise.ID)
	require.NoError(t, os.WriteFile(path, []byte(reference.Text), 0o644))
	d := &Desk{Read: shader.Read}
	d.Device.Open = func(ctx context.Context) (*engine.Opened, error) { return engine.Open(ctx, shader.Simulated) }
	ask := func(r protocol.Request) *protocol.Response {
		answer, err := d.Answer(t.Context(), r, func(...view.View) {})
		require.NoError(t, err)
		return answer
	}
	check := protocol.Request{Do: protocol.Check, Exercise: exercise.ID}
	require.NotEqual(t, ask(check).Verdict.Seed, ask(check).Verdict.Seed)
	own := uint64(7)
	check.Seed = &own
	require.Equal(t, own, ask(check).Verdict.Seed)
}

// A device that is lost after the verdict, when a right shader is timed, counts as lost too: only
// the end of the process ends what runs on it.
func TestALossAfterTheVerdict(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir(learner.Dir, 0o755))
	exercise, err := course.Find("relu")
	require.NoError(t, err)
	reference, err := exercise.Reference()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(learner.ShaderPath("relu"), []byte(reference.Text), 0o644))
	impatient := gpu.DefaultDeadline
	d := &Desk{Read: shader.Read}
	d.Device.Open = func(ctx context.Context) (*engine.Opened, error) {
		on, err := engine.Open(ctx, shader.Simulated)
		require.NoError(t, err)
		on.Device, err = gpu.Open(gpu.Require(shader.Simulated), gpu.WithDeadline(impatient))
		return on, err
	}
	check := func() *protocol.Response {
		answer, err := d.Answer(t.Context(), protocol.Request{Do: protocol.Check, Exercise: "relu"}, func(...view.View) {})
		require.NoError(t, err)
		require.True(t, answer.Verdict.Passed())
		return answer
	}
	lost := func() bool {
		select {
		case <-d.Lost():
			return true
		default:
			return false
		}
	}
	check()
	require.False(t, lost())

	impatient = time.Nanosecond
	d = &Desk{Read: shader.Read, Device: EngineOpener{Open: d.Device.Open}}
	check()
	require.True(t, lost())
	check()
	require.True(t, lost(), "once and for all")
}

// A look, the check after it and the steps after that read a shader's text once, and a check reads
// its file before it shows anything, not again.
func TestAShaderIsReadOnce(t *testing.T) {
	d, text := newDesk(t), reference(t, "vector-add")
	var read []string
	d.Read = func(name, text string) *shader.Source {
		read = append(read, name)
		return shader.Read(name, text)
	}
	path := learner.ShaderPath("vector-add")
	ask := func(r protocol.Request) {
		_, err := d.Answer(t.Context(), r, func(views ...view.View) {
			_ = os.Remove(path)
			for _, v := range views {
				require.NotContains(t, v.Text(), "there is no file")
			}
		})
		require.NoError(t, err)
	}
	require.NoError(t, os.Mkdir(learner.Dir, 0o755))
	ask(protocol.Request{Do: protocol.Glance, File: path, Source: text})
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	ask(protocol.Request{Do: protocol.Check, Exercise: "vector-add"})
	ask(protocol.Request{Do: protocol.Steps, Exercise: "vector-add", Source: text, Step: protocol.StepRequest{Do: "begin"}})
	require.Equal(t, []string{path}, read)

	require.NoError(t, os.WriteFile(path, []byte(text+"\n"), 0o644))
	ask(protocol.Request{Do: protocol.Check, Exercise: "vector-add"})
	require.Len(t, read, 2, "the text has changed")
}
