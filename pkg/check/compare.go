package check

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
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
	c := &comparison{Explanation: explanation, Changes: learner.Diff(indentedAs(code, own), code)}
	if !large.there || device == nil {
		return c, nil
	}
	c.What = large.Name
	times, err := fastest(device, exercise, large.Case, source, reference)
	if err != nil {
		return nil, fmt.Errorf("timing your shader beside the reference: %w", err)
	}
	c.Yours, c.Reference = times[0], times[1]
	return c, nil
}

// indentedAs gives the lines of code that differ from a reference's in blanks at their
// ends alone as the reference has them: how far to indent is nothing to learn here.
func indentedAs(reference, code string) string {
	written := map[string][]string{} // in the order in which they stand there
	for line := range strings.SplitSeq(reference, "\n") {
		words := strings.TrimSpace(line)
		written[words] = append(written[words], line)
	}
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		words := strings.TrimSpace(line)
		if as := written[words]; len(as) > 0 {
			lines[i], written[words] = as[0], as[1:]
		}
	}
	return strings.Join(lines, "\n")
}

// splitComment takes the first comment off a shader, and its slashes off it.
func splitComment(source string) (comment, code string) {
	lines := strings.Split(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	end := 0
	for end < len(lines) && strings.HasPrefix(lines[end], "//") {
		comment += strings.TrimPrefix(strings.TrimPrefix(lines[end], "//"), " ") + "\n"
		end++
	}
	return strings.TrimSpace(comment), strings.Trim(strings.Join(lines[end:], "\n"), "\n")
}

// What else the machine does can only slow a run down, so the fastest counts, of two or
// more: up to five of each shader, until enough time was spent. A learner waits for them.
const (
	leastRuns = 2
	mostRuns  = 5
	enough    = 4 * time.Millisecond
)

// fastest times shaders over the same buffers. They take turns, so that what else the
// machine does falls on all of them.
func fastest(device *gpu.Device, exercise *lesson.Exercise, c lesson.Case, sources ...string) ([]time.Duration, error) {
	buffers, free, err := upload(device, c)
	defer free()
	if err != nil {
		return nil, err
	}
	passes := make([]gpu.Pass, len(sources))
	for i, source := range sources {
		kernel, err := device.Compile(learner.ShaderPath(exercise.ID), source)
		if err != nil {
			return nil, err
		}
		defer kernel.Free()
		if passes[i], err = kernel.Pass(exercise.Dispatch.Workgroups(c.Extent, kernel.WorkgroupSize()), buffers...); err != nil {
			return nil, err
		}
		defer passes[i].Free()
	}
	return fastestRuns(device, passes)
}

// upload puts a case's buffers onto the device. What free gives back are those that
// are there, after an error too.
func upload(device *gpu.Device, c lesson.Case) (buffers []*gpu.Buffer, free func(), err error) {
	free = func() {
		for _, b := range buffers {
			b.Free()
		}
	}
	for _, content := range c.Buffers {
		b, err := gpu.UploadContent(device, content)
		if err != nil {
			return buffers, free, err
		}
		buffers = append(buffers, b)
	}
	return buffers, free, nil
}

func fastestRuns(device *gpu.Device, passes []gpu.Pass) ([]time.Duration, error) {
	times := make([]time.Duration, len(passes))
	spent := time.Duration(0)
	for run := 0; run < leastRuns || run < mostRuns && spent < enough; run++ {
		for i, pass := range passes {
			took, err := timed(device, pass)
			if err != nil {
				return nil, err
			}
			if run == 0 || took < times[i] {
				times[i] = took
			}
			spent += took
		}
	}
	return times, nil
}

// timed asks the device where it has timestamps, and the host's clock otherwise.
func timed(device *gpu.Device, pass gpu.Pass) (time.Duration, error) {
	if !device.Adapter().Timestamps {
		started := time.Now()
		err := device.Run(pass)
		return time.Since(started), err
	}
	times, err := device.Time(pass)
	if err != nil {
		return 0, err
	}
	return times[0], nil
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
