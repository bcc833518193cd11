//go:build !js

package digits

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/networks/mlp"
)

// answersFile keeps the answers of the learner's host: ten probabilities for each image, then the
// digits.
func answersFile() string { return filepath.Join(learner.Dir, course.Digits.ID+".answers") }

func (r Reading) keep() error {
	data, err := binary.Append(nil, binary.LittleEndian, r.Probabilities)
	if err == nil {
		data, err = binary.Append(data, binary.LittleEndian, r.Read)
	}
	if err == nil {
		err = atomicfile.Write(answersFile(), data, 0o644)
	}
	if err != nil {
		return fmt.Errorf("keeping the answers of your host: %w", err)
	}
	return nil
}

// Yours returns the answers that Host kept: those of your own host and shaders. If there are none,
// it says what is missing, and returns what Test reads.
func Yours() Reading {
	r := Reading{yours: true, rows: allYours}
	data, err := os.ReadFile(answersFile())
	if errors.Is(err, fs.ErrNotExist) {
		if _, _, missing := ownShaders(); missing != nil {
			return r.orTest(missing)
		}
		err = fmt.Errorf("your host has read nothing yet: get the check of %s right first", course.Digits.ID)
	}
	if err != nil {
		return r.orTest(err)
	}
	const each = 4 * (mlp.Outputs + 1)
	r.Set = allTestImages().First(len(data) / each)
	r.Probabilities, r.Read = make([]float32, r.Len()*mlp.Outputs), make([]uint32, r.Len())
	text := bytes.NewReader(data)
	err = errors.Join(binary.Read(text, binary.LittleEndian, r.Probabilities), binary.Read(text, binary.LittleEndian, r.Read))
	if err != nil || r.Len() == 0 || text.Len() > 0 {
		err = fmt.Errorf("%s isn't whole: run the check of %s again", answersFile(), course.Digits.ID)
	}
	return r.orTest(err)
}
