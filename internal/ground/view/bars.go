package view

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Bars shows values as horizontal bars, such as a network's ten probabilities.
type Bars struct {
	Title     string
	Source    string   // the origin of the values, such as "MNIST test images"
	Labels    []string // optional; by default 0, 1, 2, …
	Values    []float32
	Percent   bool  // values are shares of one: 0.5 is half the width and "50.0 %"
	Shares    bool  // values should be shares of one: sets Percent if they are, and shows their sum
	Highlight []int // bars to highlight, counted from 0
}

// Milliseconds returns a duration as a value for a bar, with three significant digits.
func Milliseconds(d time.Duration) float32 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(d.Seconds()*1000, 'g', 3, 64), 32) // it is a number
	return float32(rounded)
}

type bar struct {
	Label, Value string
	Width        float64 // percent of the full width
	Color        template.CSS
	Marked       bool
}

const (
	barColor       template.CSS = "#7d97ad"
	barMarkedColor template.CSS = "#1f7fd1"
	barBelowColor  template.CSS = "#c8782e"
)

// HTML renders the bars.
func (b Bars) HTML() template.HTML {
	b = b.settled()
	return render("bars", struct {
		Bars
		Lines []bar
	}{b, b.lines()})
}

// Text renders each bar as a line of blocks.
func (b Bars) Text() string {
	const full = 30
	b = b.settled()
	bars := b.lines()
	width := 0
	for _, line := range bars {
		width = max(width, utf8.RuneCountInString(line.Label))
	}
	lines := titled(b.Title, b.Source)
	for _, line := range bars {
		start := "  "
		if line.Marked {
			start = "> "
		}
		blocks := strings.Repeat("█", int(math.Round(full*line.Width/100)))
		lines = append(lines, start+padLeft(line.Label, width)+" "+padRight(blocks, full)+" "+line.Value)
	}
	return strings.Join(lines, "\n")
}

// settled adds up the values if they should be shares.
func (b Bars) settled() Bars {
	if !b.Shares {
		return b
	}
	total := 0.0
	for _, value := range b.Values {
		total += float64(value)
	}
	b.Percent = math.Abs(total-1) < 0.01
	b.Source = strings.TrimPrefix(b.Source+" · they add up to "+number(total), " · ")
	return b
}

func (b Bars) lines() []bar {
	names := labels(b.Labels, len(b.Values))
	longest := b.longest()
	lines := make([]bar, len(b.Values))
	for i, value := range b.Values {
		line := bar{Label: names[i], Value: b.text(value), Color: barColor, Marked: slices.Contains(b.Highlight, i)}
		switch {
		case value < 0:
			line.Color = barBelowColor
		case line.Marked:
			line.Color = barMarkedColor
		}
		if value == value {
			line.Width = 100 * min(1, math.Abs(float64(value))/longest)
		}
		lines[i] = line
	}
	return lines
}

// longest returns the value whose bar fills the width.
func (b Bars) longest() float64 {
	if b.Percent {
		return 1
	}
	most := 0.0
	for _, value := range b.Values {
		if v := math.Abs(float64(value)); !math.IsInf(v, 0) && v > most {
			most = v
		}
	}
	if most == 0 {
		return 1
	}
	return most
}

func (b Bars) text(value float32) string {
	if b.Percent {
		return fmt.Sprintf("%.1f %%", 100*value)
	}
	return valueText(value)
}
