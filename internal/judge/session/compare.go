package session

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/judge/workdir"
	"github.com/wgslab/wgslab/internal/shader"
)

// A comparison shows the differences between a right shader and the reference. Only
// learners who have passed see it.
type comparison struct {
	Explanation string           // the reference's own, from its first comment
	Changes     []workdir.Change // from the learner's shader to the reference
	What        string           // what was timed; "" when nothing was
	Yours       time.Duration    // the fastest run
	Reference   time.Duration
}

// compare compares source, which has passed, with the reference, and times both if there
// is a device.
func compare(device *gpu.Device, exercise *course.Exercise, source *shader.Source, large largeCase) (*comparison, error) {
	reference, err := exercise.Reference()
	if err != nil {
		return nil, err
	}
	c := &comparison{Explanation: firstComment(reference.Text), Changes: differences(source.Shader(), reference.Shader())}
	if !large.there || device == nil {
		return c, nil
	}
	c.What = large.Name
	times, err := fastest(device, exercise, large.Case, source, reference)
	if err != nil {
		return nil, fmt.Errorf("timing your shader and the reference: %w", err)
	}
	c.Yours, c.Reference = times[0], times[1]
	return c, nil
}

// firstComment returns a shader's first comment, without slashes.
func firstComment(source string) string {
	comment := ""
	for line := range strings.SplitSeq(source, "\n") {
		text, ok := strings.CutPrefix(line, "//")
		if !ok {
			break
		}
		comment += strings.TrimPrefix(text, " ") + "\n"
	}
	return strings.TrimSpace(comment)
}

// Other load can only slow a run down, so the fastest of several counts. The learner waits
// for them, so there are at most five per shader, and fewer once they took long enough.
const (
	leastRuns = 2
	mostRuns  = 5
	enough    = 4 * time.Millisecond
)

// fastest times shaders on the same buffers. They take turns, so that other load slows
// them all down alike.
func fastest(device *gpu.Device, exercise *course.Exercise, c course.Case, sources ...*shader.Source) ([]time.Duration, error) {
	buffers, free, err := gpu.UploadAll(device, c.Buffers)
	defer free()
	if err != nil {
		return nil, err
	}
	passes := make([]gpu.Pass, len(sources))
	for i, source := range sources {
		kernel, err := device.CompileSource(source)
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

// timed measures a pass by the device's timestamps, or by the host's clock if it has none.
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

// Speed compares the two times in words.
func (c *comparison) Speed() string {
	if c.What == "" {
		return ""
	}
	yours, reference := c.Yours.Round(time.Microsecond), c.Reference.Round(time.Microsecond)
	return fmt.Sprintf("%s: yours took %v, the reference %v.", c.What, yours, reference)
}

// Paragraphs returns the explanation without the line breaks of its comment.
func (c *comparison) Paragraphs() []string {
	paragraphs := strings.Split(c.Explanation, "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.ReplaceAll(p, "\n", " ")
	}
	return paragraphs
}

// Same reports whether the two say the same.
func (c *comparison) Same() bool { return len(c.Changes) == 0 }

//go:embed compare.html
var compareSource string

var compareTemplate = template.Must(template.New("compare").Funcs(template.FuncMap{"code": verdict.CodeSpans}).Parse(compareSource))

// HTML renders the comparison, folded.
func (c *comparison) HTML() template.HTML {
	var b bytes.Buffer
	if err := compareTemplate.Execute(&b, c); err != nil {
		panic(fmt.Sprintf("session: the comparison's template does not fit its data: %v", err))
	}
	return template.HTML(b.String())
}

// Text renders the comparison for a terminal.
func (c *comparison) Text() string {
	lines := []string{"  Compared with the reference:"}
	if c.Same() {
		lines = append(lines, "  yours says the same.")
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
