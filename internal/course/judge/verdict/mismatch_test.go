package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Element 0 is an example only if a mistake would show in it.
func TestQuestionAboutAMismatch(t *testing.T) {
	m := Mismatch{Output: "out", Index: 3, Want: 2, Got: 1, First: 5}
	require.Equal(t, "out[0] is right, and out[3] is not. What is different?", m.Question())
	m.First = 0
	require.Equal(t, "Compute out[3] by hand from the inputs. Which step gives 1?", m.Question())
	m.Got = 0
	require.Equal(t, "Follow one invocation through your shader. Which line should make its value other than 0?", m.Question())
}

func TestCountWrong(t *testing.T) {
	require.Equal(t, "the only element is wrong", CountWrong(1, 1))
	require.Equal(t, "1 of 64 elements is wrong", CountWrong(1, 64))
	require.Equal(t, "63 of 64 elements are wrong", CountWrong(63, 64))
	require.Equal(t, "both elements are wrong", CountWrong(2, 2))
	require.Equal(t, "all 64 elements are wrong", CountWrong(64, 64))
}
