package course

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A test can also be a comment in the shader:
//
//	// test: x = 1, 2, 3; scale = 2 → out = 2, 4, 6
//
// Left of the arrow are the contents of bindings before the run, right of it those afterwards. A
// list holds numbers, N times V, and A to B for all whole numbers between. The members of a uniform
// go in order. The left may also give values to overrides: SIZE = 16. Two more names may be there,
// unless a binding or an override has them: workgroups = X, Y, Z and entry = NAME. The end may be
// "within 0.001", the greatest error. A comment goes on in the next one as long as it has no arrow,
// or ends with a comma, a semicolon or the arrow.

// commentStart matches the start of a comment that may be a test, or a whole one in /* and */.
var commentStart = regexp.MustCompile(`^\s*(?://+|/\*+)\s*(?i:test):(.*?)(?:\*/\s*)?$`)

// testLike matches what follows "test:" in a test, and not in a sentence.
var testLike = regexp.MustCompile(`^\s*\w+\s*=|→|->`)

// HasTests reports whether a shader's text has tests in comments.
func HasTests(text string) bool { return len(Comments(text)) > 0 }

// A TestComment is the text of one test, and its line as the text counts them, from 1.
type TestComment struct {
	Line int
	Text string
}

// Comments finds the tests in a shader's text.
func Comments(text string) (all []TestComment) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		start := commentStart.FindStringSubmatch(strings.TrimRight(lines[i], "\r"))
		if start == nil {
			continue
		}
		c := TestComment{Line: i + 1, Text: strings.TrimSpace(start[1])}
		for c.goesOn() && i+1 < len(lines) {
			more, comment := strings.CutPrefix(strings.TrimSpace(lines[i+1]), "//")
			if !comment || commentStart.MatchString(lines[i+1]) {
				break
			}
			c.Text += " " + strings.TrimSpace(more)
			i++
		}
		c.Text = strings.ReplaceAll(c.Text, "->", "→")
		if testLike.MatchString(c.Text) {
			all = append(all, c)
		}
	}
	return all
}

// goesOn reports whether the test needs another line.
func (c TestComment) goesOn() bool {
	text := strings.ReplaceAll(c.Text, "->", "→")
	return testLike.MatchString(text) && (!strings.Contains(text, "→") || strings.HasSuffix(text, ",") || strings.HasSuffix(text, ";") || strings.HasSuffix(text, "→"))
}

// ErrBeyond says that a test needs more than the cases of an exercise have, such as a texture.
// Package stated runs such a test.
var ErrBeyond = errors.New("the test needs more than buffers of numbers in @group(0)")

// Name names the test by its line, as a person wrote it.
func (c TestComment) Name(source *shader.Source) string {
	return fmt.Sprintf("line %d", source.Shader().Source.LineAsWritten(c.Line))
}

// Call returns the call of a function that the comment tests, or "".
func (c TestComment) Call() string {
	before, _, _ := strings.Cut(c.Text, "→")
	for part := range strings.SplitSeq(before, ";") {
		if part = strings.TrimSpace(part); calling.MatchString(part) {
			return part
		}
	}
	return ""
}

// calling matches a part of a test that calls a function.
var calling = regexp.MustCompile(`^[\pL_][\pL\pN_]*\s*\(.*\)$`)

// Read makes a test of a comment. A shader with a mistake gets a test that fails with it: nothing
// is known of its bindings. The error is ErrBeyond if no exercise has such cases.
func (c TestComment) Read(source *shader.Source) (*ShaderTest, error) {
	d := testDescription{Shader: path.Base(filepath.ToSlash(source.Name))}
	rule := testedCase{Name: c.Name(source)}
	if source.Mistake() != nil {
		d.Dispatch, d.Extent, d.Output = "cover", []any{int64(1)}, "out"
		d.Bindings = []describedAs{{Name: "out", Access: "read_write", Type: "array<f32>", Length: int64(1), Fill: fill{Old: "nan"}}}
		return d.expecting(0, rule, map[string][]float64{"out": {0}})
	}
	if c.Call() != "" {
		return nil, ErrBeyond
	}
	before, after, within, err := c.Split()
	if err != nil {
		return nil, err
	}
	d.Tolerance.Absolute = within
	module, err := source.Module()
	if err != nil {
		return nil, err
	}
	given, err := Lists(before)
	if err != nil {
		return nil, err
	}
	expected, err := Lists(after)
	if err != nil {
		return nil, err
	}
	if len(expected) == 0 {
		return nil, errors.New("nothing is expected: name an output and its values after the arrow")
	}
	entry, err := EntryOf(module, given)
	if err != nil {
		return nil, err
	}
	if beyond(source.At(entry), given, expected) {
		return nil, ErrBeyond
	}
	values, err := allNumbers(expected)
	if err != nil {
		return nil, err
	}
	if err := d.bind(module, source.At(entry), given, values); err != nil {
		return nil, err
	}
	if err := d.dispatched(entry, given); err != nil {
		return nil, err
	}
	for name := range given {
		return nil, fmt.Errorf("the shader has no binding %s", name)
	}
	return d.expecting(0, rule, values)
}

