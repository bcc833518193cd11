package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/capture"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A fileRun says what to run of a file without an exercise: a shader with what is typed, a dispatch
// of a capture with what the capture holds, or a shader of a log.
type fileRun struct {
	anyshader.ShaderRun
	templates        templateFlags
	dispatch, logged int
}

// withFile says with what the flags of a run work.
const withFile = "with a file instead of an exercise"

// ownFile returns the file without an exercise that the arguments of a command name, alone or after
// a dash. It returns "" if they begin with an exercise's ID, which wins over a file of that name.
func ownFile(args []string) (file string, err error) {
	if args[0] == "-" {
		if len(args) == 1 {
			return "", &codedError{exitAsked, errors.New("name the shader's file after the dash")}
		}
		return args[1], nil
	}
	var unknown *course.UnknownError
	if _, err := course.Find(args[0]); !errors.As(err, &unknown) || !looksLikeFile(args[0]) {
		return "", nil
	}
	if len(args) > 1 {
		return "", &codedError{exitAsked, fmt.Errorf("%s is a file and no exercise, so nothing may follow it: name one shader", args[0])}
	}
	return args[0], nil
}

// looksLikeFile reports whether an argument means a file, which may be gone.
func looksLikeFile(arg string) bool {
	_, err := os.Stat(arg)
	return err == nil || isShader(arg) || filepath.Ext(arg) == ".wgpuc" || strings.ContainsAny(arg, `/\`)
}

// addFileFlags adds the flags that choose from a capture or a log, and those of templates.
func addFileFlags(command *cobra.Command, run *fileRun) {
	addTemplateFlags(command, &run.templates)
	command.Flags().IntVar(&run.dispatch, "dispatch", 0, "the dispatch of a capture to run, by its number in wgslab open")
	command.Flags().IntVar(&run.logged, "shader", 0, "the shader of a log to run, by its number in wgslab open")
}

// typed are the flags that describe what a capture holds.
var typed = slices.Concat(templateFlagNames, []string{"entry", "workgroups", "pass", "bind", "override", "shader"})

// read prepares what a file has to run. captured is nil if it isn't a dispatch of a capture.
func (run *fileRun) read(cmd *cobra.Command, path string) (d *anyshader.Dispatches, captured *capture.ReadyDispatch, err error) {
	if capture.IsFile(path) {
		if captured, err = run.prepare(cmd, path); err != nil {
			return nil, nil, err
		}
		return captured.Dispatches, captured, nil
	}
	if err := refuseFlags(cmd, "with a capture, which "+path+" isn't", "dispatch"); err != nil {
		return nil, nil, &codedError{exitAsked, err}
	}
	name, text, err := run.text(cmd, path)
	if err != nil {
		return nil, nil, err
	}
	source, err := run.templates.shader(cmd, name, text, types.AllFeatures)
	if err != nil {
		return nil, nil, err
	}
	run.Dashes = "--"
	d, err = run.Read(source)
	return d, nil, err
}

// text reads the shader in a file, or one of a log.
func (run *fileRun) text(cmd *cobra.Command, path string) (name, text string, err error) {
	if cmd.Flags().Changed("shader") {
		all, err := capture.OpenLog(path)
		if err != nil {
			return "", "", fmt.Errorf("reading the log: %w", err)
		}
		s, err := capture.FindLogged(all, path, run.logged)
		if err != nil {
			return "", "", err
		}
		if s.Workgroups != "" && !cmd.Flags().Changed("workgroups") {
			run.Workgroups = s.Workgroups
		}
		return s.File(), s.Text, nil
	}
	if err = ofHost(path); err != nil {
		return "", "", err
	}
	if text, err = shader.ReadFile(path); err != nil {
		return "", "", fmt.Errorf("reading the shader: %w", err)
	}
	if capture.ReadLog(text) != nil {
		return "", "", fmt.Errorf("%s is a log with shaders: choose one with --shader N; wgslab open %s lists them", path, path)
	}
	return path, text, nil
}

// prepare prepares a dispatch of a capture, and says what the capture doesn't tell.
func (run *fileRun) prepare(cmd *cobra.Command, path string) (*capture.ReadyDispatch, error) {
	if err := refuseFlags(cmd, "with a shader: the capture has it for each dispatch. wgslab open --extract writes the parts as files", typed...); err != nil {
		return nil, &codedError{exitAsked, err}
	}
	c, closeFile, err := capture.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer closeFile()
	number := run.dispatch
	if !cmd.Flags().Changed("dispatch") {
		if number = 1; len(c.Dispatches) > 1 {
			return nil, &codedError{exitAsked, fmt.Errorf("%s is a capture with %d dispatches: choose one with --dispatch N; wgslab open %s lists them", path, len(c.Dispatches), path)}
		}
	}
	d, err := c.Find(number)
	if err != nil {
		return nil, &codedError{exitAsked, err}
	}
	p, err := c.Prepare(cmd.Context(), d)
	if err != nil {
		return nil, &codedError{exitNotRight, err}
	}
	for _, note := range p.Notes {
		fmt.Fprintln(cmd.ErrOrStderr(), note)
	}
	return p, nil
}

// title names what runs.
func title(path string, captured *capture.ReadyDispatch) string {
	return fmt.Sprintf("%s, dispatch %d", filepath.Base(path), captured.Dispatch.Number)
}

// A capturedTest is a dispatch of a capture as a test.
type capturedTest struct {
	*capture.Dispatch
	of    *capture.Capture
	close func() error // of the file, which all tests of a capture share
}

// dispatches returns the dispatches of a capture as tests.
func (asked *shaderTests) dispatches(file string) (all []fileTest, err error) {
	c, closeFile, err := capture.OpenFile(file)
	if err != nil {
		return nil, err
	}
	chosen := c.Dispatches
	if asked.dispatch != 0 || len(chosen) == 0 {
		d, err := c.Find(asked.dispatch)
		if err != nil {
			return nil, errors.Join(err, closeFile())
		}
		chosen = []*capture.Dispatch{d}
	}
	for _, d := range chosen {
		all = append(all, fileTest{name: fmt.Sprintf("dispatch %d, %s", d.Number, d.Pipeline), captured: &capturedTest{d, c, closeFile}})
	}
	return all, nil
}

// closeCapture closes the file that the tests read, if it is a capture.
func closeCapture(tests []fileTest) {
	if len(tests) > 0 && tests[0].captured != nil {
		_ = tests[0].captured.close() // it was only read
	}
}

// testDispatch runs a dispatch, and returns nil if nothing is wrong.
func (asked *shaderTests) testDispatch(ctx context.Context, test *capturedTest) (*failedTest, error) {
	p, err := test.of.Prepare(ctx, test.Dispatch)
	if err != nil {
		return nil, err
	}
	wrong, notes, err := p.Test(ctx)
	if wrong == nil || err != nil {
		asked.notes = append(p.Notes, notes...)
		return nil, err
	}
	f := &failedTest{shader: p.Source, kind: wrong.Kind, why: english.Sentence(wrong.Message), text: "  " + english.Sentence(wrong.Message)}
	if wrong.Line > 0 {
		line, _ := p.Source.Line(wrong.Line)
		f.text = fmt.Sprintf("  %s:%d:%d\n%s\n%s", p.Source.Name, wrong.Line, wrong.Column, f.text, wrong.Excerpt(line))
		f.places = []verdict.Place{{Line: wrong.Line, Column: wrong.Column}}
	}
	return f, nil
}

// withinFiles puts the shaders of captures and logs in place of their files.
func withinFiles(given []givenShader) (all []givenShader) {
	for _, g := range given {
		if several := shadersWithin(g.path); several != nil {
			all = append(all, several...)
		} else {
			all = append(all, g)
		}
	}
	return all
}

// shadersWithin returns the shaders of a capture or a log; nil for any other file.
func shadersWithin(path string) (all []givenShader) {
	if path == standardInput || isShader(path) {
		return nil
	}
	if capture.IsFile(path) {
		c, closeFile, err := capture.OpenFile(path)
		if err != nil {
			return []givenShader{{path: path, name: path, err: err}}
		}
		defer closeFile()
		for _, s := range c.Shaders() {
			all = append(all, givenShader{path: path, name: path + ": " + s.Name, text: s.Text})
		}
		return all
	}
	logged, _ := capture.OpenLog(path) // the caller knows already what can't be read
	for _, s := range logged {
		all = append(all, givenShader{path: path, name: path + ": " + s.File(), text: s.Text})
	}
	return all
}
