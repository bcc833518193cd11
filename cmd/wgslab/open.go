package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/observe/capture"
)

// openOptions holds the options of the command line.
type openOptions struct {
	path, extract string
	dispatch      int
	asJSON        bool
}

func newOpenCommand() *cobra.Command {
	var asked openOptions
	command := &cobra.Command{
		Use:   "open FILE",
		Short: "List what a captured page computed, or the shaders in a log",
		Long: `Open reads a capture of WebGPU Inspector, an extension for browsers: the file that Save
Capture in its panel writes, or saveCaptureData in a page. It lists the passes of the
frame and their dispatches. simulate, test, cost, debug and trace run a dispatch with the
shader, buffers, textures and overrides of the page: --dispatch N.

It also lists the shaders that onnxruntime dumps: in the file that
ORT_WEBGPU_EP_SHADER_DUMP_FILE names, or in a verbose log. simulate --shader N runs one,
and vet reads them all.

--dispatch N lists what a dispatch binds, and what the capture doesn't tell. --extract
writes its parts into a folder: the shader, a file for each binding, the command that
runs them, a test that expects what the page's GPU left, and bench.json for the bench of
the course's page. Without --dispatch it does so for all.

Exit codes: 0 the file is listed, 1 the dispatch can't run, 2 wrong usage, or the file can't be read.`,
		Example: `  wgslab open capture.wgpuc
  wgslab open capture.wgpuc --dispatch 3
  wgslab open capture.wgpuc --extract parts
  wgslab open onnxruntime.log --extract shaders`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			asked.path = args[0]
			if capture.IsFile(asked.path) {
				return asked.capture(cmd)
			}
			return asked.log(cmd)
		},
	}
	command.Flags().IntVar(&asked.dispatch, "dispatch", 0, "list what this dispatch binds")
	command.Flags().StringVar(&asked.extract, "extract", "", "write shaders, bindings and command lines into this folder")
	command.Flags().BoolVar(&asked.asJSON, "json", false, "print the list as JSON")
	return command
}

func (asked *openOptions) capture(cmd *cobra.Command) error {
	c, closeFile, err := capture.OpenFile(asked.path)
	if err != nil {
		return err
	}
	defer closeFile()
	chosen := c.Dispatches
	if cmd.Flags().Changed("dispatch") {
		d, err := c.Find(asked.dispatch)
		if err != nil {
			return err
		}
		chosen = []*capture.Dispatch{d}
	}
	switch {
	case asked.extract != "":
		return asked.extractDispatches(cmd, c, chosen)
	case asked.asJSON:
		return printJSON(cmd.OutOrStdout(), listedPasses(c))
	case cmd.Flags().Changed("dispatch"):
		return asked.one(cmd, c, chosen[0])
	}
	return asked.list(cmd.OutOrStdout(), c)
}

// list prints the passes of a capture.
func (asked *openOptions) list(to io.Writer, c *capture.Capture) error {
	fmt.Fprintf(to, "%s, made by %s\n", asked.path, c.Made)
	for _, pass := range c.Passes {
		kind := "compute pass"
		if pass.Render {
			kind = "render pass"
		}
		if pass.Label != "" {
			kind += " " + pass.Label
		}
		if pass.Render {
			kind += ", " + english.Count(pass.Draws, "draw", "draws")
		}
		fmt.Fprintf(to, "\n%s\n", kind)
		printRepeated(to, pass.Dispatches, func(d *capture.Dispatch) string {
			said := fmt.Sprintf("%s: %s", d.Pipeline, what(c, d))
			if _, err := c.Bindings(d); err != nil {
				said += "\n       can't run: " + firstLine(err)
			}
			return said
		})
	}
	if c.CutOff {
		fmt.Fprintln(to, "\nThe file is cut off: what some buffers hold is missing. Save or copy the capture again.")
	}
	if len(c.Dispatches) == 0 {
		_, err := fmt.Fprintln(to, "\nThe page dispatches nothing in this capture: capture a frame in which it computes.")
		return err
	}
	_, err := fmt.Fprintf(to, "\nRun one: wgslab simulate %s --dispatch %d\n", asked.path, c.Dispatches[0].Number)
	return err
}

