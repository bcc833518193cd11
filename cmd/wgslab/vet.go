package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/manifest"
	"github.com/wgslab/wgslab/internal/observe/targets"
	"github.com/wgslab/wgslab/internal/observe/vet"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// vetFormats maps each format's name to the function that writes the findings in it.
var vetFormats = map[string]func(w io.Writer, files []*vet.Report) error{
	"text":  vet.Text,
	"json":  vet.JSON,
	"sarif": vet.SARIF,
}

func newVetCommand() *cobra.Command {
	var format string
	var asJSON, list, expand bool
	var target string
	var templates templateFlags
	command := &cobra.Command{
		Use:   "vet [FILE…]",
		Short: "Report problems in shaders without running them",
		Long: `Vet reads shaders as a WGSL compiler does. For each mistake it prints the place and
what to try. In a valid shader it looks for legal code that is a mistake, such as a
loop that never ends, and says whether it is certain or likely. Vet runs nothing and
needs no GPU. To learn whether a shader solves an exercise, use wgslab check.

FILE may also be a folder (vet reads every .wgsl and .wesl file in it), a quoted pattern, or -
for standard input. Lines and columns count from 1, columns in characters. Code
scanning in CI and editors read SARIF.

Vet accepts every feature of WGSL, and notes who lacks one that the shader needs. --target
names the implementations that the shader is for: chrome, safari, firefox, wgpu or core,
with a version like safari-26, and so does a target in wgslab.toml. What one of them lacks
is an error then. --targets prints what is known of each, with the sources.

A shader may be a template: vet follows #define, #if, #include and their kin, and fills
{{name}}, ${name} and #{NAME} with the values of -D. A wgslab.toml in the folder of the
shaders or above lists values, folders and variants. Vet then reads every variant, and
says which of them a finding belongs to. Without FILE it reads the project's shaders.
--expand prints what the first variant, or that of --variant, becomes.

A file that cannot be read is in the report with the code unreadable-file, and the other
files are still checked.

Exit codes: 0 no error (warnings do not count), 1 an error, 2 wrong usage, or a file
cannot be read.`,
		Example: `  wgslab vet work/matmul.wgsl
  wgslab vet work --json
  wgslab vet 'week-*/*.wgsl' --format sarif > wgslab.sarif
  wgslab vet work/blur.wgsl --target chrome-150,safari-26
  wgslab vet scale.wgsl -D TYPE=f16 -D WG_SIZE=64 -I shared
  wgslab vet - < my-try.wgsl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case list && len(args) > 0:
				return errors.New("--targets prints a table, and takes no files")
			case list:
				return targets.List(cmd.OutOrStdout())
			}
			asked, err := parseTargets(target)
			if err != nil {
				return fmt.Errorf("--target: %w", err)
			}
			if asJSON {
				format = "json"
			}
			write, ok := vetFormats[format]
			if !ok {
				return fmt.Errorf("there is no format %q: choose text, json or sarif", format)
			}
			reader, err := templates.reader()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				if args, err = shadersHere(); err != nil {
					return err
				}
			}
			given, err := readShaders(cmd, args)
			if err != nil {
				return err
			}
			given = withinFiles(given)
			if expand {
				return printExpanded(cmd, given, reader)
			}
			files, err := vetFiles(given, reader, asked)
			if err != nil {
				return err
			}
			if err := write(cmd.OutOrStdout(), files); err != nil {
				return err
			}
			warnOfMistakes(cmd, reader)
			if err := unread(given); err != nil {
				if format == "text" { // which says it in its last line
					return &codedError{code: exitAsked}
				}
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
	command.Flags().BoolVar(&expand, "expand", false, "print the WGSL that a template becomes, and report nothing else")
	command.MarkFlagsMutuallyExclusive("format", "json", "expand")
	command.MarkFlagsMutuallyExclusive("target", "targets")
	addTemplateFlags(command, &templates)
	return command
}

// parseTargets reads a list of targets, which may be empty.
func parseTargets(list string) ([]targets.Release, error) {
	if list == "" {
		return nil, nil
	}
	return targets.Parse(list)
}

// vetFiles reads what the shaders say. A file that could not be read has a finding as well, because
// half a report would look complete. A shader in a folder that another one includes is a part of
// that one.
func vetFiles(given []givenShader, reader *manifest.Reader, asked []targets.Release) (files []*vet.Report, err error) {
	parts := map[*vet.Report]bool{}
	wrong := map[string]bool{} // in projects
	for i, g := range given {
		f, err := vetFile(&given[i], reader, asked)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		if why := given[i].err; why != nil && g.err == nil { // it may be the same for all shaders
			if wrong[why.Error()] {
				given[i].err = nil
				continue
			}
			wrong[why.Error()] = true
		}
		files = append(files, f)
		parts[f] = g.inFolder
	}
	files = slices.DeleteFunc(files, func(f *vet.Report) bool { return parts[f] && !f.Unread && reader.IsPart(f.Name) })
	vet.Once(files)
	return files, nil
}

// vetFile reads the variants of a shader for its targets, or else for those of its project. It
// returns nil for one that its project excludes.
func vetFile(g *givenShader, reader *manifest.Reader, asked []targets.Release) (*vet.Report, error) {
	if g.err != nil {
		return vet.Unread(g.name, g.err), nil
	}
	if p, err := reader.Project(g.name); err == nil && p != nil {
		if g.inFolder && !p.Has(g.name) {
			return nil, nil
		}
		if len(asked) == 0 {
			if asked, err = parseTargets(p.Target); err != nil {
				return nil, fmt.Errorf("%s: target: %w", p.Path, err)
			}
		}
	}
	variants, err := reader.All(g.name, g.text)
	if err != nil {
		g.err = err
		return vet.Unread(g.name, err), nil
	}
	var names []string
	var sources []*shader.Source
	for _, v := range variants {
		names = append(names, v.Variant)
		sources = append(sources, shader.ReadImplying(v.Source, targets.Implied(asked)))
	}
	lacking := func(name string) string { return reader.Missing(g.name, g.text, name) }
	return vet.OfVariants(names, sources, lacking, func(source *shader.Source) []*findings.Finding {
		return targets.Check(source, asked)
	}), nil
}

// shadersHere returns the shaders of the project that the current folder belongs to.
func shadersHere() ([]string, error) {
	p, err := manifest.Find(".")
	switch {
	case err != nil:
		return nil, &codedError{exitAsked, err}
	case p == nil:
		return nil, &codedError{exitAsked, fmt.Errorf("name a shader or a folder: there is no %s here or above", manifest.FileName)}
	}
	all, err := p.Shaders()
	if err != nil {
		return nil, &codedError{exitAsked, err}
	}
	return all, nil
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
