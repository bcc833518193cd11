package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/observe/manifest"
	"github.com/wgslab/wgslab/internal/wgsl/format"
)

func newFmtCommand() *cobra.Command {
	var o formatting
	command := &cobra.Command{
		Use:   "fmt [FILE…]",
		Short: "Give shaders one layout, as gofmt does for Go",
		Long: `Fmt formats shaders: four spaces for each block, a line for each statement, spaces
around operators. It changes only white space, and keeps comments and the lines that you
broke inside parentheses and expressions. Without flags it prints the result.

FILE may also be a folder (fmt reads every .wgsl and .wesl file in it), a quoted pattern, or -
for standard input, as without any FILE. A shader with a syntax error has no layout: fmt
names the line and leaves the file as it is. It also names a file that it cannot read or
write, and still formats the others.

Exit codes: 0 all formatted, 1 a syntax error, or with -d a difference, 2 wrong usage, or a
file cannot be read or written.`,
		Example: `  wgslab fmt work/matmul.wgsl
  wgslab fmt -w work
  wgslab fmt -d work/softmax.wgsl
  wgslab fmt < my-try.wgsl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{standardInput}
			}
			return o.run(cmd, args)
		},
	}
	command.Flags().BoolVarP(&o.write, "write", "w", false, "write the result to the file, if it differs")
	command.Flags().BoolVarP(&o.diff, "diff", "d", false, "print what would change")
	command.Flags().BoolVarP(&o.list, "list", "l", false, "print the names of the files that would change")
	return command
}

// formatting is what the command line asks for.
type formatting struct{ write, diff, list bool }

// run formats the shaders. What goes wrong with one stops none of the others.
func (o formatting) run(cmd *cobra.Command, args []string) error {
	given, err := readShaders(cmd, args)
	if err != nil {
		return err
	}
	failed, troubles := false, 0
	for _, g := range given {
		changes, err := o.format(cmd.OutOrStdout(), g)
		var mistake *format.SyntaxError
		switch {
		case errors.As(err, &mistake):
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", g.name, mistake)
			failed = true
		case err != nil:
			fmt.Fprintln(cmd.ErrOrStderr(), err)
			troubles++
		}
		failed = failed || o.diff && changes
	}
	switch {
	case troubles > 0:
		return &codedError{exitAsked, errors.New(english.Count(troubles, "file", "files") + " could not be read or written")}
	case failed:
		return &codedError{code: exitNotRight}
	}
	return nil
}

// format formats one shader and reports whether that changes it.
func (o formatting) format(out io.Writer, g givenShader) (changes bool, err error) {
	if g.err != nil {
		return false, g.err
	}
	text, err := manifest.Format(g.text)
	if err != nil {
		return false, fmt.Errorf("formatting %s: %w", g.name, err)
	}
	return text != g.text, o.show(out, g, text)
}

// show does with a formatted shader what the command line asks for.
func (o formatting) show(out io.Writer, g givenShader, text string) error {
	if o.list && text != g.text {
		fmt.Fprintln(out, g.name)
	}
	if o.diff {
		fmt.Fprint(out, udiff.Unified(g.name, g.name+" formatted", g.text, text))
	}
	if o.write && g.path != standardInput {
		if text == g.text {
			return nil
		}
		if err := atomicfile.Write(g.path, []byte(text), 0o644); err != nil {
			return fmt.Errorf("writing %s: %w", g.path, err)
		}
		return nil
	}
	if !o.list && !o.diff {
		fmt.Fprint(out, text)
	}
	return nil
}