// mostTurns is the largest number of dispatches that take turns in a list and count as repeated.
const mostTurns = 8

// printRepeated prints what dispatches do. If one follows itself, or a few take turns, it prints
// them once.
func printRepeated(to io.Writer, all []*capture.Dispatch, say func(*capture.Dispatch) string) {
	var said []string
	for _, d := range all {
		said = append(said, say(d))
	}
	for i := 0; i < len(all); {
		turn, times := repeated(said[i:])
		for k := i; k < i+turn; k++ {
			mark := ""
			if turn == 1 && times > 1 {
				mark = fmt.Sprintf(" × %d, up to %d", times, all[i+times-1].Number)
			}
			first, rest, _ := strings.Cut(said[k], "\n")
			fmt.Fprintln(to, strings.TrimSuffix(fmt.Sprintf("%5d  %s%s\n%s", all[k].Number, first, mark, rest), "\n"))
		}
		i += turn * times
		if turn > 1 && times > 1 {
			fmt.Fprintf(to, "       these %d in turn × %d, up to %d\n", turn, times, all[i-1].Number)
		}
	}
}

// repeated returns how many texts come again and again at the start of a list, and how often: 1 and
// 1 if none does.
func repeated(said []string) (turn, times int) {
	for turn = 1; turn <= min(mostTurns, len(said)/2); turn++ {
		for times = 1; (times+1)*turn <= len(said) && slices.Equal(said[:turn], said[times*turn:(times+1)*turn]); {
			times++
		}
		if times > 2 || times == 2 && turn > 1 {
			return turn, times
		}
	}
	return 1, 1
}

// what says what a dispatch runs.
func what(c *capture.Capture, d *capture.Dispatch) string {
	workgroups := fmt.Sprintf("%d × %d × %d workgroups", d.Workgroups[0], d.Workgroups[1], d.Workgroups[2])
	if d.Indirect != nil {
		workgroups = fmt.Sprintf("workgroups from %s, byte %d", d.Indirect.Buffer, d.Indirect.Offset)
	}
	source, entry, err := c.Shader(d)
	if err != nil {
		return workgroups
	}
	return fmt.Sprintf("%s of %s in %s", workgroups, entry, source.Name)
}

// firstLine returns an error without the excerpt that may follow.
func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// one prints what a dispatch binds.
func (asked *openOptions) one(cmd *cobra.Command, c *capture.Capture, d *capture.Dispatch) error {
	to := cmd.OutOrStdout()
	fmt.Fprintf(to, "%d  %s: %s\n", d.Number, d.Pipeline, what(c, d))
	all, err := c.Bindings(d)
	for _, b := range all {
		fmt.Fprintf(to, "   @group(%d) @binding(%d) %s\n", b.Group, b.Binding, boundTo(b))
	}
	if err != nil {
		return &codedError{exitNotRight, fmt.Errorf("dispatch %d can't run: %w", d.Number, err)}
	}
	p, err := c.Prepare(cmd.Context(), d)
	if err != nil {
		return &codedError{exitNotRight, err}
	}
	if len(p.Overrides) > 0 {
		fmt.Fprintf(to, "   overrides: %s\n", strings.Join(p.Overrides, ", "))
	}
	if len(p.Before) > 0 {
		fmt.Fprintf(to, "It begins with what the simulator makes of %s %s.\n", english.Form(len(p.Before), "dispatch", "dispatches"), numbers(p.Before))
	}
	for _, note := range p.Notes {
		fmt.Fprintln(to, note)
	}
	_, err = fmt.Fprintf(to, `
wgslab simulate %[1]s --dispatch %[2]d
wgslab test %[1]s --dispatch %[2]d
wgslab debug %[1]s --dispatch %[2]d
wgslab cost %[1]s --dispatch %[2]d
`, asked.path, d.Number)
	return err
}

