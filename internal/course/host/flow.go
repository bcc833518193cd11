package host

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A stage is one thing that a shader of a task should do: the second layer, the step of the bias.
// Several dispatches may share it, each with a part of the elements.
type stage struct {
	shader int    // its index in the case's shaders
	name   string // which of several with one shader it is, after the shader's name; may be ""
	want   webgpu.DispatchWant
	gets   []operand // by binding; the zero operand for uniforms and for what the shader only writes
	out    int       // the binding of its result
	spare  int       // elements that a dispatch may cover although the work leaves them out
}

// An operand is what a binding should hold when its shader begins.
type operand struct {
	name  string // in words
	array string
	data  []byte // what the host should send; nil for what a stage makes
	from  int    // that stage

	batch bool // each batch has other data
	whole bool // its numbers are u32
}

// wordAt returns a word of bytes.
func wordAt(data []byte, word int) uint32 { return binary.LittleEndian.Uint32(data[4*word:]) }

// A flow is what the dispatches of a trial did of what its stages should do.
type flow struct {
	*trial
	*Account

	runs   []webgpu.DispatchRun
	stage  []int   // of each run; -1 if it runs no shader of the task
	runsOf [][]int // of each stage
}

// follow finds the stage of each dispatch. Its uniform and what the host sent tell which, or else
// the order.
func (r *trial) follow() *flow {
	f := &flow{trial: r, runsOf: make([][]int, len(r.stages))}
	r.record.Runs(func(s *webgpu.QueueSubmission, d webgpu.DispatchRun) {
		best, fit := -1, 0
		for i, stage := range r.stages {
			if r.Shaders[stage.shader].WGSL != d.Pipeline.Module.Source.Text {
				continue
			}
			if n := stage.fits(r.record, s, d); best < 0 || n > fit || n == fit && len(f.runsOf[i]) < len(f.runsOf[best]) {
				best, fit = i, n
			}
		}
		if best >= 0 {
			f.runsOf[best] = append(f.runsOf[best], len(f.runs))
		}
		f.runs, f.stage = append(f.runs, d), append(f.stage, best)
	})
	return f
}

// fits returns how well a dispatch fits a stage: how many words of its uniform are due, and how
// many operands. What changes from one batch to the next doesn't count: there the order decides.
func (s stage) fits(r *webgpu.Record, in *webgpu.QueueSubmission, d webgpu.DispatchRun) int {
	fit, _ := s.want.Fits(r, in, d)
	for binding, o := range s.gets {
		e, ok := d.Entry(0, uint32(binding))
		if !ok || o.data == nil || o.batch {
			continue
		}
		count := min(e.Size, uint64(len(o.data)))
		if given, _, known := r.Bytes(in, e.Buffer, e.Offset, count); known && bytes.Equal(given, o.data[:count]) {
			fit++
		}
	}
	return fit
}

// due says what each dispatch should do, for the habits. One of several that share a stage may do
// any part of it.
func (f *flow) due() webgpu.Want {
	want := f.Due
	want.Each = []webgpu.DispatchWant{}
	for _, stage := range f.stage {
		switch {
		case stage < 0:
			want.Each = append(want.Each, webgpu.DispatchWant{})
			continue
		case len(f.runsOf[stage]) > 1:
			want.Each = append(want.Each, f.stages[stage].want.Divided())
		default:
			want.Each = append(want.Each, f.stages[stage].want)
		}
		if len(f.task.Work.Shaders) > 1 {
			want.Each[len(want.Each)-1].Name = f.stageName(stage)
		}
	}
	return want
}

// followed reports whether the account of all bytes is complete.
func (f *flow) followed() bool {
	if f.Account == nil {
		f.Account = Of(f.record)
	}
	return f.Complete
}

// A wrongOperand is a word that a run read in place of what was due.
type wrongOperand struct {
	run, binding int
	operand
	word   int // of the binding
	origin WordOrigin
}

// wrongOperands returns the first wrong word of each operand of a run.
func (f *flow) wrongOperands(run int) (all []wrongOperand) {
	if f.stage[run] < 0 {
		return nil
	}
	for binding, o := range f.stages[f.stage[run]].gets {
		use := f.Runs[run].Use(binding)
		if o.name == "" || use == nil {
			continue
		}
		word := f.madeElsewhere(run, o, use)
		if o.data != nil {
			word = f.otherData(run, o, use)
		}
		if word >= 0 {
			all = append(all, wrongOperand{run, binding, o, word, use.Origins[word]})
		}
	}
	return all
}

