//go:build acceptance

package mutants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"github.com/wgslab/wgslab/internal/observe/memtrace"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// caseSeed draws the cases of the checks.
const caseSeed = 1

// ofLearners are the tools that learners use.
var ofLearners = []tool{{"check", check}, {"trace", trace}, {"cost", count}, {"look", look}}

func (m *trial) source() *shader.Source {
	return shader.Read("work/"+m.exercise.ID+".wgsl", m.text)
}

// check checks the mutant as wgslab check does without a driver: a mutant may keep a driver busy
// until its process ends.
func check(ctx context.Context, m *trial) (string, error) {
	on, err := engine.Open(ctx, shader.Simulated)
	if err != nil {
		return "", err
	}
	defer on.Close()
	var v *verdict.Verdict
	if m.number%*explains == 0 {
		v, err = judge.Explain(ctx, on.Engines, m.exercise, m.source(), caseSeed, nil)
	} else {
		v, err = judge.Run(ctx, on.Engines, m.exercise, m.source(), caseSeed)
	}
	if err != nil {
		return "", err
	}
	if v.Fault != "" {
		return "", fmt.Errorf("the verdict has a fault: %s", v.Fault)
	}
	if err := m.sound(v); err != nil {
		return "", err
	}
	for _, shown := range cases.PrintsAfterCheck(ctx, m.exercise, m.source(), v) {
		drawn(shown)
	}
	return outcomeOf(v), nil
}

func outcomeOf(v *verdict.Verdict) string {
	switch {
	case v.Passed():
		return "right"
	case v.Stage == verdict.StageCompare && len(v.Reasons) > 0:
		return "wrong with reasons"
	case v.Stage == verdict.StageCompare:
		return "wrong"
	}
	return string(v.Stage)
}

// sound draws the verdict in each way, and checks that it speaks of lines that the mutant has.
func (m *trial) sound(v *verdict.Verdict) error {
	_, _, _ = v.Text(), v.Brief(), v.HTML()
	if _, err := json.Marshal(v); err != nil {
		return err
	}
	lines := syntax.NewSource("", m.text).Lines()
	for _, p := range v.Places {
		if p.Line < 1 || p.Line > lines {
			return fmt.Errorf("a place is on line %d of %d", p.Line, lines)
		}
	}
	if v.Line < 0 || v.Line > lines {
		return fmt.Errorf("the verdict is about line %d of %d", v.Line, lines)
	}
	return nil
}

func drawn(views ...view.View) {
	for _, v := range views {
		_, _ = v.Text(), v.HTML()
	}
}

// trace traces the mutant and draws the pictures.
func trace(ctx context.Context, m *trial) (string, error) {
	t, err := cases.Trace(ctx, m.exercise, m.source())
	if err != nil {
		return refused(err)
	}
	drawn(memtrace.Of(t)...)
	_, err = json.Marshal(t)
	return "traced", err
}

// count counts the mutant's costs and draws them.
func count(ctx context.Context, m *trial) (string, error) {
	if m.exercise.Break != nil {
		return "not a shader", nil
	}
	device, err := cost.FindDevice(cost.Usual)
	if err != nil {
		return "", err
	}
	c, err := goals.Compare(ctx, m.exercise, m.source(), device)
	if err != nil {
		return refused(err)
	}
	_ = c.Text()
	drawn(c.Views()...)
	_, err = json.Marshal(c)
	return "counted", err
}

// refused returns the outcome of a shader that doesn't run. Every other error is a failure.
func refused(err error) (string, error) {
	var mistake *shader.CompileError
	var misfit *shader.BindError
	var endless *shader.EndlessError
	if errors.As(err, &mistake) || errors.As(err, &misfit) || errors.As(err, &endless) {
		return "does not run", nil
	}
	return "", err
}

// look does what saving a shader's cell does.
func look(ctx context.Context, m *trial) (string, error) {
	on, err := engine.Open(ctx, shader.Simulated)
	if err != nil {
		return "", err
	}
	defer on.Close()
	g, err := session.Of(ctx, on.Watcher, m.exercise, m.source(), caseSeed)
	if err != nil {
		return "", err
	}
	drawn(g)
	drawn(cases.PrintsAtFirstSight(ctx, m.exercise, m.source(), caseSeed)...)
	return "looked", nil
}