// numbers lists increasing numbers: 1, 2 and 5 to 9.
func numbers(all []int) string {
	var words []string
	for i := 0; i < len(all); {
		next := i + 1
		for next < len(all) && all[next] == all[next-1]+1 {
			next++
		}
		if next-i > 2 {
			words = append(words, fmt.Sprintf("%d to %d", all[i], all[next-1]))
			i = next
			continue
		}
		words = append(words, fmt.Sprint(all[i]))
		i++
	}
	return english.List(words)
}

// boundTo says what a variable is bound to.
func boundTo(b capture.BoundVariable) string {
	access := "reads"
	if b.Writable {
		access = "writes"
	}
	text := fmt.Sprintf("%s %s %s", b.Name, access, b.Resource)
	switch {
	case b.Texture != "":
		text += ", " + b.Texture
	case b.Bytes > 0 && b.Bytes == b.Of:
		text += ", " + english.Count(int(b.Bytes), "byte", "bytes")
	case b.Bytes > 0:
		text += fmt.Sprintf(", %s of %s from byte %s on", english.Thousands(int(b.Bytes)), english.Count(int(b.Of), "byte", "bytes"), english.Thousands(int(b.Offset)))
	}
	return text
}

// listedPass is a pass in the JSON of wgslab open.
type listedPass struct {
	Label      string           `json:"label"`
	Render     bool             `json:"render"`
	Draws      int              `json:"draws,omitempty"`
	Dispatches []listedDispatch `json:"dispatches"`
}

type listedDispatch struct {
	Number     int           `json:"number"`
	Pipeline   string        `json:"pipeline"`
	Shader     string        `json:"shader"`
	Entry      string        `json:"entry"`
	Workgroups []uint32      `json:"workgroups,omitempty"`
	Indirect   string        `json:"indirect,omitempty"` // the buffer and the byte
	Refused    string        `json:"refused,omitempty"`  // why it can't run
	Bindings   []listedBound `json:"bindings"`
}

type listedBound struct {
	Group    uint32 `json:"group"`
	Binding  uint32 `json:"binding"`
	Name     string `json:"name"`
	Writable bool   `json:"writable"`
	Resource string `json:"resource"`
	Offset   uint64 `json:"offset,omitempty"`
	Bytes    uint64 `json:"bytes,omitempty"`
	Texture  string `json:"texture,omitempty"`
}

func listedPasses(c *capture.Capture) []listedPass {
	list := []listedPass{}
	for _, pass := range c.Passes {
		p := listedPass{Label: pass.Label, Render: pass.Render, Draws: pass.Draws, Dispatches: []listedDispatch{}}
		for _, d := range pass.Dispatches {
			p.Dispatches = append(p.Dispatches, listedAs(c, d))
		}
		list = append(list, p)
	}
	return list
}

func listedAs(c *capture.Capture, d *capture.Dispatch) listedDispatch {
	l := listedDispatch{Number: d.Number, Pipeline: d.Pipeline, Bindings: []listedBound{}}
	if source, entry, err := c.Shader(d); err == nil {
		l.Shader, l.Entry = source.Name, entry
	}
	if d.Indirect == nil {
		l.Workgroups = d.Workgroups[:]
	} else {
		l.Indirect = fmt.Sprintf("%s+%d", d.Indirect.Buffer, d.Indirect.Offset)
	}
	all, err := c.Bindings(d)
	if err != nil {
		l.Refused = firstLine(err)
	}
	for _, b := range all {
		l.Bindings = append(l.Bindings, listedBound{b.Group, b.Binding, b.Name, b.Writable, b.Resource, b.Offset, b.Bytes, b.Texture})
	}
	return l
}

