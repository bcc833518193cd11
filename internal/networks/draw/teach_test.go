package draw

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/epochs"
	"github.com/wgslab/wgslab/internal/networks/handwriting"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/vit"
)

// plus is the form of a sign.
var plus = []handwriting.Stroke{{{X: .50, Y: .08}, {X: .50, Y: .92}}, {{X: .08, Y: .50}, {X: .92, Y: .50}}}

// drawn returns the sign in some hand, as the page sends it.
func drawn(random *rand.Rand) []byte {
	frame := mnist.Frame(mnist.Rasterise(handwriting.Written(random, plus), src, 0.08), src, src)
	large := make([]byte, src*src)
	for i := range large {
		large[i] = frame[i/src/(src/mnist.Side)*mnist.Side+i%src/(src/mnist.Side)]
	}
	return large
}

// A sheet that teaches learns a sign over HTTP, and reads it from then on: the sheet itself, one
// that loads the kept weights, and the exported page. Any other sheet refuses.
func TestSheetLearnsASign(t *testing.T) {
	work := t.TempDir()
	kept := filepath.Join(work, "sign.safetensors")
	r, err := newReader(work, Files{Keep: kept})
	require.NoError(t, err)
	s, err := listen(0, r, "Gone.", func(h http.Handler) http.Handler { return h })
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.close()) })

	random := rand.New(rand.NewPCG(4, 4))
	sign := epochs.Sign{Name: "+"}
	for range epochs.Examples {
		read, err := r.read(t.Context(), drawn(random), true, vit.Off{})
		require.NoError(t, err)
		require.Len(t, read.Probabilities, 10)
		sign.Images = append(sign.Images, read.Pixels)
	}
	events := teach(t, s, sign)
	require.Greater(t, len(events), 2)
	require.NotZero(t, events[0].Steps)
	require.Equal(t, progress{Learned: "+"}, events[len(events)-1])

	again, err := newReader(work, Files{Weights: kept})
	require.NoError(t, err)
	defer again.close()
	for _, reads := range []*reader{r, again} {
		for range 5 {
			read, err := reads.read(t.Context(), drawn(random), true, vit.Off{})
			require.NoError(t, err)
			require.Len(t, read.Probabilities, 11)
			require.Equal(t, mlp.Outputs, network.MostProbable(read.Probabilities))
		}
	}
	page, err := NewExport(t.Context(), work, kept, false, "")
	require.NoError(t, err)
	require.Contains(t, string(page.HTML), `"sign":"+"`)

	require.ErrorContains(t, again.teach(t.Context(), sign, func(progress) {}), "only reads")
	require.Contains(t, lastLine(t, s, epochs.Sign{Name: "+"}), "there are 0 drawings of the sign")
}

// teach hands a sign to the server, and returns the events.
func teach(t *testing.T, s *server, sign epochs.Sign) (events []progress) {
	for _, line := range lines(t, s, sign) {
		var p progress
		require.NoError(t, json.Unmarshal([]byte(line), &p), line)
		events = append(events, p)
	}
	return events
}

func lastLine(t *testing.T, s *server, sign epochs.Sign) string {
	all := lines(t, s, sign)
	return all[len(all)-1]
}

func lines(t *testing.T, s *server, sign epochs.Sign) (all []string) {
	body, err := json.Marshal(sign)
	require.NoError(t, err)
	response, err := http.Post(s.address+"teach", "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	defer response.Body.Close()
	for scanner := bufio.NewScanner(response.Body); scanner.Scan(); {
		if line, found := strings.CutPrefix(scanner.Text(), "data: "); found {
			all = append(all, line)
		}
	}
	return all
}
