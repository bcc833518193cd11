// Package stated runs tests that state what a shader's bindings hold before and after a run, on
// every kind of binding: any type in a buffer, textures, samplers, all groups. A test may also call
// one function, without an entry point. The judge runs the others, which it can explain.
package stated

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/expand"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Test states what bindings hold before and after a run.
type Test struct {
	Name   string
	Folder string // of the files that it names

	source    *shader.Source // the shader, with an entry point for a call
	call      string         // that it tests, or ""
	entries   []string
	passes    []string // as anyshader.ParseRuns reads them, with names of bindings after @
	given     map[string][]string
	expected  map[string][]string
	within    float64        // the greatest error; 0 for a millionth
	reference *shader.Source // whose outputs are right, or nil
}

// resultName is the binding with what a call returns, and callEntry the entry point that calls.
const (
	resultName = "wgslab_result"
	callEntry  = "wgslab_call"
)

// ReadComment makes a test of a comment in a shader.
func ReadComment(source *shader.Source, c course.TestComment, folder string) (*Test, error) {
	before, after, within, err := c.Split()
	if err != nil {
		return nil, err
	}
	t := &Test{Folder: folder, source: source, call: c.Call(), within: within}
	if t.call != "" {
		before = strings.Replace(before, t.call, "", 1)
		if after, err = t.callIn(c, after); err != nil {
			return nil, err
		}
	}
	if t.given, err = course.Lists(before); err != nil {
		return nil, err
	}
	if t.expected, err = course.Lists(after); err != nil {
		return nil, err
	}
	if len(t.expected) == 0 {
		return nil, errors.New("nothing is expected: name an output and its values after the arrow")
	}
	entry := callEntry
	workgroups, counted := t.given[course.WorkgroupsKey]
	if t.call == "" {
		module, err := source.Module()
		if err != nil {
			return nil, err
		}
		if entry, err = course.EntryOf(module, t.given); err != nil {
			return nil, err
		}
		delete(t.given, course.WorkgroupsKey)
	} else if counted {
		return nil, errors.New("a call runs once: leave out workgroups")
	}
	t.entries = []string{entry}
	if counted {
		t.passes = []string{entry + "=" + strings.Join(workgroups, ",")}
	}
	return t, nil
}

// callIn adds an entry point that calls what the test calls and keeps the result. It returns what
// is expected, with the result under its name.
func (t *Test) callIn(c course.TestComment, after string) (expected string, err error) {
	name, _, _ := strings.Cut(t.call, "(")
	name = strings.TrimSpace(name)
	if mistake := t.source.Unrunnable(); mistake != nil {
		return after, mistake
	}
	info := t.source.Shader().Info
	i := slices.IndexFunc(info.Functions, func(f *types.Function) bool { return f.Object.Name == name })
	if i < 0 {
		return "", fmt.Errorf("the shader has no function %s%s", name, didYouMean(name, functions(info)))
	}
	result := info.Functions[i].Result
	var parts []string
	for part := range strings.SplitSeq(strings.Trim(after, "; \t"), ";") {
		if part = strings.TrimSpace(part); part != "" && !strings.Contains(part, "=") {
			if result == nil {
				return "", fmt.Errorf("%s returns nothing: write what a binding holds afterwards, such as out = 1", name)
			}
			part = resultName + " = " + part
		}
		parts = append(parts, part)
	}
	e := expand.New(t.source.Shader().Source)
	written := t.source.Shader().Source
	e.Copy(written, syntax.Span{End: int32(len(written.Text))})
	text, err := t.calling(info, name, result)
	if err != nil {
		return "", err
	}
	e.Write(text, written, written.Line(c.Line))
	t.source = shader.ReadSource(e.Source(), types.AllFeatures).With(t.source.Constants())
	if mistake := t.source.Unrunnable(); mistake != nil {
		return "", fmt.Errorf("the call %s: %w", t.call, mistake)
	}
	return strings.Join(parts, "; "), nil
}

// calling returns the declarations of an entry point that calls a function.
func (t *Test) calling(info *types.Info, name string, result types.Type) (string, error) {
	value := t.call
	switch of := result.(type) {
	case nil:
		return fmt.Sprintf("\n@compute @workgroup_size(1) fn %s() { %s; }\n", callEntry, t.call), nil
	case *types.Scalar:
		if of == types.Bool {
			result, value = types.U32, "u32("+value+")"
		}
	case *types.Vector:
		if of.Elem == types.Bool {
			result = &types.Vector{Size: of.Size, Elem: types.U32}
			value = fmt.Sprintf("%s(%s)", result, value)
		}
	}
	if !types.HostShareable(result) {
		return "", fmt.Errorf("%s returns %s, which no buffer can hold: test a function that calls it", name, result)
	}
	number := uint32(0)
	for _, v := range info.Globals {
		if v.Group != nil && *v.Group == 0 && v.Binding != nil {
			number = max(number, *v.Binding+1)
		}
	}
	return fmt.Sprintf("\n@group(0) @binding(%d) var<storage, read_write> %s: %s;\n@compute @workgroup_size(1) fn %s() { %s = %s; }\n",
		number, resultName, result, callEntry, resultName, value), nil
}

func functions(info *types.Info) (names []string) {
	for _, f := range info.Functions {
		names = append(names, f.Object.Name)
	}
	return names
}

func didYouMean(name string, names []string) string {
	if close := syntax.Closest(name, names); close != "" {
		return ": did you mean " + close + "?"
	}
	return ""
}

// A Case is a test as a test file describes it.
type Case struct {
	Name       string
	Entry      string              // the only pass, or "" for the shader's only entry point
	Workgroups []string            // of it: numbers, or @NAME
	Passes     []string            // in place of both: ENTRY=X,Y,Z each, or ENTRY=@NAME
	Bind       map[string][]string // the bindings by name, before the run
	Expect     map[string][]string // and afterwards
	Within     float64
	Reference  *shader.Source // whose outputs are right, where the case expects none
}

// ReadCase makes a test of a case in a test file.
func ReadCase(source *shader.Source, c Case, folder string) (*Test, error) {
	t := &Test{Name: c.Name, Folder: folder, source: source, given: maps.Clone(c.Bind), expected: c.Expect, within: c.Within, reference: c.Reference, passes: c.Passes}
	if len(c.Expect) == 0 && c.Reference == nil {
		return nil, errors.New(`it expects nothing: give it expect = {out = […]}, or name a shader that computes the same: reference = "slow.wgsl"`)
	}
	if len(c.Passes) == 0 {
		module, err := source.Module()
		if err != nil {
			return nil, err
		}
		given := map[string][]string{}
		if c.Entry != "" {
			given["entry"] = []string{c.Entry}
		}
		entry, err := course.EntryOf(module, given)
		if err != nil {
			return nil, fmt.Errorf("%w, as entry = \"NAME\"", err)
		}
		t.entries = []string{entry}
		if len(c.Workgroups) > 0 {
			t.passes = []string{entry + "=" + strings.Join(c.Workgroups, ",")}
		}
		return t, nil
	}
	for _, pass := range c.Passes {
		entry, _, _ := strings.Cut(pass, "=")
		t.entries = append(t.entries, strings.TrimSpace(entry))
	}
	return t, nil
}
