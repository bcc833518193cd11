//go:build acceptance

package engines

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/targets/targetstest"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

//go:embed features.js
var featuresJS string

// A shader for each optional feature of WGSL gives the same words in Chromium, if Chromium has the
// feature. The simulator's are those of the row: see TestFeatures in internal/observe/targets.
func TestFeaturesInChromium(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.html")
	require.NoError(t, os.WriteFile(empty, []byte("<!DOCTYPE html><title>empty</title>"), 0o644))
	page, err := browser.For(t, browser.WebGPU).Open("file://" + empty)
	require.NoError(t, err)
	t.Cleanup(page.Close)
	_, err = browser.Evaluate[bool](page, "(() => {"+featuresJS+"return true; })()")
	require.NoError(t, err)
	for _, row := range targetstest.Shaders {
		t.Run(row.Feature, func(t *testing.T) {
			request, err := json.Marshal(map[string]any{"feature": row.Feature, "code": row.Text, "workgroups": row.Workgroups(), "binds": boundInChromium(t, &row)})
			require.NoError(t, err)
			theirs, err := browser.Evaluate[struct {
				Has, Runs bool
				Said      []string
				Words     []uint32
			}](page, "runFeature("+string(request)+")")
			require.NoError(t, err)
			if !theirs.Has {
				t.Skipf("Chromium lacks %s here: %q", row.Feature, theirs.Said)
			}
			require.Empty(t, theirs.Said)
			if theirs.Runs {
				assert.Equal(t, row.Out, theirs.Words)
			} else {
				t.Log("compiled, and not run: it is for render pipelines, or the device lacks the texture formats")
			}
		})
	}
}

// boundInChromium describes what a row binds, for the page.
func boundInChromium(t *testing.T, row *targetstest.FeatureShader) []map[string]any {
	t.Helper()
	all := []map[string]any{}
	if row.Binds == nil {
		return all
	}
	n := row.Workgroups()
	asked := anyshader.ShaderRun{Entry: "main", Workgroups: fmt.Sprintf("%d,%d,%d", n[0], n[1], n[2]), Binds: row.Binds}
	d, err := asked.Read(shader.ReadWith(row.Feature+".wgsl", row.Text, types.AllFeatures))
	require.NoError(t, err)
	bound, _, err := d.Prepare(0, false)
	require.NoError(t, err)
	for _, b := range bound.Bindings {
		given := boundTo(bound.Buffers, b)
		one := map[string]any{"binding": b.Number, "kind": "storage", "data": given.Data}
		switch {
		case b.Group == ir.ImmediateGroup:
			one["kind"] = "immediate"
		case b.Texture != nil:
			one["kind"], one["format"], one["size"] = "texture", given.Texture.Format.Name, given.Texture.Size
			if b.Texture.Kind == types.StorageTexture {
				one["kind"] = "storage texture"
			}
		case b.Uniform:
			one["kind"] = "uniform"
		}
		all = append(all, one)
	}
	return all
}

func boundTo(buffers []sim.BoundBuffer, b ir.Binding) sim.BoundBuffer {
	for _, given := range buffers {
		if given.Group == b.Group && given.Binding == b.Number {
			return given
		}
	}
	return sim.BoundBuffer{}
}
