// This file finds the learner's Go for an exercise of the host's calls in the file that GoNB
// makes of cells, saves it, and carries the verdict on it to `wgslab check`.

package host

import (
	"fmt"
	"os"

	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
)

// Save writes a learner's program to work/, for `wgslab check` and the tutor. Without a folder it
// does nothing: only a checked program has one.
func Save(id, text string) error {
	if text == "" {
		return nil
	}
	if err := os.MkdirAll(learner.Dir, 0o755); err != nil {
		return fmt.Errorf("making the folder of your programs: %w", err)
	}
	if err := atomicfile.Write(learner.GoPath(id), []byte(text), 0o644); err != nil {
		return fmt.Errorf("saving your program: %w", err)
	}
	return nil
}
