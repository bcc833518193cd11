package sim_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// build is the front end and the compiler, on a shader that should be right.
func build(code, entry string, constants map[string]float64) (*sim.Program, error) {
	source := syntax.NewSource("test.wgsl", code)
	info, found := sim.Analyse(source, types.AllFeatures)
	if syntax.HasErrors(found) {
		return nil, fmt.Errorf("%s", found[0].Format(source))
	}
	point := info.Entry(entry)
	if point == nil {
		return nil, fmt.Errorf("no entry point %s", entry)
	}
	pipeline, found := info.Pipeline(point, constants)
	if syntax.HasErrors(found) {
		return nil, fmt.Errorf("%s", found[0].Format(source))
	}
	return sim.Compile(pipeline, false)
}

func mustBuild(t testing.TB, code string) *sim.Program {
	t.Helper()
	p, err := build(code, "main", nil)
	require.NoError(t, err)
	return p
}

func run(t testing.TB, p *sim.Program, workgroups [3]uint32, options sim.Options, buffers ...[]byte) *sim.Result {
	t.Helper()
	bound := make([]sim.Buffer, len(buffers))
	for i, b := range buffers {
		bound[i] = sim.Buffer{Binding: uint32(i), Data: b}
	}
	result, err := p.Run(context.Background(), workgroups, bound, options)
	require.NoError(t, err)
	return result
}

// runRapid is run where rapid draws.
func runRapid(t require.TestingT, p *sim.Program, options sim.Options, buffers ...[]byte) {
	bound := make([]sim.Buffer, len(buffers))
	for i, b := range buffers {
		bound[i] = sim.Buffer{Binding: uint32(i), Data: b}
	}
	_, err := p.Run(context.Background(), [3]uint32{1, 1, 1}, bound, options)
	require.NoError(t, err)
}
