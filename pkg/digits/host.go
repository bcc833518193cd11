package digits

import (
	"fmt"
	"slices"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

// Of the images, Host reads the first alone, then a hundred in one submission, and never more at
// once than the third number.
const firstAlone, firstTogether, mostTogether = 1, 100, 1000

// allYours says whose a reading of Yours is.
var allYours = [][2]string{{"shaders and host", "yours"}}

// A reader reads images with the learner's shaders and the weights of a file.
type reader func(shaders map[string]check.HostShader, pixels, file []byte, at map[string]int) (probabilities []float32, digits []uint32, err error)

// A hostFunction is the learner's function for the exercise host-digits.
type hostFunction = func(device *wgpu.Device, shaders map[string]check.HostShader, images, hidden, classes int, pixels, file []byte, at map[string]int) (probabilities []float32, digits []uint32)

// Host reads MNIST's test images with your function for the exercise host-digits and your own
// shaders. The weights are the course's, in a file as PyTorch writes it. Your function reads image
// 0 alone, then 100 images in one submission, then all: in the simulator, the first 1,000. Host
// keeps the answers for Yours. If the function or one of the shaders isn't right yet, Host says
// which, and returns what Test reads.
func Host(readDigits hostFunction) Reading {
	r, err := readBy(onDevice(readDigits))
	if err == nil {
		err = r.keep()
	}
	return r.orTest(err)
}

// orTest returns the reading, or that of Test if there was an error, which it shows.
func (r Reading) orTest(err error) Reading {
	if err == nil {
		return r
	}
	show.Display(show.Note{Mark: show.Bad, Title: "Not your network yet", Body: english.Sentence(err.Error()) + " Until then, the course's host reads here."})
	return Test()
}

func readBy(read reader) (r Reading, err error) {
	shaders, rows, err := ownShaders()
	if err != nil {
		return r, err
	}
	file, at, err := show.Must(mlp.Trained()).PyTorch()
	if err != nil {
		return r, err
	}
	r.Set, r.yours = testImages(), true
	var took time.Duration
	for _, n := range []int{firstAlone, firstTogether, r.Len()} {
		started := time.Now()
		r.Probabilities, r.Read = nil, nil
		for images := range slices.Chunk(r.Images[:n*mnist.Pixels], mostTogether*mnist.Pixels) {
			probabilities, digits, err := read(shaders, slices.Clone(images), slices.Clone(file), at)
			if err != nil {
				return r, err
			}
			r.Probabilities, r.Read = append(r.Probabilities, probabilities...), append(r.Read, digits...)
		}
		took = time.Since(started)
		if len(r.Read) != n || len(r.Probabilities) != n*mlp.Outputs {
			return r, fmt.Errorf("your function returns %s and %s for %s: get the check of %s right first",
				english.Count(len(r.Probabilities), "probability", "probabilities"), english.Count(len(r.Read), "digit", "digits"), english.Count(n, "image", "images"), course.Digits.ID)
		}
	}
	r.rows = append(rows, [2]string{"host", "yours"}, [2]string{"time for all of them", fmt.Sprintf("%.2f s", took.Seconds())})
	return r, nil
}

// ownShaders returns the learner's shaders for the exercise, and rows that name their author. Its
// error names the first that isn't theirs, with its lesson.
func ownShaders() (shaders map[string]check.HostShader, rows [][2]string, err error) {
	shaders = map[string]check.HostShader{}
	for _, id := range course.Digits.Host.Shaders {
		own := show.Must(check.Own(id))
		if !own.Learners {
			return nil, nil, fmt.Errorf("your network needs your own `%s` from lesson %d, and %s", id, show.Must(course.Find(id)).Lesson, own.Because)
		}
		if shaders[id], err = host.NewShader(id, own.Source); err != nil {
			return nil, nil, err
		}
		rows = append(rows, [2]string{id, own.Whose()})
	}
	return shaders, rows, nil
}

// onDevice returns a reader that calls the learner's function, on a device of its own.
func onDevice(readDigits hostFunction) reader {
	return func(shaders map[string]check.HostShader, pixels, file []byte, at map[string]int) (probabilities []float32, digits []uint32, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("your function panicked (%v): get the check of %s right first", p, course.Digits.ID)
			}
		}()
		instance := wgpu.CreateInstance(nil)
		defer instance.Release()
		adapter, err := instance.RequestAdapter(nil)
		if err != nil {
			return nil, nil, fmt.Errorf("there is no adapter to run your function on: %w", err)
		}
		defer adapter.Release()
		device, err := adapter.RequestDevice(nil)
		if err != nil {
			return nil, nil, fmt.Errorf("there is no device to run your function on: %w", err)
		}
		defer device.Release()
		probabilities, digits = readDigits(device, shaders, len(pixels)/mnist.Pixels, mlp.Hidden, mlp.Outputs, pixels, file, at)
		return probabilities, digits, nil
	}
}
