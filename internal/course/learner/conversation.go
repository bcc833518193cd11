package learner

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// The sides of a conversation.
const (
	Tutor   = "tutor"
	Learner = "learner"
)

// Levels are how close to the code a tutor's words come, the farthest first.
var Levels = []string{"question", "concept", "place", "near-code"}

// A Turn is what a tutor or the learner said about an exercise, one line of the conversation.
type Turn struct {
	Time     time.Time `json:"time"`
	Exercise string    `json:"exercise"`
	Who      string    `json:"who"`             // Tutor or Learner
	Level    string    `json:"level,omitempty"` // of a tutor's words: one of Levels
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

// ReadConversation reads what was said, in order. If there is no file, nothing was. It skips
// damaged lines, and counts them.
func ReadConversation(dir string) (all []Turn, damaged int, err error) {
	all, damaged, err = readLines[Turn](filepath.Join(dir, ConversationFile))
	if err != nil {
		err = fmt.Errorf("reading the conversation: %w", err)
	}
	return all, damaged, err
}
