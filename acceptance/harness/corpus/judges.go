package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// An opinion is another compiler's verdict on a shader.
type opinion int

const (
	noAnswer opinion = iota
	accepts
	refuses
)

// A judge is another compiler. It answers by an outcome that its project keeps beside the shader,
// or by running, if it is on PATH.
type judge struct {
	name      string
	arguments []string // before the file
	program   string   // its path, or "" if it is not on PATH
	kept      func(path string) opinion
}

// judges returns Tint and naga, as far as this machine has them.
func judges() []judge {
	list := []judge{
		{name: "tint", arguments: []string{"--format", "wgsl"}, kept: tintKept},
		{name: "naga", kept: nagaKept},
	}
	for i := range list {
		list[i].program, _ = exec.LookPath(list[i].name)
	}
	return list
}

// answer returns the judge's verdict. A kept outcome goes first: it is the project's own.
func (j judge) answer(ctx context.Context, path string) opinion {
	if kept := j.kept(path); kept != noAnswer {
		return kept
	}
	if j.program == "" {
		return noAnswer
	}
	command := exec.CommandContext(ctx, j.program, append(j.arguments, path)...)
	err := command.Run()
	switch {
	case ctx.Err() != nil:
		return noAnswer
	case err == nil:
		return accepts
	case command.ProcessState != nil && command.ProcessState.ExitCode() > 0:
		return refuses
	}
	return noAnswer // it crashed
}

// state says whether a judge could run.
func (j judge) state() string {
	if j.program == "" {
		return fmt.Sprintf("%s is not on PATH: only the outcomes kept beside shaders count", j.name)
	}
	return fmt.Sprintf("%s is %s", j.name, j.program)
}

// tintOutcome is the end of the names of Tint's outcomes, which are WGSL as well.
const tintOutcome = ".expected.wgsl"

// tintKept reads FILE.expected.wgsl, which Tint's tests keep: the shader as Tint writes it, or
// SKIP and the errors.
func tintKept(path string) opinion {
	text, err := os.ReadFile(path + tintOutcome)
	switch {
	case err != nil, strings.HasPrefix(string(text), "["): // diagnostics in JSON
		return noAnswer
	case !strings.HasPrefix(string(text), "SKIP"):
		return accepts
	case strings.Contains(string(text), "error:"):
		return refuses
	}
	return noAnswer
}

// nagaKept answers for the inputs of naga's snapshot tests, which are all valid.
func nagaKept(path string) opinion {
	if strings.Contains(filepath.ToSlash(path), "naga/tests/in/") {
		return accepts
	}
	return noAnswer
}
