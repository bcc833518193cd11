package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Packed values are shown as what they mean: four signed bytes.
func TestPackedBytes(t *testing.T) {
	m := Mismatch{Output: "out", Want: 4244504318, Got: 4294967294, Packed: true}
	assert.Equal(t, "`out[0]` should be (-2, -2, -3, -4), but is (-2, -1, -1, -1).", m.Short())
	e := OutputElement{Want: 0x7f80_ff01, Got: 0, Packed: true}
	assert.Equal(t, "(1, -1, -128, 127)", e.Wanted())
	assert.Equal(t, "(0, 0, 0, 0)", e.Found())
	assert.Equal(t, "3", OutputElement{Got: 3}.Found())
}
