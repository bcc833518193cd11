package check

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/shaders"
)

// A comparison sets a shader that is right beside the reference. It is shown
// only to those who have passed.
type comparison struct {
	Explanation string           // the reference's own, from its first comment
	Changes     []learner.Change // from the learner's shader to the reference
	What        string           // what was timed; "" when nothing was
	Yours       time.Duration    // the fastest run
	Reference   time.Duration
}

// compare sets source, which has passed, beside the reference, and times both where
// there is a device.
func compare(device *gpu.Device, exercise *lesson.Exercise, source string, large largeCase) (*comparison, error) {
	reference, err := shaders.Source(exercise.ID)
	if err != nil {
		return nil, err
	}
	explanation, code := splitComment(reference)
	_, own := splitComment(source)
	c := &comparison{Explanation: explanation, Changes: learner.Diff(own, code)}
	if !large.there || device == nil {
		return c, nil
	}
	c.What = large.Name
	if c.Yours, err = fastest(device, exercise, source, large.Case); err != nil {
		return nil, fmt.Errorf("timing your shader: %w", err)
	}
	if c.Reference, err = fastest(device, exercise, reference, large.Case); err != nil {
		return nil, fmt.Errorf("timing the reference: %w", err)
	}
	return c, nil
}

// splitComment takes the first comment off a shader, and its slashes off it.
func splitComment(source string) (comment, code string) {
	lines := strings.Split(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	end := 0
	for end < len(lines) && strings.HasPrefix(lines[end], "//") {
		comment += strings.TrimPrefix(strings.TrimPrefix(lines[end], "//"), " ") + "\n"
		end++
	}
	return strings.TrimSpace(comment), strings.TrimLeft(strings.Join(lines[end:], "\n"), "\n")
}

// timedRuns is how often a shader is timed: what else the machine does can only
// slow a run down, so the fastest counts.
const timedRuns = 5

// shortRun is a time so short that the runs behind one of it are handed over together:
// a submission of its own costs as much as the run, and no deadline is near.
const shortRun = 50 * time.Millisecond

func fastest(device *gpu.Device, exercise *lesson.Exercise, source string, c lesson.Case) (time.Duration, error) {
	kernel, err := device.Compile(exercise.ID, source)
	if err != nil {
		return 0, err
	}
	defer kernel.Free()
	var buffers []*gpu.Buffer
	for _, b := range c.Buffers {
		buffer, err := gpu.UploadContent(device, b)
		if err != nil {
			return 0, err
		}
		defer buffer.Free()
		buffers = append(buffers, buffer)
	}
	pass, err := kernel.Pass(exercise.Dispatch.Workgroups(c.Extent, kernel.WorkgroupSize()), buffers...)
	if err != nil {
		return 0, err
	}
	defer pass.Free()
	return fastestRun(device, pass)
}

// fastestRun asks the device where it has timestamps, and the host's clock otherwise.
func fastestRun(device *gpu.Device, pass gpu.Pass) (time.Duration, error) {
	if !device.Adapter().Timestamps {
		return fastestByClock(device, pass)
	}
	var all []time.Duration
	for len(all) < timedRuns {
		runs := 1
		if len(all) > 0 && all[0] < shortRun {
			runs = timedRuns - len(all)
		}
		times, err := device.Time(slices.Repeat([]gpu.Pass{pass}, runs)...)
		if err != nil {
			return 0, err
		}
		all = append(all, times...)
	}
	return slices.Min(all), nil
}

func fastestByClock(device *gpu.Device, pass gpu.Pass) (time.Duration, error) {
	all := make([]time.Duration, timedRuns)
	for i := range all {
		started := time.Now()
		if err := device.Run(pass); err != nil {
			return 0, err
		}
		all[i] = time.Since(started)
	}
	return slices.Min(all), nil
}

// Speed sets the two times beside each other, in words.
func (c *comparison) Speed() string {
	if c.What == "" {
		return ""
	}
	yours, reference := c.Yours.Round(time.Microsecond), c.Reference.Round(time.Microsecond)
	return fmt.Sprintf("%s: yours took %v, the reference %v.", c.What, yours, reference)
}

// Paragraphs is the explanation without the line breaks of its comment.
func (c *comparison) Paragraphs() []string {
	paragraphs := strings.Split(c.Explanation, "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.ReplaceAll(p, "\n", " ")
	}
	return paragraphs
}

// Same says whether the two differ in comments before the code at most.
func (c *comparison) Same() bool { return len(c.Changes) == 0 }

//go:embed compare.html
var compareSource string

var compareTemplate = template.Must(template.New("compare").Funcs(template.FuncMap{"code": verdict.CodeSpans}).Parse(compareSource))

// HTML is the comparison, folded.
func (c *comparison) HTML() template.HTML {
	var b bytes.Buffer
	if err := compareTemplate.Execute(&b, c); err != nil {
		panic(fmt.Sprintf("check: the comparison's template does not fit its data: %v", err))
	}
	return template.HTML(b.String())
}

// Text is the comparison for a terminal.
func (c *comparison) Text() string {
	lines := []string{"  Beside the reference:"}
	if c.Same() {
		lines = append(lines, "  yours is the same, line by line.")
	}
	marks := map[string]string{"added": "+ ", "taken": "- ", "kept": "  "}
	for _, change := range c.Changes {
		lines = append(lines, "  "+marks[change.Kind]+change.Text)
	}
	if speed := c.Speed(); speed != "" {
		lines = append(lines, "  "+speed)
	}
	return strings.Join(lines, "\n")
}

var _ show.View = (*comparison)(nil)