// Split returns both sides of the arrow, and the greatest error; 0 if the test names none.
func (c TestComment) Split() (before, after string, within float64, err error) {
	before, after, ok := strings.Cut(c.Text, "→")
	if !ok {
		return "", "", 0, errors.New("the test has no arrow: write // test: x = 1, 2 → out = 2, 4")
	}
	after, most, bounded := strings.Cut(after, " within ")
	if !bounded {
		return before, after, 0, nil
	}
	most = strings.TrimSpace(most)
	if within, err = strconv.ParseFloat(most, 64); err != nil || !(within > 0) {
		return "", "", 0, fmt.Errorf("within %s: write the greatest error, such as within 0.001", most)
	}
	return before, after, within, nil
}

// beyond reports whether a test needs more than the cases of an exercise have: another binding, or
// a value that is no number.
func beyond(source *shader.Source, given, expected map[string][]string) bool {
	bindings, err := source.Bindings()
	if err != nil {
		return false
	}
	variables := map[string]*types.Object{}
	for _, v := range source.Shader().Info.Globals {
		variables[v.Name] = v
	}
	entries := source.Shader().Info.EntryPoints
	if slices.ContainsFunc(entries, func(e *types.EntryPoint) bool { return e.Immediate != nil }) {
		return true
	}
	for number, b := range bindings {
		if b.Group != 0 || int(b.Number) != number || number >= mostBindings || !numbersOnly(variables[b.Name], b) {
			return true
		}
	}
	for _, lists := range []map[string][]string{given, expected} {
		for _, list := range lists {
			if len(list) > 0 && notNumbers.MatchString(list[0]) {
				return true
			}
		}
	}
	return false
}

// notNumbers matches a file, a buffer that counts the workgroups, and what --bind takes.
var notNumbers = regexp.MustCompile(`^(@|\w+\[|\w+:|sampler)|\.png$`)

// numbersOnly reports whether a binding is an array of numbers or of vectors, or a uniform of
// single numbers. All others may have padding (§ 14.4).
func numbersOnly(v *types.Object, b wgsl.Binding) bool {
	if b.Space != wgsl.Uniform {
		return v != nil && isNumber(within(v.Store()))
	}
	members := b.Type.Members
	if len(members) == 0 {
		members = []wgsl.Member{{Type: b.Type}}
	}
	for i, m := range members {
		if m.Offset != uint64(i)*shader.ElementBytes || !slices.Contains([]string{"f32", "u32", "i32"}, m.Type.Text) {
			return false
		}
	}
	return true
}

// within returns what an array is made of: its innermost elements, and of vectors the components.
func within(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Array:
		return within(t.Elem)
	case *types.Atomic:
		return t.Elem
	case *types.Vector:
		return t.Elem
	}
	return t
}

func isNumber(t types.Type) bool { return t == types.F32 || t == types.U32 || t == types.I32 }

// The names on the left that are no bindings.
const (
	entryKey      = "entry"
	WorkgroupsKey = "workgroups"
)

// Lists reads "x = 1, 2; scale = 2".
func Lists(text string) (map[string][]string, error) {
	lists := map[string][]string{}
	for part := range strings.SplitSeq(strings.Trim(text, "; \t"), ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, values, ok := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("%q names no binding: write x = 1, 2, and ; before the next name", strings.TrimSpace(part))
		}
		if _, twice := lists[name]; twice {
			return nil, fmt.Errorf("%s has values twice", name)
		}
		for value := range strings.SplitSeq(values, ",") {
			lists[name] = append(lists[name], strings.TrimSpace(value))
		}
	}
	return lists, nil
}

