package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/capture"
	"github.com/wgslab/wgslab/internal/observe/printing"
	"github.com/wgslab/wgslab/internal/observe/printing/ondevice"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// simulation holds the options of the command line.
type simulation struct {
	fileRun
	path        string
	saves       []string
	steps       uint64
	engine      string
	asJSON      bool
	disassemble bool
}

func newSimulateCommand() *cobra.Command {
	var asked simulation
	command := &cobra.Command{
		Use:   "simulate FILE",
		Short: "Run any compute shader in the simulator and report what goes wrong",
		Long: `Simulate runs the shader in FILE in the simulator, one invocation after the
other. It reports races, accesses out of bounds, barriers that some invocations
miss, endless loops, and where the first NaN came from.

--bind gives a buffer to a binding of @group(0), or to GROUP.N in another group:
  0=f32[8]       eight elements: 0, 1, 2, …
  1=u32:3,1,2    these elements
  1=f32[8]:0     eight elements, all of them 0
  2=@data.bin    the bytes of a file
  3=4,0.5,1      the numbers of what the shader declares, in the order of the members
  boids=Boid[64] by the name of the variable, with 64 elements of the shader's type
Types are f32, f16, u32, i32, vectors and matrices of them such as vec4f, and the
shader's own.

Textures and samplers are bound in the same way:
  0=texture[64,64]              the format that the shader names, filled with a ramp
  0=rgba16float[64,64,6;levels=3]@sky.bin  the bytes of a file: levels, layers, rows
  0=r32float[2,2]:1,2,3,4       these channels, texel by texel
  0=@photo.png                  a picture
  1=sampler:linear,repeat       or nearest, clamp-to-edge, mirror-repeat, less, …
--save 1=blurred.png writes a texture as a picture after the run, or any binding as bytes.

--pass runs an entry point, and may be there several times: the passes run one after the
other on the same buffers.
  scan_blocks=4  4 workgroups of entry point scan_blocks
  add_sums=4,2   and then 4 × 2 workgroups of add_sums
  draw=@3        as many as the three u32 in the buffer of binding 3 say, when the pass begins
  draw=@1.3+16   the same at byte 16 of binding 3 in group 1

--override gives a value to an override, by its name, or by its number if it has @id:
  SIZE=64        override SIZE: u32;
  7=0.5          @id(7) override scale: f32;

--dispatch N runs a dispatch of a capture of WebGPU Inspector with the buffers, textures
and overrides of the page; --shader N a shader of a log. wgslab open lists both.

A comment "// print: i, a[i]" in the shader shows these values for each invocation;
"// print if i == 3u: a[i]" shows them where the condition holds. A comment
"// subgroups: 8" sets the size of subgroups in the simulator.

--engine also runs the passes on a device: gpu, cpu, or auto for the best one. The print
comments then write to a buffer that is added to the shader. Where the device's rows
or buffers differ from the simulator's, both are shown: a race looks different there.

--disassemble prints the simulator's code instead of running it. Each line of
the shader is followed by its instructions. A slot goes by the name of the
variable in it; %NUMBER is a temporary.

Exit codes: 0 nothing wrong, 1 an error was found, 2 wrong usage, 3 the requested engine
is not available.`,
		Example: `  wgslab simulate work/vector-add.wgsl --bind 0=f32[65] --bind 1=f32[65] --bind 2=f32[65] --workgroups 2
  wgslab simulate try.wgsl --bind 0=u32:4,4,4 --bind 1=@weights.bin --json
  wgslab simulate blur.wgsl --bind 0=@photo.png --bind '1=texture[64,64]' --workgroups 8,8 --save 1=blurred.png
  wgslab simulate tiles.wgsl --override SIZE=16 --bind 0=f32[256] --workgroups 4,4
  wgslab simulate scan.wgsl --bind 0=u32[1000] --bind 1=u32[4] --pass scan_blocks=4 --pass add_sums=4
  wgslab simulate scan.wgsl --bind 0=u32[1000] --bind 1=u32[4] --workgroups 4 --engine gpu
  wgslab simulate capture.wgpuc --dispatch 3
  wgslab simulate work/matmul.wgsl --disassemble`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			asked.path = args[0]
			return asked.run(cmd)
		},
	}
	flags := command.Flags()
	flags.StringVar(&asked.Entry, "entry", "", "the entry point to run (default: main, or the only one)")
	flags.StringVar(&asked.Workgroups, "workgroups", "1,1,1", "the number of workgroups in x, y and z, or @N for those in a buffer")
	flags.StringArrayVar(&asked.Passes, "pass", nil, "an entry point to run, and its workgroups: ENTRY=X,Y,Z, or ENTRY=@N for those in a buffer")
	flags.StringArrayVar(&asked.Binds, "bind", nil, "a buffer: N=TYPE[COUNT], N=TYPE[COUNT]:v, N=TYPE:v,v,…, N=v,v,… or N=@FILE; a texture: N=texture[WIDTH,HEIGHT]; a sampler: N=sampler")
	flags.StringArrayVar(&asked.saves, "save", nil, "write a binding to a file after the run: N=FILE; a texture to FILE.png as a picture")
	flags.StringArrayVar(&asked.Overrides, "override", nil, "a value for an override: NAME=VALUE, or ID=VALUE if it has @id")
	flags.Uint64Var(&asked.steps, "steps", 0, "give up after this many steps of all invocations together (default: those of about three seconds)")
	flags.StringVar(&asked.engine, "engine", string(shader.Simulated), "also run it on this device: gpu, cpu or auto")
	flags.BoolVar(&asked.asJSON, "json", false, "print findings and buffers as JSON")
	addFileFlags(command, &asked.fileRun)
	flags.BoolVar(&asked.disassemble, "disassemble", false, "print the simulator's code and do not run it")
	for _, single := range []string{"entry", "workgroups", "disassemble"} {
		command.MarkFlagsMutuallyExclusive("pass", single)
	}
	command.MarkFlagsMutuallyExclusive("json", "disassemble")
	command.MarkFlagsMutuallyExclusive("engine", "disassemble")
	return command
}

