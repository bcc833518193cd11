package digits

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host/script"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/pkg/check"
)

func (r Reading) keep() error { return nil } // a page's cell leaves no files

// Yours reads MNIST's test images with your program for host-digits in JavaScript, and with your
// own shaders. If one of them isn't right yet, it says which, and returns what Test reads.
func Yours() Reading {
	path, text, err := learner.ProgramIn(learner.Dir, course.Digits.ID)
	if err == nil && path == "" {
		err = fmt.Errorf("your host has read nothing yet: get the check of %s right first", course.Digits.ID)
	}
	if err != nil {
		return Reading{}.orTest(err)
	}
	program, err := script.NewProgram(course.Digits.ID, path, text)
	if err != nil {
		return Reading{}.orTest(err)
	}
	r, err := readBy(func(shaders map[string]check.HostShader, pixels, file []byte, at map[string]int) (probabilities []float32, digits []uint32, err error) {
		images := len(pixels) / mnist.Pixels
		numbers, err := program.Call(shaders, images, mlp.Hidden, mlp.Outputs, pixels, file, at)
		for i, number := range numbers {
			if i < images*mlp.Outputs {
				probabilities = append(probabilities, float32(number))
			} else {
				digits = append(digits, uint32(number))
			}
		}
		return probabilities, digits, err
	})
	r.rows = allYours
	return r.orTest(err)
}
