package learner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/wgslab/wgslab/internal/course"
)

// The sides of a conversation.
const (
	Tutor   = "tutor"
	Learner = "learner"
)

// Levels are how close to the code a tutor's words come, the farthest first.
var Levels = []string{"question", "concept", "place", "near-code"}

// mostHints limits the number of a hint. The page doesn't know how many an exercise has.
const mostHints = 20

// A Turn is what a tutor or the learner said about an exercise, one line of the conversation.
type Turn struct {
	Time     time.Time `json:"time"`
	Exercise string    `json:"exercise"`
	Who      string    `json:"who"`             // Tutor or Learner
	Level    string    `json:"level,omitempty"` // of a tutor's words: one of Levels
	Hint     int       `json:"hint,omitempty"`  // instead of words: the number of the hint that the learner opened
	Text     string    `json:"text"`
	Pasted   bool      `json:"pasted,omitempty"` // from a conversation elsewhere, which had no times
}

// Keep appends to the conversation in dir, which may not exist yet.
func Keep(dir string, said Turn) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = appendLine(filepath.Join(dir, ConversationFile), said)
	}
	if err != nil {
		return fmt.Errorf("keeping the conversation: %w", err)
	}
	return nil
}

// OpenHint keeps that the learner has opened a hint, the first time.
func OpenHint(dir, id string, number int) error {
	e, err := course.Find(id)
	if err != nil {
		return err
	}
	if number < 1 || number > mostHints {
		return fmt.Errorf("%s has no hint %d", e.ID, number)
	}
	all, _, err := ReadConversation(dir)
	if err != nil || slices.Contains(OpenedHints(all, e.ID), number) {
		return err
	}
	return Keep(dir, Turn{Time: time.Now().UTC(), Exercise: e.ID, Who: Learner, Hint: number})
}

// OpenedHints returns the numbers of an exercise's hints that the learner has opened.
func OpenedHints(all []Turn, id string) (numbers []int) {
	for _, t := range all {
		if t.Exercise == id && t.Hint > 0 {
			numbers = append(numbers, t.Hint)
		}
	}
	return numbers
}

// AttachedQuestion returns what the learner can ask the tutor that is attached to the folder of dir
// about an exercise. It is "" if none has said anything there; what was pasted was said elsewhere.
func AttachedQuestion(dir, id string) string {
	all, _, _ := ReadConversation(dir) // without it, the whole prompt helps as well
	if !slices.ContainsFunc(all, func(t Turn) bool { return t.Who == Tutor && !t.Pasted }) {
		return ""
	}
	return "Use wgslab, and help me with " + id + "."
}

// ReadConversation reads what was said, in order. If there is no file, nothing was. It skips
// damaged lines, and counts them.
func ReadConversation(dir string) (all []Turn, damaged int, err error) {
	all, damaged, err = readLines[Turn](filepath.Join(dir, ConversationFile))
	if err != nil {
		err = fmt.Errorf("reading the conversation: %w", err)
	}
	return all, damaged, err
}