// allNumbers reads the numbers of all lists.
func allNumbers(lists map[string][]string) (map[string][]float64, error) {
	all := map[string][]float64{}
	for name, list := range lists {
		numbers, err := Numbers(list)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = numbers
	}
	return all, nil
}

// several matches 64 times 0.5.
var several = regexp.MustCompile(`^(\d+)\s+times\s+(\S+)$`)

// counting matches 1 to 64.
var counting = regexp.MustCompile(`^(-?\d+)\s+to\s+(-?\d+)$`)

// Numbers reads the numbers of a list.
func Numbers(list []string) (numbers []float64, err error) {
	for _, text := range list {
		if m := several.FindStringSubmatch(text); m != nil {
			n, errTimes := strconv.Atoi(m[1])
			value, errValue := number(m[2])
			if err := errors.Join(errTimes, errValue); err != nil || n > mostElements {
				return nil, fmt.Errorf("%q: write 64 times 0.5, with at most %d", text, mostElements)
			}
			numbers = append(numbers, slices.Repeat([]float64{value}, n)...)
			continue
		}
		if m := counting.FindStringSubmatch(text); m != nil {
			from, errFrom := strconv.Atoi(m[1])
			to, errTo := strconv.Atoi(m[2])
			if err := errors.Join(errFrom, errTo); err != nil || to < from || to-from >= mostElements {
				return nil, fmt.Errorf("%q: write 1 to 64, with at most %d numbers", text, mostElements)
			}
			for n := from; n <= to; n++ {
				numbers = append(numbers, float64(n))
			}
			continue
		}
		n, err := number(text)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

func number(text string) (float64, error) {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return float64(n), nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number: write 2, -0.5, 64 times 0 or 1 to 64", text)
	}
	return n, nil
}

// EntryOf returns the entry point that a test names, or the only one. It takes the name from given.
func EntryOf(module *wgsl.Module, given map[string][]string) (string, error) {
	isBinding := slices.ContainsFunc(module.Bindings, func(b wgsl.Binding) bool { return b.Name == entryKey })
	if name, ok := given[entryKey]; ok && !isBinding {
		delete(given, entryKey)
		if _, known := module.Entry(name[0]); !known || len(name) > 1 {
			return "", fmt.Errorf("entry = %s: name one compute function of the shader: %s", strings.Join(name, ", "), entryNames(module))
		}
		return name[0], nil
	}
	if len(module.EntryPoints) != 1 {
		return "", fmt.Errorf("the shader has %d compute functions: choose one with entry = NAME before the arrow: %s", len(module.EntryPoints), entryNames(module))
	}
	return module.EntryPoints[0].Name, nil
}

// entryNames lists the compute functions of a shader.
func entryNames(module *wgsl.Module) string {
	var names []string
	for _, e := range module.EntryPoints {
		names = append(names, e.Name)
	}
	return cmp.Or(english.List(names), "it has none")
}

// Overriding takes the values of overrides out of the test, and returns the shader with them.
func (c *TestComment) Overriding(source *shader.Source) (*shader.Source, error) {
	before, after, arrow := strings.Cut(c.Text, "→")
	if !arrow || source.Unrunnable() != nil {
		return source, nil
	}
	var rest []string
	values := map[string]string{}
	for part := range strings.SplitSeq(before, ";") {
		name, value, given := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		if !given || overrideOf(source, name) == nil {
			rest = append(rest, part)
			continue
		}
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("%s has values twice", name)
		}
		values[name] = strings.TrimSpace(value)
	}
	c.Text = strings.Join(rest, ";") + "→" + after
	return Overridden(source, values)
}

// Overridden returns the shader with values for its overrides, by their names or by the numbers in
// @id.
func Overridden(source *shader.Source, values map[string]string) (*shader.Source, error) {
	constants := map[string]float64{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		o := overrideOf(source, name)
		if o == nil {
			return nil, fmt.Errorf("the shader has no override %s%s", name, overridesOf(source))
		}
		value, err := overrideValue(o, values[name])
		if err != nil {
			return nil, fmt.Errorf("the override %s: %w", name, err)
		}
		constants[o.OverrideKey()] = value
	}
	return source.With(constants), nil
}

