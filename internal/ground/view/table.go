package view

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/ground/english"
)

// maxTableRows is the maximum number of rows shown; longer tables lose their middle.
const maxTableRows = 100

// Table shows rows of values under headers. Columns of numbers are right-aligned. Rows may differ
// in length.
type Table struct {
	Caption   string
	Source    string // where the rows come from, in small letters beside the caption; may be ""
	Headers   []string
	Rows      [][]any
	Highlight []int // rows to highlight, counted from 0
}

// Columns returns a table of columns of numbers, each with its header.
func Columns(headers []string, columns ...[]float32) Table {
	t := Table{Headers: headers}
	for i, column := range columns {
		for row, value := range column {
			if row == len(t.Rows) {
				t.Rows = append(t.Rows, make([]any, len(columns)))
			}
			t.Rows[row][i] = value
		}
	}
	return t
}

// Add appends a row.
func (t *Table) Add(values ...any) { t.Rows = append(t.Rows, values) }

type tableCell struct {
	Text   string
	Number bool
}

type tableRow struct {
	Cells   []tableCell
	Marked  bool
	LeftOut int // this row replaces so many rows that are left out
}

type tableLayout struct {
	Title, Source string
	Headers       []tableCell
	Rows          []tableRow
	Columns       int
	Marks         bool // some row is highlighted, so there is a column for the sign
}

// HTML renders the table.
func (t Table) HTML() template.HTML { return render("table", t.layout()) }

// Text renders the table with aligned columns; highlighted rows start with ">".
func (t Table) Text() string {
	layout := t.layout()
	widths := make([]int, layout.Columns)
	measure := func(cells []tableCell) {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell.Text))
		}
	}
	measure(layout.Headers)
	for _, row := range layout.Rows {
		measure(row.Cells)
	}
	lines := titled(t.Caption, t.Source)
	if len(t.Headers) > 0 {
		rule := make([]string, len(widths))
		for i, width := range widths {
			rule[i] = strings.Repeat("─", width)
		}
		lines = append(lines, textRow("  ", layout.Headers, widths), "  "+strings.Join(rule, "  "))
	}
	for _, row := range layout.Rows {
		switch {
		case row.LeftOut > 0:
			lines = append(lines, fmt.Sprintf("  … %s more rows", english.Thousands(row.LeftOut)))
		case row.Marked:
			lines = append(lines, textRow("> ", row.Cells, widths))
		default:
			lines = append(lines, textRow("  ", row.Cells, widths))
		}
	}
	return strings.Join(lines, "\n")
}

func textRow(start string, cells []tableCell, widths []int) string {
	parts := make([]string, len(cells))
	for i, cell := range cells {
		pad := padRight
		if cell.Number {
			pad = padLeft
		}
		parts[i] = pad(cell.Text, widths[i])
	}
	return strings.TrimRight(start+strings.Join(parts, "  "), " ")
}

func (t Table) layout() tableLayout {
	layout := tableLayout{Title: t.Caption, Source: t.Source, Columns: len(t.Headers), Marks: len(t.Highlight) > 0}
	for _, row := range t.Rows {
		layout.Columns = max(layout.Columns, len(row))
	}
	numeric := make([]bool, layout.Columns)
	for column := range numeric {
		numeric[column] = t.numeric(column)
	}
	for i := range layout.Columns {
		header := ""
		if i < len(t.Headers) {
			header = t.Headers[i]
		}
		layout.Headers = append(layout.Headers, tableCell{header, numeric[i]})
	}
	keep := maxTableRows / 2
	for i, row := range t.Rows {
		if len(t.Rows) > maxTableRows && i >= keep && i < len(t.Rows)-keep {
			if i == keep {
				layout.Rows = append(layout.Rows, tableRow{LeftOut: len(t.Rows) - 2*keep})
			}
			continue
		}
		cells := make([]tableCell, layout.Columns)
		for column := range cells {
			cells[column].Number = numeric[column]
			if column < len(row) {
				cells[column].Text = valueText(row[column])
			}
		}
		layout.Rows = append(layout.Rows, tableRow{Cells: cells, Marked: slices.Contains(t.Highlight, i)})
	}
	return layout
}

// numeric reports whether a column holds only numbers.
func (t Table) numeric(column int) bool {
	numbers := 0
	for _, row := range t.Rows {
		if column >= len(row) || valueText(row[column]) == "" {
			continue
		}
		if !isNumber(row[column]) {
			return false
		}
		numbers++
	}
	return numbers > 0
}

// isNumber reports whether a value is a number, or text that parses as one.
func isNumber(value any) bool {
	if _, ok := value.(int); ok {
		return true
	}
	_, err := strconv.ParseFloat(strings.TrimRight(valueText(value), " %×"), 64)
	return err == nil
}

// valueText formats a value briefly: floats with six significant digits, slices of floats with
// three each, large ints in groups of three, and the first line of an error.
func valueText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case float32:
		return number(float64(v))
	case float64:
		return number(v)
	case []float32:
		words := make([]string, len(v))
		for i, one := range v {
			words[i] = short(one)
		}
		return strings.Join(words, ", ")
	case int:
		return english.Thousands(v)
	case error:
		first, _, _ := strings.Cut(v.Error(), "\n")
		return first
	}
	return fmt.Sprint(value)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
