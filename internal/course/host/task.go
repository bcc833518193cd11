// Package host checks the exercises in which learners write the host's calls. It runs their
// function on several cases, on the watched WebGPU, and judges the result and the record of calls:
//
//  1. A call that breaks a rule of WebGPU is the mistake, whatever came after it.
//  2. A wrong result is explained from what each dispatch read and wrote (package account), by
//     habits of the calls such as too few workgroups, and by the results of known mistakes.
//  3. If nothing explains it, the verdict compares the result with the right one.
//  4. A right result has to come from the shaders, run on the numbers that the function gets.
//  5. It still fails if the calls waste what the task asks for: objects that are never released,
//     workgroups that find nothing to write, a submission for each pass.
//
// The layer above, package check in pkg, opens the device and calls the learner's function.
package host

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// A HostTask is an exercise of kind Host.
type HostTask struct {
	ID      string
	Shaders []string // the exercises whose shaders the host runs

	Cases func(random *rand.Rand) []Case
	Known []WrongBytes

	explain  func(*trial) *verdict.Diagnosis // looks for a wrong result's cause in the record; may be nil
	timed    bool                            // the result has one number more: how long it took
	patience time.Duration                   // in place of deadline
	begun    func(*webgpu.Record) bool       // whether a skeleton that makes calls has more; may be nil
}

// A WrongBytes is a mistake in the bytes that the host sends. It shows only in the result.
type WrongBytes struct {
	Slug    string
	Message string // what happened, in one sentence
	Why     string
	Ask     string

	result func(Case) []float64 // what a function with this mistake returns
}

// A Case is what the learner's function gets, and what it should return.
type Case struct {
	Name   string
	Sizes  [][3]uint32 // the workgroup sizes to run the shaders with; zero leaves a shader as it is
	Floats [][]float32
	Bytes  []byte
	Counts []int
	Labels []uint32
	Alpha  float32

	Want []float64
	Due  webgpu.Want // what the calls should do

	stages []stage // what the shaders should do, in order

	Shaders []HostShader // of the task, with their sizes
}

// A HostShader is one of your shaders, for a program in which you write the host's calls.
type HostShader struct {
	WGSL string
	Size [2]int // the invocations of a workgroup in x and y
}

// All are the tasks.
var All = []*HostTask{calls, add, saxpy, grid, rows, network, weights, training, timing}

// Find returns the task of an exercise.
func Find(id string) (*HostTask, error) {
	for _, t := range All {
		if t.ID == id {
			return t, nil
		}
	}
	return nil, fmt.Errorf("no exercise of the host's calls is called %q", id)
}

// drawn returns the cases of a task with its shaders, in their workgroup sizes.
func (t *HostTask) drawn(sources []string, seed uint64) ([]Case, error) {
	cases := t.Cases(rand.New(rand.NewPCG(seed, 51)))
	for i := range cases {
		if err := cases[i].take(t.Shaders, sources); err != nil {
			return nil, err
		}
	}
	return cases, nil
}

// take gives a case its shaders, in the sizes that it asks for.
func (c *Case) take(ids, sources []string) error {
	for i, id := range ids {
		var want [3]uint32
		if i < len(c.Sizes) {
			want = c.Sizes[i]
		}
		s, err := sized(id, sources[i], want)
		if err != nil {
			return err
		}
		c.Shaders = append(c.Shaders, s)
	}
	if len(ids) == 1 && len(c.Sizes) == 1 {
		c.Name += ", workgroups of " + c.Shaders[0].sizeText()
	}
	return nil
}

func (s HostShader) sizeText() string {
	if s.Size[1] == 1 {
		return strconv.Itoa(s.Size[0])
	}
	return fmt.Sprintf("%d × %d", s.Size[0], s.Size[1])
}

// sized returns a shader with workgroups of a size. It keeps its own size if that has other
// dimensions, if it can't be changed, or if the code has its number in other places as well.
func sized(id, source string, want [3]uint32) (HostShader, error) {
	module, err := shader.Read(id, source).Module()
	if err != nil {
		return HostShader{}, err
	}
	entry, _ := module.Entry(shader.EntryPoint)
	own := entry.WorkgroupSize
	if want == [3]uint32{} {
		want = own
	}
	for axis := range own {
		if (own[axis] == 1) != (want[axis] == 1) {
			want = own // it works in fewer dimensions, or in more
		}
	}
	if resized, ok := shader.Resized(id, source, want); ok && want != own && !mentions(resized.Text, own, want) {
		source, own = resized.Text, want
	}
	return HostShader{source, [2]int{int(own[0]), int(own[1])}}, nil
}

// mentions reports whether the code of a resized shader still has the number of its old size, or a
// half or quarter of it: steps of a tree that is written out.
func mentions(code string, old, size [3]uint32) bool {
	all := old[0] * old[1]
	for _, t := range wgsl.Tokens(code) {
		n, err := strconv.ParseUint(strings.TrimSuffix(t.Text, "u"), 10, 32)
		if err != nil || slices.Contains(size[:], uint32(n)) {
			continue
		}
		if slices.Contains(old[:], uint32(n)) && n > 1 || uint32(n) == all || uint32(n) == all/2 && n > 2 || uint32(n) == all/4 && n > 2 {
			return true
		}
	}
	return false
}
