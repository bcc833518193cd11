package webgpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

const table = `@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(8, 4) fn main(@builtin(global_invocation_id) id: vec3<u32>) { x[id.x] = id.y; }`

// elements wants invocations in x, y and z.
func elements(n ...uint64) (want webgpu.DispatchWant) {
	copy(want.Elements[:], n)
	return want
}

// A job is a program that dispatches and reads, with one part of it changed.
type job struct {
	code       string
	workgroups [3]uint32
	copied     uint64 // bytes copied to the readback buffer; 0 for none
	read       bool
	early      bool // read before the submission
	unfinished bool
	unsent     bool
	from       *webgpu.Buffer
}

func (w *world) run(j job) {
	if j.code == "" {
		j.code = fill
	}
	k := w.pipeline(j.code)
	x, back := w.buffer(400, all), w.buffer(400, readback)
	if j.from == nil {
		j.from = x
	}
	if j.early {
		w.reading(back)
	}
	e := w.encoder()
	w.dispatch(e, k, x, j.workgroups)
	if j.copied > 0 {
		require.NoError(w.t, e.CopyBufferToBuffer(here(), j.from, 0, back, 0, j.copied))
	}
	if j.unfinished {
		return
	}
	c := w.finish(e)
	if !j.unsent {
		require.NoError(w.t, w.submit(c))
	}
	if j.read {
		w.reading(back)
	}
}

func (w *world) dispatch(e *webgpu.CommandEncoder, k *webgpu.ComputePipeline, x *webgpu.Buffer, workgroups [3]uint32) {
	p, err := e.BeginComputePass(here(), "", nil)
	require.NoError(w.t, err)
	require.NoError(w.t, p.SetPipeline(here(), k))
	require.NoError(w.t, p.SetBindGroup(here(), 0, w.group(w.first(k), x), nil))
	require.NoError(w.t, p.DispatchWorkgroups(here(), workgroups[0], workgroups[1], workgroups[2]))
	require.NoError(w.t, p.End(here()))
}

func (w *world) reading(b *webgpu.Buffer) {
	require.NoError(w.t, mapping(b, 0, b.Size))
	_, err := w.Poll(true)
	require.NoError(w.t, err)
	require.NoError(w.t, ranging(b, 0, b.Size))
	require.NoError(w.t, b.Unmap(here()))
}

var right = job{workgroups: [3]uint32{25, 1, 1}, copied: 400, read: true}

func changed(change func(*job)) func(*world) {
	j := right
	change(&j)
	return func(w *world) { w.run(j) }
}

func with(workgroups ...uint32) func(*world) {
	return changed(func(j *job) { j.workgroups = [3]uint32(workgroups) })
}

const sum = `struct Params { first: u32, second: u32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read> b: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(4) fn main() { y[0] = a[0] + b[0] + p.first + p.second; }`

// sum runs a shader with a uniform, whose second word gets a value.
func (w *world) sum(second byte, twoBuffers bool) {
	k, p, a, b := w.pipeline(sum), w.buffer(16, uniform|copyDst), w.buffer(400, all), w.buffer(400, all)
	if !twoBuffers {
		b = a
	}
	require.NoError(w.t, w.Queue().WriteBuffer(here(), p, 0, make([]byte, 8)))
	require.NoError(w.t, w.Queue().WriteBuffer(here(), p, 4, []byte{second, 0, 0, 0}))
	e, pass := w.pass()
	require.NoError(w.t, pass.SetPipeline(here(), k))
	require.NoError(w.t, pass.SetBindGroup(here(), 0, w.group(w.first(k), p, a, b, w.buffer(400, all)), nil))
	require.NoError(w.t, pass.DispatchWorkgroups(here(), 1, 1, 1))
	require.NoError(w.t, pass.End(here()))
	require.NoError(w.t, w.submit(w.finish(e)))
}

