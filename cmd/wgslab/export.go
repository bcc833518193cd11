package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/draw"
)

func newExportCommand() *cobra.Command {
	var weights string
	bits := floatBits
	command := &cobra.Command{
		Use:   "export PAGE.html",
		Short: "Save the draw-a-digit page as a single file",
		Long: `Export writes the draw-a-digit page as one HTML file of at most 1 MB, with your
shaders and the network's weights inside. The page needs no server and works offline:
open it, send it, or publish it. Your shaders run on the browser's WebGPU. Without
WebGPU, the page runs the same network in plain JavaScript and says so.

The page contains those of your shaders in work/, here or in lessons/, that pass their
checks, and the reference for the others. Export and the page say which is which. If your
host-digits in JavaScript passes its check, your own host runs the network.

With --bits 8, the page has the weights in bytes, a quarter of their size. Your kernels of the
lesson Eight bits make them, and run them in the browser.

Exit codes: 0 written, 1 failed, 2 wrong usage, 3 no usable adapter to check your
shaders on, 130 Ctrl-C.`,
		Example: `  wgslab export my-digits.html
  wgslab export --weights work/weights.safetensors my-digits.html   # the network that you trained
  wgslab export --bits 8 small.html   # weights of eight bits`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkPage(args[0]); err != nil {
				return err
			}
			if bits != floatBits && bits != 8 {
				return fmt.Errorf("--bits is %d: use 32 or 8", bits)
			}
			return export(cmd, args[0], weights, bits == 8)
		},
	}
	weightsFlag(command, &weights)
	command.Flags().IntVar(&bits, "bits", bits, "bits of a weight in the page: 32 or 8")
	return command
}

// ownHost returns the learner's host-digits in JavaScript, with its pieces, if it is right. whose
// says so, or why it is the page's host.
func ownHost(ctx context.Context) (program, whose string, err error) {
	f := &hostFile{HandInFile: host.HandInFile{Exercise: course.Digits, Path: filepath.Join(workFolder(), filepath.Base(learner.ProgramPath(course.Digits.ID)))}}
	f.Text, err = shader.ReadFile(f.Path)
	if errors.Is(err, os.ErrNotExist) {
		return "", "the page's: there is no " + f.Path + " yet", nil
	}
	if err != nil {
		return "", "", err
	}
	folder, err := filepath.Abs(filepath.Dir(workFolder()))
	if err != nil {
		return "", "", fmt.Errorf("finding your host: %w", err)
	}
	own, err := host.OwnFile(workFolder(), host.ScriptFile)
	if err != nil {
		return "", "", fmt.Errorf("reading your host file: %w", err)
	}
	judged, err := f.checkScript(ctx, folder, shader.Simulated, judge.FreshSeed())
	if err != nil {
		return "", "", err
	}
	if !judged.Verdict.Passed() {
		return "", "the page's: yours does not pass its check yet", nil
	}
	return f.Text + "\n" + host.ScriptCompanion(f.Text, own).Script(), "yours", nil
}

// floatBits is the size of a weight that stays a float.
const floatBits = 32

// checkPage returns an error if the page's path is unsuitable.
func checkPage(path string) error {
	if folder := filepath.Dir(path); !isFolder(folder) {
		return fmt.Errorf("there is no folder %s for the page: create it, or choose another", folder)
	}
	if isFolder(path) {
		return fmt.Errorf("%s is a folder: name the page, as in %s", path, filepath.Join(path, "digits.html"))
	}
	return nil
}

func export(cmd *cobra.Command, path, weights string, eightBits bool) error {
	own, whose, err := ownHost(cmd.Context())
	if err != nil {
		return err
	}
	page, err := draw.NewExport(cmd.Context(), workFolder(), weights, eightBits, own)
	switch {
	case errors.Is(err, shader.ErrNoAdapter):
		return fmt.Errorf("cannot check your shaders here, so there is no export: %w", err)
	case err != nil:
		return &codedError{exitNotRight, err}
	}
	for _, s := range page.Shaders {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", s.ID, s.Whose())
	}
	if eightBits {
		whose = "the page's: with --bits 8, it always is"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "host: %s\n", whose)
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if err := atomicfile.Write(path, page.HTML, 0o644); err != nil {
		return &codedError{exitNotRight, fmt.Errorf("writing the page: %w", err)}
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "wrote %s (%d kB): open it in a browser\n", path, (len(page.HTML)+999)/1000)
	return err
}
