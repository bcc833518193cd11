package anyshader

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file larger than the limit is refused before it is read, and one that never ends before it is
// opened.
func TestALargeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.bin")
	require.NoError(t, os.WriteFile(path, make([]byte, 10), 0o644))
	data, err := readLimited(path, 10)
	require.NoError(t, err)
	require.Len(t, data, 10)
	_, err = readLimited(path, 9)
	require.EqualError(t, err, path+" has more than 9 bytes")
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("this system has no /dev/zero, a file that never ends")
	}
	_, err = readLimited("/dev/zero", 1000)
	require.ErrorContains(t, err, "/dev/zero is a device")
}

func TestParseAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.bin")
	require.NoError(t, os.WriteFile(path, []byte{1, 2, 3, 4, 5}, 0o644))
	b, err := Parse("1.2=@" + path)
	require.NoError(t, err)
	require.Equal(t, &Argument{Group: 1, Binding: 2, Data: []byte{1, 2, 3, 4, 5, 0, 0, 0}}, b)
}

// An f16 takes two bytes. What is read back is what was written, and an odd number gets one more.
func TestHalves(t *testing.T) {
	for text, want := range map[string]struct {
		data   string
		values string
	}{
		"0=f16:1,2.5h,-Inf":         {"003c004100fc0000", "[1 2.5 -Inf 0]"},
		"0=f16[2]:0x1p-24":          {"01000100", "[5.960464e-08 5.960464e-08]"},
		"0=f16:65519":               {"ff7b0000", "[65504 0]"},
		"0=vec2h[2]:2":              {"00400040" + "00400040", "[2 2 2 2]"},
		"0=vec3u[2]:7":              {"070000000700000007000000000000000700000007000000070000000" + "0000000"[:7], "[7 7 7 7 7 7]"},
		"0=mat2x2f[1]:0":            {"00000000000000000000000000000000", "[0 0 0 0]"},
		"0=vec4f[1]:1,2,3,4":        {"0000803f000000400000404000008040", "[1 2 3 4]"},
		"0=vec3h[2]":                {"0000003c0040000000420044004500000000"[:32], "[0 1 2 3 4 5]"},
		"0=mat2x3<f16>:1,2,3,4,5,6": {"003c004000420000004400450046" + "0000", "[1 2 3 4 5 6]"},
	} {
		b, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want.data, fmt.Sprintf("%x", b.Data), text)
		require.Equal(t, want.values, fmt.Sprint(b.Values()), text)
	}
	counted, err := Parse("0=f16[5000]")
	require.NoError(t, err)
	for i, v := range counted.Values() {
		require.EqualValues(t, i%wholeF16, v, "counted without rounding")
	}
	for text, said := range map[string]string{
		"0=f16:1,65520":  `"65520" is no f16: the largest f16 is 65504`,
		"0=f16:1,x":      `"x" is not a value of type f16`,
		"0=vec2h:1,2,3":  "3 values do not fill a whole number of vec2h",
		"0=vec4h[2]:1,2": "2 values do not fill a whole number of vec4h",
		"0=f17[3]":       "examples are f32, f16 and vec4u",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, said)
	}
}
