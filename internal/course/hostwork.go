package course

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// HostWork is what the learner's function gets and does in an exercise of kind Host, from [host] in
// its exercise.toml.
type HostWork struct {
	Function   string   `toml:"function"`   // its name
	Parameters []string `toml:"parameters"` // what it gets after the device; see HostTask.Arguments
	Result     []string `toml:"result"`     // the arrays that it returns, one after the other
	Opens      bool     `toml:"opens"`      // it opens the device; a case whose size adapters is 0 has none
	Apart      bool     `toml:"apart"`      // each of them is a result of its own
	Timed      bool     `toml:"timed"`      // it also returns how long its pass took
	Begun      bool     `toml:"begun"`      // the skeleton makes calls
	Piece      bool     `toml:"piece"`      // the function is kept in the learner's host file; a check puts it together with the others
	Seconds    int      `toml:"seconds"`    // that it may take, if more than usual

	Shaders    []string    `toml:"shaders"`    // the exercises whose shaders it runs
	Own        bool        `toml:"own"`        // a verdict names those that aren't the learner's, with their lessons
	Workgroups [][]any     `toml:"workgroups"` // the size of each shader's workgroups, in sizes; an empty one leaves them
	Arrays     []HostArray `toml:"arrays"`
	File       []string    `toml:"file"`   // arrays that come in the bytes of a file, matrices by columns
	Passes     []HostPass  `toml:"passes"` // of each step
	Steps      any         `toml:"steps"`  // in sizes; 1 if it is missing

	// What is enough, in sizes.
	Submissions any `toml:"submissions"`
	Readbacks   any `toml:"readbacks"`
	Pipelines   any `toml:"pipelines"`

	Mistakes []HostMistake `toml:"mistakes"` // that show only in the result

	// In a task of parts, the function gets kernels and buffers in place of a device. What it
	// leaves in the arrays is compared in the order of the results.
	Parts    bool         `toml:"parts"`
	Summary  string       `toml:"summary"`  // of a right function
	Idle     HostMistake  `toml:"idle"`     // it submits nothing
	Readback HostMistake  `toml:"readback"` // it reads back, {count} times
	Many     HostMistake  `toml:"many"`     // it submits {count} times
	Results  []HostResult `toml:"results"`

	Tolerance bounds `toml:"tolerance"` // none for the rounding of a few f32 operations

	caseName string
	cases    []caseRule
}

// A HostArray is numbers that the function sends or gets back.
type HostArray struct {
	Name    string   `toml:"name"`
	Called  []string `toml:"called"` // what it is after each pass of a step that writes it, if not its name
	Length  any      `toml:"length"`
	Columns any      `toml:"columns"` // none for one row
	Whole   bool     `toml:"whole"`   // its numbers are u32
	Batches bool     `toml:"batches"` // each step has its own
	Members []any    `toml:"members"` // of a uniform, in sizes; it has no length
	Fill    fill     `toml:"fill"`    // none for what only shaders write
}

// A HostPass is the run of a shader on arrays. In TOML it is one text, such as
// "linear x w1 b1 hidden: of the first layer".
type HostPass struct {
	Shader    string
	Arguments []string // numbers that don't follow from the arrays' shapes, then arrays by their bindings
	Name      string   // after the shader's name, if several passes run that
}

// UnmarshalText reads a pass.
func (p *HostPass) UnmarshalText(text []byte) error {
	run, name, _ := strings.Cut(string(text), ": ")
	words := strings.Fields(run)
	if len(words) < 2 {
		return fmt.Errorf("the pass %q names no shader and its arrays", text)
	}
	p.Shader, p.Arguments, p.Name = words[0], words[1:], name
	return nil
}

// HostWords are what a verdict says. In TOML they are one text, as in wrong.md: "**What happened.**
// Why. *A question?*"
type HostWords struct{ Message, Why, Ask string }

// UnmarshalText reads the words.
func (w *HostWords) UnmarshalText(text []byte) error {
	message, rest, ok := strings.Cut(strings.TrimPrefix(string(text), "**"), "**")
	if !ok {
		return fmt.Errorf("%q doesn't begin with **what happened**", text)
	}
	why, ask, _ := strings.Cut(rest, "*")
	*w = HostWords{message, strings.TrimSpace(why), strings.TrimSuffix(ask, "*")}
	return nil
}

// A HostMistake says how arrays get other values than the due ones, and what to tell then.
type HostMistake struct {
	Slug  string    `toml:"slug"`
	Words HostWords `toml:"says"`

	Passes  []HostPass        `toml:"passes"`  // in place of the due ones
	Order   []int             `toml:"order"`   // the due passes that run, in their order, from 1
	Instead map[string]string `toml:"instead"` // which array is read in place of which; "" for zeros
	Batch   string            `toml:"batch"`   // every step has the "first" one, or the "last" one
	Before  bool              `toml:"before"`  // the arrays are what they were
	Absent  int               `toml:"absent"`  // only if this pass, from 1, doesn't run
	Ran     int               `toml:"ran"`     // only if this one does
}

// With returns the mistake with another text in place of one.
func (m HostMistake) With(name, text string) HostMistake {
	r := strings.NewReplacer(name, text)
	m.Words = HostWords{r.Replace(m.Words.Message), r.Replace(m.Words.Why), r.Replace(m.Words.Ask)}
	return m
}

