package tutor

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/assist"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// mostPassages limits an answer about a word.
const mostPassages = 12

// pages are the course's own pages about words.
var pages = []string{"glossary.md", "wgsl.md", "webgpu.md"}

type conceptInput struct {
	Word string `json:"word" jsonschema:"a word of GPU programming, WGSL or WebGPU, such as barrier, workgroupBarrier or bind group"`
}

type conceptAnswer struct {
	Word          string    `json:"word"`
	Specification *section  `json:"specification,omitempty"`
	Passages      []passage `json:"passages"`
}

// A section is that of WGSL's specification about a word, with a sentence of our own.
type section struct {
	Section string `json:"section"`
	Text    string `json:"text,omitempty"`
	Address string `json:"address"`
}

// A passage is a part of a page about a word.
type passage struct {
	Page    string `json:"page"`
	Section string `json:"section"`
	Text    string `json:"text"`

	defines bool // the glossary explains the word here
}

func (s *Server) addConcept() {
	add(s, tool[conceptInput]{
		name: "concept", title: "What the course says about a word",
		description: "Returns what the course's own pages say about a word: the glossary, WGSL for Go programmers, and WebGPU's calls; for a word of WGSL also the specification's section. Use its words, so that the learner meets one language.",
		example:     conceptInput{"barrier"},
		do: func(_ context.Context, in conceptInput) (any, error) {
			return s.concept(strings.TrimSpace(in.Word))
		},
	})
}

func (s *Server) concept(word string) (any, error) {
	if word == "" || len(word) > 100 {
		return nil, fmt.Errorf("%.40q is no word to look up", word)
	}
	about := regexp.MustCompile(`(?i)(^|\W)` + regexp.QuoteMeta(word) + `(s|es)?(\W|$)`)
	found := []passage{} // in JSON a list, even if it is empty
	var terms []string
	for _, page := range pages {
		text, err := s.folder.courseText(page)
		if err != nil {
			return nil, err
		}
		for _, p := range passagesOf(page, string(text)) {
			if term := p.term(); term != "" {
				terms = append(terms, term)
				p.defines = strings.EqualFold(term, word)
			}
			if about.MatchString(p.Text) || about.MatchString(p.Section) {
				found = append(found, p)
			}
		}
	}
	in := specified(word)
	if len(found) == 0 && in == nil {
		message := fmt.Sprintf("the course's pages don't have the word %q", word)
		if near := syntax.Closest(strings.ToLower(word), terms); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, fmt.Errorf("%s", message)
	}
	slices.SortStableFunc(found, func(a, b passage) int {
		return map[bool]int{true: 0, false: 1}[a.defines] - map[bool]int{true: 0, false: 1}[b.defines]
	})
	return conceptAnswer{word, in, found[:min(len(found), mostPassages)]}, nil
}

// specified looks a word of WGSL up; nil if it is none.
func specified(word string) *section {
	known, ok := assist.Word(word)
	if !ok || known.Section == "" {
		return nil
	}
	return &section{"§ " + known.Section, known.Doc, known.Link}
}

var termForm = regexp.MustCompile(`^- \*\*([^*]+)\*\*`)

// term returns the word that the glossary explains in a passage.
func (p passage) term() string {
	if parts := termForm.FindStringSubmatch(p.Text); parts != nil && p.Page == "glossary.md" {
		return strings.ToLower(parts[1])
	}
	return ""
}

// passagesOf cuts a page into paragraphs, items of lists, tables and blocks of code.
func passagesOf(page, text string) (all []passage) {
	section, code := "", false
	var lines []string
	end := func() {
		if len(lines) > 0 {
			all = append(all, passage{Page: page, Section: section, Text: strings.Join(lines, "\n")})
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		fence := strings.HasPrefix(line, "```")
		switch {
		case !code && strings.HasPrefix(line, "#"):
			end()
			section = strings.TrimLeft(line, "# ")
			continue
		case !code && line == "":
			end()
			continue
		case !code && (fence || strings.HasPrefix(line, "- ")):
			end()
		}
		lines = append(lines, line)
		if fence {
			if code = !code; !code {
				end()
			}
		}
	}
	end()
	return all
}
