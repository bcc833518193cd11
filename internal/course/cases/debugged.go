package cases

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	engine "github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Target prepares a shader on a case of an exercise, as the seed draws them: the wanted case,
// else the first that fails in the simulator, else the first with work for a whole workgroup. The
// run stops when one of the elements in writes is written; Target then prefers a case in which
// such an element is the first wrong one.
func Target(ctx context.Context, e *course.Exercise, source *shader.Source, seed uint64, wanted string, writes []string) (*debug.Target, error) {
	program, err := compile(e, source)
	if err != nil {
		return nil, err
	}
	source = source.At(e.Entry)
	cases := e.Draw(seed)
	chosen, err := choose(ctx, e, source, program.Pipeline.WorkgroupSize, seed, wanted, slices.Concat(writes, debug.WaitedFor(source.Text)), cases)
	if err != nil {
		return nil, err
	}
	return target(e, source, program, cases, chosen, writes), nil
}

// TargetOf prepares a shader on a case of an exercise: the one with a name, or else the first with
// work for a whole workgroup.
func TargetOf(e *course.Exercise, source *shader.Source, seed uint64, name string) (*debug.Target, error) {
	program, err := compile(e, source)
	if err != nil {
		return nil, err
	}
	cases := e.Draw(seed)
	return target(e, source.At(e.Entry), program, cases, named(cases, name, program), nil), nil
}

// PickCase returns the case that TargetOf would prepare.
func PickCase(e *course.Exercise, source *shader.Source, seed uint64, name string) (course.Case, error) {
	program, err := compile(e, source)
	if err != nil {
		return course.Case{}, err
	}
	cases := e.Draw(seed)
	return cases[named(cases, name, program)], nil
}

func named(cases []course.Case, name string, program *sim.Program) int {
	if i := slices.Index(namesOf(cases), name); i >= 0 {
		return i
	}
	return firstFull(program.Pipeline.WorkgroupSize, cases)
}

func compile(e *course.Exercise, source *shader.Source) (*sim.Program, error) {
	if e.IsOnHost() {
		return nil, fmt.Errorf("%s is written in Go: debug one of its shaders, such as linear", e.ID)
	}
	if e.Break != nil {
		return nil, fmt.Errorf("%s is answered with a case: debug %s", e.ID, e.Break.Of.ID)
	}
	return sim.CompileEntry(source.At(e.Entry), nil, true)
}

// target returns the dispatch of one of an exercise's cases.
func target(e *course.Exercise, source *shader.Source, program *sim.Program, cases []course.Case, chosen int, writes []string) *debug.Target {
	c := cases[chosen]
	t := &debug.Target{
		Title: e.ID + ", " + c.Name + e.FirstPass(), Source: source.Shader().Source, Program: program, Writes: writes, Cases: namesOf(cases),
		Workgroups: e.Dispatch.Workgroups(c.Extent, program.Pipeline.WorkgroupSize),
	}
	for i, b := range c.Buffers {
		t.Buffers = append(t.Buffers, sim.BoundBuffer{Binding: uint32(i), Data: b.Clone().Bytes})
	}
	for _, b := range e.Bindings {
		t.Names = append(t.Names, b.Name)
	}
	return t
}

func choose(ctx context.Context, e *course.Exercise, source *shader.Source, size [3]uint32, seed uint64, wanted string, writes []string, cases []course.Case) (int, error) {
	if wanted == "" {
		return firstFailing(ctx, e, source, size, seed, writes, cases)
	}
	if i := slices.Index(namesOf(cases), wanted); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%s has no case `%s` with this seed; it has `%s`", e.ID, wanted, strings.Join(namesOf(cases), "`, `"))
}

func namesOf(cases []course.Case) (names []string) {
	for _, c := range cases {
		names = append(names, c.Name)
	}
	return names
}

// searchInstructions limits the instructions of one case in the search for a failing one: about a
// second.
const searchInstructions = 200_000_000

