package debug

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Watched is an expression whose value is shown at each stop, wherever that is.
type Watched struct {
	Text string

	own  bool        // a comment of the shader says so
	then types.Value // at the stop before, of the invocation that was looked at; not Valid where it had none
	now  Item
}

func (w *Watched) say() string { return w.Text + " = " + w.now.Value }

// Watch adds an expression to those that are watched, and gives it with its value.
func (s *Session) Watch(text string) *Watched {
	w := s.addWatch(strings.TrimSpace(text))
	w.now = s.watched(w, s.view, 0)
	return w
}

func (s *Session) addWatch(text string) *Watched {
	if i := slices.IndexFunc(s.watches, func(w *Watched) bool { return w.Text == text }); i >= 0 {
		return s.watches[i]
	}
	w := &Watched{Text: text}
	s.watches = append(s.watches, w)
	return w
}

// Watches are the expressions that somebody has asked for, without those of the shader's comments.
func (s *Session) Watches() (texts []string) {
	for _, w := range s.watches {
		if !w.own {
			texts = append(texts, w.Text)
		}
	}
	return texts
}

func (s *Session) unwatch(text string) (Answer, error) {
	left := slices.DeleteFunc(slices.Clone(s.watches), func(w *Watched) bool { return text == "" || w.Text == text })
	if len(left) == len(s.watches) {
		return Answer{}, fmt.Errorf("`%s` is not watched", text)
	}
	s.watches = left
	if text == "" {
		return Answer{Text: "Nothing is watched any more."}, nil
	}
	return Answer{Text: fmt.Sprintf("`%s` is not watched any more.", text)}, nil
}

// watched is the value of an expression where a frame of an invocation stands, or why it has none there.
func (s *Session) watched(w *Watched, local, frame int) Item {
	if it, ok := s.named(local, frame, w.Text); ok {
		it.Name = w.Text
		return it
	}
	v, outside, err := s.value(local, frame, w.Text)
	if err != nil {
		return Item{Name: w.Text, Value: "not here: " + err.Error()}
	}
	c := content{now: v}
	if s.viewed == local && frame == 0 {
		c.then = w.then
	}
	return withIndex(item(w.Text, "("+w.Text+")", c), outside)
}

// keepWatches remembers what watched expressions are, so that the next stop can tell which have changed.
func (s *Session) keepWatches() {
	for _, w := range s.watches {
		w.then, _, _ = s.value(s.view, 0, w.Text)
	}
}
