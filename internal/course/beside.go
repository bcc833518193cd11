package course

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// TestSuffix ends the name of a file with tests: those of scan.wgsl are in scan_test.toml.
const TestSuffix = "_test.toml"

// A ShaderTest checks a shader that is no exercise's: against another shader, or against expected
// values.
type ShaderTest struct {
	Name     string
	Shader   string // the file, relative to that of the test
	Exercise *Exercise
	States   bool // expected values: the exercise's reference only writes them, and shows no way to them
	Ranges   []SizeRange
	Bound    *BoundCase // in place of an exercise

	Overrides  map[string]string // by their names
	Unreadable error             // why it can't run; the file's other tests can
}

// A BoundCase is a case that says itself what it binds, in the notation of comments and of --bind.
// Package stated runs it.
type BoundCase struct {
	Bind       map[string][]string // by the names of bindings
	Entry      string              // "" for the shader's only entry point
	Workgroups []string            // of it: numbers, or @NAME for those in a buffer
	Passes     []string            // in place of both
	Expect     map[string][]string // numbers, or the name of a picture
	Within     float64             // the greatest error; 0 for a millionth
	Reference  string              // a shader that computes the same, for a case that expects nothing
}

// A SizeRange is a size of some cases that is drawn from a range.
type SizeRange struct {
	Name     string
	From, To int
	Listed   []int                          // sizes that the test names besides
	At       func(n int) (*Exercise, error) // the exercise with only this case, of size n
}

// A testDescription is the contents of a test file: bindings, dispatch, cases, tolerance and costs
// as in an exercise.toml, and where the right outputs are from.
type testDescription struct {
	Shader    string `toml:"shader"`    // default: the name of the test file
	Reference string `toml:"reference"` // a shader that computes the same, for cases without expected values

	Dispatch  string         `toml:"dispatch"`
	Extent    []any          `toml:"extent"`
	Passes    []passRule     `toml:"passes"`
	Output    any            `toml:"output"`
	Tolerance bounds         `toml:"tolerance"`
	Bindings  []describedAs  `toml:"bindings"`
	Override  map[string]any `toml:"override"` // of all cases
	Goals     []Goal         `toml:"cost"`
	CaseName  string         `toml:"case_name"`
	Cases     []testedCase   `toml:"cases"`
	Large     *caseRule      `toml:"large"` // for the costs

	ReadsInside bool `toml:"reads_inside"`
}

// A testedCase is a case with the values that the outputs have afterwards, if it states them.
type testedCase struct {
	Sizes    map[string]any  `toml:"sizes"`
	Name     string          `toml:"name"`
	Note     string          `toml:"note"`
	Fill     map[string]fill `toml:"fill"`
	Expect   map[string]any  `toml:"expect"`
	Override map[string]any  `toml:"override"` // of this case

	// These are for a case that needs neither sizes nor fills.
	Bind       map[string]any `toml:"bind"`
	Entry      string         `toml:"entry"`
	Workgroups any            `toml:"workgroups"`
	Passes     []string       `toml:"passes"`
	Within     float64        `toml:"within"`
}

func (c testedCase) rule() caseRule { return caseRule{c.Sizes, c.Name, c.Note, c.Fill} }

// ReadTests reads a file with tests. All cases that compare with the reference are one test; a case
// with expected values is one of its own.
func ReadTests(files fs.FS, name string) ([]ShaderTest, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("reading tests: %w", err)
	}
	var d testDescription
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&d); err != nil {
		return nil, withKeys(located(err), err, reflect.TypeFor[testDescription]())
	}
	if len(d.Cases) == 0 {
		return nil, errors.New("there is no case: write [[cases]] and its sizes")
	}
	if d.Shader == "" {
		d.Shader = strings.TrimSuffix(path.Base(name), TestSuffix) + ".wgsl"
	}
	var compared []*comparedCases
	var tests []ShaderTest
	for i, c := range d.Cases {
		values, err := d.overridesOf(c)
		if err == nil && c.Expect == nil && c.Bind == nil {
			at := slices.IndexFunc(compared, func(of *comparedCases) bool { return maps.Equal(of.overrides, values) })
			if at < 0 {
				at = len(compared)
				compared = append(compared, &comparedCases{overrides: values})
			}
			compared[at].rules = append(compared[at].rules, c.rule())
			continue
		}
		var test *ShaderTest
		if err == nil {
			test, err = d.stating(i, c)
		}
		if err != nil {
			test = d.unreadable(cmp.Or(strings.TrimSpace(c.Name), fmt.Sprintf("case %d", i+1)), fmt.Errorf("[[cases]] %d: %w", i+1, err))
		}
		test.Overrides = values
		tests = append(tests, *test)
	}
	var all []ShaderTest
	for _, of := range compared {
		title := "same as " + path.Base(d.Reference)
		if len(compared) > 1 {
			title = strings.Trim(title+", "+of.named(), ", ")
		}
		test, err := d.comparing(title, of, files, path.Dir(name))
		if err != nil {
			test = d.unreadable(title, err)
		}
		test.Overrides = of.overrides
		all = append(all, *test)
	}
	return append(all, tests...), nil
}

