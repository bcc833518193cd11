package targets_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/targets"
	"github.com/wgslab/wgslab/internal/observe/targets/targetstest"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Each optional feature has a shader, which vet accepts, whose needs it knows, and which leaves the
// same values in the interpreter and as machine code.
func TestFeatures(t *testing.T) {
	asked, err := targets.Parse(targetstest.Targets)
	require.NoError(t, err)
	var features []string
	for _, row := range targetstest.Shaders {
		features = append(features, row.Feature)
		t.Run(row.Feature, func(t *testing.T) {
			source := shader.ReadWith(row.Feature+".wgsl", row.Text, types.AllFeatures)
			require.Empty(t, source.Shader().Findings)
			said := map[string]bool{}
			for _, f := range targets.Check(source, asked) {
				said[f.Message] = true
			}
			if row.Lacking != "" {
				assert.True(t, said[fmt.Sprintf("%s no `%s`.", has(row.Lacking), row.Feature)], "%v", said)
			}
			for _, f := range targets.Check(source, nil) {
				named := slices.ContainsFunc(append(row.Also, row.Feature), func(name string) bool { return assert.ObjectsAreEqual("`"+name+"`", quoted(f.Message)) })
				assert.True(t, named, f.Message)
			}
			run(t, source, &row)
		})
	}
	assert.ElementsMatch(t, slices.Concat(types.Extensions(), types.LanguageFeatures()), features)
}

func has(names string) string {
	if slices.Contains([]rune(names), ',') || len(names) > len("Firefox 151") {
		return names + " have"
	}
	return names + " has"
}

// quoted returns the first word in backquotes.
func quoted(message string) string {
	var start, end int
	for i, r := range message {
		switch {
		case r != '`':
		case start == 0:
			start = i
		case end == 0:
			end = i + 1
		}
	}
	return message[start:end]
}

// run runs a row's shader in both ways.
func run(t *testing.T, source *shader.Source, row *targetstest.FeatureShader) {
	if row.Binds == nil {
		return
	}
	n := row.Workgroups()
	workgroups := fmt.Sprintf("%d,%d,%d", n[0], n[1], n[2])
	for name, options := range map[string]sim.Options{
		"watched": {Watch: true, Compile: sim.Never}, "interpreted": {Compile: sim.Never}, "compiled": {Compile: sim.Always}, "watched machine code": {Watch: true, Compile: sim.Always},
	} {
		asked := anyshader.ShaderRun{Entry: "main", Workgroups: workgroups, Binds: row.Binds}
		d, err := asked.Read(source)
		require.NoError(t, err)
		bound, _, err := d.Prepare(0, false)
		require.NoError(t, err)
		result, err := bound.Run(t.Context(), bound.Workgroups, bound.Buffers, options)
		require.NoError(t, err)
		assert.Empty(t, result.Findings, name)
		var words []uint32
		for at := 0; at < len(bound.Buffers[0].Data); at += 4 {
			words = append(words, binary.LittleEndian.Uint32(bound.Buffers[0].Data[at:]))
		}
		assert.Equal(t, row.Out, words, name)
	}
}
