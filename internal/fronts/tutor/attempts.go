package tutor

import (
	"cmp"
	"context"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
)

// usualAttempts is how many tries are told unless the tutor asks for more; mostAttempts limits it.
const (
	usualAttempts = 5
	mostAttempts  = 50
)

type attemptsInput struct {
	Exercise string `json:"exercise" jsonschema:"the exercise's id"`
	Last     int    `json:"last,omitempty" jsonschema:"how many of the latest tries; 5 unless given, at most 50"`
}

type attemptsAnswer struct {
	Exercise string    `json:"exercise"`
	Count    int       `json:"count"`    // of all tries
	Attempts []attempt `json:"attempts"` // oldest first
	Now      []string  `json:"changed_since_the_last,omitempty"`
}

type attempt struct {
	Number    int       `json:"number"`
	Time      time.Time `json:"time"`
	Passed    bool      `json:"passed"`
	Headline  string    `json:"headline"`
	Diagnosis string    `json:"diagnosis,omitempty"`
	Message   string    `json:"message"`
	Line      int       `json:"line,omitempty"`
	Changed   []string  `json:"changed,omitempty"` // since the try before: lines with + or -
}

func (s *Server) addAttempts() {
	add(s, tool[attemptsInput]{
		name: "attempts", title: "What the learner has tried",
		description: "Returns the learner's latest tries at an exercise: when, what the check said, and what changed since the try before.",
		example:     attemptsInput{"vector-add", 3},
		do: func(_ context.Context, in attemptsInput) (any, error) {
			e, err := course.Find(in.Exercise)
			if err != nil {
				return nil, err
			}
			return s.attempts(e, min(cmp.Or(max(0, in.Last), usualAttempts), mostAttempts))
		},
	})
}

func (s *Server) attempts(e *course.Exercise, last int) (*attemptsAnswer, error) {
	tries, err := s.folder.tries(e.ID)
	if err != nil {
		return nil, err
	}
	a := &attemptsAnswer{Exercise: e.ID, Count: len(tries), Attempts: []attempt{}}
	for i := max(0, len(tries)-last); i < len(tries); i++ {
		told := attemptOf(tries[i], i+1)
		if i > 0 {
			told.Changed = changes(tries[i-1].Shader, tries[i].Shader)
		}
		a.Attempts = append(a.Attempts, told)
	}
	if len(tries) > 0 {
		now, err := s.folder.program(e)
		if err != nil {
			return nil, err
		}
		a.Now = changes(tries[len(tries)-1].Shader, now.Text)
	}
	return a, nil
}

func attemptOf(t learner.Try, number int) attempt {
	return attempt{
		Number: number, Time: t.Time, Passed: t.Passed, Headline: t.Headline, Diagnosis: t.Diagnosis, Message: t.Message, Line: t.Line,
	}
}

// changes returns the lines that differ, with some around them; nil if none do or a text is
// missing.
func changes(before, after string) (lines []string) {
	if before == after || before == "" || after == "" {
		return nil
	}
	signs := map[string]string{"added": "+ ", "taken": "- ", "kept": "  "}
	for _, c := range verdict.Of(before, after) {
		lines = append(lines, signs[c.Kind]+c.Text)
	}
	return lines
}