// comparedCases are the cases that compare with the reference, under the same overrides.
type comparedCases struct {
	overrides map[string]string
	rules     []caseRule
}

func (c *comparedCases) named() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c.overrides)) {
		parts = append(parts, name+" = "+c.overrides[name])
	}
	return strings.Join(parts, ", ")
}

// overridesOf returns the values of overrides for a case: its own, and else the file's.
func (d *testDescription) overridesOf(c testedCase) (map[string]string, error) {
	values := map[string]string{}
	for _, from := range []map[string]any{d.Override, c.Override} {
		for name, value := range from {
			switch value.(type) {
			case int64, float64, bool:
				values[name] = fmt.Sprint(value)
			default:
				return nil, fmt.Errorf("the override %s is %v: write a number, true or false", name, value)
			}
		}
	}
	return values, nil
}

// unreadable returns a test that can't run.
func (d *testDescription) unreadable(name string, err error) *ShaderTest {
	return &ShaderTest{Name: name, Shader: d.Shader, Unreadable: err}
}

// comparing makes a test of cases that compare with the reference, which is in a folder.
func (d *testDescription) comparing(name string, of *comparedCases, files fs.FS, folder string) (*ShaderTest, error) {
	if d.Reference == "" {
		return nil, errors.New(`a case states no expected values: give it expect = {out = […]}, or name a shader that computes the same: reference = "slow.wgsl"`)
	}
	test, err := d.test(name, of.rules, func() (*shader.Source, error) {
		text, err := fs.ReadFile(files, path.Join(folder, d.Reference))
		if err != nil {
			return nil, fmt.Errorf("reading the reference: %w", err)
		}
		source := shader.ReadWith(d.Reference, string(text), types.AllFeatures)
		if mistake := source.Mistake(); mistake != nil {
			return nil, fmt.Errorf("the reference %s: %w", d.Reference, mistake)
		}
		return OverriddenReference(source, of.overrides)
	})
	if err != nil {
		return nil, err
	}
	for _, rule := range of.rules {
		if r, ok := d.sizeRange(rule, test.Exercise); ok {
			r.Listed = listed(of.rules, r.Name)
			test.Ranges = append(test.Ranges, r)
		}
	}
	return test, nil
}

// sizeRange returns the range of a rule, if exactly one of its sizes is drawn, between two numbers.
func (d *testDescription) sizeRange(rule caseRule, of *Exercise) (r SizeRange, ok bool) {
	for name, value := range rule.Sizes {
		switch value := value.(type) {
		case map[string]any:
			var errs [2]error
			from, to := 0, 0
			from, errs[0] = sizes{}.value(value["from"])
			to, errs[1] = sizes{}.value(value["to"])
			if r.Name != "" || errors.Join(errs[:]...) != nil {
				return r, false
			}
			r = SizeRange{Name: name, From: from, To: to}
		case []any:
			if slices.ContainsFunc(value, func(one any) bool { _, drawn := one.(map[string]any); return drawn }) {
				for _, one := range rule.split() {
					if r, ok := d.sizeRange(one, of); ok {
						return r, true
					}
				}
			}
			return r, false
		}
	}
	r.At = func(n int) (*Exercise, error) {
		fixed := rule
		fixed.Sizes = maps.Clone(rule.Sizes)
		fixed.Sizes[r.Name] = int64(n)
		test, err := d.test(of.Title, []caseRule{fixed}, of.reference)
		if err != nil {
			return nil, err
		}
		return test.Exercise, nil
	}
	return r, r.Name != ""
}

// listed returns the numbers that rules state for a size.
func listed(rules []caseRule, name string) (numbers []int) {
	for _, rule := range rules {
		for _, one := range rule.split() {
			if n, ok := one.Sizes[name].(int64); ok {
				numbers = append(numbers, int(n))
			}
		}
	}
	return numbers
}

