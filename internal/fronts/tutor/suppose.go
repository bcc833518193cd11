package tutor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

type supposeInput struct {
	Exercise string     `json:"exercise" jsonschema:"the exercise's id"`
	Text     string     `json:"text,omitempty" jsonschema:"a whole program in place of the learner's"`
	Edits    []lineEdit `json:"edits,omitempty" jsonschema:"or changes of lines of the learner's program"`
}

type lineEdit struct {
	Line    int    `json:"line" jsonschema:"the first line to replace, from 1, as the learner's program has it now"`
	Through int    `json:"through,omitempty" jsonschema:"the last line to replace; the first one unless given"`
	Text    string `json:"text" jsonschema:"what takes their place; empty removes them"`
}

// supposeAnswer says what a change does.
type supposeAnswer struct {
	Before outcome      `json:"before"`
	After  outcome      `json:"after"`
	Cases  []caseChange `json:"changed_cases"` // those with another result
}

// An outcome is what a check says of a program, in short.
type outcome struct {
	Verdict   string          `json:"verdict"`
	Stage     string          `json:"stage"`
	Diagnosis string          `json:"diagnosis,omitempty"`
	Message   string          `json:"message"`
	Line      int             `json:"line,omitempty"`
	Right     int             `json:"cases_right"`
	Of        int             `json:"of"`
	First     *caseOutcome    `json:"first_wrong,omitempty"`
	Findings  json.RawMessage `json:"findings,omitempty"`
	Cases     []caseOutcome   `json:"-"`
}

type caseOutcome struct {
	Name     string          `json:"name"`
	Pass     bool            `json:"pass"`
	Mismatch json.RawMessage `json:"first_mismatch,omitempty"`
}

type caseChange struct {
	Name   string `json:"name"`
	Before string `json:"before"`
	After  string `json:"after"`
}

func (s *Server) addSuppose() {
	add(s, tool[supposeInput]{
		name: "suppose", title: "Try a change that the learner never sees",
		description: "Runs a changed copy of the learner's program and says what that changes: cases right before and after, the first wrong value, findings. It is your private experiment: nothing is recorded, and nothing is shown. Never tell the learner the change.",
		example:     supposeInput{Exercise: "vector-add", Edits: []lineEdit{{Line: 8, Text: "    if (true) {"}}},
		do:          s.suppose,
	})
}

func (s *Server) suppose(ctx context.Context, in supposeInput) (any, error) {
	e, err := course.Find(in.Exercise)
	if err != nil {
		return nil, err
	}
	p, err := s.folder.program(e)
	if err != nil {
		return nil, err
	}
	changed := p
	switch {
	case in.Text != "" && len(in.Edits) > 0:
		return nil, errors.New("there are a text and edits: give one of them")
	case in.Text != "":
		changed.Text = in.Text
	case p.Text == "":
		return nil, nothingYet(e)
	default:
		if changed.Text, err = edited(p, in.Edits); err != nil {
			return nil, err
		}
	}
	if err := tooLong(changed.Text); err != nil {
		return nil, err
	}
	return s.compare(ctx, e, p, changed)
}

// edited returns the program with other lines. Lines are those before any edit.
func edited(p program, edits []lineEdit) (string, error) {
	if len(edits) == 0 {
		return "", errors.New("nothing is changed: give a text or edits")
	}
	lines := strings.Split(strings.TrimSuffix(p.Text, "\n"), "\n")
	taken, instead := make([]bool, len(lines)), make(map[int]string)
	for _, edit := range edits {
		last := max(edit.Line, edit.Through)
		if edit.Line < 1 || last > len(lines) {
			return "", fmt.Errorf("an edit is of lines %d to %d: the learner's program has lines 1 to %d", edit.Line, last, len(lines))
		}
		for i := edit.Line - 1; i < last; i++ {
			if taken[i] {
				return "", fmt.Errorf("two edits are of line %d", i+1)
			}
			taken[i] = true
		}
		instead[edit.Line-1] = edit.Text
	}
	var after []string
	for i, line := range lines {
		if !taken[i] {
			after = append(after, line)
		} else if text := strings.TrimSuffix(instead[i], "\n"); text != "" {
			after = append(after, text)
		}
	}
	return strings.Join(after, "\n") + "\n", nil
}

// compare checks both programs on the same cases.
func (s *Server) compare(ctx context.Context, e *course.Exercise, p, changed program) (*supposeAnswer, error) {
	seed, err := s.seed(e, p)
	if err != nil {
		return nil, err
	}
	a := &supposeAnswer{Cases: []caseChange{}}
	if p.Text != "" {
		now, err := s.verdictNow(ctx, e, p)
		if err != nil {
			return nil, err
		}
		if a.Before, err = outcomeOf(now); err != nil {
			return nil, err
		}
	}
	err = s.checking(ctx, func() error {
		then, err := s.supposed(ctx, e, changed, seed)
		if err == nil {
			a.After, err = outcomeOf(then)
		}
		return err
	})
	for i, c := range a.After.Cases {
		if i < len(a.Before.Cases) && a.Before.Cases[i].Name == c.Name && a.Before.Cases[i].String() != c.String() {
			a.Cases = append(a.Cases, caseChange{c.Name, a.Before.Cases[i].String(), c.String()})
		}
	}
	return a, err
}

// supposed checks a program that is in no file.
func (s *Server) supposed(ctx context.Context, e *course.Exercise, p program, seed uint64) (*verdictAnswer, error) {
	if !e.IsOnHost() {
		v, err := judge.Run(ctx, engines(), e, shader.Read("supposed.wgsl", p.Text), seed)
		if err != nil {
			return nil, err
		}
		return answerOf(v)
	}
	if p.Language != "js" {
		return nil, fmt.Errorf("%s is a program in Go, and only the learner's own Go is run: suppose takes shaders and JavaScript", e.ID)
	}
	dir, err := os.MkdirTemp("", "wgslab-suppose-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the program: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, e.ID+".js")
	if err := os.WriteFile(file, []byte(p.Text), 0o600); err != nil {
		return nil, fmt.Errorf("writing the program: %w", err)
	}
	return s.hostVerdict(ctx, e, file, seed)
}

func outcomeOf(a *verdictAnswer) (o outcome, err error) {
	var v struct {
		outcome
		Cases []caseOutcome `json:"cases"`
	}
	if err := json.Unmarshal(a.Verdict, &v); err != nil {
		return o, fmt.Errorf("reading the verdict: %w", err)
	}
	o, o.Of = v.outcome, len(v.Cases)
	o.Cases = v.Cases
	for i, c := range o.Cases {
		if c.Pass {
			o.Right++
		} else if o.First == nil {
			o.First = &o.Cases[i]
		}
	}
	return o, nil
}

// String says how a case went.
func (c caseOutcome) String() string {
	if c.Pass {
		return "right"
	}
	return strings.TrimSpace("wrong " + strings.TrimSuffix(string(c.Mismatch), "null"))
}