// A simulationReport is what the command prints.
type simulationReport struct {
	*anyshader.SimulatedRun

	source   *shader.Source
	captured *capture.ReadyDispatch // of a capture; else nil
	page     []capture.PageDifference
	failed   error // why the device has no results
}

func (asked *simulation) run(cmd *cobra.Command) error {
	d, captured, err := asked.read(cmd, asked.path)
	if err != nil {
		return err
	}
	report := &simulationReport{SimulatedRun: anyshader.NewRun(), source: d.Source, captured: captured}
	kind, err := shader.ParseKind(asked.engine)
	if err != nil {
		return err
	}
	on, err := engine.Open(cmd.Context(), kind)
	if err != nil {
		return err
	}
	defer on.Close()
	programs, err := report.Compile(d)
	if err != nil {
		return err
	}
	switch {
	case programs == nil: // no pass runs if one doesn't compile
	case asked.disassemble:
		return programs[0].Disassemble(cmd.OutOrStdout())
	default:
		if err := asked.dispatch(cmd.Context(), on.Device, d, programs, report); err != nil {
			return err
		}
	}
	if err := report.print(cmd, asked.asJSON); err != nil {
		return err
	}
	if report.Wrong() {
		return &codedError{exitNotRight, report.failed}
	}
	return notRightIfRefused(report.failed)
}

// dispatch runs the passes on the same buffers, and adds the results to the report. If there is a
// device, it runs them as well, on buffers of its own.
func (asked *simulation) dispatch(ctx context.Context, device *gpu.Device, d *anyshader.Dispatches, programs []*sim.Program, report *simulationReport) error {
	var devices []sim.BoundBuffer
	for _, b := range d.Buffers {
		bound := b.Bound()
		bound.Data = slices.Clone(bound.Data)
		devices = append(devices, bound)
	}
	ran, err := report.Simulate(ctx, d, programs, asked.steps, nil)
	if err != nil {
		return err
	}
	files, err := anyshader.Saved(d.Buffers, asked.saves, d.Source)
	if err != nil {
		return fmt.Errorf("--save %w", err)
	}
	if err := atomicfile.WriteAll(files, 0o644); err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	switch {
	case device != nil:
		report.failed = report.compare(ctx, device, ran, devices)
	case report.captured != nil && report.Finished:
		devices = report.comparePage(d.Buffers)
	}
	if report.Device == "" || report.failed != nil {
		devices = nil
	}
	report.Add(d.Buffers, ran, devices)
	return nil
}

