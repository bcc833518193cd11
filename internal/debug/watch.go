package debug

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A watch is an expression whose value is shown at each stop, wherever that is.
type watch struct {
	text string
	own  bool        // a comment of the shader says so
	then types.Value // at the stop before, of the invocation that was looked at; not Valid where it had none
}

// Watch adds an expression to those that are watched, and gives it with its value.
func (s *Session) Watch(text string) Item {
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

// Watches are the expressions that somebody has asked for, without those of the shader's comments.
func (s *Session) Watches() (texts []string) {
	for _, w := range s.watches {
		if !w.own {
			texts = append(texts, w.text)
		}
	}
	return texts
}

func (s *Session) unwatch(text string) (Answer, error) {
	left := slices.DeleteFunc(slices.Clone(s.watches), func(w *watch) bool { return text == "" || w.text == text })
	if len(left) == len(s.watches) {
		return Answer{}, fmt.Errorf("`%s` is not watched", text)
	}
	s.watches = left
	if text == "" {
		return Answer{Text: "Nothing is watched any more."}, nil
	}
	return Answer{Text: fmt.Sprintf("`%s` is not watched any more.", text)}, nil
}

// Watched is what is watched, where a frame of an invocation stands.
func (s *Session) Watched(local, frame int) (items []Item) {
	for _, w := range s.watches {
		items = append(items, s.watched(w, local, frame))
	}
	return items
}

// watched is the value of an expression where a frame of an invocation stands, or why it has none there.
func (s *Session) watched(w *watch, local, frame int) Item {
	if it, ok := s.named(local, frame, w.text); ok {
		it.Name = w.text
		return it
	}
	v, outside, err := s.value(local, frame, w.text)
	if err != nil {
		return Item{Name: w.text, Value: "not here: " + err.Error()}
	}
	c := content{now: v}
	if s.viewed == local && frame == 0 {
		c.then = w.then
	}
	return withIndex(item(w.text, "("+w.text+")", c), outside)
}

// keepWatches remembers what watched expressions are, so that the next stop can tell which have changed.
func (s *Session) keepWatches() {
	for _, w := range s.watches {
		w.then, _, _ = s.value(s.view, 0, w.text)
	}
}
