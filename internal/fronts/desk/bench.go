package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/observe/printing"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// benchName is the name of a bench's shader.
const benchName = "bench.wgsl"

// benchSource reads a bench's shader, with every feature that the simulator knows.
func benchSource(text string) *shader.Source {
	return shader.ReadWith(benchName, text, types.AllFeatures)
}

// bench runs a shader without an exercise, and shows what goes wrong, the buffers, what print
// comments show, and the costs. It returns what is wrong with the inputs; then nothing ran.
func (d *Desk) bench(ctx context.Context, r protocol.Request, display func(...view.View)) ([]protocol.FieldProblem, error) {
	source := benchSource(r.Source)
	dispatches, wrong := readBench(source, r.Bench)
	if len(wrong) > 0 {
		return wrong, nil
	}
	var passes []*sim.BoundProgram // each with the buffers as it found them
	ran, err := anyshader.Run(ctx, dispatches, func(pass *sim.BoundProgram) { passes = append(passes, pass.Copy()) })
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // the buffers don't fit the shader
		display(session.Ran(source, nil, nil), view.Note{Mark: view.Bad, Title: "It did not run", Body: english.Sentence(err.Error())})
		return nil, nil
	}
	if slices.ContainsFunc(ran.Findings, func(f findings.Finding) bool { return f.Kind == findings.NotCompiled }) {
		display(session.Ran(source, ran.Findings, nil))
		return nil, nil
	}
	display(session.Ran(source, ran.Findings, &ran.Finished))
	if long := ran.TooLong(); long != "" {
		display(view.Note{Title: "Not all of it is checked", Body: long + "."})
	}
	display(view.Drawn("The buffers after the run", func() []view.View { return buffersAfter(dispatches, ran, passes) })...)
	display(view.Drawn("What your print comments show", func() []view.View { return printing.Views(ran.Printed) })...)
	if ran.Finished {
		display(view.Drawn("What your shader costs", func() []view.View { return benchCosts(ctx, source, passes) })...)
	}
	return nil, ctx.Err()
}

// readBench reads the inputs of a bench. It reports all that are wrong.
func readBench(source *shader.Source, from *protocol.BenchRun) (*anyshader.Dispatches, []protocol.FieldProblem) {
	d := &anyshader.Dispatches{Source: source, Overrides: from.Overrides}
	var wrong []protocol.FieldProblem
	add := func(list string, at, repeats int, err error) {
		says := err.Error()
		for range repeats { // a field needs no reminder of its text
			_, says, _ = strings.Cut(says, ": ")
		}
		wrong = append(wrong, protocol.FieldProblem{List: list, At: at, Says: english.Sentence(says)})
	}
	for i, text := range from.Binds {
		b, err := anyshader.Parse(text, source)
		if err != nil {
			add("binds", i, 1, err)
			continue
		}
		d.Buffers = append(d.Buffers, b)
	}
	for i, text := range from.Passes {
		pass, err := anyshader.ParsePass(text)
		if err != nil {
			add("passes", i, 2, err)
			continue
		}
		d.Passes = append(d.Passes, pass)
	}
	for i := range from.Overrides {
		if source.Unrunnable() != nil {
			break // else there are no overrides to compare with
		}
		if _, err := anyshader.ParseOverrides(source.Shader().Info.Overrides, from.Overrides[i:i+1]); err != nil {
			add("overrides", i, 1, err)
		}
	}
	return d, wrong
}

// buffersAfter draws the buffers that the shader may write, and folds the others and all values as
// text.
func buffersAfter(d *anyshader.Dispatches, ran *anyshader.SimulatedRun, passes []*sim.BoundProgram) []view.View {
	var wrote, read, text []view.View
	for _, b := range ran.Buffers {
		name, written := fmt.Sprintf("@group(%d) @binding(%d)", b.Group, b.Binding), false
		for _, v := range d.Source.Shader().Info.Globals {
			if v.Group != nil && v.Binding != nil && *v.Group == b.Group && *v.Binding == b.Binding {
				name, written = v.Name, writes(v)
			}
		}
		drawn := bufferView(name, b, written && unchanged(b, d, passes))
		if written {
			wrote = append(wrote, drawn)
		} else {
			read = append(read, drawn)
		}
		text = append(text, view.Note{Title: name + ", " + b.Type, Code: valuesText(b.Values)})
	}
	views := wrote
	if len(read) > 0 {
		views = append(views, view.Fold{Title: "Buffers that the shader only reads", Views: read})
	}
	return append(views, view.Fold{Title: "All values as text", Views: text})
}

// unchanged reports whether a buffer still holds what was bound. A texture says nothing: it begins
// with a ramp, which many a shader leaves.
func unchanged(b anyshader.BufferAfter, d *anyshader.Dispatches, passes []*sim.BoundProgram) bool {
	at := slices.IndexFunc(d.Buffers, func(given *anyshader.Argument) bool { return given.Group == b.Group && given.Binding == b.Binding })
	return b.Picture == nil && (len(passes) == 0 || bytes.Equal(passes[0].Buffers[at].Data, d.Buffers[at].Data))
}

// bufferRow is how many numbers of a buffer are side by side.
const bufferRow = 16

