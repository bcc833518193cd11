// Package show displays tables, heat maps, digits, bars, dispatch maps, cards and notes in a
// notebook cell.
//
//	show.Display(show.HeatMap{Title: "weights", Rows: 2, Cols: 2, Values: []float32{1, 2, 3, 4}})
//
// Each view has two forms: HTML for JupyterLab, and plain text for a terminal, a screen reader or a
// diff. The HTML passes JupyterLab's sanitiser and follows the theme, so saved notebooks look the
// same elsewhere.
package show

import (
	"html/template"
	"image/color"

	"github.com/wgslab/wgslab/internal/ground/view"
)

// View is anything that can be displayed, as HTML and as plain text.
type View = view.View

// HTML returns a view of finished HTML, with text that says the same.
func HTML(html template.HTML, text string) View { return view.HTML(html, text) }

// The views.
type (
	// Bars shows values as horizontal bars, such as a network's ten probabilities.
	Bars = view.Bars
	// Beside shows views side by side.
	Beside = view.Beside
	// Card lists names and values, such as an adapter's properties.
	Card = view.Card
	// Cells shows maps of small squares, each of one class: fetched or not, working or waiting.
	Cells = view.Cells
	// CellMap is one map of Cells.
	CellMap = view.CellMap
	// CellRow is one row of a CellMap.
	CellRow = view.CellRow
	// Class is one kind of square in Cells.
	Class = view.Class
	// Confusion shows how often each class was read as each other class.
	Confusion = view.Confusion
	// Digits shows handwritten digits with a network's answers.
	Digits = view.Digits
	// Dispatch shows which invocation touches which element.
	Dispatch = view.DispatchPicture
	// Fold hides views until the reader opens it.
	Fold = view.Fold
	// HeatMap shows a matrix in colours.
	HeatMap = view.HeatMap
	// Note is a short notice with a title, a body and lines of code.
	Note = view.Note
	// Table shows rows of values below headers.
	Table = view.Table
)

// Columns returns a table with one column per slice.
func Columns(headers []string, columns ...[]float32) Table { return view.Columns(headers, columns...) }

// Mark says whether something is right, wrong or neither.
type Mark = view.Mark

// The marks.
const (
	Neutral = view.Neutral
	Good    = view.Good
	Bad     = view.Bad
)

// Colours for the classes of Cells. Colour-blind readers can tell them apart.
var (
	Faint  = view.Faint
	Grey   = view.Grey
	Blue   = view.Blue
	Orange = view.Orange
	Purple = view.Purple
	Hollow = view.Hollow
)

// Bright returns a colour that grows brighter as t goes from 0 to 1, for ordered classes.
func Bright(t float64) color.RGBA { return view.Bright(t) }
