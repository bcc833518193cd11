package nbformat

import (
	"html"
	"regexp"
	"slices"
	"strings"
)

// Plain returns the output as text, without colours or mark-up. It keeps terminal codes that the
// kernel sent.
func (o *Output) Plain() string {
	switch o.Type {
	case Stream:
		return o.Text
	case Error:
		if len(o.Traceback) > 0 {
			return strings.Join(o.Traceback, "\n")
		}
		return o.Raised().Error()
	}
	for _, mime := range []string{"text/plain", "text/markdown"} {
		if text, ok := o.Data[mime].(string); ok {
			return text
		}
	}
	if markup, ok := o.Data["text/html"].(string); ok {
		return plainHTML(markup)
	}
	var kinds []string
	for mime := range o.Data {
		kinds = append(kinds, mime)
	}
	slices.Sort(kinds)
	return "[" + strings.Join(kinds, ", ") + "]"
}

var (
	// Parts that a page does not show: styles and scripts, comments, and the boxes that GoNB
	// shows while the mouse is over an error.
	hidden = regexp.MustCompile(`(?is)<style\b.*?</style>|<script\b.*?</script>|<!--.*?-->|<div class="gonb-err-context">(?:[^<]|<div[^>]*>[^<]*</div>)*</div>`)
	// Tags that end a line.
	lineBreak = regexp.MustCompile(`(?i)<br\b[^>]*>|</(?:p|div|tr|li|h[1-6]|pre|table)>`)
	cellBreak = regexp.MustCompile(`(?i)</t[dh]>`)
	tag       = regexp.MustCompile(`<[^>]*>`)
	blank     = regexp.MustCompile(`\n[ \t]*(?:\n[ \t]*)+`)
)

// plainHTML returns roughly the text that a page shows: enough to read an error in a terminal.
func plainHTML(markup string) string {
	text := hidden.ReplaceAllString(markup, "")
	text = lineBreak.ReplaceAllString(text, "\n")
	text = cellBreak.ReplaceAllString(text, "\t")
	text = html.UnescapeString(tag.ReplaceAllString(text, ""))
	return strings.TrimSpace(blank.ReplaceAllString(text, "\n")) + "\n"
}
