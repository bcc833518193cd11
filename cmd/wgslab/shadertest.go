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
	"github.com/wgslab/wgslab/internal/cost"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/english"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/judge/workdir"
	"github.com/wgslab/wgslab/internal/junit"
	"github.com/wgslab/wgslab/internal/shader"
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

Goals ([[cost]], with [large]) limit counted costs: a multiple of the reference's.

Exit codes: 0 all tests pass, 1 a test fails, 2 wrong usage or an unreadable test,
3 the requested engine is not available.`,
		Example: `  wgslab test
  wgslab test shaders/ --run 'scan|sum'
  wgslab test --junit report.xml      # for CI
  wgslab test scan_test.toml --seed 7 # the same cases again`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("seed") {
				asked.seed = judge.FreshSeed()
			}
			return asked.all(cmd, args)
		},
	}
	flags := command.Flags()
	flags.StringVar(&asked.run, "run", "", "run only the tests whose FILE/TEST matches this regular expression")
	flags.Uint64Var(&asked.seed, "seed", 0, "seed of the cases (default: another each time)")
	flags.StringVar(&asked.engine, "engine", string(shader.Simulated), "what computes the values: simulator, cpu, gpu or auto")
	flags.StringVar(&asked.junit, "junit", "", "also write a JUnit report to this file")
	flags.BoolVarP(&asked.verbose, "verbose", "v", false, "list tests that pass as well")
	return command
}

// shaderTests holds the options of the command line, and what the tests gave.
type shaderTests struct {
	run, engine, junit string
	seed               uint64
	verbose            bool

	passed, failed, unreadable int
	report                     junit.Outcomes
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
		return fmt.Errorf("there is no file that ends in %s here or below: wgslab test --help shows one", course.TestSuffix)
	}
	on, err := engine.Open(cmd.Context(), kind)
	if err != nil {
		return err
	}
	defer on.Close()
	asked.report.Name = "wgslab test"
	for _, file := range files {
		asked.file(cmd.Context(), on.Engines, file, chosen, cmd.OutOrStdout())
		if err := cmd.Context().Err(); err != nil {
			return &codedError{code: exitInterrupted}
		}
	}
	return asked.conclude(cmd.OutOrStdout())
}

