package assist

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The script contains the front end's words, and language.js uses each list.
func TestWordsOfTheLanguage(t *testing.T) {
	_, rest, found := bytes.Cut(Script(), []byte("= wgsl({"))
	require.True(t, found)
	list, _, found := bytes.Cut(rest, []byte(");"))
	require.True(t, found)

	var w words
	require.NoError(t, json.Unmarshal(append([]byte("{"), list...), &w))
	assert.Equal(t, syntax.Keywords(), w.Keywords)
	assert.Contains(t, w.Reserved, "std")
	assert.Subset(t, w.Types, []string{"f32", "vec3u", "array", "texture_2d", "sampler"})
	assert.Subset(t, w.Enumerants, []string{"storage", "read_write", "rgba8unorm"})
	assert.Subset(t, w.BuiltinValues, []string{"position", "global_invocation_id"})
	assert.Len(t, w.Functions, len(types.Builtins(types.FunctionBuiltin)))
	for _, name := range []string{"keywords", "reserved", "types", "functions", "enumerants", "builtinValues"} {
		assert.Contains(t, string(language), "words."+name, "the script reads the list")
	}
}
