package workdir

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/view/mark"
)

// A Map shows the eight lessons and the learner's progress through them.
type Map struct {
	Progress Progress
	Here     int // the lesson whose notebook shows the map; 0 for none
}

type mapRow struct {
	course.Lesson
	Here  bool
	Stops []stop
}

// stop is one exercise on the map.
type stop struct {
	ID      string
	Passed  bool
	Stretch bool
}

// Sign distinguishes passed exercises without colour.
func (s stop) Sign() string {
	if s.Passed {
		return mark.Good.Sign()
	}
	return "○"
}

func (m Map) rows() []mapRow {
	var rows []mapRow
	for _, l := range course.AllLessons() {
		row := mapRow{Lesson: l, Here: l.Number == m.Here}
		for _, e := range l.Exercises() {
			_, passed := m.Progress[e.ID]
			row.Stops = append(row.Stops, stop{e.ID, passed, e.Stretch})
		}
		rows = append(rows, row)
	}
	return rows
}

// Summary says how many exercises are passed.
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

// Text formats the map for a terminal.
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

// HTML formats the map for a notebook.
func (m Map) HTML() template.HTML {
	var b bytes.Buffer
	if err := mapTemplate.Execute(&b, map[string]any{"Rows": m.rows(), "Summary": m.Summary()}); err != nil {
		panic(fmt.Sprintf("workdir: the map's template does not fit its data: %v", err))
	}
	return template.HTML(b.String())
}
