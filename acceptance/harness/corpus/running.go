package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An entryRun is what became of one entry point.
type entryRun struct {
	Entry   string   `json:"entry"` // "*" for all of a shader that the front end refuses
	Outcome outcome  `json:"outcome"`
	Why     string   `json:"why,omitempty"`   // what stopped it
	Kind    string   `json:"kind,omitempty"`  // of the front end's error
	Kinds   []string `json:"kinds,omitempty"` // of its errors, each once
	Found   []string `json:"found,omitempty"` // the errors
	Steps   uint64   `json:"steps,omitempty"`
	Driver  agreed   `json:"driver,omitempty"` // what a driver makes of the same buffers
	Differs string   `json:"differs,omitempty"`
}

// An outcome is how a run ended.
type outcome string

// The outcomes of an entry point.
const (
	clean     outcome = "clean"    // to its end, without errors
	withError outcome = "errors"   // to its end, and errors were found on the way
	refused   outcome = "refused"  // by the front end
	lacks     outcome = "lacks"    // the simulator lacks what it needs
	unfilled  outcome = "unfilled" // the rule makes no buffers for it
	tooLong   outcome = "too long" // the steps or the time were used up
)

// ran reports whether the simulator ran the entry point to its end.
func (o outcome) ran() bool { return o == clean || o == withError }

// The limits of a run. Two workgroups show races between workgroups.
const (
	runSteps = 50_000_000
	runTime  = 20 * time.Second
	fileTime = 2 * time.Minute // for all entry points of a file
)

var runWorkgroups = [3]uint32{2, 1, 1}

// oneRun is the name of the command that runs the entry points of one file.
const oneRun = "run-one-file"

// newRunCommand returns the command of the processes that run one file each. They write an entry
// point's result before they ask a driver, which may end the process, and again afterwards.
func newRunCommand() *cobra.Command {
	engine := ""
	cmd := &cobra.Command{
		Use:    oneRun + " FILE",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(args[0])
			if err != nil {
				return fmt.Errorf("reading a shader: %w", err)
			}
			runs := runAll(cmd.Context(), string(text))
			if err := writeRuns(cmd.OutOrStdout(), runs); err != nil || engine == "" {
				return err
			}
			return besideDriver(cmd.Context(), cmd.OutOrStdout(), engine, runs)
		},
	}
	cmd.Flags().StringVar(&engine, "engine", "", "")
	return cmd
}

func writeRuns(w io.Writer, runs []*preparedRun) error {
	for _, r := range runs {
		if err := json.NewEncoder(w).Encode(r.entryRun); err != nil {
			return err
		}
	}
	return nil
}

// A preparedRun is an entry point that has run, and what a driver needs to run it as well.
type preparedRun struct {
	entryRun
	source  *shader.Source
	program *sim.Program
	given   []sim.BoundBuffer // as they are before a run
}

// buffers returns buffers for another run.
func (r *preparedRun) buffers() []sim.BoundBuffer {
	fresh := slices.Clone(r.given)
	for i := range fresh {
		fresh[i].Data = bytes.Clone(fresh[i].Data)
	}
	return fresh
}

// runAll runs each compute entry point on buffers of its own.
func runAll(ctx context.Context, text string) []*preparedRun {
	source := complete(shader.ReadWith("shader.wgsl", text, types.AllFeatures))
	if mistake := source.Unrunnable(); mistake != nil {
		return []*preparedRun{{entryRun: entryRun{
			Entry: "*", Outcome: refused, Why: fmt.Sprintf("line %d: %s", mistake.Line, mistake.Message), Kind: string(mistake.Kind),
		}}}
	}
	var runs []*preparedRun
	for _, e := range source.Shader().Info.EntryPoints {
		if e.Stage == types.ComputeStage {
			r := &preparedRun{entryRun: entryRun{Entry: e.Object.Name}, source: source.At(e.Object.Name)}
			r.run(ctx)
			runs = append(runs, r)
		}
	}
	return runs
}

// missing are the values of overrides that have none.
var missing = map[types.Type]string{types.Bool: "true", types.I32: "8i", types.U32: "8u", types.F32: "1.0", types.F16: "1.0h"}

// complete returns the shader with a value for each override that has none, so that every engine
// can run it.
func complete(source *shader.Source) *shader.Source {
	if source.Unrunnable() != nil {
		return source
	}
	text := source.Text
	for _, o := range slices.Backward(source.Shader().Info.Overrides) {
		if d := o.Decl.(*syntax.OverrideDecl); d.Init == nil {
			end := d.Type.Span().End
			text = text[:end] + " = " + missing[o.Type] + text[end:]
		}
	}
	return shader.ReadWith(source.Name, text, types.AllFeatures)
}

func (r *preparedRun) run(ctx context.Context) {
	var err error
	if r.program, err = sim.CompileEntry(r.source, nil, false); err != nil {
		r.Outcome, r.Why = refused, reason(err)
		if shader.RefusedOnly(err) {
			r.Outcome = lacks
		}
		return
	}
	if r.given, err = fill(r.program); err != nil {
		r.Outcome, r.Why = unfilled, err.Error()
		return
	}
	limited, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	result, err := r.program.Run(limited, runWorkgroups, r.buffers(), sim.Options{Watch: true, Steps: runSteps})
	switch {
	case limited.Err() != nil:
		r.Outcome, r.Why = tooLong, fmt.Sprint(runTime)
		return
	case err != nil:
		r.Outcome, r.Why = unfilled, err.Error()
		return
	}
	r.Steps = result.Steps
	r.conclude(result)
}

// conclude takes the outcome from the result of a run that ended.
func (r *preparedRun) conclude(result *sim.Result) {
	for _, f := range result.Findings {
		if !f.IsError() {
			continue
		}
		r.Found = append(r.Found, fmt.Sprintf("line %d: %s", f.Line, f.Message))
		if kind := string(f.Kind); !slices.Contains(r.Kinds, kind) {
			r.Kinds = append(r.Kinds, kind)
		}
	}
	switch {
	case !result.Finished:
		r.Outcome, r.Why = tooLong, fmt.Sprintf("%d steps", runSteps)
	case len(r.Kinds) > 0:
		r.Outcome = withError
	default:
		r.Outcome = clean
	}
}

// reason returns the message of a compiler's error without its place.
func reason(err error) string {
	var mistake *shader.CompileError
	if errors.As(err, &mistake) {
		return mistake.Message
	}
	return err.Error()
}

var named = regexp.MustCompile("`[^`]*`|[0-9]+")

// group returns what stopped an entry point without names and numbers, so that equal reasons are
// counted together.
func (r *entryRun) group() string {
	switch {
	case r.Outcome == tooLong:
		return "more than " + r.Why
	}
	return named.ReplaceAllString(r.Why, "…")
}