// firstFailing returns a case in which an element of writes is the first wrong one, else the first
// case that fails. If every case passes, it returns one with something to see; if the judge fails,
// the first.
func firstFailing(ctx context.Context, e *course.Exercise, source *shader.Source, size [3]uint32, seed uint64, writes []string, cases []course.Case) (int, error) {
	alone := engine.New(engine.Options{Steps: searchInstructions})
	v, err := judge.RunOn(ctx, shader.Engines{Values: alone, Watcher: alone}, e, source, seed, cases)
	if err != nil {
		if ctx.Err() != nil || errors.Is(err, context.Canceled) {
			return 0, err
		}
		return 0, nil
	}
	own := v.Cases[:min(len(v.Cases), len(cases))] // the judge may have added some
	meant := slices.IndexFunc(own, func(c verdict.CaseResult) bool {
		return c.FirstMismatch != nil && slices.ContainsFunc(writes, func(w string) bool {
			i, ok := debug.Index(w)
			return ok && i == c.FirstMismatch.Index
		})
	})
	if meant >= 0 {
		return meant, nil
	}
	if failed := slices.IndexFunc(own, func(c verdict.CaseResult) bool { return !c.Pass }); failed >= 0 {
		return failed, nil
	}
	return firstFull(size, cases), nil
}

// firstFull returns the first case in which a buffer has an element for each invocation of a
// workgroup: a case of one element shows nothing of how they work together. Without such a case it
// returns the first.
func firstFull(size [3]uint32, cases []course.Case) int {
	invocations := int(size[0] * size[1] * size[2])
	return max(0, slices.IndexFunc(cases, func(c course.Case) bool {
		return slices.ContainsFunc(c.Buffers, func(b shader.Buffer) bool { return b.Len() >= invocations })
	}))
}

// Arguments are those of a launch request: a shader, and either an exercise that provides a case or
// buffers to bind.
type Arguments struct {
	Program    string   `json:"program"`    // the path of the shader
	Exercise   string   `json:"exercise"`   // an id; "" to bind buffers
	Seed       uint64   `json:"seed"`       // the seed that draws the cases
	Case       string   `json:"case"`       // a case's name; "" for the first failing case, else the first
	Entry      string   `json:"entry"`      // the entry point; "" for main, or the only one
	Workgroups string   `json:"workgroups"` // X, X,Y or X,Y,Z, or @N for those in a buffer; "" for 1
	Pass       []string `json:"pass"`       // ENTRY=X,Y,Z each, in place of both: the last is debugged, after the others
	Bind       []string `json:"bind"`       // 0=f32[8], 1=u32:3,1,2 or 2=@data.bin
	Override   []string `json:"override"`   // SIZE=64, or 7=64 for an override with @id(7)
	Define     []string `json:"define"`     // NAME=VALUE for a template, or a feature of WESL
	Variant    string   `json:"variant"`    // of the project; "" for the first
	Write      []string `json:"write"`      // data[63]: elements that stop the run when the shader writes them
}

// Load makes a target from a launch request's Arguments. The shader is its file's text as it is.
func Load(ctx context.Context, raw json.RawMessage) (*debug.Target, string, error) {
	return LoadWith(ctx, raw, func(_ *Arguments, path, text string) (*shader.Source, error) {
		return shader.ReadWith(path, text, types.AllFeatures), nil
	})
}

// LoadWith works like Load, and reads a shader of no exercise with read.
func LoadWith(ctx context.Context, raw json.RawMessage, read func(asked *Arguments, path, text string) (*shader.Source, error)) (*debug.Target, string, error) {
	asked := Arguments{Workgroups: "1"}
	if err := json.Unmarshal(raw, &asked); err != nil {
		return nil, "", fmt.Errorf("reading the launch arguments: %w", err)
	}
	if asked.Program == "" {
		return nil, "", errors.New("the launch arguments have no `program`, which is the path of a shader")
	}
	path, err := filepath.Abs(asked.Program)
	if err != nil {
		return nil, "", err
	}
	text, err := shader.ReadFile(path)
	if err != nil {
		return nil, "", fmt.Errorf("reading the shader: %w", err)
	}
	if asked.Exercise == "" {
		source, err := read(&asked, path, text)
		if err != nil {
			return nil, "", err
		}
		t, err := anyshader.Target(ctx, source, anyshader.ShaderRun{
			Entry: asked.Entry, Workgroups: asked.Workgroups, Passes: asked.Pass, Binds: asked.Bind, Overrides: asked.Override, Writes: asked.Write,
		})
		return t, path, err
	}
	if len(asked.Bind)+len(asked.Override) > 0 {
		return nil, "", errors.New("the launch arguments have `exercise`, which gives the buffers: leave `bind` and `override` out")
	}
	e, err := course.Find(asked.Exercise)
	if err != nil {
		return nil, "", err
	}
	t, err := Target(ctx, e, shader.Read(path, text), asked.Seed, asked.Case, asked.Write)
	return t, path, err
}