// test makes an exercise of cases, of which reference makes the right outputs.
func (d *testDescription) test(name string, cases []caseRule, reference func() (*shader.Source, error)) (*ShaderTest, error) {
	described := &description{
		Dispatch: d.Dispatch, Extent: d.Extent, Passes: d.Passes, Output: d.Output, Tolerance: d.Tolerance, Bindings: d.Bindings, Goals: d.Goals,
		CaseName: d.CaseName, Cases: cases, Small: &cases[0].split()[0], Large: d.Large, ReadsInside: d.ReadsInside,
	}
	for i := range described.Goals {
		described.Goals[i].Ask = cmp.Or(described.Goals[i].Ask, described.Goals[i].Name) // only learners need a question
	}
	if described.CaseName == "" {
		described.CaseName = sizesNamed(cases[0].Sizes)
	}
	e := &Exercise{
		ID: strings.TrimSuffix(path.Base(d.Shader), ".wgsl"), Title: name, Task: "Compute what the test says.",
		Tolerance: Tolerance{Absolute: d.Tolerance.Absolute, Relative: d.Tolerance.Relative}, ReadsInside: d.ReadsInside, IsTest: true, files: noFiles{},
	}
	e.reference = sync.OnceValues(reference)
	e.standard, e.skeleton = e.reference, func() (string, error) { return "", errNoSkeleton }
	e.right, e.misconceptions, e.alternatives = sync.OnceValues(e.readRightShaders), sync.OnceValues(e.readMisconceptions), sync.OnceValues(e.readAlternatives)
	if err := described.describe(e); err != nil {
		return nil, err
	}
	if err := described.tryCases(e); err != nil {
		return nil, err
	}
	return &ShaderTest{Name: name, Shader: d.Shader, Exercise: e}, nil
}

var errNoSkeleton = errors.New("a test has no skeleton")

// sizesNamed names a case by its sizes: "n = {n}, k = {k}".
func sizesNamed(rules map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		parts = append(parts, fmt.Sprintf("%s = {%s}", name, name))
	}
	return strings.Join(parts, ", ")
}

