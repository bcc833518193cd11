package course

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A description is the contents of an exercise.toml. Sizes and fills are read in cases.go.
type description struct {
	Kind     TaskKind `toml:"kind"`
	Of       string   `toml:"of"`
	Shader   string   `toml:"shader"`
	Covers   []any    `toml:"covers"` // what the dispatch of a wrong host covers
	After    string   `toml:"after"`
	Bug      []string `toml:"bug"`
	Lesson   int      `toml:"lesson"`
	Position int      `toml:"position"` // in the lesson
	Notebook string   `toml:"notebook"`
	Title    string   `toml:"title"`
	Task     string   `toml:"task"`
	Stretch  bool     `toml:"stretch"`
	Points   int      `toml:"points"`
	Partial  int      `toml:"partial"`
	Practice bool     `toml:"practice"` // it gives no points
	Dispatch string   `toml:"dispatch"`

	AnySize                bool   `toml:"any_size"` // the reference works in workgroups of any size: right outputs are found in small ones
	WithoutWorkgroupMemory string `toml:"without_workgroup_memory"`
	WithoutSubgroups       string `toml:"without_subgroups"`
	WrongAsIn              string `toml:"wrong_as_in"`

	ReadsInside bool `toml:"reads_inside"`

	Work      work   `toml:"work"`
	Tolerance bounds `toml:"tolerance"`

	Output   any           `toml:"output"` // a binding, or several
	Extent   []any         `toml:"extent"` // what the dispatch covers in x, y and z
	Passes   []passRule    `toml:"passes"` // in place of dispatch and extent
	Bindings []describedAs `toml:"bindings"`
	Goals    []Goal        `toml:"cost"`

	CaseName string     `toml:"case_name"`
	Cases    []caseRule `toml:"cases"`
	Small    *caseRule  `toml:"small"`
	Compared *caseRule  `toml:"compared"` // in place of small, beside another exercise's shader
	Large    *caseRule  `toml:"large"`
	Past     *caseRule  `toml:"past"`
	Host     HostWork   `toml:"host"`
}

// work limits the work of a right shader.
type work struct {
	Most      any    `toml:"most"`      // in sizes: a multiple of the reference's steps
	Diagnosis string `toml:"diagnosis"` // the slug of the misconception of a shader that takes as many
}

// bounds are for shaders whose errors WGSL does not bound. Without them the bounds are computed.
type bounds struct {
	Absolute float64 `toml:"absolute"`
	Relative float64 `toml:"relative"`
}

// describedAs is a binding of an exercise.toml.
type describedAs struct {
	Name    string          `toml:"name"`
	Access  string          `toml:"access"`
	Type    string          `toml:"type"`
	Length  any             `toml:"length"`  // of an array, in sizes
	Columns any             `toml:"columns"` // of a matrix, in sizes
	Packed  bool            `toml:"packed"`  // each word holds four signed bytes
	Fill    fill            `toml:"fill"`
	Members map[string]fill `toml:"members"` // of a uniform; a member without a fill is the size of its name
}

// A passRule is one of several dispatches that run one after the other.
type passRule struct {
	Entry    string `toml:"entry"`
	Dispatch string `toml:"dispatch"`
	Extent   []any  `toml:"extent"`
}

// ReadFolder reads the exercise in the folder id below files, and draws each of its cases once, so
// that an error in them is found here.
func ReadFolder(files fs.FS, id string) (*Exercise, error) {
	e, d, err := readDescribed(files, id)
	if err != nil {
		return nil, err
	}
	if err := d.tryCases(e); err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(id, "exercise.toml"), err)
	}
	return e, nil
}

// readFolder reads an exercise from its folder.
func readFolder(files fs.FS, id string) (*Exercise, error) {
	e, _, err := readDescribed(files, id)
	return e, err
}

func readDescribed(files fs.FS, id string) (*Exercise, *description, error) {
	name := path.Join(id, "exercise.toml")
	d, err := readDescription(files, id)
	if err != nil {
		return nil, nil, err
	}
	if err := d.borrow(files); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	e := &Exercise{
		ID: id, Kind: d.Kind, After: d.After, Lesson: d.Lesson, position: d.Position, Notebook: d.Notebook, Title: d.Title, Task: d.Task, Stretch: d.Stretch, Points: d.Points, Partial: d.Partial, Practice: d.Practice,
		WithoutWorkgroupMemory: d.WithoutWorkgroupMemory, WithoutSubgroups: d.WithoutSubgroups, WrongAsIn: d.WrongAsIn, TooMuchWork: d.Work.Diagnosis, ReadsInside: d.ReadsInside,
		Tolerance: Tolerance{Absolute: d.Tolerance.Absolute, Relative: d.Tolerance.Relative}, anySize: d.AnySize, files: files,
	}
	e.skeleton = sync.OnceValues(e.readSkeleton)
	e.reference, e.standard = sync.OnceValues(e.readReference), sync.OnceValues(e.readStandard)
	e.right = sync.OnceValues(e.readRightShaders)
	e.misconceptions, e.alternatives = sync.OnceValues(e.readMisconceptions), sync.OnceValues(e.readAlternatives)
	if e.Hints, err = readHints(files, id); err != nil {
		return nil, nil, err
	}
	if err := errors.Join(d.describe(e), e.readBug(d), e.readBreak(d)); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return e, d, nil
}