// Each habit, a program that has it, and what the program should do.
var habits = map[string]struct {
	want webgpu.Want
	run  func(*world)
}{
	"never-submitted":    {webgpu.Want{}, changed(func(j *job) { j.unsent, j.read = true, false })},
	"never-finished":     {webgpu.Want{}, changed(func(j *job) { j.unfinished = true })},
	"dispatch-zero":      {webgpu.Want{}, with(25, 0, 1)},
	"dispatch-elements":  {webgpu.Want{DispatchWant: elements(100)}, with(100, 1, 1)},
	"dispatch-floor":     {webgpu.Want{DispatchWant: elements(99)}, with(24, 1, 1)},
	"dispatch-short":     {webgpu.Want{DispatchWant: elements(100)}, with(20, 1, 1)},
	"dispatch-one":       {webgpu.Want{DispatchWant: elements(100)}, with(1, 1, 1)},
	"dispatch-exchanged": {webgpu.Want{DispatchWant: elements(40, 8)}, changed(func(j *job) { j.code, j.workgroups = table, [3]uint32{2, 5, 1} })},
	"mapped-early":       {webgpu.Want{}, changed(func(j *job) { j.early, j.read = true, false })},
	"readback-uncopied":  {webgpu.Want{}, changed(func(j *job) { j.copied = 0 })},
	"copy-partial":       {webgpu.Want{}, changed(func(j *job) { j.copied = 200 })},
	"elements-for-bytes": {webgpu.Want{}, changed(func(j *job) { j.copied = 100 })},
	"dispatch-missing": {webgpu.Want{}, func(w *world) {
		e, pass := w.pass()
		require.NoError(w.t, pass.End(here()))
		require.NoError(w.t, w.submit(w.finish(e)))
	}},
	"dispatch-rows": {webgpu.Want{DispatchWant: webgpu.DispatchWant{Rows: 26}}, with(25, 1, 1)},
	"bound-twice":   {webgpu.Want{}, func(w *world) { w.sum(2, false) }},
	"binding-short": {webgpu.Want{DispatchWant: webgpu.DispatchWant{Bytes: []uint64{404}}}, func(w *world) { w.run(right) }},
	"uniform-word":  {webgpu.Want{DispatchWant: webgpu.DispatchWant{Words: []any{nil, uint32(3)}}}, func(w *world) { w.sum(2, true) }},
	"result-unwritten": {webgpu.Want{}, func(w *world) {
		j := right
		j.from = w.buffer(400, all)
		w.run(j)
	}},
	"copy-early": {webgpu.Want{}, func(w *world) {
		k, x, back := w.pipeline(fill), w.buffer(400, all), w.buffer(400, readback)
		e := w.encoder()
		require.NoError(w.t, e.CopyBufferToBuffer(here(), x, 0, back, 0, 400))
		w.dispatch(e, k, x, right.workgroups)
		require.NoError(w.t, w.submit(w.finish(e)))
	}},
	"result-stale": {webgpu.Want{}, func(w *world) {
		w.run(right)
		back := w.Record().Mappings[0].Buffer
		w.reading(back)
	}},
	"uniform-gaps": {webgpu.Want{}, func(w *world) {
		k, p, y := w.pipeline(params), w.buffer(32, uniform|copyDst), w.buffer(16, all)
		require.NoError(w.t, writing(w, p, 0, 16))
		e, pass := w.pass()
		require.NoError(w.t, pass.SetPipeline(here(), k))
		require.NoError(w.t, pass.SetBindGroup(here(), 0, w.group(w.first(k), p, y), nil))
		require.NoError(w.t, pass.DispatchWorkgroups(here(), 1, 1, 1))
		require.NoError(w.t, pass.End(here()))
		require.NoError(w.t, w.submit(w.finish(e)))
	}},
	"submission-per-pass": {webgpu.Want{}, func(w *world) {
		k, x := w.pipeline(fill), w.buffer(400, all)
		for range 3 {
			e := w.encoder()
			w.dispatch(e, k, x, right.workgroups)
			require.NoError(w.t, w.submit(w.finish(e)))
		}
	}},
	"readback-between": {webgpu.Want{Readbacks: 1}, func(w *world) {
		w.run(right)
		w.run(right)
	}},
	"submissions-extra": {webgpu.Want{Submissions: 1}, func(w *world) {
		w.run(right)
		w.run(right)
	}},
	"pipeline-again": {webgpu.Want{Pipelines: 1}, func(w *world) {
		w.run(right)
		w.run(right)
	}},
	"made-anew": {webgpu.Want{}, func(w *world) {
		for range 3 {
			w.run(right)
		}
	}},
	"copy-overwritten": {webgpu.Want{}, func(w *world) {
		x, back := w.buffer(400, all), w.buffer(400, readback)
		e := w.encoder()
		require.NoError(w.t, e.CopyBufferToBuffer(here(), x, 0, back, 0, 200))
		require.NoError(w.t, e.CopyBufferToBuffer(here(), x, 200, back, 196, 200))
		require.NoError(w.t, w.submit(w.finish(e)))
		w.reading(back)
	}},
	"device-released": {webgpu.Want{}, func(w *world) {
		w.Release(webgpu.At(webgpu.SourcePlace{File: "main.go", Line: 1, Function: "main.addVectors"}))
	}},
	"never-released": {webgpu.Want{}, func(w *world) { w.run(right) }},
}

// Each habit is noticed in a program that has it.
func TestHabits(t *testing.T) {
	for _, habit := range webgpu.Habits {
		t.Run(habit.ID, func(t *testing.T) {
			h, ok := habits[habit.ID]
			require.True(t, ok, "no program has this habit")
			w := newWorld(t, webgpu.Go)
			h.run(w)
			noticed := map[string]webgpu.Noticed{}
			for _, n := range w.Record().Habits(h.want) {
				noticed[n.Habit.ID] = n
			}
			require.Contains(t, noticed, habit.ID)
			n := noticed[habit.ID]
			require.NotRegexp(t, `\{[a-z]+\}`, n.Wrong+n.Do)
			require.True(t, n.At.Known())
			t.Log(n.At, n.Wrong, n.Do)
		})
	}
	require.Len(t, habits, len(webgpu.Habits))
}

// A right program has only the habit of never releasing, which the test has itself.
func TestNoHabits(t *testing.T) {
	w := newWorld(t, webgpu.Go)
	w.run(right)
	for _, want := range []webgpu.Want{{}, {DispatchWant: elements(100, 1, 1), Submissions: 1, Readbacks: 1}} {
		var ids []string
		for _, n := range w.Record().Habits(want) {
			ids = append(ids, n.Habit.ID)
		}
		require.Equal(t, []string{"never-released"}, ids)
	}
	bytes, mappings := w.Record().BytesRead()
	require.Equal(t, []uint64{400, 1, 400}, []uint64{bytes, uint64(mappings), w.Record().BytesCopied()})
}
