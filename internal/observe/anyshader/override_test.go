package anyshader

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

const overridden = `enable f16;
override size: u32;
@id(7) override scale: f32 = 1.0;
override on = true;
override shift = 0;
override half: f16 = 1.0h;
@compute @workgroup_size(size) fn main() { if (on) { _ = scale; _ = shift; _ = half; } }
`

func compileWith(overrides ...string) (*sim.Program, error) {
	return Compile(shader.ReadWith("try.wgsl", overridden, types.AllFeatures), "main", overrides, false)
}

func TestOverrides(t *testing.T) {
	p, err := compileWith("size=4")
	require.NoError(t, err)
	require.Equal(t, [3]uint32{4, 1, 1}, p.Pipeline.WorkgroupSize)

	p, err = compileWith("size = 0x10u", "7=-2.5f", "on=false", "shift=-3i", "half=0.5h")
	require.NoError(t, err)
	require.Equal(t, [3]uint32{16, 1, 1}, p.Pipeline.WorkgroupSize)
	values := map[string]string{}
	for o, v := range p.Pipeline.Overrides {
		values[o.Name] = v.String()
	}
	require.Equal(t, map[string]string{"size": "16u", "scale": "-2.5", "on": "false", "shift": "-3", "half": "0.5"}, values)
}

func TestOverridesThatAreWrong(t *testing.T) {
	const there = "it has size (u32), 7 (`scale`, f32), on (bool), shift (i32), half (f16)"
	for given, said := range map[string]string{
		"Size=4": "override Size=4: the shader has no override Size; " + there, "8=1": "the shader has no override 8; " + there, "=1": "no override ",
		"scale=2": "`scale` has @id(7), and goes by this number: write 7=…", "size": "write NAME=VALUE",
		"size=1.5": "`size` has type u32, which takes whole numbers from 0", "size=-1": "takes whole numbers from 0", "size=4294967296": "takes whole numbers", "size=4i": "takes whole numbers",
		"shift=2147483648": "takes whole numbers from -2147483648", "shift=true": "takes whole numbers", "on=1": "takes true or false", "7=true": "takes numbers from", "7=": "takes numbers from",
		"7=3.5e38": "takes numbers from", "7=nan": "takes numbers from", "7=inf": "takes numbers from", "half=65520": "takes numbers from -65504 to 65504",
	} {
		_, err := compileWith("size=1", given)
		if given == "size" || len(given) > 5 && given[:5] == "size=" {
			_, err = compileWith(given)
		}
		require.ErrorContains(t, err, said, given)
	}
	_, err := compileWith("size=1", "size=1")
	require.ErrorContains(t, err, "`size` has a value already")
	_, err = compileWith()
	require.ErrorContains(t, err, "give it a value: override size=…")
	_, err = Compile(shader.Read("try.wgsl", "@compute @workgroup_size(1) fn main() {}"), "main", []string{"size=1"}, false)
	require.ErrorContains(t, err, "the shader declares no override")
	_, err = Compile(shader.Read("try.wgsl", "fn main( {"), "main", []string{"size=1"}, false)
	require.ErrorAs(t, err, new(*shader.CompileError), "what is wrong with the shader comes first")
}

func TestTwoBuffersForOneBinding(t *testing.T) {
	all, err := ParseAll([]string{"0=f32[4]", "1=f32[4]", "1.0=f32[4]"}, nil)
	require.NoError(t, err)
	require.Len(t, all, 3)
	for _, twice := range [][]string{{"0=f32[4]", "0=f32[4]"}, {"0=f32[4]", "1=f32[4]", "0.0=u32:1"}, {"2.1=f32[4]", "2.01=f32[8]"}} {
		_, err := ParseAll(twice, nil)
		require.ErrorContains(t, err, twice[0]+" and "+twice[len(twice)-1]+": both are for @group(")
	}
}
