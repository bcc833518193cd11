package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/observe/vet"
)

// vetFormats maps each format's name to the function that writes the findings in it.
var vetFormats = map[string]func(w io.Writer, files []*vet.Report) error{
	"text":  vet.Text,
	"json":  vet.JSON,
	"sarif": vet.SARIF,
}

func newVetCommand() *cobra.Command {
	var format string
	var asJSON bool
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

A file that cannot be read is in the report with the code unreadable-file, and the other
files are still checked.

Exit codes: 0 no error (warnings do not count), 1 an error, 2 wrong usage, or a file
cannot be read.`,
		Example: `  wgslab vet work/matmul.wgsl
  wgslab vet work --json
  wgslab vet 'week-*/*.wgsl' --format sarif > wgslab.sarif
  wgslab vet - < my-try.wgsl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
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
			files := vetFiles(given)
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
	command.MarkFlagsMutuallyExclusive("format", "json")
	return command
}

// vetFiles reads what the shaders say. A file that could not be read has a finding as well, because
// half a report would look complete.
func vetFiles(given []givenShader) (files []*vet.Report) {
	for _, g := range given {
		if g.err != nil {
			files = append(files, vet.Unread(g.name, g.err))
			continue
		}
		files = append(files, vet.Read(g.name, g.text))
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