// bufferView draws a buffer in rows, with the index of each row's first number, and a texture as a
// picture.
func bufferView(name string, b anyshader.BufferAfter, unchanged bool) view.View {
	title := name + " after the run, " + b.Type
	if unchanged {
		title += ": unchanged"
	}
	if b.Picture != nil {
		return view.TextureImage{Title: title, Image: b.Picture}
	}
	h := view.HeatMap{Title: title, Cols: min(bufferRow, max(1, len(b.Values)))}
	h.Rows = (len(b.Values) + h.Cols - 1) / h.Cols
	h.Values, h.Absent = make([]float32, h.Rows*h.Cols), make([]bool, h.Rows*h.Cols)
	for i := range h.Values {
		if i < len(b.Values) {
			h.Values[i] = float32(b.Values[i])
		} else {
			h.Values[i], h.Absent[i] = float32(math.NaN()), true
		}
	}
	for row := range h.Rows {
		h.RowLabels = append(h.RowLabels, fmt.Sprint(row*h.Cols))
	}
	if h.Rows > 1 {
		for column := range h.Cols {
			h.ColLabels = append(h.ColLabels, fmt.Sprintf("+%d", column))
		}
	}
	return h
}

// mostText is how many values of a buffer are shown as text.
const mostText = 4096

// valuesText lists values in rows.
func valuesText(values []numeric.JSONNumber) string {
	var text strings.Builder
	for i, v := range values {
		switch {
		case i == mostText:
			fmt.Fprintf(&text, "\n… %s in all", english.Thousands(len(values)))
			return text.String()
		case i > 0 && i%bufferRow == 0:
			text.WriteByte('\n')
		case i > 0:
			text.WriteByte(' ')
		}
		text.WriteString(v.String())
	}
	return text.String()
}

// benchCosts counts the passes of a bench, each with what the passes before it left in the buffers.
func benchCosts(ctx context.Context, source *shader.Source, passes []*sim.BoundProgram) []view.View {
	on, err := cost.FindDevice(cost.Usual)
	var views []view.View
	for _, pass := range passes {
		var counted *cost.Comparison
		if err == nil {
			counted, err = cost.Alone(ctx, source.At(pass.Pipeline.Entry.Object.Name), pass, on)
		}
		if err != nil {
			return []view.View{view.Note{Title: "Its costs were not counted", Body: english.Sentence(err.Error())}}
		}
		views = append(views, counted.Views()...)
	}
	return views
}

// benchTarget prepares a pass of a bench for the step view: the wanted one, or the first. The
// passes before it run first.
func benchTarget(ctx context.Context, r protocol.Request) (*debug.Target, error) {
	source := benchSource(r.Source)
	dispatches, wrong := readBench(source, r.Bench)
	if len(wrong) > 0 {
		return nil, errors.New(strings.TrimSuffix(wrong[0].Says, "."))
	}
	if len(dispatches.Passes) == 0 {
		return nil, source.NoEntryPoint()
	}
	names := passNames(r.Bench.Passes)
	at := max(0, slices.Index(names, r.Step.Case))
	t, err := anyshader.Pass(ctx, dispatches, at)
	if err != nil {
		return nil, err
	}
	t.Title, t.Cases = benchName+", "+names[at], names
	return t, nil
}

// passNames names the passes of a bench, each differently.
func passNames(passes []string) []string {
	var names []string
	for i, pass := range passes {
		entry, _, _ := strings.Cut(pass, "=")
		if len(passes) > 1 {
			entry = fmt.Sprintf("pass %d: %s", i+1, entry)
		}
		names = append(names, entry)
	}
	return names
}

// mostShared is how many values of a buffer a shared case has. A longer buffer keeps its length.
const mostShared = 1024

// share describes a case of an exercise for a bench: the one with a name, or else the first with
// work for a whole workgroup.
func (d *Desk) share(r protocol.Request) (*protocol.SharedCase, error) {
	exercise, err := course.Find(r.Exercise)
	if err != nil {
		return nil, err
	}
	source := d.read(learner.ShaderPath(exercise.ID), r.Source)
	var seed uint64
	if r.Seed != nil {
		seed = *r.Seed
	}
	c, err := cases.PickCase(exercise, source, seed, r.Step.Case)
	if err != nil {
		return nil, &protocol.Failure{Name: "NotShared", Message: err.Error()}
	}
	dispatch, err := exercise.Dispatched(c, source)
	if err != nil {
		return nil, &protocol.Failure{Name: "NotShared", Message: err.Error()}
	}
	shared := &protocol.SharedCase{From: fmt.Sprintf("%s, %s, seed %d", exercise.ID, c.Name, seed)}
	shared.Binds, shared.Overrides = []string{}, []string{}
	for i, entry := range exercise.Entries() {
		groups := dispatch.Workgroups
		if i > 0 {
			groups = dispatch.Later[i-1]
		}
		shared.Passes = append(shared.Passes, entry+"="+axes(groups, groups))
	}
	var counted []string
	for i, b := range dispatch.Buffers {
		text, cut := anyshader.Write(elementOf(b), b.Bytes, mostShared)
		shared.Binds = append(shared.Binds, fmt.Sprintf("0.%d=%s", i, text))
		if cut {
			counted = append(counted, fmt.Sprintf("`%s`", exercise.Bindings[i].Name))
		}
	}
	if len(counted) > 0 {
		shared.Notes = fmt.Sprintf("%s has more than %s values: here it holds 0, 1, 2, … instead.", english.List(counted), english.Thousands(mostShared))
	}
	return shared, nil
}

// elementOf returns the type of a buffer's elements; the words of a uniform are whole numbers.
func elementOf(b shader.Buffer) types.Type {
	switch b.Element {
	case shader.F32:
		return types.F32
	case shader.I32:
		return types.I32
	}
	return types.U32
}
