package tutor

import (
	"context"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
)

type hearInput struct {
	Exercise string `json:"exercise" jsonschema:"the exercise's id"`
	Text     string `json:"text" jsonschema:"what the learner wrote, word for word"`
}

func (s *Server) addHear() {
	add(s, tool[hearInput]{
		name: "hear", title: "Keep what the learner wrote", writes: true,
		description: "Keeps what the learner wrote to you, word for word, in the conversation. Call it for each of their messages about an exercise.",
		example:     hearInput{"vector-add", "Why is the last element never written?"},
		do: func(_ context.Context, in hearInput) (any, error) {
			e, err := course.Find(in.Exercise)
			if err != nil {
				return nil, err
			}
			if err := sayable(in.Text); err != nil {
				return nil, err
			}
			s.keeping.Lock()
			defer s.keeping.Unlock()
			return map[string]bool{"kept": true}, s.keep(learner.Turn{Exercise: e.ID, Who: learner.Learner, Text: in.Text})
		},
	})
}
