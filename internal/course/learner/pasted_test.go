package learner

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
)

// Conversations come in the forms in which chats copy and export them.
func TestPasted(t *testing.T) {
	exercise, err := course.Find("add")
	require.NoError(t, err)
	var prompt strings.Builder
	require.NoError(t, WritePrompt(&prompt, "# Rules for an AI tutor\n\n1. Ask.", t.TempDir(), exercise))
	for name, row := range map[string]struct {
		text, id string
		want     string // who: what | …
		problem  string
	}{
		"bold":          {"# My chat\n\n**You:** Why?\n\n**Assistant:** What did you expect?\n\nAnd why?\n", "add", "learner: Why? | tutor: What did you expect?\n\nAnd why?", ""},
		"colon outside": {"**User**: Why?\n**Claude**: Ask.", "add", "learner: Why? | tutor: Ask.", ""},
		"headings":      {"## User\r\nWhy?\r\n## Assistant\r\nAsk.\r\n", "add", "learner: Why? | tutor: Ask.", ""},
		"said":          {"You said:\nWhy?\nChatGPT said:\nAsk.", "add", "learner: Why? | tutor: Ask.", ""},
		"plain":         {"Me: Why?\nTutor: Ask.\nMe: You have a point.\nYou have one, too.", "add", "learner: Why? | tutor: Ask. | learner: You have a point.\nYou have one, too.", ""},
		"not a speaker": {"**You:** x\n**You** wrote it.\n## Model\nAI is fine.\n**AI", "add", "learner: x\n**You** wrote it.\n## Model\nAI is fine.\n**AI", ""},
		"in a fence":    {"You: x\n```\nAssistant: y\n```\nAssistant: z", "add", "learner: x\n```\nAssistant: y\n``` | tutor: z", ""},
		"with prompt":   {"**You:**\n" + prompt.String() + "\nWhy is it 3?\n**AI:** Ask.", "", "learner: (the text of `wgslab tutor add`)\n\nWhy is it 3? | tutor: Ask.", ""},
		"empty turns":   {"You:\n\nAI:\nAsk.", "add", "tutor: Ask.", ""},
		"no speakers":   {"Why?\nAsk.", "add", "", "begin each turn with a line such as **You:**"},
		"no exercise":   {"You: x", "", "", "choose one"},
		"unknown":       {"You: x", "ad", "", `did you mean "add"`},
	} {
		at := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
		all, err := pastedTurns(row.text, row.id, at)
		if row.problem != "" {
			require.ErrorContains(t, err, row.problem, name)
			continue
		}
		require.NoError(t, err, name)
		var said []string
		for _, turn := range all {
			require.True(t, turn.Pasted && turn.Exercise == "add" && turn.Time.Equal(at), name)
			said = append(said, turn.Who+": "+turn.Text)
		}
		require.Equal(t, row.want, strings.Join(said, " | "), name)

		dir := t.TempDir()
		for again := range 2 {
			kept, err := keepPasted(dir, all)
			require.NoError(t, err)
			require.Equal(t, len(all)*(1-again), kept, "%s: nothing is kept twice", name)
		}
		var page strings.Builder
		require.NoError(t, WritePage(&page, dir, nil))
		require.Contains(t, page.String(), "2026-11-01 10:00, pasted", name)
	}
}
