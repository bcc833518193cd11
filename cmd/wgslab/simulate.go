package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/bind"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// simulation is what was asked for.
type simulation struct {
	path       string
	entry      string
	workgroups string
	binds      []string
	steps      uint64
}

func newSimulateCommand() *cobra.Command {
	var asked simulation
	var asJSON bool
	command := &cobra.Command{
		Use:   "simulate FILE",
		Short: "Run any compute shader in the simulator and see what goes wrong",
		Long: `Simulate runs the shader in FILE in the simulator, one invocation after the
other, and tells of races, accesses out of bounds, barriers that not all
invocations reach, loops without end, and where the first NaN came from.

--bind gives a buffer to a binding of @group(0), or as GROUP.N of another group:
  0=f32[8]       eight elements: 0, 1, 2, …
  1=u32:3,1,2    these elements
  2=@data.bin    the bytes of a file
Types are f32, u32, i32, and vectors and matrices of them such as vec4f.

Exit codes: 0 nothing wrong, 1 an error was found, 2 asked wrongly.`,
		Example: `  wgslab simulate work/vector-add.wgsl --bind 0=f32[65] --bind 1=f32[65] --bind 2=f32[65] --workgroups 2
  wgslab simulate try.wgsl --bind 0=u32:4,4,4 --bind 1=@weights.bin --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			asked.path = args[0]
			report, err := asked.run(cmd)
			if err != nil {
				return err
			}
			if err := report.print(cmd.OutOrStdout(), asJSON); err != nil {
				return err
			}
			if report.wrong() {
				return &codedError{code: exitNotRight}
			}
			return nil
		},
	}
	flags := command.Flags()
	flags.StringVar(&asked.entry, "entry", shader.EntryPoint, "the entry point to run")
	flags.StringVar(&asked.workgroups, "workgroups", "1,1,1", "how many workgroups in x, y and z")
	flags.StringArrayVar(&asked.binds, "bind", nil, "a buffer: N=TYPE[COUNT], N=TYPE:v,v,… or N=@FILE")
	flags.Uint64Var(&asked.steps, "steps", sim.DefaultSteps, "give up after so many steps of all invocations together")
	flags.BoolVar(&asJSON, "json", false, "print findings and buffers as JSON")
	return command
}

// simulated is the answer, as --json prints it.
type simulated struct {
	Findings []verdict.Finding `json:"findings"`
	Buffers  []simulatedBuffer `json:"buffers"`
	Steps    uint64            `json:"steps"`
	Finished bool              `json:"finished"`

	source *syntax.Source
}

type simulatedBuffer struct {
	Group   uint32           `json:"group"`
	Binding uint32           `json:"binding"`
	Type    string           `json:"type"`
	Values  []verdict.Number `json:"values"`
}

func (asked *simulation) run(cmd *cobra.Command) (*simulated, error) {
	text, err := os.ReadFile(asked.path)
	if err != nil {
		return nil, err
	}
	workgroups, err := bind.ParseWorkgroups(asked.workgroups)
	if err != nil {
		return nil, fmt.Errorf("--workgroups %w", err)
	}
	given := make([]*bind.Buffer, len(asked.binds))
	for i, b := range asked.binds {
		if given[i], err = bind.Parse(b); err != nil {
			return nil, fmt.Errorf("--bind %w", err)
		}
	}
	report := &simulated{Findings: []verdict.Finding{}, Buffers: []simulatedBuffer{}, source: syntax.NewSource(asked.path, string(text))}
	program, err := asked.compile(report)
	if err != nil || program == nil {
		return report, err
	}
	buffers := make([]sim.Buffer, len(given))
	for i, b := range given {
		b.Fit(program)
		buffers[i] = sim.Buffer{Group: b.Group, Binding: b.Binding, Data: b.Data}
	}
	result, err := program.Run(cmd.Context(), workgroups, buffers, sim.Options{Watch: true, Steps: asked.steps})
	if err != nil {
		return nil, err
	}
	for _, f := range result.Findings {
		report.add(f)
	}
	for _, b := range given {
		report.Buffers = append(report.Buffers, simulatedBuffer{b.Group, b.Binding, b.Element.String(), b.Values()})
	}
	report.Steps, report.Finished = result.Steps, result.Finished
	return report, nil
}

// compile makes the program; where the shader is wrong, that becomes a finding and there is no program.
func (asked *simulation) compile(report *simulated) (*sim.Program, error) {
	info, found := sim.Analyse(report.source, types.AllFeatures)
	if report.refused(found) {
		return nil, nil
	}
	entry := info.Entry(asked.entry)
	if entry == nil || entry.Stage != types.ComputeStage {
		return nil, fmt.Errorf("%s has no compute entry point `%s`%s", asked.path, asked.entry, otherEntries(info))
	}
	pipeline, found := info.Pipeline(entry, nil)
	if report.refused(found) {
		return nil, nil
	}
	return sim.Compile(pipeline, false)
}

func otherEntries(info *types.Info) string {
	var names []string
	for _, e := range info.EntryPoints {
		if e.Stage == types.ComputeStage {
			names = append(names, "`"+e.Object.Name+"`")
		}
	}
	if len(names) == 0 {
		return ", nor any other"
	}
	return "; it has " + strings.Join(names, ", ")
}

// refused makes findings of the front end's errors.
func (report *simulated) refused(found []*syntax.Diagnostic) bool {
	for _, d := range found {
		if d.Severity != syntax.Error {
			continue
		}
		message := d.Message
		if d.Hint != "" {
			message += " " + d.Hint
		}
		report.add(shader.Finding{
			Kind: "compile", Severity: shader.SeverityError, Message: message, Index: -1, Length: -1,
			Place: shader.Place{Span: sim.SpanOf(report.source, d.Span)},
		})
	}
	return len(report.Findings) > 0
}

func (report *simulated) add(f shader.Finding) {
	report.Findings = append(report.Findings, judge.Told(f))
}

func (report *simulated) wrong() bool {
	return slices.ContainsFunc(report.Findings, verdict.Finding.IsError)
}

func (report *simulated) print(to io.Writer, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(to)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(report)
	}
	for _, f := range report.Findings {
		line := report.source.Slice(report.source.Line(f.Line))
		at := shader.Span{Line: f.Line, Column: f.Column, EndLine: f.EndLine, EndColumn: f.EndColumn}
		fmt.Fprintf(to, "%s (%s), line %d: %s\n%s\n\n", f.Kind, f.Severity, f.Line, verdict.Sentence(f.Message), at.Excerpt(line))
	}
	for _, b := range report.Buffers {
		fmt.Fprintf(to, "@group(%d) @binding(%d), %s: %s\n", b.Group, b.Binding, b.Type, shortList(b.Values))
	}
	how := "to the end"
	if !report.Finished {
		how = "and not to the end"
	}
	_, err := fmt.Fprintf(to, "%d steps, %s\n", report.Steps, how)
	return err
}

// shortList is the first values of many.
func shortList(values []verdict.Number) string {
	const most = 16
	var words []string
	for i, v := range values {
		if i == most {
			words = append(words, fmt.Sprintf("… (%d in all)", len(values)))
			break
		}
		words = append(words, v.String())
	}
	return strings.Join(words, " ")
}