func readDescription(files fs.FS, id string) (*description, error) {
	name := path.Join(id, "exercise.toml")
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("reading an exercise: %w", err)
	}
	var d description
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&d); err != nil {
		return nil, fmt.Errorf("%s: %w", name, located(err))
	}
	return &d, nil
}

// located says in which line an error of the TOML reader is, and what to write there.
func located(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		row, _ := first.Position()
		return fmt.Errorf("line %d: there is no key %s", row, strings.Join(first.Key(), "."))
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		row, _ := wrong.Position()
		return fmt.Errorf("line %d: %s", row, inWords(wrong))
	}
	return err
}

// withKeys adds the keys that there are to what is said about an unknown one.
func withKeys(said, err error, t reflect.Type) error {
	var unknown *toml.StrictMissingError
	if !errors.As(err, &unknown) || len(unknown.Errors) == 0 {
		return said
	}
	key := unknown.Errors[0].Key()
	for _, name := range key[:len(key)-1] {
		field, known := fieldOf(t, name)
		if !known {
			return said
		}
		for t = field.Type; t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer || t.Kind() == reflect.Map; {
			t = t.Elem()
		}
	}
	if t.Kind() != reflect.Struct {
		return said
	}
	var keys []string
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("toml"); name != "" {
			keys = append(keys, name)
		}
	}
	return fmt.Errorf("%w: choose from %s", said, english.List(keys))
}

func fieldOf(t reflect.Type, key string) (reflect.StructField, bool) {
	if t.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	return t.FieldByNameFunc(func(name string) bool {
		field, _ := t.FieldByName(name)
		return field.Tag.Get("toml") == key
	})
}

// mismatched matches what the TOML reader says about a value of the wrong type.
var mismatched = regexp.MustCompile(`cannot decode TOML (.+) into struct field course\.(\w+)\.(\w+) of type (.+)$`)

// inWords says what to write in place of a value of the wrong type, without Go's names for types.
func inWords(wrong *toml.DecodeError) string {
	text := strings.TrimPrefix(wrong.Error(), "toml: ")
	key := strings.Join(wrong.Key(), ".")
	if text == "cannot store an array table in a struct" {
		return fmt.Sprintf("there is only one %s: write [%s]", key, key)
	}
	found := mismatched.FindStringSubmatch(text)
	if found == nil {
		return text
	}
	given, in, field, wanted := found[1], found[2], strings.ToLower(found[3]), found[4]
	if (in == "fill" || in == "bounds" || in == "work") && !strings.HasSuffix(key, "."+field) {
		key += "." + field // the key is that of the whole inline table
	}
	article := "a"
	if strings.ContainsRune("aeiou", rune(given[0])) {
		article = "an"
	}
	return fmt.Sprintf("%s is %s %s: write %s", key, article, given, instead(wanted, key))
}

// instead describes what belongs in place of a value of the wrong type.
func instead(goType, key string) string {
	switch goType {
	case "string":
		return "a text in quotes"
	case "int":
		return "a whole number without quotes"
	case "float64":
		return "a number without quotes"
	case "bool":
		return "true or false"
	case "[]course.caseRule", "[]course.describedAs", "[]course.passRule", "[]course.Goal":
		return fmt.Sprintf("[[%s]] above the keys of each", key)
	case "[]float64":
		return "a list of numbers, such as [0, 100]"
	case "[]interface {}":
		return `a list, such as ["n"]`
	}
	return "a table, such as {floats = 10}"
}

// readHints reads hints.md: a list in Markdown, one hint a line.
func readHints(files fs.FS, id string) ([]string, error) {
	name := path.Join(id, "hints.md")
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("reading the hints: %w", err)
	}
	var hints []string
	for line := range strings.Lines(string(text)) {
		_, hint, numbered := strings.Cut(strings.TrimSpace(line), ". ")
		switch {
		case numbered && strings.HasPrefix(line, fmt.Sprint(len(hints)+1, ". ")):
			hints = append(hints, hint)
		case strings.TrimSpace(line) != "":
			return nil, fmt.Errorf("%s: a hint begins with its number, a point and a space: %q", name, strings.TrimSpace(line))
		}
	}
	return hints, nil
}

// spaces are the address spaces that an exercise.toml names.
var spaces = map[string]shader.Space{"uniform": shader.Uniform, "read": shader.ReadOnly, "read_write": shader.ReadWrite}

// mostBindings limits the buffers of an exercise. Every device has 8 storage buffers for a shader.
const mostBindings = 12

