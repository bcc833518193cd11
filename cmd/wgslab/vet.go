package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/targets"
	"github.com/wgslab/wgslab/internal/observe/vet"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// vetFormats maps each format's name to the function that writes the findings in it.
var vetFormats = map[string]func(w io.Writer, files []*vet.Report) error{
	"text":  vet.Text,
	"json":  vet.JSON,
	"sarif": vet.SARIF,
}

func newVetCommand() *cobra.Command {
	var format string
	var asJSON, list bool
	var target string
	command := &cobra.Command{
		Use:   "vet FILE…",
		Short: "Report problems in shaders without running them",
		Long: `Vet reads shaders as a WGSL compiler does. For each mistake it prints the place and
what to try. In a valid shader it looks for legal code that is a mistake, such as a
loop that never ends, and says whether it is certain or likely. Vet runs nothing and
needs no GPU. To learn whether a shader solves an exercise, use wgslab check.

FILE may also be a folder (vet reads every .wgsl file in it), a quoted pattern, or -
for standard input. Lines and columns count from 1, columns in characters. Code
scanning in CI and editors read SARIF.

Vet accepts every feature of WGSL, and notes who lacks one that the shader needs. --target
names the implementations that the shader is for: chrome, safari, firefox, wgpu or core,
with a version like safari-26. What one of them lacks is an error then. --targets prints
what is known of each, with the sources.

A file that cannot be read is in the report with the code unreadable-file, and the other
files are still checked.

Exit codes: 0 no error (warnings do not count), 1 an error, 2 wrong usage, or a file
cannot be read.`,
		Example: `  wgslab vet work/matmul.wgsl
  wgslab vet work --json
  wgslab vet 'week-*/*.wgsl' --format sarif > wgslab.sarif
  wgslab vet work/blur.wgsl --target chrome-150,safari-26
  wgslab vet - < my-try.wgsl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if list {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return targets.List(cmd.OutOrStdout())
			}
			asked, err := parseTargets(target)
			if err != nil {
				return err
			}
			if asJSON {
				format = "json"
			}
			write, ok := vetFormats[format]
			if !ok {
				return fmt.Errorf("there is no format %q: choose text, json or sarif", format)
			}
			given, err := readShaders(cmd, args)
			if err != nil {
				return err
			}
			files := vetFiles(given, asked)
			if err := write(cmd.OutOrStdout(), files); err != nil {
				return err
			}
			if err := unread(given); err != nil {
				return err
			}
			for _, f := range files {
				if !f.Valid() {
					return &codedError{code: exitNotRight}
				}
			}
			return nil
		},
	}
	command.Flags().StringVar(&format, "format", "text", "text, json or sarif")
	command.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	command.Flags().StringVar(&target, "target", "", "what the shaders are for, such as chrome-150,safari-26")
	command.Flags().BoolVar(&list, "targets", false, "print which implementation has which feature")
	command.MarkFlagsMutuallyExclusive("format", "json")
	command.MarkFlagsMutuallyExclusive("target", "targets")
	return command
}

// parseTargets reads the targets of --target; none if it isn't given.
func parseTargets(list string) ([]targets.Release, error) {
	if list == "" {
		return nil, nil
	}
	asked, err := targets.Parse(list)
	if err != nil {
		return nil, fmt.Errorf("--target: %w", err)
	}
	return asked, nil
}

// vetFiles reads what the shaders say. A file that could not be read has a finding as well, because
// half a report would look complete.
func vetFiles(given []givenShader, asked []targets.Release) (files []*vet.Report) {
	for _, g := range given {
		if g.err != nil {
			files = append(files, vet.Unread(g.name, g.err))
			continue
		}
		source := shader.ReadWith(g.name, g.text, types.AllFeatures)
		report := vet.Of(source)
		report.Add(targets.Check(source, asked))
		files = append(files, report)
	}
	return files
}

// unread returns an error with the code of wrong usage if some shaders could not be read.
func unread(given []givenShader) error {
	n := 0
	for _, g := range given {
		if g.err != nil {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return &codedError{exitAsked, errors.New(english.Count(n, "file", "files") + " could not be read")}
}
