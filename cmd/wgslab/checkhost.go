package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/host/script"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/page/assets"
	"github.com/wgslab/wgslab/internal/ground/repository"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A hostFile is a learner's program for an exercise of the host's calls. Its path is absolute.
type hostFile struct {
	host.HandInFile

	beside host.Companion // what it gets from the learner's host file, in Go
}

// findHostFile reads the program that the arguments name: FILE, or the one in work/.
func findHostFile(exercise *course.Exercise, args []string) (*hostFile, error) {
	f := &hostFile{HandInFile: host.HandInFile{Exercise: exercise}}
	var err error
	if len(args) == 2 {
		f.Path = args[1]
		f.Text, err = shader.ReadFile(f.Path)
	} else {
		f.Path, f.Text, err = learner.ProgramIn(workFolder(), exercise.ID)
	}
	switch {
	case err != nil && errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s", f.Path)
	case err != nil:
		return nil, err
	case f.Path == "":
		return nil, fmt.Errorf("there is no %s.go or %s.js in %s yet: run its check cell in the notebook of lesson %d, or name a file", exercise.ID, exercise.ID, workFolder(), exercise.Lesson)
	}
	if ext := filepath.Ext(f.Path); ext != ".go" && ext != ".js" {
		return nil, fmt.Errorf("%s is neither Go nor JavaScript: %s is written in a file NAME.go or NAME.js", f.Path, exercise.ID)
	}
	f.Path, err = filepath.Abs(f.Path)
	return f, err
}

// check runs the program and judges it. It works in the folder that has work/, because the shaders
// are there.
func (f *hostFile) check(cmd *cobra.Command, kind shader.AdapterKind, seed uint64) (none host.HostReport, err error) {
	folder, err := filepath.Abs(filepath.Dir(workFolder()))
	if err != nil {
		return none, fmt.Errorf("finding your shaders: %w", err)
	}
	if wrong := f.Unreadable(seed); wrong != nil {
		return reportOnFile(wrong), nil
	}
	if filepath.Ext(f.Path) == ".js" {
		j, err := f.checkScript(cmd.Context(), folder, kind, seed)
		return host.ReportOn(j), err
	}
	return f.checkGo(cmd, folder, kind, seed)
}

// buildsFirst says why a check of a program in Go takes long.
const buildsFirst = "Go builds your program first, which may take some seconds."

// engineVariable names the engine for everything that runs without a flag of its own.
const engineVariable = "WGSLAB_ENGINE"

// checkScript runs a program in JavaScript in this process.
func (f *hostFile) checkScript(ctx context.Context, folder string, kind shader.AdapterKind, seed uint64) (*host.JudgedHandIn, error) {
	here, err := os.Getwd()
	if err == nil {
		err = os.Chdir(folder)
	}
	if err != nil {
		return nil, fmt.Errorf("finding your shaders: %w", err)
	}
	defer func() { _ = os.Chdir(here) }()
	if kind != shader.Best {
		defer os.Setenv(engineVariable, os.Getenv(engineVariable))
		os.Setenv(engineVariable, string(kind))
	}
	if err := script.Open(assets.HostScript); err != nil {
		return nil, err
	}
	var c script.Checker
	return untilDone(ctx, func() (*host.JudgedHandIn, error) {
		return c.Check(ctx, f.Exercise.ID, &script.Program{File: f.Path, Text: f.Text, Kind: kind}, seed)
	})
}

