package tutor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/giveaway"
	"github.com/wgslab/wgslab/internal/course/learner"
)

// mostSaid limits one turn of the conversation.
const mostSaid = 16 << 10

type sayInput struct {
	Exercise string `json:"exercise" jsonschema:"the exercise's id"`
	Level    string `json:"level" jsonschema:"how close to the code it comes: question, concept, place or near-code"`
	Text     string `json:"text" jsonschema:"what you want to tell the learner, in Markdown"`
	Facts    []fact `json:"facts,omitempty" jsonschema:"what the text says about the program, so that it can be measured: each line N, each element such as out[3], each number and each name of the program in backquotes"`
}

// sayAnswer says whether a text may be told.
type sayAnswer struct {
	Kept    bool   `json:"kept"`
	Refused string `json:"refused,omitempty"` // why it mustn't be told
	Next    string `json:"next_level_at_most,omitempty"`
}

func (s *Server) addSay() {
	add(s, tool[sayInput]{
		name: "say", title: "Tell the learner something", writes: true,
		description: "Checks what you want to tell the learner, before you do: tell it only if it is kept. It is refused if it gives the solution away, if it comes more than one level closer to the code than what you said last, if a fact is false, or if it says something of the program without a fact.",
		example: sayInput{"vector-add", "question", "On line 9, which invocation gets past your condition last? `out[64]` is never written with 65 elements.", []fact{
			{Kind: "line", Line: 9, In: "condition"},
			{Kind: "access", Of: "out[64]", Does: "writes", Case: "n = 65", Is: 0},
		}},
		do: s.say,
	})
}

func (s *Server) say(ctx context.Context, in sayInput) (any, error) {
	e, err := course.Find(in.Exercise)
	if err != nil {
		return nil, err
	}
	if err := sayable(in.Text); err != nil {
		return nil, err
	}
	level := slices.Index(learner.Levels, in.Level)
	if level < 0 {
		return nil, fmt.Errorf("level is %q: use %s", in.Level, strings.Join(learner.Levels, ", "))
	}
	refused, err := s.tooClose(e.ID, level)
	if refused == "" && err == nil {
		refused, err = s.refusal(ctx, e, in.Text, in.Facts)
	}
	s.keeping.Lock() // another call may have kept something meanwhile
	defer s.keeping.Unlock()
	if refused == "" && err == nil {
		refused, err = s.tooClose(e.ID, level)
	}
	if err != nil {
		return nil, err
	}
	if refused != "" {
		return &sayAnswer{Refused: refused}, nil
	}
	if err := s.keep(learner.Turn{Exercise: e.ID, Who: learner.Tutor, Level: in.Level, Text: in.Text}); err != nil {
		return nil, err
	}
	return &sayAnswer{Kept: true, Next: learner.Levels[min(level+1, len(learner.Levels)-1)]}, nil
}

// sayable returns an error for a text that is empty or too long for a turn.
func sayable(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return errors.New("the text is empty")
	case len(text) > mostSaid:
		return fmt.Errorf("the text has %d KiB: say at most %d KiB at once", len(text)>>10, mostSaid>>10)
	}
	return nil
}

// tooClose refuses a level that is more than one above the last.
func (s *Server) tooClose(id string, level int) (string, error) {
	last, err := s.lastLevel(id)
	if err != nil || level <= last+1 {
		return "", err
	}
	return fmt.Sprintf("It comes too close to the code: you last said a %s, so say at most a %s now. Ask what the learner makes of the last one first.", learner.Levels[last], learner.Levels[last+1]), nil
}

// refusal says why a text mustn't be told; "" if it may. It doesn't quote the solution.
func (s *Server) refusal(ctx context.Context, e *course.Exercise, text string, facts []fact) (string, error) {
	p, err := s.folder.program(e)
	if err != nil {
		return "", err
	}
	judge, err := giveaway.Of(e)
	if err != nil {
		return "", err
	}
	if judge.Find(text, p.Text) != "" {
		return "It gives a statement of the solution away. Say what it has to achieve, or ask about the learner's own line, without the formula.", nil
	}
	if bare := uncovered(e, p, text, facts); bare != "" {
		return fmt.Sprintf("State `%s` as a fact, so that it can be checked.", bare), nil
	}
	return s.falseFact(ctx, e, p, facts)
}

// lastLevel returns the level of what the tutor said last about an exercise. Before the first word,
// it is that of a question.
func (s *Server) lastLevel(id string) (level int, err error) {
	all, err := s.folder.conversation()
	for _, said := range all {
		if said.Exercise == id && said.Who == learner.Tutor {
			level = max(0, slices.Index(learner.Levels, said.Level))
		}
	}
	return level, err
}

// conversation reads what was said.
func (f *folder) conversation() ([]learner.Turn, error) {
	if err := f.inside(learner.ConversationFile); err != nil {
		return nil, err
	}
	all, _, err := learner.ReadConversation(f.work)
	return all, err
}

// keep adds to the conversation, if its file is in the folder.
func (s *Server) keep(said learner.Turn) error {
	if err := s.folder.inside(learner.ConversationFile); err != nil {
		return err
	}
	said.Time = time.Now().UTC()
	return learner.Keep(s.folder.work, said)
}
