package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/atomicfile"
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

FILE may also be a folder (fmt reads every .wgsl file in it), a quoted pattern, or -
for standard input, as without any FILE. A shader with a syntax error has no layout: fmt
names the line and leaves the file as it is.

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

func (o formatting) run(cmd *cobra.Command, args []string) error {
	given, err := readShaders(cmd, args)
	if err != nil {
		return err
	}
	failed := false
	for _, g := range given {
		text, err := format.Format(g.text)
		var mistake *format.SyntaxError
		switch {
		case errors.As(err, &mistake):
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", g.name, err)
			failed = true
			continue
		case err != nil:
			return fmt.Errorf("formatting %s: %w", g.name, err)
		}
		if err := o.show(cmd.OutOrStdout(), g, text); err != nil {
			return err
		}
		failed = failed || o.diff && text != g.text
	}
	if failed {
		return &codedError{code: exitNotRight}
	}
	return nil
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