// A HostResult is what passes leave in arrays of a task of parts.
type HostResult struct {
	Arrays   []string      `toml:"arrays"`
	Each     []string      `toml:"each"`     // names that take the place of {each}: one result for each
	Missing  HostMistake   `toml:"missing"`  // nothing has written it
	Mistakes []HostMistake `toml:"mistakes"` // what else it may hold
	Wrong    HostMistake   `toml:"wrong"`    // anything else
}

// forEach returns the result for each of its names.
func (r HostResult) forEach() (all []HostResult) {
	if r.Each == nil {
		return []HostResult{r}
	}
	for _, name := range r.Each {
		one := HostResult{Missing: r.Missing.With("{each}", name), Wrong: r.Wrong.With("{each}", name)}
		for _, array := range r.Arrays {
			one.Arrays = append(one.Arrays, strings.ReplaceAll(array, "{each}", name))
		}
		for _, m := range r.Mistakes {
			one.Mistakes = append(one.Mistakes, m.With("{each}", name))
		}
		all = append(all, one)
	}
	return all
}

// A HostCase is one call of the function.
type HostCase struct {
	Name       string
	Sizes      map[string]int
	Arrays     map[string]HostBuffer
	Workgroups [][3]uint32 // of each shader; zero leaves it as it is
	Steps      int

	Submissions, Readbacks, Pipelines int
}

// A HostBuffer holds the numbers of an array.
type HostBuffer struct {
	Buffer
	*HostArray
	Columns int
	Made    bool // only shaders write it
}

// Batch returns what the array holds in a step.
func (c HostCase) Batch(name string, step int) Buffer {
	b := c.Arrays[name].Buffer
	if c.Arrays[name].Batches {
		n := len(b.Bytes) / c.Steps
		b.Bytes = b.Bytes[n*step : n*(step+1)]
	}
	return b
}

// Count returns the number of cases.
func (w *HostWork) Count() (n int) {
	for _, rule := range w.cases {
		n += rule.count()
	}
	return n
}

// Draw draws a case by its number.
func (w *HostWork) Draw(number int, rng *rand.Rand) (HostCase, error) {
	for _, rule := range w.cases {
		all := rule.split()
		if number < len(all) {
			return w.draw(all[number], rng)
		}
		number -= len(all)
	}
	return HostCase{}, fmt.Errorf("there is no case %d", number)
}

func (w *HostWork) draw(rule caseRule, rng *rand.Rand) (c HostCase, err error) {
	s, err := drawSizes(rule.Sizes, rng, nil)
	if err != nil {
		return c, err
	}
	c = HostCase{Name: cmp.Or(rule.Name, s.replacedIn(w.caseName)), Sizes: s, Arrays: map[string]HostBuffer{}, Steps: 1}
	for _, due := range []struct {
		to   *int
		rule any
	}{{&c.Steps, w.Steps}, {&c.Submissions, w.Submissions}, {&c.Readbacks, w.Readbacks}, {&c.Pipelines, w.Pipelines}} {
		if due.rule == nil {
			continue
		}
		if *due.to, err = s.value(due.rule); err != nil {
			return c, err
		}
	}
	c.Workgroups = make([][3]uint32, len(w.Shaders))
	for i, rule := range w.Workgroups {
		extent, err := s.extent(rule)
		if err != nil {
			return c, fmt.Errorf("the workgroups: %w", err)
		}
		if len(rule) > 0 {
			c.Workgroups[i] = [3]uint32{uint32(extent[0]), uint32(max(extent[1], 1)), 1}
		}
	}
	for i := range w.Arrays {
		a := &w.Arrays[i]
		if c.Arrays[a.Name], err = a.draw(s, c.Steps, rng); err != nil {
			return c, fmt.Errorf("the array %s: %w", a.Name, err)
		}
	}
	return c, nil
}

// draw draws the numbers of an array, for each step if it has batches.
func (a *HostArray) draw(s sizes, steps int, rng *rand.Rand) (b HostBuffer, err error) {
	b = HostBuffer{HostArray: a}
	var members []shader.UniformWord
	for _, m := range a.Members {
		n, err := s.value(m)
		if err != nil {
			return b, err
		}
		members = append(members, shader.Uint(n))
	}
	if members != nil {
		b.Buffer, b.Columns = shader.UniformBuffer(members...), len(members)
		return b, nil
	}
	n, err := s.value(a.Length)
	if err != nil {
		return b, err
	}
	if b.Columns = n; a.Columns != nil {
		if b.Columns, err = s.value(a.Columns); err != nil {
			return b, err
		}
	}
	if a.Batches {
		n *= steps
	}
	kind := "array<f32>"
	if a.Whole {
		kind = "array<u32>"
	}
	if a.Fill.isNone() {
		b.Buffer, b.Made = shader.Buffer{Element: Binding{Type: kind}.Element(), Bytes: make([]byte, shader.ElementBytes*n)}, true
		return b, nil
	}
	b.Buffer, err = drawer{a.Fill, s, rng}.array(Binding{Type: kind}, n, b.Columns)
	return b, err
}

// IsNumber reports whether the array is one number.
func (a *HostArray) IsNumber() bool { return a.Length == int64(1) }

// Array returns an array by its name, or nil.
func (w *HostWork) Array(name string) *HostArray {
	i := slices.IndexFunc(w.Arrays, func(a HostArray) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &w.Arrays[i]
}