// otherData returns the first word that a use reads and that isn't due; -1 if there is none. A run
// that shares its stage may read any part of the data.
func (f *flow) otherData(run int, o operand, use *Use) int {
	wrong := differs(use, o.data, 0)
	if wrong < 0 || len(f.runsOf[f.stage[run]]) == 1 {
		return wrong
	}
	for from := 1; from < len(o.data)/4; from++ {
		if differs(use, o.data, from) < 0 {
			return -1
		}
	}
	return wrong
}

// differs compares the words that a use reads with data from a word on, and returns the first that
// differs, or -1. What is read past the data's end counts only in a part: a shader may read more
// than it needs.
func differs(use *Use, data []byte, from int) int {
	for i := range use.Origins {
		if !use.Read.Has(i) {
			continue
		}
		at := 4 * (from + i)
		if at+4 > len(data) {
			if from > 0 {
				return i
			}
			continue
		}
		if !bytes.Equal(use.Before[4*i:4*i+4], data[at:at+4]) {
			return i
		}
	}
	return -1
}

// madeElsewhere returns the first word that a use reads and that the due stage hasn't made, or that
// is at another place; -1 if there is none.
func (f *flow) madeElsewhere(run int, o operand, use *Use) int {
	alone := len(f.runsOf[f.stage[run]]) == 1 && len(f.runsOf[o.from]) == 1
	most := len(use.Origins)
	if due := f.stages[f.stage[run]].want.Bytes; int(use.Binding) < len(due) && due[use.Binding] > 0 {
		most = min(most, int(due[use.Binding]/4))
	}
	for i, origin := range use.Origins[:most] {
		if !use.Read.Has(i) {
			continue
		}
		word, ok := f.madeBy(o.from, origin)
		if !ok || alone && word != i {
			return i
		}
	}
	return -1
}

// madeBy returns which word of a stage's result an origin is; ok is false if it is none. A stage
// that works in place may leave words as they are.
func (f *flow) madeBy(stage int, origin WordOrigin) (word int, ok bool) {
	run, at := int(origin.By), int(origin.Word)
	if kept := int(origin.Kept) - 1; kept >= 0 && f.stage[kept] == stage {
		run, at = kept, int(origin.KeptAt)
	} else if origin.Kind != Computed || f.stage[run] != stage {
		return 0, false
	}
	out := f.Runs[run].Use(f.stages[stage].out)
	if out == nil {
		return 0, false
	}
	word = at - out.First()
	return word, word >= 0 && word < len(out.Origins)
}

// numbers are the words of everything that the program read of mapped buffers.
type numbers struct {
	bits    []uint32
	origins []WordOrigin
	at      []webgpu.HostSite
	buffer  []*webgpu.Buffer
	word    []int // in its buffer
}

// read returns what the program read of mapped buffers.
func (f *flow) read() (n numbers) {
	for _, r := range f.Reads {
		for i := range min(len(r.Data)/4, len(r.Origins)) {
			n.bits = append(n.bits, binary.LittleEndian.Uint32(r.Data[4*i:]))
			n.origins = append(n.origins, r.Origins[i])
			n.at = append(n.at, r.At)
			n.buffer, n.word = append(n.buffer, r.Mapping.Buffer), append(n.word, int(r.Offset/4)+i)
		}
	}
	return n
}

// places returns where in the numbers a result begins; nil if it is nowhere.
func (n numbers) places(result []float64) (all []int) {
	for from := 0; from+len(result) <= len(n.bits) && len(result) > 0; from++ {
		i := 0
		for i < len(result) && isNumber(n.bits[from+i], result[i]) {
			i++
		}
		if i == len(result) {
			all = append(all, from)
		}
	}
	return all
}

// isNumber reports whether a word holds a number of a result, as an f32 or as a u32.
func isNumber(bits uint32, number float64) bool {
	return math.Float32bits(float32(number)) == bits || number == float64(bits)
}
