package learner

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Private is what a page to share leaves out, besides addresses of mail and paths of home folders.
type Private struct {
	Names []string // of the learner and the machine
	Paths []string // of folders
}

// leftOut is what takes the place of a name or a path.
const leftOut = "…"

// shortestName is the length from which a name is one: shorter ones are in too many words.
const shortestName = 3

var (
	commentForm = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)

	mailForm = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	// The folders in which people and their programs have files, on Linux, macOS and Windows. Other
	// paths have the form of a quotient.
	pathForm = regexp.MustCompile(`(?:(?:/(?:home|Users|root|tmp|var|private|mnt|media|Volumes|opt|srv|usr|workspaces?|content)|~)/|\b[A-Za-z]:[\\/]|\\\\)(?:[^\s"'` + "`" + `<>|:*?()\[\],;]*[\\/])?`)
)

// LeaveOut returns the tries and the conversation without what is private.
func (p *Private) LeaveOut(tries []Try, turns []Turn) ([]Try, []Turn) {
	names := p.namesForm()
	prose := func(text string) string { return p.withoutPaths(withoutNames(names, text)) }
	tries, turns = slices.Clone(tries), slices.Clone(turns)
	for i := range tries {
		t := &tries[i]
		t.Shader = p.withoutPaths(commentForm.ReplaceAllStringFunc(t.Shader, func(c string) string { return withoutNames(names, c) }))
		t.Headline, t.Message, t.Calls = prose(t.Headline), prose(t.Message), prose(t.Calls)
	}
	for i := range turns {
		turns[i].Text = prose(turns[i].Text)
	}
	return tries, turns
}

// namesForm finds the names as whole words; nil if there are none.
func (p *Private) namesForm() *regexp.Regexp {
	var forms []string
	for _, name := range p.Names {
		for _, part := range append([]string{name}, strings.Fields(name)...) {
			if part = strings.Trim(part, ",.;"); utf8.RuneCountInString(part) >= shortestName {
				forms = append(forms, regexp.QuoteMeta(part))
			}
		}
	}
	if len(forms) == 0 {
		return nil
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) }) // the whole name first
	return regexp.MustCompile(`(?i)(^|[^\pL\pN])(?:` + strings.Join(forms, "|") + `)($|[^\pL\pN])`)
}

func withoutNames(names *regexp.Regexp, text string) string {
	text = mailForm.ReplaceAllString(text, leftOut)
	if names == nil {
		return text
	}
	for range 2 { // names side by side share the sign between them
		text = names.ReplaceAllString(text, "${1}"+leftOut+"${2}")
	}
	return text
}

// withoutPaths leaves the last part of a path: "…/relu.wgsl".
func (p *Private) withoutPaths(text string) string {
	for _, path := range p.Paths {
		if len(path) > 1 {
			text = strings.ReplaceAll(text, path, leftOut)
		}
	}
	return pathForm.ReplaceAllString(text, leftOut+"/")
}
