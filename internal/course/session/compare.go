// This file compares a right shader with its exercise's reference, in text and in time. It
// also shows other right ways to write it.

package session

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/ground/view/mark"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A SideBySide shows the differences between a right shader and the reference. Only
// learners who have passed see it.
type SideBySide struct {
	Explanation string           // the reference's own, from its first comment
	Changes     []verdict.Change // from the learner's shader to the reference
	What        string           // the case to time; "" when there is none
	Untimed     string           // why the learner's shader was not timed on it; "" if it was
	Yours       time.Duration    // the fastest run
	Reference   time.Duration
}

// WithReference compares source, which has passed, with the reference. Given a device and a large
// case, it times both, unless source takes far too many steps.
func WithReference(ctx context.Context, device *gpu.Device, exercise *course.Exercise, source *shader.Source, large *course.Case) (*SideBySide, error) {
	reference, err := exercise.Reference()
	if err != nil {
		return nil, err
	}
	c := &SideBySide{Explanation: firstComment(reference.Text), Changes: differences(source.Shader(), reference.Shader())}
	if large == nil || device == nil {
		return c, nil
	}
	err = c.time(ctx, device, exercise, *large, source, reference)
	if shader.RefusedOnly(err) { // by the driver's compiler, although WGSL allows it
		c.What = ""
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("timing your shader and the reference: %w", err)
	}
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
	tooLong   = 200 * time.Millisecond // one run will do
)

// A shader is not timed if it takes several times the steps of the reference, and therefore longer
// than mostTimed. If it still does not end within lastTimed, the wait for it ends, and the device
// is lost; a device that is slow for the reference as well gets more time.
const (
	several   = 2
	mostTimed = 500 * time.Millisecond
	lastTimed = time.Second
	slowly    = 10 // times the reference
)

// time times the learner's shader and the reference on the same buffers. First it times the
// reference alone: that, times the steps of the two, is how long the learner's would take.
func (c *SideBySide) time(ctx context.Context, device *gpu.Device, exercise *course.Exercise, large course.Case, yours, reference *shader.Source) error {
	c.What = large.Name
	buffers, free, err := gpu.UploadAll(device, large.Buffers)
	defer free()
	if err != nil {
		return err
	}
	passes := make([]gpu.Pass, 2)
	for i, source := range []*shader.Source{yours, reference} {
		pipeline, err := device.CompileSource(source)
		if err != nil {
			return err
		}
		defer pipeline.Free()
		if passes[i], err = pipeline.Pass(exercise.Dispatch.Workgroups(large.Extent, pipeline.WorkgroupSize()), buffers...); err != nil {
			return err
		}
		defer passes[i].Free()
	}
	alone, err := fastestRuns(device, passes[1:])
	if err != nil {
		return err
	}
	c.Reference = alone[0]
	if c.Untimed, err = tooSlow(ctx, exercise, large, yours, reference, c.Reference); err != nil || c.Untimed != "" {
		return err
	}
	last := max(lastTimed, slowly*c.Reference)
	times, err := fastestRuns(device.Within(last), passes)
	if errors.As(err, new(*shader.DeadlineError)) {
		c.Untimed = fmt.Sprintf("your shader did not finish within %v.", last.Round(100*time.Millisecond))
		return nil
	}
	if err != nil {
		return err
	}
	c.Yours, c.Reference = times[0], times[1]
	return nil
}

// tooSlow says why a shader isn't timed, by its steps and those of the reference, which took so
// long; "" if it is timed. If only the learner's steps are too many to count, it is too slow.
func tooSlow(ctx context.Context, exercise *course.Exercise, large course.Case, yours, reference *shader.Source, took time.Duration) (string, error) {
	usual, err := judge.EffortOf(ctx, exercise, reference, large)
	if err != nil {
		return "", err
	}
	own, err := judge.EffortOf(ctx, exercise, yours, large)
	if err != nil {
		return "", ctx.Err() // the simulator cannot run it: only the deadline helps
	}
	times := float64(own.Steps) / float64(usual.Steps)
	expected := time.Duration(times * float64(took))
	switch {
	case usual.AtLeast || !own.AtLeast && (times < several || expected <= mostTimed):
		return "", nil
	case own.AtLeast && expected < time.Second: // the count says too little about the time
		return fmt.Sprintf("your shader takes more than %.0f times the steps of the reference, too many to count them all, so it isn't timed.", times), nil
	case own.AtLeast:
		return fmt.Sprintf("your shader takes more than %.0f times the steps of the reference, too many to count them all. That would take more than %s, so it isn't timed.",
			times, spoken(expected)), nil
	}
	return fmt.Sprintf("your shader takes %.0f times the steps of the reference. That would take about %s, so it isn't timed.", times, spoken(expected)), nil
}

// spoken formats a duration as people say it: 0.6 s, 12 s, 3 minutes, 2.5 hours.
func spoken(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.1f hours", d.Hours())
}

// fastestRuns times passes that take turns, so that other load slows them all down alike.
func fastestRuns(device *gpu.Device, passes []gpu.Pass) ([]time.Duration, error) {
	times := make([]time.Duration, len(passes))
	spent := time.Duration(0)
	for run := 0; run == 0 || spent < tooLong && (run < leastRuns || run < mostRuns && spent < enough); run++ {
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
func (c *SideBySide) Speed() string {
	switch {
	case c.What == "":
		return ""
	case c.Untimed != "":
		return c.What + ": " + c.Untimed
	}
	yours, reference := c.Yours.Round(time.Microsecond), c.Reference.Round(time.Microsecond)
	return fmt.Sprintf("%s: yours took %v, the reference %v.", c.What, yours, reference)
}

// Paragraphs returns the explanation without the line breaks of its comment.
func (c *SideBySide) Paragraphs() []string {
	paragraphs := strings.Split(c.Explanation, "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.ReplaceAll(p, "\n", " ")
	}
	return paragraphs
}

// Same reports whether the two say the same.
func (c *SideBySide) Same() bool { return len(c.Changes) == 0 }

//go:embed compare.html
var compareSource string

var compareTemplate = template.Must(template.New("compare").Funcs(template.FuncMap{"code": verdict.CodeSpans}).Parse(compareSource))

// HTML renders the comparison, folded.
func (c *SideBySide) HTML() template.HTML {
	return mark.Fill(compareTemplate, c)
}

// Text renders the comparison for a terminal.
func (c *SideBySide) Text() string {
	lines := []string{"  Compared with the reference:"}
	if c.Same() {
		lines = append(lines, "  yours says the same.")
	}
	signs := map[string]string{"added": "+ ", "taken": "- ", "kept": "  "}
	for _, change := range c.Changes {
		lines = append(lines, "  "+signs[change.Kind]+change.Text)
	}
	if speed := c.Speed(); speed != "" {
		lines = append(lines, "  "+speed)
	}
	return strings.Join(lines, "\n")
}
