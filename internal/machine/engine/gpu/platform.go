package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// A platform is the layer below a Device: a driver, the browser or the simulator. The Device does
// the work that is the same for all of them: it validates, counts, waits with a deadline, and
// tracks live resources. It holds its lock while it calls its platform. A method that may wait
// receives the Device, whose deadline and context end the wait.
type platform interface {
	adapter() shader.Adapter
	newBuffer(bytes uint64, usage BufferUsage) (memory, error) // all zero
	write(to memory, offset uint64, raw []byte) error
	read(d *Device, from memory, into []byte) error
	startRead(from memory, offset, bytes uint64) (reading, error)        // of a buffer with UsageMapRead
	compile(source *shader.Source, laid []wgsl.Binding) (program, error) // a shader that the front end accepted
	bind(to program, group uint32, ranges []Range) (bindGroup, error)
	newQueries(count uint32) (queries, error)
	submit(d *Device, commands []QueueCommand) error
	poll(d *Device) (idle bool, err error) // without waiting
	time(d *Device, passes []Pass) ([]time.Duration, error)
	newTrip(d *Device, in, out *Buffer) (trip, error)
	wait(d *Device) error   // until all submitted work has ended
	finish(d *Device) error // wait before close
	close()
}

// A BufferUsage is the set of ways in which a buffer may be used, as WebGPU's flags.
type BufferUsage uint32

// The ways to use a buffer. NewBuffer makes buffers for any of them.
const (
	UsageMapRead BufferUsage = 1 << iota
	UsageMapWrite
	UsageCopySrc
	UsageCopyDst
	UsageIndex
	UsageVertex
	UsageUniform
	UsageStorage
	UsageIndirect
	UsageQueryResolve
)

var usageNames = []string{"MAP_READ", "MAP_WRITE", "COPY_SRC", "COPY_DST", "INDEX", "VERTEX", "UNIFORM", "STORAGE", "INDIRECT", "QUERY_RESOLVE"}

// Names returns the flags with WebGPU's names.
func (u BufferUsage) Names() (names []string) {
	for i, name := range usageNames {
		if u&(1<<i) != 0 {
			names = append(names, "GPUBufferUsage."+name)
		}
	}
	return names
}

// String joins the names of the flags as the Go binding does.
func (u BufferUsage) String() string {
	names := strings.Join(u.Names(), "|")
	return cmp.Or(strings.ToLower(strings.NewReplacer("GPUBufferUsage.", "", "_", "-").Replace(names)), "none")
}

// The usages of the buffers that the other functions make.
const (
	storage = UsageStorage | UsageCopySrc | UsageCopyDst
	uniform = UsageUniform | UsageCopySrc | UsageCopyDst
	shared  = storage | inHostMemory
	answer  = storage | answersHost

	// inHostMemory marks storage that the host writes and the device reads once, in the host's
	// memory if possible. It is no flag of WebGPU.
	inHostMemory BufferUsage = 1 << 31

	// answersHost marks storage that the device writes and the host reads, likewise.
	answersHost BufferUsage = 1 << 30
)

// The resources that a platform makes. release frees them.
type (
	memory    interface{ release() }
	program   interface{ release() }
	bindGroup interface{ release() }
	queries   interface{ release() }
)

// A reading is the platform's part of a Readback.
type reading interface {
	done(d *Device) (bool, error)  // without waiting
	copy(into []byte, from uint64) // once done, from an offset within what is read
	end(d *Device) error           // lets the device use the buffer again
}

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
