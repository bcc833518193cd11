package authoring

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Problem is one thing that is wrong with an exercise.
type Problem struct {
	File string // below the root of the clone or of the pack
	Line int    // from 1; 0 if it concerns the whole file
	Text string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// A TestReport is the result of testing an exercise.
type TestReport struct {
	Wrong []Problem // what its author has to change
	Idle  []Problem // cases in which every wrong shader is right; this may be on purpose
}

// Test finds everything that is wrong with an exercise: what is missing, right shaders that fail,
// and wrong ones that pass or get another diagnosis than they name. It calls ran after each shader.
// Without engines it judges no shader, and finds the rest. An error means that the test failed, for
// example because the context ended.
func (p Collection) Test(ctx context.Context, on shader.Engines, id string, ran func()) (TestReport, error) {
	if err := course.CheckID(id); err != nil {
		return TestReport{}, err
	}
	c := p.inspect(id)
	if p.isQuestion(id) {
		c.question()
		return TestReport{Wrong: c.problems}, c.err
	}
	exercise, closeFiles, err := p.read(id)
	defer closeFiles()
	kind := course.Write
	if err == nil {
		kind = exercise.Kind
	}
	c.required(kind)
	var edit *exercises.EditError
	switch {
	case errors.As(err, &edit):
		c.unread(err)
	case err != nil:
		c.report(c.at(folderOf), 0, "%v", err)
	default:
		c.declaration(exercise)
		c.cells(exercise)
		c.given(exercise)
		judged := on.Values != nil && !c.unwhole
		if kind == course.BreakIt && judged {
			c.judgeCases(ctx, on, exercise, ran)
		} else if kind != course.BreakIt && c.reference(ctx, exercise) && judged {
			c.judgeAll(ctx, on, exercise, ran)
		}
	}
	if kind == course.FindBug || kind == course.BreakIt {
		return TestReport{Wrong: c.problems}, c.err // its cases belong to another exercise
	}
	return TestReport{c.problems, c.idle()}, c.err
}

// idle returns a problem for each case in which no wrong shader was wrong.
func (c *check) idle() (idle []Problem) {
	for _, name := range c.cases {
		if !c.told[name] {
			idle = append(idle, Problem{File: c.at(description), Text: fmt.Sprintf("no wrong shader fails in the case %q", name)})
		}
	}
	return idle
}

// read reads an exercise, whose files stay open until they are closed.
func (p Collection) read(id string) (exercise *course.Exercise, closeFiles func(), err error) {
	if !p.pack {
		exercise, err = course.ReadFolder(exercises.Unfold(os.DirFS(filepath.Join(p.root, "exercises"))), id)
		return exercise, func() {}, err
	}
	files, err := course.PackFiles(p.root)
	if err != nil {
		return nil, func() {}, err
	}
	exercise, err = course.ReadFolder(files, id)
	return exercise, func() { files.Close() }, err
}

// reference requires that the reference decides what is right: in every case it leaves values whose
// errors WGSL bounds.
func (c *check) reference(ctx context.Context, e *course.Exercise) (ok bool) {
	path := c.at(referenceOf)
	c.limits(e)
	stated := e.Tolerance.Absolute > 0 || e.Tolerance.Relative > 0
	for _, drawn := range e.Draw(testSeed) {
		c.cases = append(c.cases, drawn.Name)
		x, err := evidence.In(ctx, e, drawn)
		if errors.Is(err, fs.ErrNotExist) {
			return false // reported already
		}
		if err != nil {
			line, text := mistakeOf(err)
			c.report(path, line, "the standard for all other shaders has to run, but: %s", text)
			return false
		}
		if len(x.Undecided) > 0 && !stated {
			c.report(path, x.Undecided[0].Line, "in the case %q, rounding decides what happens here: other right shaders may do something else; choose other numbers or state a tolerance", drawn.Name)
			return true
		}
		for k, right := range x.All() {
			if i := slices.IndexFunc(right.Allowed.Margins, func(m float64) bool { return math.IsInf(m, 0) || math.IsNaN(m) }); i >= 0 {
				c.report(path, 0, "in the case %q, WGSL allows any value for %s: choose other numbers or state a tolerance", drawn.Name, e.Bindings[e.Outputs()[k]].WordName(i))
				return true
			}
		}
	}
	return true
}

// guaranteed are the limits of every device (§ 3.6.2 of the WebGPU specification).
var guaranteed = shader.Adapter{Name: "every device", Limits: shader.Limits{
	WorkgroupStorageBytes: 16 << 10, InvocationsPerWorkgroup: 256, WorkgroupSize: [3]uint32{256, 256, 64}, WorkgroupsPerDimension: 65535,
}}

// limits requires that every device can run the reference.
func (c *check) limits(e *course.Exercise) {
	source, err := e.Reference()
	if err != nil {
		return // running it reports that
	}
	for _, entry := range e.Entries() {
		if _, err := source.At(entry).Entry(guaranteed); err != nil {
			line, text := mistakeOf(err)
			c.report(c.at(referenceOf), line, "%s", text)
			return
		}
	}
	for _, drawn := range e.Draw(testSeed) {
		d, err := e.Dispatched(drawn, source)
		if err != nil {
			return // running it reports that
		}
		for _, groups := range append(d.Later, d.Workgroups) {
			if most := slices.Max(groups[:]); most > guaranteed.Limits.WorkgroupsPerDimension {
				c.report(c.at(description), 0, "the case %q needs %d workgroups in a direction; every device has %d", drawn.Name, most, guaranteed.Limits.WorkgroupsPerDimension)
				return
			}
		}
	}
}

// mistakeOf returns the line and the text of a mistake that the compiler found, or 0 and the error.
func mistakeOf(err error) (line int, text string) {
	var mistake *shader.CompileError
	if errors.As(err, &mistake) {
		return mistake.Line, mistake.Message
	}
	return 0, err.Error()
}

// IDs lists the exercises of the place: those of the course in its order, then folders and
// reference shaders that the course does not know yet.
func (p Collection) IDs() ([]string, error) {
	var ids []string
	if !p.pack {
		for _, e := range course.OfTheCourse() {
			ids = append(ids, e.ID)
		}
		for _, q := range course.OwnQuestions() {
			ids = append(ids, q.ID)
		}
	}
	found, err := filepath.Glob(p.file(folderOf+"/*", "*"))
	if err != nil {
		return nil, fmt.Errorf("listing the exercises: %w", err)
	}
	inGo, err := filepath.Glob(p.file(folderOf+"/skeleton.go", "*"))
	if err != nil {
		return nil, fmt.Errorf("listing the exercises in Go: %w", err)
	}
	var others []string
	for _, path := range found {
		folder := filepath.Dir(path)
		// The Go compiler has to build these solutions: the tests of pkg/check do.
		if !slices.Contains(inGo, filepath.Join(folder, "skeleton.go")) {
			others = append(others, filepath.Base(folder))
		}
	}
	slices.Sort(others)
	for _, id := range slices.Compact(others) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Has reports whether there is a folder of an exercise.
func (p Collection) Has(id string) bool {
	_, err := os.Stat(p.file(folderOf, id))
	return err == nil
}

// Shaders returns how many shaders Test runs for an exercise.
func (p Collection) Shaders(id string) int {
	if p.isQuestion(id) {
		return 0
	}
	c := p.inspect(id)
	folder := len(c.shaders(rightFolder)) + len(c.shaders(wrongFolder))
	if p.kindOf(id) == course.BreakIt {
		return 1 + folder // the skeleton
	}
	return 2 + folder // and the reference
}

// testSeed draws the cases.
const testSeed = 1

// judgeAll runs the skeleton, the reference and all other shaders of an exercise.
func (c *check) judgeAll(ctx context.Context, on shader.Engines, exercise *course.Exercise, ran func()) {
	judged := func(path string, problem func(path, text string, v *verdict.Verdict)) {
		text := c.read(path)
		if text == "" || c.err != nil {
			return // missing files are reported already
		}
		v, err := judge.Run(ctx, on, exercise, shader.Read(path, text), testSeed)
		if err != nil {
			c.err = fmt.Errorf("checking %s: %w", path, err)
			return
		}
		problem(path, text, v)
		ran()
	}
	judged(c.at(skeletonOf), c.isStart(exercise))
	judged(c.at(referenceOf), c.isRight)
	for _, path := range c.shaders(rightFolder) {
		judged(path, c.isRight)
	}
	for _, path := range c.shaders(wrongFolder) {
		judged(path, c.isWrong)
	}
	c.alike(ctx, on, exercise)
}

// judgeCases judges the cases in the folder of an exercise of kind BreakIt.
func (c *check) judgeCases(ctx context.Context, on shader.Engines, exercise *course.Exercise, ran func()) {
	for _, path := range slices.Concat([]string{c.at(skeletonOf)}, c.shaders(rightFolder), c.shaders(wrongFolder)) {
		text := c.read(path)
		v, err := judge.Run(ctx, on, exercise, shader.Read(path, text), testSeed)
		if err != nil {
			c.err = fmt.Errorf("checking %s: %w", path, err)
			return
		}
		ran()
		named := course.Diagnosis(text)
		switch isRight := slices.Contains(c.shaders(rightFolder), path); {
		case isRight && !v.Passed():
			c.report(path, v.Line, "this case has to break the shader, but: %s", v.Message)
		case path == c.at(skeletonOf) && v.Slug != verdict.Stub:
			c.report(path, v.Line, "learners start with this case, so the shader has to survive it, but: %s", v.Message)
		case !isRight && path != c.at(skeletonOf) && (v.Passed() || v.Slug != named):
			c.report(path, v.Line, "it names the diagnosis %q, but gets %q: %s", named, v.Slug, v.Message)
		}
	}
}

// isStart returns what requires that a skeleton is where learners start.
func (c *check) isStart(e *course.Exercise) func(path, text string, v *verdict.Verdict) {
	return func(path, _ string, v *verdict.Verdict) {
		switch {
		case e.Kind == course.FindBug && v.Slug != verdict.Unnamed:
			c.report(path, v.Line, "learners start to look for the bug here, so it has to go wrong, but: %s", v.Message)
		case e.Kind != course.FindBug && v.Slug != verdict.Stub:
			c.report(path, v.Line, "this is where learners start, so it may not write anything, but: %s", v.Message)
		}
	}
}

func (c *check) isRight(path, _ string, v *verdict.Verdict) {
	if !v.Passed() {
		c.report(path, v.Line, "it has to pass, but: %s", v.Message)
	}
}

// thought matches the first comment of a wrong shader, up to what the learner thought.
var thought = regexp.MustCompile(`\A// diagnosis: [a-z0-9-]+\r?\n(?:// (?:title|why|ask|  ).*\n)*// \S`)

func (c *check) isWrong(path, text string, v *verdict.Verdict) {
	want := course.Diagnosis(text)
	for _, one := range v.Cases {
		c.told[one.Name] = c.told[one.Name] || !one.Pass
	}
	if course.Explains(text) {
		c.explained = append(c.explained, path)
		cases, err := json.Marshal(v.Cases)
		c.err = errors.Join(c.err, err)
		c.verdicts[path] = string(cases)
	}
	switch {
	case !thought.MatchString(text):
		c.report(path, 1, "it has to say what the learner thought, below its heading")
	case v.Passed():
		c.report(path, 1, "it passes every case: add a case in which it goes wrong")
	case v.Slug == "" && want != "none":
		c.report(path, 1, "it gets no diagnosis, but names %q: %s", want, v.Message)
	case v.Slug != "" && v.Slug != want:
		c.report(path, 1, "it gets the diagnosis %q, but names %q: %s", v.Slug, want, v.Message)
	}
}

// alike reports wrong shaders that leave the same values, but have different explanations: no
// learner's shader could be told from both. Verdicts rule out most pairs; the others run again.
func (c *check) alike(ctx context.Context, on shader.Engines, e *course.Exercise) {
	for i, path := range c.explained {
		for _, before := range c.explained[:i] {
			first, second := course.Diagnosis(c.read(before)), course.Diagnosis(c.read(path))
			if c.verdicts[before] != c.verdicts[path] || first == second || slices.Contains([]string{first, second}, e.WithoutSubgroups) {
				continue // what a shader calls tells those without subgroups
			}
			same, err := c.sameValues(ctx, on.Values, e, before, path)
			if err != nil {
				c.err = errors.Join(c.err, fmt.Errorf("comparing %s with %s: %w", path, before, err))
				return
			}
			if same {
				c.report(path, 1, "it leaves the same values as %s: add a case that separates them", before)
			}
		}
	}
}

// sameValues reports whether two shaders leave the same values in all cases.
func (c *check) sameValues(ctx context.Context, on shader.Backend, e *course.Exercise, paths ...string) (bool, error) {
	var left [2][]byte
	for i, path := range paths {
		source := shader.Read(path, c.read(path))
		program, err := e.Compile(ctx, on, source)
		if err != nil {
			return false, err
		}
		defer program.Free()
		for _, drawn := range e.Draw(testSeed) {
			d, err := e.Dispatched(drawn, source)
			if err != nil {
				return false, err
			}
			result, err := program.Run(ctx, d)
			if err != nil {
				return false, err
			}
			for _, l := range result.All() {
				left[i] = append(left[i], l.Output.Bytes...)
			}
		}
	}
	return bytes.Equal(left[0], left[1]), nil
}
