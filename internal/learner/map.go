package learner

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/mark"
)

// A Map shows the eight lessons and where the learner stands.
type Map struct {
	Progress Progress
	Here     int // the lesson that shows it; 0 for none
}

type mapRow struct {
	lesson.Lesson
	Here  bool
	Stops []stop
}

// stop is one exercise on the way.
type stop struct {
	ID      string
	Passed  bool
	Stretch bool
}

// Sign tells the stops apart without colour.
func (s stop) Sign() string {
	if s.Passed {
		return mark.Good.Sign()
	}
	return "○"
}

func (m Map) rows() []mapRow {
	var rows []mapRow
	for _, l := range lesson.Lessons {
		row := mapRow{Lesson: l, Here: l.Number == m.Here}
		for _, e := range l.Exercises() {
			_, passed := m.Progress[e.ID]
			row.Stops = append(row.Stops, stop{e.ID, passed, e.Stretch})
		}
		rows = append(rows, row)
	}
	return rows
}

// Summary is how far the learner has come, in one sentence.
func (m Map) Summary() string {
	done, all := 0, 0
	for _, row := range m.rows() {
		for _, stop := range row.Stops {
			if stop.Stretch {
				continue
			}
			all++
			if stop.Passed {
				done++
			}
		}
	}
	return fmt.Sprintf("%d of %d exercises passed", done, all)
}

// Text is the map for a terminal.
func (m Map) Text() string {
	var lines []string
	for _, row := range m.rows() {
		mark := " "
		if row.Here {
			mark = "→"
		}
		line := fmt.Sprintf("%s %d  %-38s", mark, row.Number, row.Title)
		for _, s := range row.Stops {
			line += "  " + s.Sign() + " " + s.ID
			if s.Stretch {
				line += "*"
			}
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(append(lines, "", m.Summary()+" (* goes further)"), "\n")
}

//go:embed map.html
var mapSource string

var mapTemplate = template.Must(template.New("map").Funcs(template.FuncMap{
	"ink": func(passed bool) template.CSS {
		if passed {
			return mark.Good.Ink()
		}
		return mark.Neutral.Ink()
	},
}).Parse(mapSource))

// HTML is the map for a notebook.
func (m Map) HTML() template.HTML {
	var b bytes.Buffer
	if err := mapTemplate.Execute(&b, map[string]any{"Rows": m.rows(), "Summary": m.Summary()}); err != nil {
		panic(fmt.Sprintf("learner: the map's template does not fit its data: %v", err))
	}
	return template.HTML(b.String())
}
