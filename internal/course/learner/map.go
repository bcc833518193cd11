package learner

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/view/mark"
)

// A Map shows the lessons and the learner's progress through them.
type Map struct {
	Progress PassedExercises
	Here     int // the lesson whose notebook shows the map; 0 for none
}

type mapRow struct {
	course.Lesson
	Part  string // the title of the part that begins with the lesson
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
		row := mapRow{Lesson: l, Part: l.Part(), Here: l.Number == m.Here}
		for _, e := range l.Exercises() {
			_, passed := m.Progress[e.ID]
			row.Stops = append(row.Stops, stop{e.ID, passed, e.Stretch})
		}
		rows = append(rows, row)
	}
	return rows
}

// Summary says how many exercises are passed. Those beyond the eight lessons are extra.
func (m Map) Summary() string {
	done, all, beyond, more := 0, 0, 0, 0
	for _, row := range m.rows() {
		for _, stop := range row.Stops {
			if row.IsBeyond() {
				more++
			}
			switch {
			case stop.Passed && row.IsBeyond():
				beyond++
			case stop.Stretch, row.IsBeyond():
			case stop.Passed:
				done, all = done+1, all+1
			default:
				all++
			}
		}
	}
	summary := fmt.Sprintf("%d of %d exercises passed", done, all)
	if beyond > 0 {
		summary += fmt.Sprintf(", and %d of %d beyond the eight", beyond, more)
	}
	return summary
}

// Text formats the map for a terminal.
func (m Map) Text() string {
	var lines []string
	for _, row := range m.rows() {
		if row.Part != "" {
			lines = append(lines, "", row.Part)
		}
		mark := " "
		if row.Here {
			mark = "→"
		}
		line := fmt.Sprintf("%s %-2d %-38s", mark, row.Number, row.Title)
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
	return mark.Fill(mapTemplate, map[string]any{"Rows": m.rows(), "Summary": m.Summary()})
}