// extractDispatches writes the parts of dispatches, each into a folder of its own if there are
// several. One that can't run hides no other.
func (asked *openOptions) extractDispatches(cmd *cobra.Command, c *capture.Capture, chosen []*capture.Dispatch) error {
	left := 0
	for _, d := range chosen {
		p, err := c.Prepare(cmd.Context(), d)
		if cmd.Context().Err() != nil {
			return cmd.Context().Err()
		}
		if err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), firstLine(err))
			left++
			continue
		}
		folder := asked.extract
		if len(chosen) > 1 {
			folder = filepath.Join(folder, fmt.Sprintf("dispatch-%d", d.Number))
		}
		parts := p.Parts()
		if err := writeParts(folder, parts.Files); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "cd %s && %s\n", folder, parts.Command)
		for _, note := range append(p.Notes, parts.Notes...) {
			fmt.Fprintln(cmd.ErrOrStderr(), note)
		}
	}
	if left > 0 {
		return &codedError{exitNotRight, fmt.Errorf("%s can't run, and nothing is written of them", english.Count(left, "dispatch", "dispatches"))}
	}
	return nil
}

func writeParts(folder string, files map[string][]byte) error {
	placed := map[string][]byte{}
	for name, data := range files {
		placed[filepath.Join(folder, name)] = data
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("--extract: %w", err)
	}
	if err := atomicfile.WriteAll(placed, 0o644); err != nil {
		return fmt.Errorf("--extract: %w", err)
	}
	return nil
}

// log lists the shaders of a log.
func (asked *openOptions) log(cmd *cobra.Command) error {
	all, err := capture.OpenLog(asked.path)
	if err != nil {
		return err
	}
	if len(all) == 0 && isShader(asked.path) {
		return fmt.Errorf("%[1]s is a shader, and open shows captures and logs: wgslab simulate %[1]s runs it, and wgslab vet %[1]s reads it", asked.path)
	}
	if len(all) == 0 {
		return fmt.Errorf("%s is neither a capture of WebGPU Inspector nor a dump or log of onnxruntime with shaders", asked.path)
	}
	if err := refuseFlags(cmd, "with a capture, and this is a log", "dispatch"); err != nil {
		return err
	}
	switch {
	case asked.extract != "":
		files := map[string][]byte{}
		for _, s := range all {
			files[s.File()] = []byte(s.Text)
		}
		if err := writeParts(asked.extract, files); err != nil {
			return err
		}
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s in %s: wgslab vet %s\n", english.Count(len(all), "shader", "shaders"), asked.extract, asked.extract)
		return err
	case asked.asJSON:
		return printJSON(cmd.OutOrStdout(), listedShaders(all))
	}
	return listLog(cmd.OutOrStdout(), asked.path, all)
}

// listedShader is a shader of a log in the JSON of wgslab open.
type listedShader struct {
	Number     int    `json:"number"`
	Name       string `json:"name"`
	Key        string `json:"key,omitempty"`
	Line       int    `json:"line"`
	Lines      int    `json:"lines"`
	Workgroups string `json:"workgroups,omitempty"`
	Text       string `json:"text"`
}

func listedShaders(all []capture.Logged) (list []listedShader) {
	for _, s := range all {
		list = append(list, listedShader{s.Number, s.Name, s.Key, s.Line, strings.Count(s.Text, "\n"), s.Workgroups, s.Text})
	}
	return list
}

func listLog(to io.Writer, path string, all []capture.Logged) error {
	fmt.Fprintf(to, "%s, %s\n\n", path, english.Count(len(all), "shader", "shaders"))
	for _, s := range all {
		fmt.Fprintf(to, "%5d  %s: %s, at line %d", s.Number, s.Name, english.Count(strings.Count(s.Text, "\n"), "line", "lines"), s.Line)
		if s.Workgroups != "" {
			fmt.Fprintf(to, ", for %s workgroups", strings.ReplaceAll(s.Workgroups, ",", " × "))
		}
		fmt.Fprintln(to)
	}
	_, err := fmt.Fprintf(to, "\nwgslab vet %[1]s reads them all. Run one: wgslab simulate %[1]s --shader 1 --bind 0=f32[64]\n", path)
	return err
}
