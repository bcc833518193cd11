package course

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/show"
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
		return show.Good.Sign()
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
			return show.Good.Ink()
		}
		return show.Neutral.Ink()
	},
}).Parse(mapSource))

// HTML is the map for a notebook.
func (m Map) HTML() template.HTML {
	var b bytes.Buffer
	if err := mapTemplate.Execute(&b, map[string]any{"Rows": m.rows(), "Summary": m.Summary()}); err != nil {
		panic(fmt.Sprintf("course: the map's template does not fit its data: %v", err))
	}
	return template.HTML(b.String())
}

// Here shows the map in a notebook's cell, with the lesson marked.
func Here(number int) {
	progress, err := ReadProgress(WorkDir)
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "Your progress cannot be shown", Body: err.Error()})
		progress = Progress{}
	}
	show.Display(Map{Progress: progress, Here: number})
}

// WorkDir is where the notebooks keep the learner's shaders, seen from their folder.
const WorkDir = "work"

// ShaderPath is the learner's file for an exercise, seen from the notebooks' folder.
func ShaderPath(id string) string { return filepath.Join(WorkDir, id+".wgsl") }