// overrideValue reads a value for an override.
func overrideValue(o *types.Object, text string) (float64, error) {
	value, err := number(text)
	switch {
	case o.Type == types.Bool && text == "true":
		return 1, nil
	case o.Type == types.Bool && text == "false":
		return 0, nil
	case o.Type == types.Bool:
		return 0, fmt.Errorf("it has type bool, and %s is neither true nor false", text)
	case err != nil:
		return 0, fmt.Errorf("it has type %s, and %s is no number", o.Type, text)
	}
	kind := shader.F32
	if o.Type == types.U32 || o.Type == types.I32 {
		kind = shader.Element(o.Type.String())
	}
	return value, fitsIn(kind, value)
}

// OverriddenReference works like Overridden for a shader that another one is compared with: it need
// not have the same overrides.
func OverriddenReference(source *shader.Source, values map[string]string) (*shader.Source, error) {
	own := maps.Clone(values)
	maps.DeleteFunc(own, func(name, _ string) bool { return overrideOf(source, name) == nil })
	return Overridden(source, own)
}

// Unset says how a test gives a value to an override, if that is what an error is about: form is
// the notation, with %s for the name.
func Unset(source *shader.Source, err error, form string) error {
	var mistake *shader.CompileError
	if !errors.As(err, &mistake) || mistake.Kind != "missing-constant" {
		return err
	}
	hinted := *mistake
	for _, o := range source.Shader().Info.Overrides {
		if o.Ident.Span() == mistake.Span {
			hinted.Hint = fmt.Sprintf("Write `= …` after it, or give it a value in the test: "+form, o.Name)
		}
	}
	return &hinted
}

// overrideOf returns the override with a name, or with a number in @id; nil if there is none.
func overrideOf(source *shader.Source, name string) *types.Object {
	if source.Unrunnable() != nil {
		return nil
	}
	for _, o := range source.Shader().Info.Overrides {
		if o.Name == name || o.OverrideKey() == name {
			return o
		}
	}
	return nil
}