// stating makes a test of a case that binds all itself, or that has expected values.
func (d *testDescription) stating(i int, c testedCase) (*ShaderTest, error) {
	if c.Bind != nil {
		return d.binding(i, c)
	}
	if c.Entry != "" || c.Workgroups != nil || c.Passes != nil || c.Within != 0 {
		return nil, errors.New("entry, workgroups, passes and within need bind: write bind = {x = [1, 2, 3]}, or leave them out")
	}
	expect := map[string][]float64{}
	for name, value := range c.Expect {
		list, isList := value.([]any)
		if !isList {
			return nil, fmt.Errorf("%v is expected in %s: write a list of numbers. A picture needs a case with bind", value, name)
		}
		numbers, err := inTurn(len(list), value, func(v float64) (float64, error) { return v, nil })
		if err != nil && len(list) > 0 {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		expect[name] = numbers
	}
	return d.expecting(i, c, expect)
}

// binding makes a test of a case that binds all itself.
func (d *testDescription) binding(i int, c testedCase) (*ShaderTest, error) {
	if c.Sizes != nil || c.Fill != nil {
		return nil, errors.New("a case with bind has no sizes and no fill: write all values into bind")
	}
	if c.Passes != nil && (c.Entry != "" || c.Workgroups != nil) {
		return nil, errors.New("passes say their entry points and workgroups: leave out entry and workgroups")
	}
	bound := &BoundCase{Entry: c.Entry, Passes: c.Passes, Within: cmp.Or(c.Within, d.Tolerance.Absolute)}
	var errs [3]error
	bound.Bind, errs[0] = wordsOfAll(c.Bind)
	bound.Expect, errs[1] = wordsOfAll(c.Expect)
	if c.Workgroups != nil {
		bound.Workgroups, errs[2] = wordsOf(c.Workgroups)
	}
	if c.Expect == nil {
		bound.Reference = d.Reference
	}
	return &ShaderTest{Name: cmp.Or(strings.TrimSpace(c.Name), fmt.Sprintf("case %d", i+1)), Shader: d.Shader, Bound: bound}, errors.Join(errs[:]...)
}

// wordsOfAll reads the values of bindings.
func wordsOfAll(values map[string]any) (map[string][]string, error) {
	all := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		words, err := wordsOf(values[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = words
	}
	return all, nil
}

// wordsOf reads a number, a list of numbers, or a text as in a comment.
func wordsOf(value any) (words []string, err error) {
	switch value := value.(type) {
	case string:
		for word := range strings.SplitSeq(value, ",") {
			words = append(words, strings.TrimSpace(word))
		}
		return words, nil
	case []any:
		for _, one := range value {
			word, err := wordsOf(one)
			if err != nil {
				return nil, err
			}
			words = append(words, word...)
		}
		return words, nil
	case int64, float64, bool:
		return []string{fmt.Sprint(value)}, nil
	}
	return nil, fmt.Errorf("it is %v: write numbers, or a text such as \"f32[8]\" or \"@photo.png\"", value)
}

// expecting makes a test of a case with expected values. Its reference is a shader that writes
// them.
func (d *testDescription) expecting(i int, c testedCase, expect map[string][]float64) (*ShaderTest, error) {
	own := *d
	own.Goals = nil // they compare with the reference's counts
	if own.Tolerance == (bounds{}) {
		own.Tolerance = bounds{Absolute: 1e-6, Relative: 1e-6} // the reference that writes values has no errors to add up
	}
	name := strings.TrimSpace(c.Name)
	if name == "" {
		name = fmt.Sprintf("expected values %d", i+1)
	}
	var reference string
	test, err := own.test(name, []caseRule{c.rule()}, func() (*shader.Source, error) { return shader.Read("expected values", reference), nil })
	if err != nil {
		return nil, err
	}
	if len(c.rule().split()) > 1 {
		return nil, errors.New("expected values belong to one case: write each size as one number")
	}
	test.States = true
	drawn := test.Exercise.Cases(rand.New(rand.NewPCG(1, 1)))[0]
	reference, err = writing(test.Exercise, drawn, expect)
	return test, err
}

// writing returns a shader that writes expected values, and leaves all else as it is.
func writing(e *Exercise, c Case, expect map[string][]float64) (string, error) {
	var text, body strings.Builder
	for i, b := range e.Bindings {
		space := map[shader.Space]string{shader.Uniform: "uniform", shader.ReadOnly: "storage, read", shader.ReadWrite: "storage, read_write"}[b.Access]
		kind := b.Type
		if name, _, uniform := strings.Cut(b.Type, "{"); uniform {
			fmt.Fprintf(&text, "struct %s {\n", name)
			for _, m := range b.Members() {
				fmt.Fprintf(&text, "    %s: %s,\n", m.Name, m.Type)
			}
			text.WriteString("}\n")
			kind = name
		}
		fmt.Fprintf(&text, "@group(0) @binding(%d) var<%s> %s: %s;\n", i, space, b.Name, kind)
	}
	for _, name := range slices.Sorted(maps.Keys(expect)) {
		i := slices.IndexFunc(e.Bindings, func(b Binding) bool { return b.Name == name })
		switch {
		case i < 0 || !slices.Contains(e.Outputs(), i):
			return "", fmt.Errorf("there are expected values for %s, which is no output", name)
		case len(expect[name]) != numberCount(e.Bindings[i], c.Buffers[i]):
			return "", fmt.Errorf("%s has %d numbers, and %d are expected", name, numberCount(e.Bindings[i], c.Buffers[i]), len(expect[name]))
		}
		lines, err := assignments(e.Bindings[i], expect[name])
		if err != nil {
			return "", err
		}
		body.WriteString(lines)
	}
	for pass, entry := range e.Entries() {
		fmt.Fprintf(&text, "@compute @workgroup_size(1) fn %s(@builtin(global_invocation_id) id: vec3<u32>) {\n", entry)
		if pass == 0 {
			fmt.Fprintf(&text, "    if (all(id == vec3(0u))) {\n%s    }\n", body.String())
		}
		text.WriteString("}\n")
	}
	return text.String(), nil
}

// numberCount counts the numbers in a buffer, without the padding of its vectors.
func numberCount(b Binding, in Buffer) int { return in.Len() / b.stride() * b.Components() }

// assignments returns the statements that write values to an array.
func assignments(b Binding, values []float64) (string, error) {
	form := "        %s[%d]%s = %s(%v);\n"
	if strings.Contains(b.Type, "atomic") {
		form = "        atomicStore(&%s[%d]%s, %s(%v));\n"
	}
	var lines strings.Builder
	for i, value := range values {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return "", fmt.Errorf("%v is expected in %s[%d]: use finite numbers", value, b.Name, i)
		}
		if err := fitsIn(b.Element(), value); err != nil {
			return "", fmt.Errorf("the expected value of %s[%d]: %w", b.Name, i/b.Components(), err)
		}
		component := ""
		if n := b.Components(); n > 1 {
			component = "." + components[i%n:i%n+1]
		}
		fmt.Fprintf(&lines, form, b.Name, i/b.Components(), component, b.Element(), value)
	}
	return lines.String(), nil
}

// fitsIn returns an error if a number is no value of a type. An f32 may round it.
func fitsIn(kind shader.Element, value float64) (err error) {
	switch kind {
	case shader.U32:
		_, err = wholeBetween(value, 0, math.MaxUint32)
	case shader.I32:
		_, err = wholeBetween(value, math.MinInt32, math.MaxInt32)
	default:
		_, err = asFloat(value)
	}
	return err
}

// noFiles is the folder of an exercise without one.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
