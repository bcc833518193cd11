package ownshaders

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// judgedFile lists the shaders in a work folder that passed their checks. A cell is a process of
// its own, and one for a host may run six shaders: they needn't be judged anew while they stay as
// they are.
const judgedFile = ".judged"

// mostJudged is how many shaders the list keeps, the latest last.
const mostJudged = 200

// digest names a shader, with all that its verdict depends on but the check's own code: the
// exercise and the device. It is "" for an exercise of somebody's own, whose files may change.
func digest(device *gpu.Device, exercise *course.Exercise, source string) string {
	sum := sha256.New()
	for _, file := range []string{"exercise.toml", "reference.wgsl"} {
		text, err := exercises.Files.ReadFile(exercise.ID + "/" + file)
		if err != nil {
			return ""
		}
		sum.Write(append(text, 0))
	}
	sum.Write([]byte(device.Adapter().String() + "\x00" + source))
	return exercise.ID + "=" + hex.EncodeToString(sum.Sum(nil))
}

// judged reads the list of a work folder. Without the file it is empty.
func judged(work string) []string {
	text, _ := os.ReadFile(filepath.Join(work, judgedFile))
	return strings.Fields(string(text))
}

func wasRight(work, digest string) bool {
	return digest != "" && slices.Contains(judged(work), digest)
}

// keepRight adds a shader to the list. If it can't be written, the next check judges again.
func keepRight(work, digest string) {
	if digest == "" {
		return
	}
	all := append(judged(work), digest)
	all = all[max(0, len(all)-mostJudged):]
	_ = atomicfile.WriteUnsynced(filepath.Join(work, judgedFile), []byte(strings.Join(all, "\n")+"\n"), 0o644)
}