// overridesOf names the overrides for an error; "" if there are none.
func overridesOf(source *shader.Source) string {
	var names []string
	for _, o := range source.Shader().Info.Overrides {
		names = append(names, o.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return ": its overrides are " + strings.Join(names, ", ")
}

// bind describes the bindings of a shader. It takes what it uses from given.
func (d *testDescription) bind(module *wgsl.Module, source *shader.Source, given map[string][]string, expected map[string][]float64) error {
	if err := namesIn(module, given, expected); err != nil {
		return err
	}
	used, err := source.Used()
	if err != nil {
		return err
	}
	bindings, err := source.Bindings()
	if err != nil {
		return err
	}
	var outputs []any
	for _, b := range bindings {
		list, filled := given[b.Name]
		want, wanted := expected[b.Name]
		numbers, err := Numbers(list)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", b.Name, err)
		case filled || wanted:
		case slices.ContainsFunc(used, func(u wgsl.Binding) bool { return u.Name == b.Name }):
			return fmt.Errorf("%s has no values: write %s = … before the arrow, or after it if it is an output", b.Name, b.Name)
		default:
			numbers = zeros(b)
		}
		described, err := bindingAs(b, numbers, len(want))
		if err != nil {
			return err
		}
		d.Bindings = append(d.Bindings, *described)
		delete(given, b.Name)
		if wanted {
			outputs = append(outputs, b.Name)
		}
	}
	d.Output = outputs
	return nil
}

// namesIn returns an error if a test names what the shader doesn't have. A missing binding is often
// one that is misspelt.
func namesIn(module *wgsl.Module, given map[string][]string, expected map[string][]float64) error {
	var bindings []string
	for _, b := range module.Bindings {
		bindings = append(bindings, b.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		if !slices.Contains(bindings, name) {
			return fmt.Errorf("the shader has no binding %s: its bindings are %s", name, strings.Join(bindings, ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if name != WorkgroupsKey && !slices.Contains(bindings, name) {
			return fmt.Errorf("the shader has no binding %s: its bindings are %s", name, strings.Join(bindings, ", "))
		}
	}
	return nil
}

// zeros fill a binding that the entry point doesn't use.
func zeros(b wgsl.Binding) []float64 {
	if b.Space == wgsl.Uniform {
		return make([]float64, max(1, len(b.Type.Members)))
	}
	const anyVector = 12 // a whole number of vectors of 2, 3 or 4
	words := int(b.Type.Size) / shader.ElementBytes
	return make([]float64, (words/anyVector+1)*anyVector)
}

// bindingAs describes a binding with numbers, or with room for so many that the shader writes.
func bindingAs(b wgsl.Binding, numbers []float64, wanted int) (*describedAs, error) {
	d := &describedAs{Name: b.Name, Access: map[wgsl.Space]string{wgsl.Uniform: "uniform", wgsl.ReadOnly: "read", wgsl.ReadWrite: "read_write"}[b.Space]}
	if b.Space == wgsl.Uniform {
		return d, d.uniform(b, numbers)
	}
	if wanted > 0 && b.Space != wgsl.ReadWrite {
		return nil, fmt.Errorf("%s is read-only: it is no output", b.Name)
	}
	components := 1
	if v := vectorIn.FindStringSubmatch(b.Type.Text); v != nil {
		components = int(v[1][0] - '0')
	}
	switch {
	case components > 1:
		d.Type = fmt.Sprintf("array<vec%d<%s>>", components, b.Type.Element)
	case strings.Contains(b.Type.Text, "atomic<"):
		d.Type = fmt.Sprintf("array<atomic<%s>>", b.Type.Element)
	default:
		d.Type = fmt.Sprintf("array<%s>", b.Type.Element)
	}
	count := max(len(numbers), wanted)
	switch {
	case count%components != 0:
		return nil, fmt.Errorf("%s has %d numbers, which are no whole number of vectors of %d", b.Name, count, components)
	case len(numbers) > 0 && wanted > 0 && len(numbers) != wanted:
		return nil, fmt.Errorf("%s has %d numbers before and %d after the run", b.Name, len(numbers), wanted)
	case len(numbers) > 0:
		d.Fill = fill{Value: asAny(numbers)}
	case b.Type.Element == string(shader.F32):
		d.Fill = fill{Old: "nan"}
	default:
		d.Fill = fill{Old: "poison"}
	}
	d.Length = int64(count / components)
	return d, nil
}

// vectorIn finds the vectors in a type.
var vectorIn = regexp.MustCompile(`\bvec([234])`)

func asAny(numbers []float64) (all []any) {
	for _, n := range numbers {
		all = append(all, n)
	}
	return all
}

// uniform gives a uniform its members: those of its struct, or itself.
func (d *describedAs) uniform(b wgsl.Binding, numbers []float64) error {
	members := b.Type.Members
	if len(members) == 0 {
		members = []wgsl.Member{{Name: "value", Type: b.Type}}
	}
	var list []string
	d.Members = map[string]fill{}
	for i, m := range members {
		if i < len(numbers) {
			d.Members[m.Name] = fill{Value: numbers[i]}
		}
		list = append(list, m.Name+": "+m.Type.Text)
	}
	if len(numbers) != len(members) {
		return fmt.Errorf("%s has %d members, and %d numbers are given", b.Name, len(members), len(numbers))
	}
	d.Type = "Uniform_" + b.Name + "{" + strings.Join(list, ", ") + "}"
	return nil
}

// dispatched says how many workgroups run: the given ones, or enough for the longest array.
func (d *testDescription) dispatched(entry string, given map[string][]string) error {
	pass := passRule{Entry: entry, Dispatch: "cover"}
	longest := int64(1)
	for _, b := range d.Bindings {
		if n, ok := b.Length.(int64); ok {
			longest = max(longest, n)
		}
	}
	pass.Extent = []any{longest}
	if list, ok := given[WorkgroupsKey]; ok {
		delete(given, WorkgroupsKey)
		pass.Dispatch, pass.Extent = "each", nil
		for _, text := range list {
			n, err := strconv.ParseInt(text, 10, 32)
			if err != nil || n < 1 || len(list) > 3 {
				return fmt.Errorf("workgroups = %s: write one to three whole numbers from 1", strings.Join(list, ", "))
			}
			pass.Extent = append(pass.Extent, n)
		}
	}
	if entry == shader.EntryPoint {
		d.Dispatch, d.Extent = pass.Dispatch, pass.Extent
		return nil
	}
	d.Passes = []passRule{pass}
	return nil
}
