//go:build acceptance

package similarity_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/class/similarity"
	"github.com/wgslab/wgslab/internal/fronts/class/submission"
)

// A large class takes seconds, and so does a hostile one.
func TestSimilarIsQuick(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var class, hostile []submission.Submission
	shaders := map[string][]string{} // by exercise
	for _, e := range course.All() {
		files, err := exercises.Files.Glob(e.ID + "/*/*.wgsl")
		require.NoError(t, err)
		for _, file := range files {
			source, err := exercises.Files.ReadFile(file)
			require.NoError(t, err)
			shaders[e.ID] = append(shaders[e.ID], string(source))
		}
	}
	for i := range 500 {
		s := submission.Submission{Student: fmt.Sprint(i), Shaders: map[string]submission.HandIn{}}
		for _, e := range course.All() {
			source := shaders[e.ID][random.IntN(len(shaders[e.ID]))]
			own := fmt.Sprintf("const MINE = %du; @compute", random.IntN(400))
			s.Shaders[e.ID] = submission.HandIn{Source: strings.Replace(source, "@compute", own, 1)}
		}
		class = append(class, s)
	}
	for i := range 10 {
		var long strings.Builder
		for long.Len() < 200<<10 {
			fmt.Fprintf(&long, "x%d+", long.Len()%(50+i))
		}
		hostile = append(hostile, handedIn("add", fmt.Sprint(i), long.String()))
	}
	for what, submissions := range map[string][]submission.Submission{"500 students": class, "10 long shaders": hostile} {
		began := time.Now()
		_, err := similarity.Find(submissions)
		require.NoError(t, err)
		took := time.Since(began)
		t.Logf("%s: %v", what, took)
		require.Less(t, took, time.Minute, what) // with the race detector, next to other tests
	}
}
