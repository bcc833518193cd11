package anyshader

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
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

// Buffers of f16 have two bytes for each number, and rows of matrices begin where WGSL puts them.
func TestHalves(t *testing.T) {
	for text, want := range map[string][]byte{
		"0=f16:1,-2":        {0, 0x3c, 0, 0xc0},
		"0=f16[2]:0.5h":     {0, 0x38, 0, 0x38},
		"0=vec3h:1,1,1":     {0, 0x3c, 0, 0x3c, 0, 0x3c, 0, 0},
		"0=mat2x2h:1,0,0,1": {0, 0x3c, 0, 0, 0, 0, 0, 0x3c},
	} {
		b, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, b.Data, text)
	}
	b, err := Parse("0=f16[4]")
	require.NoError(t, err)
	require.Equal(t, []numeric.JSONNumber{0, 1, 2, 3}, b.Values())
}