// compare runs the passes on a device, and adds what it printed to what the simulator did.
func (report *simulationReport) compare(ctx context.Context, device *gpu.Device, ran []anyshader.SimulatedPass, buffers []sim.BoundBuffer) error {
	report.Device = device.Adapter().String()
	if !report.Finished {
		return fmt.Errorf("%s did not run the shader, because it did not end in the simulator", report.Device)
	}
	var again []ondevice.PrintedPass
	for _, pass := range ran {
		again = append(again, ondevice.PrintedPass{Pipeline: pass.Pipeline, Workgroups: pass.Workgroups})
	}
	shown, err := ondevice.Print(ctx, device, again, buffers)
	if err != nil {
		return fmt.Errorf("on %s: %w", report.Device, err)
	}
	for i, pass := range ran {
		printing.AddDevice(pass.Printed, shown[i])
	}
	return nil
}

// comparePage compares with what the device of the page left, and returns its buffers.
func (report *simulationReport) comparePage(buffers []*anyshader.Argument) (devices []sim.BoundBuffer) {
	for _, b := range buffers {
		devices = append(devices, b.Bound())
	}
	if report.page = report.captured.Differences(devices); len(report.page) == 0 {
		return nil
	}
	report.Device = "the page's GPU"
	for _, d := range report.page {
		if d.Wrong > 0 {
			devices[d.Buffer].Data = report.captured.After[d.Buffer]
		}
	}
	return devices
}

func (report *simulationReport) print(cmd *cobra.Command, asJSON bool) error {
	to := cmd.OutOrStdout()
	if asJSON {
		encoder := json.NewEncoder(to)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(report.SimulatedRun)
	}
	for _, f := range report.Findings {
		line, at := report.source.LineAt(f.Region), fmt.Sprintf("line %d", f.Line)
		if f.File != "" {
			at = f.File + ", " + at
		}
		if f.Case != "" {
			at += ", in " + f.Case
		}
		says := strings.TrimSpace(english.Sentence(f.Message) + " " + f.Hint)
		fmt.Fprintf(to, "%s (%s), %s: %s\n%s\n\n", f.Kind, f.Severity, at, says, f.Excerpt(line))
	}
	for _, b := range report.Buffers {
		fmt.Fprintf(to, "@group(%d) @binding(%d), %s: %s\n", b.Group, b.Binding, b.Type, shortList(b.Values))
		if b.Device != nil {
			fmt.Fprintf(to, "  on %s: %s\n", report.Device, shortList(b.Device))
		}
	}
	for _, shown := range view.Drawn("What your print comments show", func() []view.View { return printing.Views(report.Printed) }) {
		fmt.Fprintln(to, view.Text(shown))
	}
	for _, d := range report.page {
		fmt.Fprintln(to, d)
	}
	if slices.ContainsFunc(report.Findings, func(f findings.Finding) bool { return f.Kind == findings.NotCompiled }) {
		_, err := fmt.Fprintln(to, "Nothing ran, because the shader doesn't compile.")
		return err
	}
	how := "to the end"
	switch {
	case report.Endless:
		how = "and no number of steps would reach the end"
	case !report.Finished:
		how = "and not to the end: --steps sets a higher limit"
	}
	if long := report.TooLong(); long != "" {
		how += ". " + long
	}
	_, err := fmt.Fprintf(to, "%d steps, %s\n", report.Steps, how)
	return err
}

// shortList formats the first of many values.
func shortList(values []numeric.JSONNumber) string {
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