// untilDone judges, until the context ends: a program that never returns ends with this process.
func untilDone(ctx context.Context, judge func() (*host.JudgedHandIn, error)) (*host.JudgedHandIn, error) {
	type outcome struct {
		judged *host.JudgedHandIn
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		judged, err := judge()
		done <- outcome{judged, err}
	}()
	select {
	case o := <-done:
		return o.judged, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// checkGo builds a program of the learner's file and the course's packages, and runs it.
func (f *hostFile) checkGo(cmd *cobra.Command, folder string, kind shader.AdapterKind, seed uint64) (none host.HostReport, err error) {
	if wrong := f.NotGo(seed); wrong != nil {
		return reportOnFile(wrong), nil
	}
	own, err := host.OwnFile(workFolder(), f.Path)
	if err == nil {
		f.beside, err = host.GoCompanion(f.Source(), own)
	}
	if err != nil {
		return none, err
	}
	root, err := repository.Root(".")
	if err != nil {
		return none, fmt.Errorf("a program in Go is built with the packages of the course's clone: %w", err)
	}
	scratch, err := os.MkdirTemp("", "wgslab-check-")
	if err != nil {
		return none, fmt.Errorf("making a folder to build your program in: %w", err)
	}
	defer os.RemoveAll(scratch)
	env := goEnvironment(root)
	if isTerminal(cmd.ErrOrStderr()) {
		waits := time.AfterFunc(slowly, func() { fmt.Fprintln(cmd.ErrOrStderr(), buildsFirst) })
		defer waits.Stop()
	}
	binary, wrong, err := f.build(cmd.Context(), root, scratch, env, seed)
	if err != nil || wrong != nil {
		return reportOnFile(wrong), err
	}
	order := host.HostOrder{Report: filepath.Join(scratch, "report.json"), Seed: seed}
	run := exec.CommandContext(cmd.Context(), binary)
	run.Dir, run.Env = folder, append(env, order.Environ(), engineVariable+"="+string(kind))
	if kind == shader.Best {
		run.Env = append(env, order.Environ())
	}
	var said bytes.Buffer
	run.Stdout, run.Stderr, run.WaitDelay = cmd.ErrOrStderr(), &said, time.Second // stdout is the verdict's
	ended := run.Run()
	r, err := host.ReadReport(order.Report)
	switch {
	case cmd.Context().Err() != nil:
		return none, cmd.Context().Err()
	case err != nil:
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return none, &codedError{exitNotRight, fmt.Errorf("%s ended without a verdict (%w): %s", filepath.Base(f.Path), ended, first)}
	case r.NoAdapter:
		return none, &codedError{exitNoAdapter, errors.New(r.Problem)}
	case r.Misfit:
		function := f.Declaration(f.Exercise.Host.Function)
		return reportOnFile(f.Refused(r.Problem, function.Line, function.Column, seed)), nil
	case r.Problem != "":
		return none, &codedError{exitNotRight, errors.New(r.Problem)}
	}
	_, _ = cmd.ErrOrStderr().Write(said.Bytes())
	if whose := f.beside.Whose(); whose != nil && !f.Exercise.Host.Piece {
		r.Below = "\n" + view.Text(whose) + "\n" + r.Below
	}
	return r, nil
}

// goEnvironment returns the environment in which the notebooks' cells are built, or this process's
// own if the notebooks aren't installed.
func goEnvironment(root string) []string {
	env, flags := os.Environ(), "-buildvcs=false"
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(repository.SetUp(root), ".venv"))
	if err == nil {
		for name, value := range spec.Environ() {
			env = append(env, name+"="+value)
		}
		flags += " " + spec.Environ()["GOFLAGS"] // the notebooks' linker
	}
	return append(env, "GOFLAGS="+flags, "GOTOOLCHAIN=local", "GOWORK=off")
}

// build compiles the program. wrong is the verdict on a file that doesn't compile.
func (f *hostFile) build(ctx context.Context, root, scratch string, env []string, seed uint64) (binary string, wrong *verdict.Verdict, err error) {
	call := fmt.Sprintf("check.Host(%q, %s)", f.Exercise.ID, f.Exercise.Host.Function)
	replace, texts := map[string]string{}, map[string]string{
		"main.go": "package main\n\nimport \"" + module + "/pkg/check\"\n\nfunc main() { " + call + " }\n", "learner.go": f.Source(),
	}
	if !f.beside.Empty() {
		own, err := filepath.Abs(filepath.Join(workFolder(), filepath.Base(host.GoFile)))
		if err != nil {
			return "", nil, fmt.Errorf("finding your host file: %w", err)
		}
		texts["host.go"] = f.beside.Go(own)
	}
	for name, text := range texts {
		real := filepath.Join(scratch, name)
		if err := os.WriteFile(real, []byte(text), 0o600); err != nil {
			return "", nil, fmt.Errorf("writing the program to build: %w", err)
		}
		replace[filepath.Join(root, "pkg", "check", "hostprogram", name)] = real
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", nil, err
	}
	list := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", nil, fmt.Errorf("writing the program to build: %w", err)
	}
	binary = filepath.Join(scratch, "program")
	command := exec.CommandContext(ctx, goCommand(env), "build", "-overlay="+list, "-o", binary, "./pkg/check/hostprogram")
	command.Dir, command.Env = root, env
	said, err := command.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return "", nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return "", nil, errors.New("there is no go command, which builds your program: run make setup in the course's clone, or install Go")
	case err != nil:
		if wrong = f.CompilerVerdict(string(said), seed); wrong == nil {
			err = fmt.Errorf("building your program: %w\n%s", err, bytes.TrimSpace(said))
			return "", nil, err
		}
		return "", wrong, nil
	}
	return binary, nil, nil
}

// goCommand returns the path of the go command in an environment's PATH.
func goCommand(env []string) string {
	name := "go"
	for _, entry := range env {
		path, found := strings.CutPrefix(entry, "PATH=")
		for _, folder := range filepath.SplitList(path) {
			if file := filepath.Join(folder, "go"); found && isProgram(file) {
				name = file
				break
			}
		}
	}
	return name
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// module is the path of the course's module.
const module = "github.com/wgslab/wgslab"

// reportOnFile is the report on a file that can't be run, or an empty one for nil.
func reportOnFile(wrong *verdict.Verdict) host.HostReport {
	if wrong == nil {
		return host.HostReport{}
	}
	return host.ReportOn(&host.JudgedHandIn{Verdict: wrong})
}
