package judge_test

import (
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// slowReference describes an exercise whose reference computes for minutes.
var slowReference = fstest.MapFS{
	"slow/exercise.toml": {Data: []byte(`lesson = 2
position = 90
title = "Slow"
task = "Wait."
points = 1
dispatch = "cover"
extent = ["n"]
output = "data"
case_name = "n = {n}"

[[bindings]]
name = "data"
access = "read_write"
type = "array<f32>"
length = "n"
fill = {floats = 10}

[[cases]]
sizes = {n = 2}

[small]
sizes = {n = 2}
`)},
	"slow/hints.md":       {Data: []byte("1. Wait.\n")},
	"slow/skeleton.wgsl":  {Data: []byte(slowShader)},
	"slow/reference.wgsl": {Data: []byte(slowShader)},
}

const slowShader = `@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(1)
fn main() {
  var i = 0u;
  while (i < 4000000000u && data[0] < 1e9) { i++; }
  data[0] = f32(i);
}
`

// Once the shader's run has failed, nothing needs the right outputs: the reference ends as well.
func TestAFailedRunEndsTheReference(t *testing.T) {
	e, err := course.ReadFolder(slowReference, "slow")
	require.NoError(t, err)
	lost := func(course.Case) (course.Buffer, error) { return course.Buffer{}, shader.ErrLost }
	cases := e.Draw(seed)
	on := shader.Engines{Values: &fake{cases: cases, run: lost}, Watcher: &fake{cases: cases, run: lost}}
	_, err = judge.Run(t.Context(), on, e, shader.Read("try.wgsl", slowShader), seed)
	require.ErrorIs(t, err, shader.ErrLost)
	require.Eventually(t, func() bool {
		stacks := make([]byte, 1<<20)
		return !strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "expectAll")
	}, 10*time.Second, time.Millisecond, "the reference still runs")
}
