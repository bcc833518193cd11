package learner

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/english"
)

// MostPasted limits a conversation that is pasted, in bytes.
const MostPasted = 1 << 20

// speakerForm finds a line that says who speaks: "**You:**", "## Assistant", "ChatGPT said:".
var speakerForm = regexp.MustCompile(`(?i)^\s*(#{1,6}\s+)?(\*\*|__)?(you|user|human|me|learner|student|assistant|ai|ai tutor|tutor|chatgpt|claude|gemini|copilot|github copilot|mistral|llama|deepseek|grok|le chat)(\s+said)?(\s*:)?(\*\*|__)?(\s*:)?\s*(.*)$`)

// learners are the speakers who are the learner.
var learners = []string{"you", "user", "human", "me", "learner", "student"}

// promptExercise finds the exercise in a text that wgslab tutor printed.
var promptExercise = regexp.MustCompile(`(?m)^# The exercise: (\S+) \(lesson \d+\)`)

// promptForm finds that text, from the tutor's rules to the last verdicts.
var promptForm = regexp.MustCompile(`(?s)# Rules for an AI tutor\n.*\n## The last verdicts, oldest first\n(?:\n?(?:- [^\n]*|No check has run yet\.)(?:\n|$))*\n*`)

// ErrNoExercise says that a conversation to paste belongs to no exercise.
var ErrNoExercise = errors.New("the conversation doesn't name its exercise: choose one")

// Paste adds a conversation to the one in dir, and says what it kept. The text is Markdown, with a
// line before each turn that says who speaks. Without an id, the text of wgslab tutor in it names
// the exercise.
func Paste(dir, text, id string, at time.Time) (says string, err error) {
	if len(text) > MostPasted {
		return "", fmt.Errorf("the conversation is longer than %d KiB: paste a part of it", MostPasted>>10)
	}
	said, err := pastedTurns(text, id, at)
	if err != nil {
		return "", err
	}
	kept, err := keepPasted(dir, said)
	if err != nil {
		return "", err
	}
	says = fmt.Sprintf("kept %s about %s", english.Count(kept, "turn", "turns"), said[0].Exercise)
	if kept < len(said) {
		says += fmt.Sprintf("; %s there already", english.Count(len(said)-kept, "turn was", "turns were"))
	}
	return says, nil
}

// pastedTurns reads a conversation that the learner had elsewhere. Its turns get one time, at which
// it was over.
func pastedTurns(text, id string, at time.Time) ([]Turn, error) {
	if id == "" {
		m := promptExercise.FindStringSubmatch(text)
		if m == nil {
			return nil, ErrNoExercise
		}
		id = m[1]
	}
	e, err := course.Find(id)
	if err != nil {
		return nil, err
	}
	var all []Turn
	fenced := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if who, first, ok := speaker(line); ok && !fenced {
			all = append(all, Turn{Time: at.UTC(), Exercise: e.ID, Who: who, Text: first, Pasted: true})
			continue
		}
		if len(all) > 0 {
			all[len(all)-1].Text += line
		}
		fenced = fenced != fence
	}
	for i := range all {
		all[i].Text = strings.TrimSpace(promptForm.ReplaceAllString(all[i].Text, "(the text of `wgslab tutor "+e.ID+"`)\n\n"))
	}
	all = slices.DeleteFunc(all, func(t Turn) bool { return t.Text == "" })
	if len(all) == 0 {
		return nil, errors.New("no line says who speaks: begin each turn with a line such as **You:** or **Assistant:**")
	}
	return all, nil
}

// speaker reads a line that says who speaks, and what they say in it.
func speaker(line string) (who, first string, ok bool) {
	m := speakerForm.FindStringSubmatch(strings.TrimRight(line, "\n"))
	if m == nil {
		return "", "", false
	}
	heading, bold, said, colon := m[1] != "", m[2] != "" && m[2] == m[6], m[4] != "", m[5]+m[7] != ""
	if !colon && (m[8] != "" || !heading && !bold && !said) || m[2] != m[6] {
		return "", "", false // "You have …", "**You** have …"
	}
	if who = Tutor; slices.Contains(learners, strings.ToLower(m[3])) {
		who = Learner
	}
	if m[8] != "" {
		m[8] += "\n"
	}
	return who, m[8], true
}

// keepPasted adds a pasted conversation to the one in dir. Turns that were pasted before aren't
// kept twice.
func keepPasted(dir string, all []Turn) (kept int, err error) {
	before, _, err := ReadConversation(dir)
	if err != nil {
		return 0, err
	}
	for _, said := range all {
		same := func(b Turn) bool {
			return b.Pasted && b.Exercise == said.Exercise && b.Who == said.Who && b.Text == said.Text
		}
		if slices.ContainsFunc(before, same) {
			continue
		}
		if err := Keep(dir, said); err != nil {
			return kept, fmt.Errorf("after %d turns: %w", kept, err)
		}
		kept++
	}
	return kept, nil
}
