package tutor

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
)

// The addresses of the resources.
const (
	rulesAddress        = "wgslab://tutor"
	journalAddress      = "wgslab://journal"
	conversationAddress = "wgslab://conversation"
)

func (s *Server) addResources() {
	s.addResource(rulesAddress, "The rules for an AI tutor", "text/markdown", s.rules)
	s.addResource(journalAddress, "The learner's tries, a line of JSON each", "application/jsonl", s.folder.lastTries)
	s.addResource(conversationAddress, "What the tutor and the learner said", "application/jsonl", s.conversationText)
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: "tutor", Title: "Help me with an exercise",
		Description: "The rules for a tutor, and what it needs to know about one exercise.",
		Arguments:   []*mcp.PromptArgument{{Name: "exercise", Description: "the exercise's id, such as vector-add", Required: true}},
	}, s.prompt)
}

func (s *Server) addResource(address, title, kind string, read func() (string, error)) {
	s.mcp.AddResource(&mcp.Resource{URI: address, Name: strings.TrimPrefix(address, "wgslab://"), Title: title, MIMEType: kind},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			text, err := read()
			if err != nil {
				return nil, err
			}
			// The library leaves an empty text out, and then other clients find no content.
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: address, MIMEType: kind, Text: cmp.Or(text, "\n")}}}, nil
		})
}

// rules returns TUTOR.md.
func (s *Server) rules() (string, error) {
	text, err := s.folder.courseText("TUTOR.md")
	if err == nil && text == nil {
		err = errors.New("the tutor's rules are missing: copy the course's notebooks/TUTOR.md to the folder that contains work")
	}
	return string(text), err
}

// prompt returns the rules and the exercise, as wgslab tutor prints them.
func (s *Server) prompt(_ context.Context, request *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	e, err := course.Find(request.Params.Arguments["exercise"])
	if err != nil {
		return nil, err
	}
	rules, err := s.rules()
	if err != nil {
		return nil, err
	}
	if _, err := s.folder.program(e); err != nil {
		return nil, err
	}
	if _, err := s.folder.tries(e.ID); err != nil {
		return nil, err
	}
	var text strings.Builder
	if err := learner.WritePrompt(&text, rules, s.folder.work, e); err != nil {
		return nil, err
	}
	return &mcp.GetPromptResult{
		Description: "Rules and context for " + e.ID,
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text.String()}}},
	}, nil
}

// conversationText returns the conversation, a line of JSON for each turn.
func (s *Server) conversationText() (string, error) {
	all, err := s.folder.conversation()
	var text strings.Builder
	for _, said := range all {
		line, err := plainJSON(said)
		if err != nil {
			return "", err
		}
		text.WriteString(line + "\n")
	}
	return text.String(), err
}

// lastTries returns the end of the journal.
func (f *folder) lastTries() (string, error) {
	if err := f.inside(learner.JournalFile); err != nil {
		return "", err
	}
	return learner.LastTries(f.work)
}