// describe gives an exercise its bindings, its dispatch and its cases.
func (d *description) describe(e *Exercise) error {
	if err := d.Kind.validate(); err != nil {
		return err
	}
	if len(d.Bindings) > mostBindings {
		return fmt.Errorf("there are %d bindings, and %d are the most", len(d.Bindings), mostBindings)
	}
	for _, b := range d.Bindings {
		access, known := spaces[b.Access]
		if !known {
			return fmt.Errorf("the binding %s has the access %q: use uniform, read or read_write", b.Name, b.Access)
		}
		binding := Binding{Name: b.Name, Access: access, Type: b.Type, Packed: b.Packed}
		if err := binding.validate(); err != nil {
			return err
		}
		e.Bindings = append(e.Bindings, binding)
	}
	if err := d.describeOutputs(e); err != nil {
		return err
	}
	if (d.Work.Most == nil) != (d.Work.Diagnosis == "") {
		return errors.New(`work needs two keys, such as {most = "max(64, n / 8)", diagnosis = "every-element"}`)
	}
	if err := errors.Join(d.describePasses(e), d.describeGoals(e)); err != nil {
		return err
	}
	return d.describeCases(e)
}

// mostPasses limits the dispatches of a shader.
const mostPasses = 16

// dispatches returns what the host dispatches: one pass that starts at main, or those of
// [[passes]].
func (d *description) dispatches() []passRule {
	if len(d.Passes) > 0 {
		return d.Passes
	}
	return []passRule{{shader.EntryPoint, d.Dispatch, d.Extent}}
}

// rules are the dispatch rules that an exercise.toml names.
var rules = map[string]DispatchRule{"cover": Cover, "each": Each}

// entryName matches the names of entry points.
var entryName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// describePasses gives an exercise its dispatches.
func (d *description) describePasses(e *Exercise) error {
	all := d.dispatches()
	if len(all) > mostPasses {
		return fmt.Errorf("there are %d passes, and %d are the most", len(all), mostPasses)
	}
	var passes []Pass
	for _, pass := range all {
		rule, known := rules[pass.Dispatch]
		switch {
		case !known:
			return fmt.Errorf("dispatch is %q: use cover or each", pass.Dispatch)
		case !entryName.MatchString(pass.Entry):
			return fmt.Errorf("the pass has the entry %q: name a function of the shader", pass.Entry)
		case len(pass.Extent) > 3:
			return fmt.Errorf("the extent has %d numbers: use one for x, two for x and y, or three for x, y and z", len(pass.Extent))
		}
		passes = append(passes, Pass{pass.Entry, rule})
	}
	e.Entry, e.Dispatch, e.Later = passes[0].Entry, passes[0].Dispatch, passes[1:]
	if len(d.Passes) == 0 {
		return nil
	}
	return d.checkPasses(e)
}

// checkPasses returns an error for what an exercise of several passes cannot have.
func (d *description) checkPasses(e *Exercise) error {
	floats := slices.ContainsFunc(e.Outputs(), func(i int) bool { return e.Bindings[i].Element() == shader.F32 })
	stated := e.Tolerance.Absolute > 0 || e.Tolerance.Relative > 0
	switch {
	case d.Dispatch != "" || d.Extent != nil:
		return errors.New("dispatch and extent belong below [[passes]], if there are passes")
	case floats && !stated:
		return errors.New("the errors of floats are not added up over several passes: state a tolerance, such as {absolute = 1e-5, relative = 1e-4}")
	case e.anySize, e.WithoutWorkgroupMemory != "", e.WithoutSubgroups != "", e.WrongAsIn != "", e.TooMuchWork != "", d.Large != nil, d.Past != nil:
		return errors.New("an exercise of several passes has no any_size, without_workgroup_memory, without_subgroups, wrong_as_in, work, [large] or [past]")
	}
	return nil
}

// describeOutputs gives an exercise the bindings that its shader writes: the first one counts for
// whoever shows only one.
func (d *description) describeOutputs(e *Exercise) error {
	names, several := d.Output.([]any)
	if !several {
		names = []any{d.Output}
	}
	var outputs []int
	for _, name := range names {
		i := slices.IndexFunc(e.Bindings, func(b Binding) bool { return b.Name == name })
		switch {
		case i < 0:
			return fmt.Errorf("the output is %q, but no binding has that name", fmt.Sprint(name))
		case slices.Contains(outputs, i):
			return fmt.Errorf("the output %s is there twice", name)
		case e.Bindings[i].Access != shader.ReadWrite:
			return fmt.Errorf("the output %s has another access than read_write", name)
		}
		outputs = append(outputs, i)
	}
	if len(outputs) == 0 {
		return errors.New("output is an empty list: name the bindings that the shader writes")
	}
	e.Output, e.Also = outputs[0], outputs[1:]
	for _, b := range d.Bindings {
		e.inPlace = append(e.inPlace, b.Access != "uniform" && !b.Fill.isOld())
	}
	e.InPlace, e.seenFrom = e.inPlace[e.Output], sync.OnceValue(e.turned)
	return nil
}
