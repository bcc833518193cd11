package debug

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A watch is an expression whose value is shown at each stop.
type watch struct {
	text        string
	fromComment bool        // set by a comment in the shader
	then        types.Value // its value at the last stop; not Valid if it had none
}

// Watch adds a watch and returns it with its value.
func (s *Session) Watch(text string) TreeItem {
	return s.watched(s.addWatch(strings.TrimSpace(text)), s.view, 0)
}

func (s *Session) addWatch(text string) *watch {
	if i := slices.IndexFunc(s.watches, func(w *watch) bool { return w.text == text }); i >= 0 {
		return s.watches[i]
	}
	w := &watch{text: text}
	s.watches = append(s.watches, w)
	return w
}

// Watches lists the watched expressions, except those from comments in the shader.
func (s *Session) Watches() (texts []string) {
	for _, w := range s.watches {
		if !w.fromComment {
			texts = append(texts, w.text)
		}
	}
	return texts
}

func (s *Session) unwatch(text string) (ConsoleReply, error) {
	left := slices.DeleteFunc(slices.Clone(s.watches), func(w *watch) bool { return text == "" || w.text == text })
	if len(left) == len(s.watches) {
		return ConsoleReply{}, fmt.Errorf("there is no watch on `%s`", text)
	}
	s.watches = left
	if text == "" {
		return ConsoleReply{Text: "All watches are removed."}, nil
	}
	return ConsoleReply{Text: fmt.Sprintf("The watch on `%s` is removed.", text)}, nil
}

// Watched returns all watches with their values in a frame of an invocation.
func (s *Session) Watched(local, frame int) (items []TreeItem) {
	for _, w := range s.watches {
		items = append(items, s.watched(w, local, frame))
	}
	return items
}

// watched evaluates a watch in a frame of an invocation, or says why it has no value there.
func (s *Session) watched(w *watch, local, frame int) TreeItem {
	if it, ok := s.named(local, frame, w.text); ok {
		it.Name = w.text
		return it
	}
	v, outside, err := s.value(local, frame, w.text)
	if err != nil {
		return TreeItem{Name: w.text, Value: "not available here: " + err.Error()}
	}
	c := content{now: v}
	if s.lastView == local && frame == 0 {
		c.then = w.then
	}
	return withIndex(item(w.text, "("+w.text+")", c), outside)
}

// rememberWatches saves the values of watches, so that the next stop can show which ones changed.
func (s *Session) rememberWatches() {
	for _, w := range s.watches {
		w.then, _, _ = s.value(s.view, 0, w.text)
	}
}
