package draw

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/vit"
)

// The page can ask both networks why a digit has its probability, and hears of the pixels and of
// every pass.
func TestWhy(t *testing.T) {
	r, err := newReader(t.TempDir(), Files{Filters: true})
	require.NoError(t, err)
	s, err := listen(0, r, "Gone.", func(h http.Handler) http.Handler { return h })
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.close()) })
	read, err := r.read(t.Context(), smallDrawing(rand.New(rand.NewPCG(1, 1)), 7), true, vit.Off{})
	require.NoError(t, err)

	for query, passes := range map[string]int{"why?digit=7": 4, "why?digit=7&beside": 8} {
		response, err := http.Post(s.address+query, "application/octet-stream", bytes.NewReader(read.Pixels))
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, response.StatusCode)
		var got reason
		require.NoError(t, json.NewDecoder(response.Body).Decode(&got))
		response.Body.Close()
		require.Contains(t, got.Title, "Why 7?")
		require.Len(t, got.Heat, network.Inputs)
		require.Len(t, got.Steps, passes)
		require.NotEmpty(t, got.Steps[0].Code)
	}
	for _, query := range []string{"why?digit=11", "why?digit=x"} {
		response, err := http.Post(s.address+query, "application/octet-stream", bytes.NewReader(read.Pixels))
		require.NoError(t, err)
		response.Body.Close()
		require.NotEqual(t, http.StatusOK, response.StatusCode, query)
	}
}
