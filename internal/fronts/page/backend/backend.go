// Package backend answers the requests that the pages of the course's site send to their Web
// Workers. It passes checks, pictures and steps to a desk, and answers the editor itself. It opens
// no windows, sockets or processes; the learner's files are those in its folder.
//
// Offsets and columns of the editor's requests are UTF-16 code units, as JavaScript counts them.
// Lines and columns for people are characters, as everywhere.
package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/format"
)

// A Request is a page's request: a desk's request, or one of the editor's.
type Request struct {
	protocol.Request
	Offset int      `json:"offset"` // of the cursor
	Rules  string   `json:"rules"`  // for an AI tutor
	Hints  []string `json:"hints"`  // for an AI tutor: only the lesson has their texts
}

// The requests that a backend answers without its desk.
const (
	completions protocol.RequestKind = "complete"
	inspections protocol.RequestKind = "inspect"
	problemList protocol.RequestKind = "problems"
	formatting  protocol.RequestKind = "format"
	engineWords protocol.RequestKind = "engine"
	tutorPrompt protocol.RequestKind = "tutor"
	openJournal protocol.RequestKind = "journal"
)

// Enough ends the search for the reasons of a check whose verdict is there. The Web Worker answers
// it.
const Enough protocol.RequestKind = "enough"

// A Responder answers one request at a time.
type Responder struct {
	desk     desk.Desk
	programs programs
}

// rest is how long the simulator replaces a device that was lost, or that an endless shader
// occupies. A browser has one process for the GPU, so the damage of a shader outlives the device
// until the browser notices it.
const rest = 30 * time.Second

// New returns a backend that has opened nothing yet.
func New() *Responder {
	b := &Responder{desk: desk.Desk{Read: shader.Read}} // the editor shows the file alone
	b.desk.Device.Open, b.desk.Device.Rest = open, rest
	return b
}

func open(ctx context.Context) (*engine.Opened, error) {
	on, err := engine.Open(ctx, shader.Best, gpu.KeepPrograms(2)) // the visitor's shader and the reference
	if err == nil && on.Values == on.Watcher {
		// Timing a simulated device would take the check seconds in a page.
		on.Close()
		on, err = engine.Open(ctx, shader.Simulated)
	}
	return on, err
}

// Quick reports whether a request may be answered during another: the editor sends requests while
// the visitor types.
func (r Request) Quick() bool {
	switch r.Do {
	case completions, inspections, problemList, formatting:
		return true
	}
	return false
}

// Answer answers a request with a value for JSON. It also passes each view of a check to display as
// it comes.
func (b *Responder) Answer(ctx context.Context, r Request, display func(protocol.View)) (any, error) {
	switch r.Do {
	case completions:
		return complete(r.Source, r.Offset), nil
	case inspections:
		return inspect(r.Source, r.Offset), nil
	case problemList:
		return problems(r.Source), nil
	case formatting:
		return format.Formatted(r.Source), nil
	case engineWords:
		return b.engine(ctx)
	case tutorPrompt:
		return promptFor(r)
	case openJournal:
		return learner.Open(learner.Dir, r.Source, r.Exercise)
	case protocol.Check:
		exercise, err := course.Find(r.Exercise)
		if err != nil {
			return nil, err
		}
		if exercise.IsOnHost() {
			return b.host(ctx, r.Request, display)
		}
		if err := save(r.Request); err != nil {
			return nil, err
		}
	}
	return b.ask(ctx, r.Request, display)
}

// promptFor returns the context for an AI tutor on an exercise, and what to ask one that is
// attached to the visitor's folder.
func promptFor(r Request) (any, error) {
	exercise, err := course.Find(r.Exercise)
	if err != nil {
		return nil, err
	}
	hinted := *exercise
	hinted.Hints = r.Hints
	var prompt strings.Builder
	if err := learner.WritePrompt(&prompt, r.Rules, learner.Dir, &hinted); err != nil {
		return nil, err
	}
	return map[string]string{"text": prompt.String(), "ask": learner.AttachedQuestion(learner.Dir, exercise.ID)}, nil
}

// host checks a program of the learner.
func (b *Responder) host(ctx context.Context, r protocol.Request, display func(protocol.View)) (any, error) {
	shown := protocol.Shown{Views: []protocol.View{}}
	var judged *verdict.Verdict
	err := b.programs.check(ctx, r.Exercise, r.Source, func(views ...view.View) {
		for _, v := range views {
			if judged == nil {
				judged = verdictIn(v)
			}
			formats := formatsOf(v)
			shown.Add(formats)
			display(formats)
		}
	})
	if err != nil {
		return nil, err
	}
	return protocol.Response{Verdict: judged, Displays: shown.Views}, nil
}

// ask passes the request to the desk.
func (b *Responder) ask(ctx context.Context, r protocol.Request, display func(protocol.View)) (any, error) {
	shown := protocol.Shown{Views: []protocol.View{}} // in JSON a list, even without views
	answer, err := b.desk.Answer(ctx, r, func(views ...view.View) {
		for _, v := range views {
			formats := formatsOf(v)
			shown.Add(formats)
			if r.Do == protocol.Check || r.Do == protocol.OnBench {
				display(formats)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	switch {
	case answer.Step != nil:
		return answer.Step, nil
	case answer.Outline != nil:
		return answer.Outline, nil
	case answer.Shared != nil:
		return answer.Shared, nil
	}
	answer.Displays = shown.Views
	return answer, nil
}

// formatsOf renders a view. A verdict also has a JSON form, because the page shows it before the
// complete answer.
func formatsOf(v view.View) protocol.View {
	formats := desk.Rendered(v)
	if judged := verdictIn(v); judged != nil {
		encoded, err := json.Marshal(judged)
		if err != nil {
			panic(fmt.Sprintf("cannot encode this verdict as JSON: %v", err))
		}
		formats["application/json"] = string(encoded)
	}
	return formats
}

// verdictIn returns the verdict that a view shows; nil if it shows something else.
func verdictIn(v view.View) *verdict.Verdict {
	if placed, ok := v.(view.Placed); ok {
		v = placed.View
	}
	judged, _ := v.(*verdict.Verdict)
	return judged
}

// save writes the shader to its file, like a notebook's cell.
func save(r protocol.Request) error {
	exercise, err := course.Find(r.Exercise)
	if err != nil {
		return err
	}
	path := learner.ShaderPath(exercise.ID)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("making the folder of your shaders: %w", err)
	}
	if err := os.WriteFile(path, []byte(r.Source), 0o644); err != nil {
		return fmt.Errorf("saving your shader: %w", err)
	}
	return nil
}

// An Engine describes the engine of the checks, for programs and in words.
type Engine struct {
	Adapter shader.Adapter `json:"adapter"`
	Words   string         `json:"words"`
}

func (b *Responder) engine(ctx context.Context) (*Engine, error) {
	on, err := b.desk.Device.Engines(ctx)
	if err != nil {
		return nil, err
	}
	adapter := on.Values.Adapter()
	words := "simulated: this browser has no WebGPU"
	switch {
	case adapter.Kind != shader.Simulated:
		words = adapter.Name + ", by WebGPU"
	case b.desk.Device.Resting():
		words = "simulated: this browser's WebGPU isn't answering right now"
	}
	return &Engine{adapter, words}, nil
}

// Read reads a request.
func Read(raw string) (Request, error) {
	var r Request
	if err := json.Unmarshal([]byte(raw), &r); err != nil {
		return r, fmt.Errorf("reading the page's request: %w", err)
	}
	if r.Do == "" {
		return r, errors.New("the page's request is empty")
	}
	return r, nil
}
