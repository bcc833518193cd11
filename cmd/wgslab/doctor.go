package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/cmd/wgslab/doctor"
	"github.com/wgslab/wgslab/internal/ground/repository"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func newDoctorCommand() *cobra.Command {
	var asJSON, probe bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show which parts wgslab needs, which are missing, and how to fix them",
		Long: `Doctor looks for every part that the notebooks and checks need: Go, the C
compiler, Vulkan and its drivers, JupyterLab, the kernel and its tools. Below each
missing part (✗) it says what to do. A dash (–) marks an optional part. Without a
driver, shaders run in the simulator.

Exit codes: 0 no needed part is missing, 3 only a usable WebGPU adapter is missing (a
driver crashes, or there is none of the kind in WGSLAB_ENGINE), 1 otherwise.`,
		Example: "  wgslab doctor\n  wgslab doctor --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if probe {
				return probeAdapter(cmd)
			}
			root, err := repository.Root(".")
			if err != nil {
				return &codedError{exitAsked, err}
			}
			parts := doctor.Examine(cmd.Context(), repository.SetUp(root), askChild)
			if err := printParts(cmd, parts, asJSON); err != nil {
				return err
			}
			return verdictOn(doctor.Missing(parts))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the parts as JSON")
	cmd.Flags().BoolVar(&probe, "probe", false, "open the adapter and print it as JSON")
	cmd.Flags().Lookup("probe").Hidden = true
	return cmd
}

func printParts(cmd *cobra.Command, parts []doctor.Part, asJSON bool) error {
	if !asJSON {
		doctor.Print(cmd.OutOrStdout(), parts)
		return nil
	}
	encoder := json.NewEncoder(cmd.OutOrStdout())
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(map[string]any{"parts": parts})
}

func verdictOn(missing []doctor.Part) error {
	switch {
	case len(missing) == 0:
		return nil
	case len(missing) == 1 && missing[0].Name == doctor.Adapter:
		return &codedError{exitNoAdapter, nil} // Print has given the reason
	default:
		return &codedError{exitNotRight, nil}
	}
}

// probeAdapter is the work of askChild's child process.
func probeAdapter(cmd *cobra.Command) error {
	device, err := gpu.Open()
	if err != nil {
		return err
	}
	defer device.Close()
	return json.NewEncoder(cmd.OutOrStdout()).Encode(device.Adapter())
}

// askChild opens the adapter in a separate process, because a broken driver can crash the process
// or never answer.
func askChild(ctx context.Context) (*shader.Adapter, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("asking the driver: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	child := exec.CommandContext(ctx, self, "doctor", "--probe")
	child.WaitDelay = time.Second
	out, err := child.Output()
	if ctx.Err() != nil {
		return nil, errors.New("the driver did not answer within 30 s")
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, errors.New(lastWords(exit))
	}
	if err != nil {
		return nil, fmt.Errorf("asking the driver: %w", err)
	}
	adapter := new(shader.Adapter)
	if err := json.Unmarshal(out, adapter); err != nil {
		return nil, fmt.Errorf("reading the driver's answer: %w", err)
	}
	return adapter, nil
}

// lastWords returns the last error message of a child that failed.
func lastWords(exit *exec.ExitError) string {
	if exit.ExitCode() != exitNoAdapter {
		return fmt.Sprintf("the driver broke down when it was asked: %v", exit)
	}
	lines := strings.Split(strings.TrimSpace(string(exit.Stderr)), "\n")
	words := strings.TrimPrefix(lines[len(lines)-1], "wgslab: ")
	return strings.TrimPrefix(words, "opening a WebGPU device: ")
}
