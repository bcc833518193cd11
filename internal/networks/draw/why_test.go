package draw

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/vit"
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

// A slowResponse records the deadlines that a handler sets for its connection.
type slowResponse struct {
	*httptest.ResponseRecorder
	reads, writes []time.Time
	asked         time.Time // when the first deadline for writing was set
}

func (w *slowResponse) SetReadDeadline(t time.Time) error {
	w.reads = append(w.reads, t)
	return nil
}

func (w *slowResponse) SetWriteDeadline(t time.Time) error {
	w.writes = append(w.writes, t)
	if w.asked.IsZero() {
		w.asked = time.Now()
	}
	return nil
}

// A client's time limits don't run while we compute its answer: on a busy machine that takes longer
// than a client may take to ask.
func TestOurTimeIsNotTheClients(t *testing.T) {
	r, err := newReader(t.TempDir(), Files{})
	require.NoError(t, err)
	t.Cleanup(r.close)
	s := &server{reader: r}
	drawn := smallDrawing(rand.New(rand.NewPCG(1, 1)), 7)
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		query   string
		body    []byte
	}{
		"classify": {s.classify, "", drawn},
		"why":      {s.why, "?digit=7", make([]byte, network.Inputs)},
	} {
		t.Run(name, func(t *testing.T) {
			w := &slowResponse{ResponseRecorder: httptest.NewRecorder()}
			r.turn <- struct{}{} // the device is in use
			const busy = 50 * time.Millisecond
			time.AfterFunc(busy, func() { <-r.turn })
			began := time.Now()
			c.handler(w, httptest.NewRequest(http.MethodPost, "/"+c.query, bytes.NewReader(c.body)))
			require.Equal(t, http.StatusOK, w.Code, w.Body.String())
			require.Equal(t, []time.Time{{}}, w.reads, "no deadline for reading goes on")
			require.Len(t, w.writes, 1)
			require.GreaterOrEqual(t, w.asked.Sub(began), busy, "the deadline for the answer begins with the answer")
			require.GreaterOrEqual(t, w.writes[0].Sub(w.asked), answerPatience-time.Second)
		})
	}
}
