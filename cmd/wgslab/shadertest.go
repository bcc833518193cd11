package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/stated"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/junit"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/capture"
	"github.com/wgslab/wgslab/internal/observe/manifest"
	"github.com/wgslab/wgslab/internal/observe/vet"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func newTestCommand() *cobra.Command {
	var asked shaderTests
	command := &cobra.Command{
		Use:   "test [FILE|FOLDER…]",
		Short: "Run the tests beside your own shaders, without a GPU",
		Long: `Test runs the tests in files that end in _test.toml, in the given folders and all
below them (default: this one). The tests of scan.wgsl are in scan_test.toml. A case
compares with expected values, or with a slow shader that computes the same.

The simulator computes the values, and watches every access: a race or an access out of
bounds fails a test even if all values are right. Shaders with subgroups run with
subgroups of several sizes. --engine chooses a driver for the values instead.

The keys of a test file are those of an exercise.toml (exercises/README.md explains them
all), without what only learners need:

  reference = "slow-scan.wgsl"        # for cases without expected values
  dispatch = "cover"                  # or "each": a workgroup for each element
  extent = ["n"]
  output = "out"

  [[bindings]]
  name = "x"
  access = "read"
  type = "array<f32>"
  length = "n"
  fill = {floats = 10}

  [[bindings]]
  name = "out"
  access = "read_write"
  type = "array<f32>"
  length = "n"
  fill = {old = "nan"}

  [[cases]]
  sizes = {n = [1, 63, 64, 65, {from = 100, to = 2000}]}

  [[cases]]
  sizes = {n = 4}
  fill = {x = {value = [1, 2, 3, 4]}}
  expect = {out = [1, 3, 6, 10]}

A small test can also be a comment in the shader: what the bindings hold before the run,
an arrow (→ or ->), and what they hold afterwards. Enough workgroups run for the longest
list; workgroups = 2 and entry = NAME say otherwise. SIZE = 16 sets an override.

  // test: x = 1, 2, 3; scale = 2 → out = 2, 4, 6
  // test: x = 100 times 1 → sum = 100 within 0.001
  // test: luma(vec3(1, 1, 1)) → 1
  // test: photo = @photo.png; out = texture[64,64] → out = @blurred.png

The third calls a function. The last compares a texture with a picture, which --update
writes. A case in a test file says the same with bind = {…} in place of sizes and fill.

The dispatches of a capture of WebGPU Inspector are tests as well: they run with the buffers
of the page, also in other orders and with other subgroups. --dispatch N runs one of them.

Goals ([[cost]], with [large]) limit counted costs: a multiple of the reference's.

Exit codes: 0 all tests pass, 1 a test fails, 2 wrong usage or an unreadable test,
3 the requested engine is not available.`,
		Example: `  wgslab test
  wgslab test shaders/ --run 'scan|sum'
  wgslab test --junit report.xml --sarif report.sarif   # for CI
  wgslab test capture.wgpuc --dispatch 3
  wgslab test scan_test.toml --seed 7 # the same cases again
  wgslab test --json                  # for programs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("seed") {
				asked.seed = judge.FreshSeed()
			}
			var err error
			if asked.reader, err = asked.templates.reader(); err != nil {
				return err
			}
			return asked.all(cmd, args)
		},
	}
	flags := command.Flags()
	flags.StringVar(&asked.run, "run", "", "run only the tests whose FILE/TEST matches this regular expression")
	flags.Uint64Var(&asked.seed, "seed", 0, "seed of the cases (default: another each time)")
	flags.StringVar(&asked.engine, "engine", string(shader.Simulated), "what computes the values: simulator, cpu, gpu or auto")
	flags.BoolVar(&asked.update, "update", false, "write the expected pictures that differ, or that aren't there yet")
	flags.StringVar(&asked.junit, "junit", "", "also write a JUnit report to this file")
	flags.StringVar(&asked.sarif, "sarif", "", "also write what fails to this file, as SARIF for code hosts and editors")
	flags.IntVar(&asked.dispatch, "dispatch", 0, "run only this dispatch of a capture")
	flags.BoolVar(&asked.asJSON, "json", false, "print the results as JSON instead")
	addTemplateFlags(command, &asked.templates)
	flags.BoolVarP(&asked.verbose, "verbose", "v", false, "list tests that pass as well")
	return command
}

// shaderTests holds the options of the command line, and what the tests gave.
type shaderTests struct {
	run, engine, junit, sarif string
	seed                      uint64
	dispatch                  int // of captures; 0 for all
	verbose, update, asJSON   bool
	templates                 templateFlags
	reader                    *manifest.Reader

	passed, failed, unreadable int
	notes                      []string // on the test that just passed
	report                     junit.Outcomes
	results                    []testResult
	found                      []*vet.Report // what fails, for SARIF
}

func (asked *shaderTests) all(cmd *cobra.Command, args []string) error {
	chosen, err := regexp.Compile(asked.run)
	if err != nil {
		return fmt.Errorf("--run: %w", err)
	}
	kind, err := shader.ParseKind(asked.engine)
	if err != nil {
		return err
	}
	files, err := testFiles(args)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("there is no file that ends in %s here or below, and no shader with tests in comments: wgslab test --help shows both", course.TestSuffix)
	}
	on, err := engine.Open(cmd.Context(), kind)
	if err != nil {
		return err
	}
	defer on.Close()
	asked.report.Name = "wgslab test"
	said := cmd.OutOrStdout()
	if asked.asJSON {
		said = io.Discard
	}
	for _, file := range files {
		asked.file(cmd.Context(), on.Engines, file, chosen, said)
		if err := cmd.Context().Err(); err != nil {
			return &codedError{code: exitInterrupted}
		}
	}
	warnOfMistakes(cmd, asked.reader)
	return asked.conclude(cmd.OutOrStdout(), said)
}

// testFiles lists the files with tests in files and folders, sorted.
func testFiles(places []string) ([]string, error) {
	if len(places) == 0 {
		places = []string{"."}
	}
	var found []string
	for _, place := range places {
		info, err := os.Stat(place)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no file or folder %s", place)
		}
		if err != nil {
			return nil, fmt.Errorf("looking for tests: %w", err)
		}
		if !info.IsDir() {
			if !strings.HasSuffix(place, course.TestSuffix) && !hasComments(place) && !capture.IsFile(place) {
				return nil, fmt.Errorf("%s is no folder and no capture, does not end in %s, and has no comment such as // test: x = 1, 2 → out = 2, 4", place, course.TestSuffix)
			}
			found = append(found, place)
			continue
		}
		err = filepath.WalkDir(place, func(file string, entry fs.DirEntry, err error) error {
			name := entry.Name()
			switch {
			case err != nil:
				return err
			case entry.IsDir() && file != place && (strings.HasPrefix(name, ".") || name == "node_modules"):
				return filepath.SkipDir
			case !entry.IsDir() && (strings.HasSuffix(name, course.TestSuffix) || hasComments(file)):
				found = append(found, file)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking for tests: %w", err)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// hasComments reports whether a file is a shader with tests in comments.
func hasComments(file string) bool {
	if !isShader(file) {
		return false
	}
	text, err := shader.ReadFile(file)
	return err == nil && course.HasTests(text)
}

// A fileTest is a test of a file. It runs captured or stated if that isn't nil.
type fileTest struct {
	name     string
	source   *shader.Source // as the host passes it to WebGPU
	exercise *course.ShaderTest
	stated   *stated.Test
	captured *capturedTest

	unreadable error // why it can't run
}

// read reads a shader as the variant that the flags choose, or as its first one.
func (asked *shaderTests) read(file string) (*shader.Source, error) {
	text, err := learner.ReadShader(file)
	if err != nil {
		return nil, err
	}
	expanded, err := asked.reader.One(file, text)
	if err != nil {
		return nil, err
	}
	return shader.ReadSource(expanded.Source, types.AllFeatures), nil
}

// readTests reads the tests in a file.
func (asked *shaderTests) readTests(file string) (tests []fileTest, err error) {
	folder := filepath.Dir(file)
	if capture.IsFile(file) {
		return asked.dispatches(file)
	}
	if !strings.HasSuffix(file, course.TestSuffix) {
		return asked.commentTests(file, folder)
	}
	read, err := course.ReadTests(os.DirFS(folder), filepath.Base(file))
	if err != nil {
		return nil, err
	}
	for _, test := range read {
		source, err := asked.read(filepath.Join(folder, filepath.FromSlash(test.Shader)))
		if err != nil {
			return nil, err
		}
		one := fileTest{name: test.Name, exercise: &test, unreadable: test.Unreadable}
		if one.unreadable == nil {
			one.source, one.unreadable = course.Overridden(source, test.Overrides)
		}
		if one.unreadable == nil && test.Bound != nil {
			one.stated, one.unreadable = asked.boundTest(one.source, test, folder)
		}
		one.unreadable = course.Unset(source, one.unreadable, "override = {%s = …}")
		tests = append(tests, one)
	}
	return tests, nil
}

// commentTests reads the tests in a shader's comments.
func (asked *shaderTests) commentTests(file, folder string) (tests []fileTest, err error) {
	source, err := asked.read(file)
	if err != nil {
		return nil, err
	}
	for _, c := range course.Comments(source.Text) {
		written := source.Shader().Source
		if written.Region(written.Line(c.Line)).File != "" {
			continue // of an included file
		}
		one := fileTest{name: c.Name(source)}
		one.source, err = c.Overriding(source)
		if err == nil {
			one.exercise, err = c.Read(one.source)
		}
		if errors.Is(err, course.ErrBeyond) {
			one.stated, err = stated.ReadComment(one.source, c, folder)
		}
		one.unreadable = course.Unset(source, err, "// test: %s = …; …")
		tests = append(tests, one)
	}
	return tests, nil
}

// boundTest makes a test of a case that binds all itself.
func (asked *shaderTests) boundTest(source *shader.Source, test course.ShaderTest, folder string) (*stated.Test, error) {
	b := test.Bound
	c := stated.Case{Name: test.Name, Entry: b.Entry, Workgroups: b.Workgroups, Passes: b.Passes, Bind: b.Bind, Expect: b.Expect, Within: b.Within}
	if b.Reference != "" {
		reference, err := asked.read(filepath.Join(folder, filepath.FromSlash(b.Reference)))
		if err == nil && reference.Mistake() != nil {
			err = reference.Mistake()
		}
		if err != nil {
			return nil, fmt.Errorf("the reference %s: %w", b.Reference, err)
		}
		if c.Reference, err = course.OverriddenReference(reference, test.Overrides); err != nil {
			return nil, fmt.Errorf("the reference %s: %w", b.Reference, err)
		}
	}
	return stated.ReadCase(source, c, folder)
}

// file runs the tests of one file.
func (asked *shaderTests) file(ctx context.Context, on shader.Engines, file string, chosen *regexp.Regexp, out io.Writer) {
	suite := junit.Suite{Name: filepath.ToSlash(file), Properties: []junit.Property{{Name: "seed", Value: strconv.FormatUint(asked.seed, 10)}}}
	defer func() { asked.report.Add(suite) }()
	tests, err := asked.readTests(file)
	if err != nil {
		asked.unreadable++
		fmt.Fprintf(out, "✗ %s can't be read: %v\n", file, err)
		suite.Add(junit.TestCase{Name: path.Base(suite.Name), Class: suite.Name, Time: "0", Error: &junit.Detail{Message: err.Error(), Type: "unreadable"}})
		asked.results = append(asked.results, testResult{File: suite.Name, Outcome: "unreadable", Message: err.Error()})
		asked.found = append(asked.found, vet.Unread(file, err))
		return
	}
	defer closeCapture(tests)
	for _, test := range tests {
		if !chosen.MatchString(suite.Name + "/" + test.name) {
			continue
		}
		started := time.Now()
		c := junit.TestCase{Name: test.name, Class: suite.Name}
		asked.notes = nil
		failed, err := asked.one(ctx, on, test)
		took := time.Since(started)
		c.Time = strconv.FormatFloat(took.Seconds(), 'f', 3, 64)
		result := testResult{File: suite.Name, Test: test.name, Outcome: "passed", Milliseconds: took.Milliseconds(), Message: strings.Join(asked.notes, " ")}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			asked.unreadable++
			result.Outcome, result.Message = "unreadable", err.Error()
			fmt.Fprintf(out, "✗ %s, %s: %v\n", file, test.name, err)
			c.Error = &junit.Detail{Message: err.Error(), Type: "unreadable"}
			asked.found = append(asked.found, vet.Unread(file, err))
		case failed != nil:
			asked.failed++
			result.fail(failed)
			fmt.Fprintf(out, "✗ %s, %s\n%s\n\n", file, test.name, failed.text)
			c.Failure = &junit.Detail{Message: failed.why, Type: string(failed.kind), Text: failed.text}
			asked.found = append(asked.found, failed.finding(file, test.name))
		default:
			asked.passed++
			if asked.verbose || len(asked.notes) > 0 {
				fmt.Fprintf(out, "✓ %s, %s (%s s)\n", file, test.name, c.Time)
			}
			for _, note := range asked.notes {
				fmt.Fprintf(out, "  %s\n", note)
			}
		}
		suite.Add(c)
		asked.results = append(asked.results, result)
	}
}

// one runs a test, and returns nil if it passes.
func (asked *shaderTests) one(ctx context.Context, on shader.Engines, test fileTest) (*failedTest, error) {
	switch {
	case test.unreadable != nil:
		return nil, test.unreadable
	case test.captured != nil:
		return asked.testDispatch(ctx, test.captured)
	case test.stated != nil:
		return asked.stated(ctx, test.stated)
	}
	for _, entry := range test.exercise.Exercise.Entries() {
		_, err := test.source.At(entry).Module()
		if unset := course.Unset(test.source, err, "override = {%s = …}"); unset != err {
			return nil, unset
		}
	}
	return asked.judged(ctx, on, test.source, *test.exercise)
}

// stated runs a test on all that it binds, and writes its pictures.
func (asked *shaderTests) stated(ctx context.Context, test *stated.Test) (*failedTest, error) {
	out, err := test.Run(ctx, asked.update)
	if err != nil {
		return nil, err
	}
	asked.notes = append(asked.notes, out.Notes...)
	if asked.engine != string(shader.Simulated) {
		asked.notes = append(asked.notes, "The simulator ran it: on a device, tests bind only arrays of numbers in @group(0).")
	}
	if err := atomicfile.WriteAll(out.Files, 0o644); err != nil {
		return nil, fmt.Errorf("writing a picture: %w", err)
	}
	if out.Failure == nil {
		return nil, nil
	}
	return failedWith(out.Failure), nil
}

// judged runs a test that is like an exercise's check.
func (asked *shaderTests) judged(ctx context.Context, on shader.Engines, read *shader.Source, test course.ShaderTest) (failed *failedTest, err error) {
	if _, err := test.Exercise.Reference(); err != nil {
		return nil, err
	}
	var v *verdict.Verdict
	if test.States {
		v, err = judge.Run(ctx, on, test.Exercise, read, asked.seed)
	} else {
		v, err = judge.Explain(ctx, on, test.Exercise, read, asked.seed, nil)
	}
	switch {
	case err != nil:
		return nil, err
	case !v.Passed():
		failed = failedAs(read, v)
		failed.text += asked.smallest(ctx, on, test, read, v.Slug)
		return failed, nil
	}
	if v.Note != "" {
		asked.notes = append(asked.notes, v.Note)
	}
	if v.Remark != "" {
		asked.notes = append(asked.notes, v.Remark)
	}
	if len(test.Exercise.Goals) == 0 {
		return nil, nil
	}
	return overTheGoals(ctx, test.Exercise, read)
}

// searching limits the search for the smallest size that fails.
const searching = 3 * time.Second

// smallest says which is the smallest size that fails: of a range, of the sizes that the test lists
// beside it, or below all of these if it fails there in the same way. It returns "" if there is no
// range, or if the search takes too long.
func (asked *shaderTests) smallest(ctx context.Context, on shader.Engines, test course.ShaderTest, source *shader.Source, diagnosis string) string {
	ctx, cancel := context.WithTimeout(ctx, searching)
	defer cancel()
	for _, r := range test.Ranges {
		for n := 1; n <= r.To; n++ {
			exercise, err := r.At(n)
			if err != nil {
				continue
			}
			v, err := judge.Run(ctx, on, exercise, source, asked.seed)
			if ctx.Err() != nil {
				return ""
			}
			meant := n >= r.From || slices.Contains(r.Listed, n)
			if err != nil || v.Passed() || !meant && v.Slug != diagnosis {
				continue
			}
			of := ""
			if n >= r.From {
				of = fmt.Sprintf(", of %d to %d", r.From, r.To)
			}
			return fmt.Sprintf("\n\n  The smallest size that fails: %s = %d%s.", r.Name, n, of)
		}
	}
	return ""
}

// conclude writes the reports and says how many tests passed.
func (asked *shaderTests) conclude(out, said io.Writer) error {
	if err := saveReport(asked.junit, asked.report.Write); err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	if err := saveReport(asked.sarif, func(w io.Writer) error { return vet.SARIF(w, asked.found) }); err != nil {
		return fmt.Errorf("writing the SARIF report: %w", err)
	}
	if asked.asJSON {
		if err := asked.printJSON(out); err != nil {
			return fmt.Errorf("writing the results: %w", err)
		}
	}
	fmt.Fprintf(said, "%s passed, %d failed", english.Count(asked.passed, "test", "tests"), asked.failed)
	if asked.unreadable > 0 {
		fmt.Fprintf(said, ", %d could not run", asked.unreadable)
	}
	fmt.Fprintf(said, " (seed %d)\n", asked.seed)
	switch {
	case asked.unreadable > 0:
		return &codedError{code: exitAsked}
	case asked.failed > 0:
		return &codedError{code: exitNotRight}
	case asked.passed == 0:
		return &codedError{exitAsked, fmt.Errorf("no test matches --run %q", asked.run)}
	}
	return nil
}
