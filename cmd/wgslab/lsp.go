package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/observe/editor"
)

func newLspCommand() *cobra.Command {
	var templates templateFlags
	command := &cobra.Command{
		Use:   "lsp",
		Short: "Help an editor with WGSL (Language Server Protocol)",
		Long: `Lsp speaks the Language Server Protocol 3.17 on its standard input and output. It gives
an editor the findings of wgslab vet while you type, their fixes, completion, descriptions,
definitions, references, renaming, colours, hints and the layout of wgslab fmt. In a file
with the name of an exercise, it can check and trace the shader. docs/editors.md explains how
to set up VS Code, Neovim, Helix, Zed and Emacs.

A shader with variants in its wgslab.toml is read as the first one, or as the one that
--variant names.

Exit codes: 0 the editor ended the session, 1 the connection broke.`,
		Example: `  wgslab lsp   # an editor starts it`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			reader, err := templates.reader()
			if err != nil {
				return err
			}
			options := editor.Options{Templates: reader, Exercise: exerciseOf, Run: runSelf, Stderr: cmd.ErrOrStderr()}
			if info, ok := debug.ReadBuildInfo(); ok {
				options.Version = info.Main.Version
			}
			err = editor.Serve(cmd.Context(), cmd.InOrStdin(), writeCloser{cmd.OutOrStdout()}, options)
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			return nil
		},
	}
	addTemplateFlags(command, &templates)
	return command
}

// writeCloser is a writer that the server may close when it ends: the process ends with it.
type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }

// exerciseOf returns the exercise whose answers have the file's name, or "".
func exerciseOf(path string) string {
	id, shader := strings.CutSuffix(filepath.Base(path), ".wgsl")
	if !shader {
		return ""
	}
	if e, err := course.Find(id); err != nil || e.ID != id {
		return ""
	}
	return id
}

// runSelf runs a command of this program. An answer that isn't right is no failure of the command.
func runSelf(ctx context.Context, args ...string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("looking for this program: %w", err)
	}
	command := exec.CommandContext(ctx, self, args...)
	text, err := command.CombinedOutput()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() == exitNotRight {
		err = nil
	}
	if err != nil {
		return "", fmt.Errorf("wgslab %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(text)))
	}
	return strings.TrimSpace(string(text)), nil
}