// testFiles lists the files with tests in files and folders, sorted.
func testFiles(places []string) ([]string, error) {
	if len(places) == 0 {
		places = []string{"."}
	}
	var found []string
	for _, place := range places {
		if strings.HasSuffix(place, course.TestSuffix) {
			found = append(found, place)
			continue
		}
		info, err := os.Stat(place)
		if err != nil {
			return nil, fmt.Errorf("looking for tests: %w", err)
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder, and does not end in %s", place, course.TestSuffix)
		}
		err = filepath.WalkDir(place, func(file string, entry fs.DirEntry, err error) error {
			name := entry.Name()
			switch {
			case err != nil:
				return err
			case entry.IsDir() && file != place && (strings.HasPrefix(name, ".") || name == "node_modules"):
				return filepath.SkipDir
			case !entry.IsDir() && strings.HasSuffix(name, course.TestSuffix):
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

// file runs the tests of one file.
func (asked *shaderTests) file(ctx context.Context, on shader.Engines, file string, chosen *regexp.Regexp, out io.Writer) {
	suite := junit.Suite{Name: filepath.ToSlash(file), Properties: []junit.Property{{Name: "seed", Value: strconv.FormatUint(asked.seed, 10)}}}
	defer func() { asked.report.Add(suite) }()
	tests, err := course.ReadTests(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		asked.unreadable++
		fmt.Fprintf(out, "✗ %s can't be read: %v\n", file, err)
		suite.Add(junit.Case{Name: path.Base(suite.Name), Class: suite.Name, Time: "0", Error: &junit.Detail{Message: err.Error(), Type: "unreadable"}})
		return
	}
	for _, test := range tests {
		if !chosen.MatchString(suite.Name + "/" + test.Name) {
			continue
		}
		started := time.Now()
		c := junit.Case{Name: test.Name, Class: suite.Name}
		why, text, err := asked.one(ctx, on, filepath.Join(filepath.Dir(file), filepath.FromSlash(test.Shader)), test)
		c.Time = strconv.FormatFloat(time.Since(started).Seconds(), 'f', 3, 64)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			asked.unreadable++
			fmt.Fprintf(out, "✗ %s, %s: %v\n", file, test.Name, err)
			c.Error = &junit.Detail{Message: err.Error(), Type: "unreadable"}
		case why != "":
			asked.failed++
			fmt.Fprintf(out, "✗ %s, %s\n%s\n\n", file, test.Name, text)
			c.Failure = &junit.Detail{Message: why, Type: "failure", Text: text}
		default:
			asked.passed++
			if asked.verbose {
				fmt.Fprintf(out, "✓ %s, %s (%s s)\n", file, test.Name, c.Time)
			}
		}
		suite.Add(c)
	}
}

// one runs a test. If it fails, why is a sentence, and text the whole explanation.
func (asked *shaderTests) one(ctx context.Context, on shader.Engines, file string, test course.ShaderTest) (why, text string, err error) {
	source, err := workdir.ReadShader(file)
	if err != nil {
		return "", "", err
	}
	if _, err := test.Exercise.Reference(); err != nil {
		return "", "", err
	}
	read := shader.Read(file, source)
	var v *verdict.Verdict
	if test.States {
		v, err = judge.Run(ctx, on, test.Exercise, read, asked.seed)
	} else {
		v, err = judge.Explain(ctx, on, test.Exercise, read, asked.seed, nil)
	}
	if err != nil {
		return "", "", err
	}
	if !v.Passed() {
		return v.Message, likelyPlace(file, v) + v.Facts() + asked.smallest(ctx, on, test, read), nil
	}
	if len(test.Exercise.Goals) == 0 {
		return "", "", nil
	}
	return overTheGoals(ctx, test.Exercise, read)
}

// searching limits the search for the smallest size that fails.
const searching = 3 * time.Second

// smallest says which is the smallest size of a range that fails; "" if there is none, or if the
// search takes too long.
func (asked *shaderTests) smallest(ctx context.Context, on shader.Engines, test course.ShaderTest, source *shader.Source) string {
	ctx, cancel := context.WithTimeout(ctx, searching)
	defer cancel()
	for _, r := range test.Ranges {
		for n := r.From; n <= r.To; n++ {
			exercise, err := r.At(n)
			if err != nil {
				break
			}
			v, err := judge.Run(ctx, on, exercise, source, asked.seed)
			if err != nil {
				return ""
			}
			if !v.Passed() {
				return fmt.Sprintf("\n\n  The smallest size that fails: %s = %d, of %d to %d.", r.Name, n, r.From, r.To)
			}
		}
	}
	return ""
}

// likelyPlace names the most likely place of the mistake as compilers do; "" if there is none.
func likelyPlace(file string, v *verdict.Verdict) string {
	told := []verdict.Place{{Line: v.Line, Column: v.Column}}
	if v.Diagnosis == "" { // the facts tell the first reason
		for _, reason := range slices.Backward(v.Reasons) {
			told = slices.Insert(told, 0, verdict.Place{Line: reason.Line, Column: reason.Column})
		}
	}
	for _, at := range append(told, v.Places...) {
		if at.Line > 0 {
			return fmt.Sprintf("  %s:%d:%d\n", file, at.Line, max(1, at.Column))
		}
	}
	return ""
}

// overTheGoals says which counts are over their limits.
func overTheGoals(ctx context.Context, exercise *course.Exercise, source *shader.Source) (why, text string, err error) {
	marks, _, err := cost.Goals(ctx, exercise, source)
	if err != nil {
		return "", "", fmt.Errorf("counting the costs: %w", err)
	}
	var missed []string
	for _, mark := range marks {
		if !mark.Reached {
			missed = append(missed, mark.Name+mark.Why())
		}
	}
	if len(missed) == 0 {
		return "", "", nil
	}
	return "over its limit: " + missed[0], "  All values are right. These costs are over their limits:\n  " + strings.Join(missed, "\n  "), nil
}

// conclude writes the report and says how many tests passed.
func (asked *shaderTests) conclude(out io.Writer) error {
	if asked.junit != "" {
		file, err := os.Create(asked.junit)
		if err == nil {
			err = errors.Join(asked.report.Write(file), file.Close())
		}
		if err != nil {
			return fmt.Errorf("writing the JUnit report: %w", err)
		}
	}
	fmt.Fprintf(out, "%s passed, %d failed", english.Count(asked.passed, "test", "tests"), asked.failed)
	if asked.unreadable > 0 {
		fmt.Fprintf(out, ", %d could not run", asked.unreadable)
	}
	fmt.Fprintf(out, " (seed %d)\n", asked.seed)
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
