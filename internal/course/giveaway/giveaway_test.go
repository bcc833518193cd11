package giveaway

import (
	"fmt"
	"testing"

	"github.com/wgslab/wgslab/internal/course"
)

func TestShow(t *testing.T) {
	for _, e := range append(course.Written(), course.OnHost...) {
		j, err := Of(e)
		if err != nil {
			t.Error(e.ID, err)
			continue
		}
		for _, s := range j.statements {
			fmt.Println(e.ID, "|", s.text, "|", s.tree)
		}
		for i, h := range e.Hints {
			if found := j.Find(h, ""); found != "" {
				fmt.Println("HINT", e.ID, i, h, "=>", found)
			}
		}
	}
}
