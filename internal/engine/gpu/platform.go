package gpu

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/wgslab/wgslab/internal/shader"
)

// A platform is the layer below a Device: a driver, the browser or the simulator. The Device does
// the work that is the same for all of them: it validates, counts, waits with a deadline, and
// tracks live resources. It holds its lock while it calls its platform. A method that may wait
// receives the Device, whose deadline and context end the wait.
type platform interface {
	adapter() shader.Adapter
	newBuffer(bytes uint64, use use) (memory, error) // all zero
	write(to memory, raw []byte) error
	read(d *Device, from memory, into []byte) error
	compile(source *shader.Source) (program, error) // a shader that the front end accepted
	bind(to program, buffers []*Buffer) (bindGroup, error)
	submit(d *Device, passes []Pass) error
	time(d *Device, passes []Pass) ([]time.Duration, error)
	newTrip(d *Device, in, out *Buffer) (trip, error)
	wait(d *Device) error   // until all submitted work has ended
	finish(d *Device) error // wait before close
	close()
}

// use is the purpose of a buffer.
type use int

const (
	storage use = iota
	uniform
	shared // storage that the host writes and the device reads once, in the host's memory if possible
)

// The resources that a platform makes. release frees them.
type (
	memory    interface{ release() }
	program   interface{ release() }
	bindGroup interface{ release() }
)

// A trip is the platform's part of a RoundTrip.
type trip interface {
	release()
	upload() []byte // the bytes that the next run uploads; valid until then
	run(d *Device, passes []Pass, answer []byte) error
}

// EngineVariable is the environment variable that chooses what Open opens, unless the program uses
// Require: "gpu", "cpu" or "simulator".
const EngineVariable = "WGSLAB_ENGINE"

// choose opens the platform that the program requires, else the one that the environment names,
// else the best available.
func choose(required shader.AdapterKind) (platform, error) {
	if required != shader.Best {
		return openPlatform(required)
	}
	value := os.Getenv(EngineVariable)
	wanted, err := shader.ParseKind(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", EngineVariable, err)
	}
	if wanted != shader.Best {
		p, err := openPlatform(wanted)
		if err != nil {
			err = fmt.Errorf("%w (%s is %q; unset it to use the best one available)", err, EngineVariable, value)
		}
		return p, err
	}
	if p, err := openWebGPU(shader.Best); err == nil {
		return p, nil
	}
	return newSimulated(), nil
}

func openPlatform(kind shader.AdapterKind) (platform, error) {
	switch kind {
	case shader.GPU, shader.CPU:
		return openWebGPU(kind)
	case shader.Simulated:
		return newSimulated(), nil
	}
	return nil, errors.New("there is no adapter of the kind " + string(kind))
}
