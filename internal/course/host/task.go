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
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// A HostTask is an exercise of kind Host.
type HostTask struct {
	ID       string
	Exercise *course.Exercise
	Work     *course.HostWork
}

// explanations look for the cause of a task's wrong result in the record.
var explanations = map[string]func(*trial) *explanation{"host-rows": explainRows, "host-weights": explainWeights, "host-digits": explainWeights}

// A Case is what the learner's function gets, and what it should return.
type Case struct {
	course.HostCase
	Want []float64
	Due  webgpu.Want // what the calls should do

	stages  []stage          // what the shaders should do, in order
	writers map[string][]int // those that write an array
	file    *weightsFile

	Hidden bool // there is no adapter

	Shaders []HostShader // of the task, with their sizes
	Parts   *Parts       // in place of a device, in a task of parts
}

// A HostShader is one of your shaders, for a program in which you write the host's calls.
type HostShader struct {
	WGSL string
	Size [2]int // the invocations of a workgroup in x and y
}

// Find returns the task of an exercise.
func Find(id string) (*HostTask, error) {
	for _, e := range course.OnHost {
		if e.ID == id {
			return &HostTask{id, e, e.Host}, nil
		}
	}
	return nil, fmt.Errorf("no exercise of the host's calls is called %q", id)
}

// Arguments returns what the function gets in a case, after the device. A parameter is one of
//
//	linear, linear.wgsl, linear.size, linear.x   a shader, its code, its workgroups' size, that in x
//	rows                                         a size, an int
//	x                                            an array: float32 if it has one number, else a slice
//	x.bytes                                      its bytes
//	file, w.at                                   the bytes of a file, and where an array begins there
//	shaders, at                                  all shaders, and where all arrays begin, by their names
func (t *HostTask) Arguments(c Case) (all []any) {
	for _, parameter := range t.Work.Parameters {
		name, member, _ := strings.Cut(parameter, ".")
		array, isArray := c.Arrays[name]
		size, isSize := c.Sizes[name]
		switch i := slices.Index(t.Work.Shaders, name); {
		case member == "wgsl":
			all = append(all, c.Shaders[i].WGSL)
		case member == "size":
			all = append(all, c.Shaders[i].Size)
		case member == "x":
			all = append(all, c.Shaders[i].Size[0])
		case member == "at":
			all = append(all, c.file.at[name])
		case member == "bytes":
			all = append(all, slices.Clone(array.Bytes))
		case name == "shaders":
			byName := map[string]HostShader{}
			for i, id := range t.Work.Shaders {
				byName[id] = c.Shaders[i]
			}
			all = append(all, byName)
		case name == "at":
			all = append(all, maps.Clone(c.file.at))
		case name == "file":
			all = append(all, slices.Clone(c.file.text))
		case isArray && array.IsNumber():
			all = append(all, array.Floats()[0])
		case isArray && array.Whole:
			all = append(all, slices.Clone(array.Uints()))
		case isArray:
			all = append(all, slices.Clone(array.Floats()))
		case isSize:
			all = append(all, size)
		default:
			all = append(all, c.Shaders[i])
		}
	}
	return all
}

// Types returns the types of the function's parameters after the device, and of its results.
func (t *HostTask) Types() (parameters, results []reflect.Type, err error) {
	c := Case{Shaders: make([]HostShader, len(t.Work.Shaders)), file: &weightsFile{}}
	if c.HostCase, err = t.Work.Draw(0, rand.New(rand.NewPCG(0, 0))); err != nil {
		return nil, nil, err
	}
	for _, a := range t.Arguments(c) {
		parameters = append(parameters, reflect.TypeOf(a))
	}
	for _, name := range t.Work.Result {
		result := reflect.TypeFor[[]float32]()
		if c.Arrays[name].Whole {
			result = reflect.TypeFor[[]uint32]()
		}
		if results == nil || t.Work.Apart {
			results = append(results, result)
		}
	}
	if t.Work.Timed {
		results = append(results, reflect.TypeFor[uint64]())
	}
	return parameters, results, nil
}

// drawn returns the cases of a task with its shaders, in their workgroup sizes.
func (t *HostTask) drawn(sources []string, seed uint64) (cases []Case, err error) {
	random := rand.New(rand.NewPCG(seed, 51))
	for number := range t.Work.Count() {
		c, err := draw(t.Work, number, random)
		if err != nil {
			return nil, err
		}
		c.file = fileOf(c.HostCase, t.Work.File, number, random)
		if err := c.take(t.Work.Shaders, sources); err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// take gives a case its shaders, in the sizes that it asks for.
func (c *Case) take(ids, sources []string) error {
	for i, id := range ids {
		s, err := sized(id, sources[i], c.Workgroups[i])
		if err != nil {
			return err
		}
		c.Shaders = append(c.Shaders, s)
	}
	if len(ids) == 1 && c.Workgroups[0] != [3]uint32{} {
		c.Name += ", workgroups of " + c.Shaders[0].sizeText()
	}
	return nil
}

// NewShader returns a shader of an exercise in its own workgroup size.
func NewShader(id, source string) (HostShader, error) { return sized(id, source, [3]uint32{}) }

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
