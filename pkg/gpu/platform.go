package gpu

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/shader"
)

// A platform is what a Device works with: WebGPU, or the simulator. What does not
// depend on which of them it is, the Device does itself: it validates, counts,
// waits with a deadline, and knows what is alive. It calls its platform with its
// lock held. A method that may wait is given the Device whose deadline and context
// end the wait.
type platform interface {
	adapter() Adapter
	newBuffer(bytes uint64, use use) (memory, error) // all zero
	write(to memory, raw []byte) error
	read(d *Device, from memory, into []byte) error
	compile(source *shader.Source) (program, error) // of a shader that the front end took
	bind(to program, buffers []*Buffer) (bindGroup, error)
	submit(d *Device, passes []Pass) error
	time(d *Device, passes []Pass) ([]time.Duration, error)
	newTrip(d *Device, in, out *Buffer) (trip, error)
	wait(d *Device) error   // until all that was submitted has ended
	finish(d *Device) error // wait, ahead of close
	close()
}

// use is what a buffer is for.
type use int

const (
	storage use = iota
	uniform
	shared // storage that the host writes and the device reads once, in the host's memory where that can be
)

// What a platform makes, and gets back when it is needed no more.
type (
	memory    interface{ release() }
	program   interface{ release() }
	bindGroup interface{ release() }
)

// A trip is the platform's part of a Round.
type trip interface {
	release()
	upload() []byte // what the next run takes along; good until then
	run(d *Device, passes []Pass, answer []byte) error
}

// EngineVariable is the environment variable that says what runs the shaders of a
// program that does not Require anything itself: "gpu", "cpu" or "simulator".
const EngineVariable = "WGSLAB_ENGINE"

var engines = map[string]Kind{"": "", "gpu": GPU, "cpu": CPU, "simulator": Simulated}

// choose finds what a device is to work with: what is required, by an option or
// else by the environment, or else the best that is there.
func choose(required Kind) (platform, error) {
	if required != "" {
		return platformOf(required)
	}
	value := os.Getenv(EngineVariable)
	wanted, known := engines[strings.ToLower(value)]
	switch {
	case !known:
		return nil, fmt.Errorf("%s is %q; it may be gpu, cpu or simulator, or unset for the best that is there", EngineVariable, value)
	case wanted != "":
		p, err := platformOf(wanted)
		if err != nil {
			err = fmt.Errorf("%w (%s is %q: without it, the best that is there is taken)", err, EngineVariable, value)
		}
		return p, err
	}
	if p, err := openWebGPU(""); err == nil {
		return p, nil
	}
	return newSimulated(), nil
}

func platformOf(kind Kind) (platform, error) {
	switch kind {
	case GPU, CPU:
		return openWebGPU(kind)
	case Simulated:
		return newSimulated(), nil
	}
	return nil, errors.New("no adapter is of the kind " + string(kind))
}
