package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/manifest"
	"github.com/wgslab/wgslab/internal/observe/targets"
	"github.com/wgslab/wgslab/internal/observe/vet"
	"github.com/wgslab/wgslab/internal/wgsl/preprocess"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// templateFlags say how a shader that is a template is expanded.
type templateFlags struct {
	defines, include []string
	variant          string
}

// templateFlagNames are the names of these flags.
var templateFlagNames = []string{"define", "include", "variant"}

func addTemplateFlags(command *cobra.Command, f *templateFlags) {
	flags := command.Flags()
	flags.StringArrayVarP(&f.defines, "define", "D", nil, "a value for a template: NAME=VALUE, or NAME for #ifdef alone")
	flags.StringArrayVarP(&f.include, "include", "I", nil, "a folder with the files that #include and #import name")
	flags.StringVar(&f.variant, "variant", "", "the variant in "+manifest.FileName+" to read (see docs/any-shader.md)")
}

// reader returns what expands shaders.
func (f *templateFlags) reader() (*manifest.Reader, error) {
	r := &manifest.Reader{Values: preprocess.Values{}, Include: f.include, Variant: f.variant}
	for _, d := range f.defines {
		if err := r.Values.Define(d); err != nil {
			return nil, &codedError{exitAsked, fmt.Errorf("-D: %w", err)}
		}
	}
	return r, nil
}

// shader reads a shader as the variant that the flags choose, or as its first one. If there are
// several, it says which one.
func (f *templateFlags) shader(cmd *cobra.Command, file, text string, features types.Features) (*shader.Source, error) {
	r, err := f.reader()
	if err != nil {
		return nil, err
	}
	source, err := expandedOne(cmd, r, file, text)
	if err != nil {
		return nil, err
	}
	warnOfMistakes(cmd, r)
	if p, err := r.Project(file); err == nil && p != nil && features == types.AllFeatures {
		asked, err := parseTargets(p.Target)
		if err != nil {
			return nil, &codedError{exitAsked, fmt.Errorf("%s: target: %w", p.Path, err)}
		}
		return shader.ReadImplying(source, targets.Implied(asked)), nil
	}
	return shader.ReadSource(source, features), nil
}

// expandedOne expands a shader. If it has several variants, it says which one this is.
func expandedOne(cmd *cobra.Command, r *manifest.Reader, file, text string) (*syntax.Source, error) {
	all, err := r.All(file, text)
	if err != nil {
		return nil, &codedError{exitAsked, err}
	}
	if len(all) > 1 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s has %d variants; this is %q, and --variant chooses another\n", file, len(all), all[0].Variant)
	}
	return all[0].Source, nil
}

// printExpanded prints the WGSL of shaders, and reports what couldn't be expanded.
func printExpanded(cmd *cobra.Command, given []givenShader, r *manifest.Reader) error {
	var wrong []*vet.Report
	for _, g := range given {
		if g.err != nil {
			return &codedError{exitAsked, g.err}
		}
		source, err := expandedOne(cmd, r, g.name, g.text)
		if err != nil {
			return err
		}
		if len(given) > 1 {
			fmt.Fprintf(cmd.OutOrStdout(), "// %s\n", g.name)
		}
		fmt.Fprintln(cmd.OutOrStdout(), strings.TrimSuffix(source.Text, "\n"))
		if len(source.Problems()) > 0 {
			wrong = append(wrong, vet.Of(shader.ReadSource(source, types.AllFeatures)))
		}
	}
	warnOfMistakes(cmd, r)
	if len(wrong) == 0 {
		return nil
	}
	if err := vet.Text(cmd.ErrOrStderr(), wrong); err != nil {
		return err
	}
	return &codedError{code: exitNotRight}
}

// warnOfMistakes says what is probably mistyped in values and in the projects that were read.
func warnOfMistakes(cmd *cobra.Command, r *manifest.Reader) {
	for _, mistake := range r.Mistakes() {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", mistake)
	}
}
