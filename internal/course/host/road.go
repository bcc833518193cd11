// This file draws what a program did with WebGPU: the boxes of lesson 1's picture, filled with
// the program's own buffers, bytes and workgroups, and grey where a step is missing; and in which
// order the host sent, submitted and waited.

package host

import (
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/ground/view/mark"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

//go:embed road.html
var markup string

var page = template.Must(template.New("road").Parse(markup))

// A Road is the road of one record of calls.
type Road struct {
	Steps    []RoadStep
	Timeline []Event
}

// A RoadStep is a box.
type RoadStep struct {
	Name    string
	Says    string // with the program's own names and numbers; "missing" if it made no such call
	Missing bool
	Wrong   bool // a call of this step broke a rule
	On      side
}

// side is who works: the colours are those of images/01-road.svg.
type side int

const (
	host side = iota
	queue
	device
)

// Color returns the colour of a box.
func (s RoadStep) Color() template.CSS {
	if s.Missing {
		return "#6b7280"
	}
	return [...]template.CSS{"#2f6fb3", "#b4611a", "#2a7f4f"}[s.On]
}

// An Event is what happened at one moment.
type Event struct {
	Text string
	On   side
	call int
}

// Color returns the colour of an event.
func (e Event) Color() template.CSS { return RoadStep{On: e.On}.Color() }

// RoadOf returns the road of a program's calls.
func RoadOf(r *webgpu.Record) Road { return Road{steps(r), timeline(r)} }

// folded puts a road below one line.
func folded(r Road) view.View {
	return view.Fold{Title: "Your calls, step by step", Views: []view.View{r}}
}

// steps fills the boxes.
func steps(r *webgpu.Record) []RoadStep {
	all := []RoadStep{
		{Name: "buffers", Says: list(r.Buffers, func(b *webgpu.Buffer) string { return fmt.Sprintf("%s %s", short(&b.HostObject), size(b.Size)) })},
		{Name: "shader module", Says: list(objects(r, "shader module"), short)},
		{Name: "pipeline", Says: list(r.Pipelines, func(p *webgpu.ComputePipeline) string {
			return fmt.Sprintf("%s, workgroups of %s", short(&p.HostObject), across(p.WorkgroupSize))
		})},
		{Name: "bind group", Says: list(r.Groups, entries)},
		{Name: "commands", Says: list(r.Encoders, func(e *webgpu.CommandEncoder) string { return short(&e.HostObject) }) + recorded(r, "dispatchWorkgroups", "dispatch") + recorded(r, "copyBufferToBuffer", "copy")},
		{Name: "submit", Says: list(r.Submissions, submitted), On: queue},
		{Name: "dispatch", Says: list(dispatches(r), func(d webgpu.DispatchRun) string {
			if d.Counts != nil {
				return "as many workgroups as " + short(&d.Counts.HostObject) + " says"
			}
			return across(d.Workgroups) + " " + english.Form(int(d.Workgroups[0]*d.Workgroups[1]*d.Workgroups[2]), "workgroup", "workgroups")
		}), On: device},
		{Name: "copy", Says: list(copies(r), func(c *webgpu.CopyRun) string {
			return fmt.Sprintf("%s from %s to %s", size(c.Bytes), short(&c.From.HostObject), short(&c.To.HostObject))
		}), On: device},
		{Name: "map and read", Says: list(r.Mappings, mapped), On: queue},
	}
	for i := range all {
		s := &all[i]
		s.Wrong = slices.ContainsFunc(r.Calls, func(c webgpu.RecordedCall) bool { return c.Wrong != nil && stepOf[c.Name] == s.Name })
		s.Missing = s.Says == ""
		switch {
		case s.Missing && s.Wrong:
			s.Says = "this call breaks a rule"
		case s.Missing:
			s.Says = "missing"
		}
	}
	return all
}

// stepOf names the step of a call that can break a rule.
var stepOf = map[string]string{
	"createBuffer": "buffers", "writeBuffer": "buffers", "createShaderModule": "shader module", "createComputePipeline": "pipeline",
	"createBindGroupLayout": "bind group", "createPipelineLayout": "pipeline", "createBindGroup": "bind group",
	"createCommandEncoder": "commands", "beginComputePass": "commands", "setPipeline": "commands", "setBindGroup": "commands",
	"dispatchWorkgroups": "commands", "dispatchWorkgroupsIndirect": "commands", "end": "commands", "copyBufferToBuffer": "commands", "finish": "commands",
	"submit": "submit", "mapAsync": "map and read", "getMappedRange": "map and read", "unmap": "map and read",
}

// mostListed is the number of things that a box lists.
const mostListed = 6

// list describes the first of some things, and counts the others.
func list[T any](all []T, say func(T) string) string {
	var said []string
	for _, one := range all[:min(len(all), mostListed)] {
		said = append(said, say(one))
	}
	if more := len(all) - mostListed; more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(said, "; ")
}

// short names an object by its label or the program's variable.
func short(o *webgpu.HostObject) string {
	name := strings.TrimPrefix(strings.TrimPrefix(o.Name(), "the "), o.Kind+" ")
	if rest, found := strings.CutPrefix(name, "of "); found {
		return o.Kind + " of " + strings.ReplaceAll(rest, "`", "")
	}
	return strings.Trim(name, "`\"")
}

func size(bytes uint64) string { return english.Count(int(bytes), "byte", "bytes") }

// across writes three sizes without the ones at their end: 8 × 8.
func across(sizes [3]uint32) string {
	n := 3
	for n > 1 && sizes[n-1] == 1 {
		n--
	}
	var parts []string
	for _, s := range sizes[:n] {
		parts = append(parts, fmt.Sprint(s))
	}
	return strings.Join(parts, " × ")
}

func objects(r *webgpu.Record, kind string) (found []*webgpu.HostObject) {
	for _, o := range r.Objects {
		if o.Kind == kind {
			found = append(found, o)
		}
	}
	return found
}

// entries says which buffer a bind group gives to which number.
func entries(g *webgpu.BindGroup) string {
	return list(g.Entries, func(e webgpu.BindGroupEntry) string {
		if e.Buffer == nil {
			return fmt.Sprintf("%d → nothing", e.Binding)
		}
		return fmt.Sprintf("%d → %s", e.Binding, short(&e.Buffer.HostObject))
	})
}

// recorded counts the calls with a name.
func recorded(r *webgpu.Record, name, what string) string {
	n := 0
	for _, c := range r.Calls {
		if c.Name == name {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return "; " + english.Count(n, what, plural(what))
}

func plural(what string) string {
	if base, ok := strings.CutSuffix(what, "y"); ok {
		return base + "ies"
	}
	return what + "es"
}

// submitted says what a submission holds.
func submitted(s *webgpu.QueueSubmission) string {
	passes, copies := 0, 0
	for _, step := range s.Steps {
		if step.Pass != nil {
			passes++
		}
		if step.Copy != nil {
			copies++
		}
	}
	return fmt.Sprintf("%s and %s", english.Count(passes, "pass", "passes"), english.Count(copies, "copy", "copies"))
}

func dispatches(r *webgpu.Record) (all []webgpu.DispatchRun) {
	for _, s := range r.Submissions {
		for _, step := range s.Steps {
			if step.Pass != nil {
				all = append(all, step.Pass.Dispatches...)
			}
		}
	}
	return all
}

func copies(r *webgpu.Record) (all []*webgpu.CopyRun) {
	for _, s := range r.Submissions {
		for _, step := range s.Steps {
			if step.Copy != nil {
				all = append(all, step.Copy)
			}
		}
	}
	return all
}

// mapped says what a mapping was for.
func mapped(m *webgpu.Mapping) string {
	read := "read"
	switch {
	case m.Mode != webgpu.MapModeRead:
		read = "to write"
	case !m.Ended:
		read = "not waited for"
	case !m.Read:
		read = "not read"
	}
	return fmt.Sprintf("%s of %s, %s", size(m.Bytes), short(&m.Buffer.HostObject), read)
}

// mostEvents is the number of events that the timeline shows.
const mostEvents = 24

// timeline lists what the host sent, submitted and waited for, in order.
func timeline(r *webgpu.Record) []Event {
	var all []Event
	for _, w := range r.Writes {
		all = append(all, Event{fmt.Sprintf("send %s to %s", size(w.Bytes), short(&w.To.HostObject)), host, w.Call})
	}
	for _, s := range r.Submissions {
		all = append(all, Event{"submit " + submitted(s), queue, s.Call})
	}
	for _, m := range r.Mappings {
		if m.Mode == webgpu.MapModeRead && m.Ended {
			all = append(all, Event{"wait for " + size(m.Bytes), device, m.Call})
		}
	}
	slices.SortStableFunc(all, func(a, b Event) int { return a.call - b.call })
	if more := len(all) - mostEvents; more > 0 {
		all = append(all[:mostEvents], Event{Text: fmt.Sprintf("and %d more", more)})
	}
	return all
}

// HTML draws the boxes and the timeline.
func (r Road) HTML() template.HTML { return mark.Fill(page, r) }

// Text writes a line for each box, and one for the timeline.
func (r Road) Text() string {
	var lines []string
	for _, s := range r.Steps {
		sign := view.Neutral
		if s.Wrong {
			sign = view.Bad
		}
		lines = append(lines, hanging(fmt.Sprintf("%s %-13s ", sign.Sign(), s.Name), s.Says))
	}
	var events []string
	for _, e := range r.Timeline {
		events = append(events, e.Text)
	}
	return strings.Join(append(lines, hanging("In order: ", strings.Join(events, " → "))), "\n")
}

// hanging puts text after its name, in lines as wide as a verdict's.
func hanging(name, text string) string {
	indent := strings.Repeat(" ", utf8.RuneCountInString(name))
	filled := plaintext.Fill(strings.Fields(text), " ", indent, 78)
	return strings.TrimSpace(name + strings.TrimSuffix(strings.TrimPrefix(filled, indent), "\n"))
}
