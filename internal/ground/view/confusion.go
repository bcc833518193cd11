package view

import (
	"fmt"
	"html/template"
	"strconv"

	"github.com/wgslab/wgslab/internal/ground/english"
)

// Confusion shows how often each class was read as each other class. Right answers, on the
// diagonal, are blue and mistakes orange, each coloured by its share. Zero counts stay empty, so
// that the mistakes stand out.
type Confusion struct {
	Source string     // the images, such as "MNIST test images"
	Labels []string   // optional; by default 0, 1, 2, …
	Counts [][]uint32 // [true class][class read], square
}

type confusionRow struct {
	Label string
	Cells []heatCell
	Right string // share of this row that was read correctly
}

type confusionLayout struct {
	Source, Summary string
	Labels          []string
	Rows            []confusionRow
}

// HTML renders the matrix, one row for each true class.
func (c Confusion) HTML() template.HTML {
	names := labels(c.Labels, len(c.Counts))
	layout := confusionLayout{Source: c.Source, Summary: c.summary(), Labels: names}
	worst := c.worst()
	for is, counts := range c.square() {
		row := confusionRow{Label: names[is], Right: share(counts[is], total(counts))}
		for read, count := range counts {
			row.Cells = append(row.Cells, confusionCell(names, is, read, count, total(counts), worst))
		}
		layout.Rows = append(layout.Rows, row)
	}
	return render("confusion", layout)
}

func confusionCell(names []string, is, read int, count, of, worst uint32) heatCell {
	cell := heatCell{
		Text:       strconv.Itoa(int(count)),
		Title:      fmt.Sprintf("%s read as %s: %d", names[is], names[read], count),
		Background: "transparent",
		Ink:        "inherit",
	}
	if count == 0 {
		cell.Text = "·"
		return cell
	}
	palette, part := diverging[2:], float64(count)/float64(max(worst, 1))
	if is == read {
		palette, part = diverging[:3], 1-float64(count)/float64(max(of, 1))
	} else {
		part = 0.25 + 0.75*part
	}
	background := at(palette, part)
	cell.Background, cell.Ink = css(background), inkOn(background)
	return cell
}

// Text renders the counts as a table.
func (c Confusion) Text() string {
	names := labels(c.Labels, len(c.Counts))
	table := Table{Headers: append([]string{"is \\ read as"}, names...)}
	table.Headers = append(table.Headers, "right")
	for is, counts := range c.square() {
		row := []any{names[is]}
		for _, count := range counts {
			row = append(row, count)
		}
		table.Rows = append(table.Rows, append(row, share(counts[is], total(counts))))
	}
	table.Caption = c.Source
	if table.Caption != "" {
		table.Caption += ": "
	}
	table.Caption += c.summary()
	return table.Text()
}

// square returns the counts padded to a square matrix.
func (c Confusion) square() [][]uint32 {
	rows := make([][]uint32, len(c.Counts))
	for i, counts := range c.Counts {
		rows[i] = make([]uint32, len(c.Counts))
		copy(rows[i], counts)
	}
	return rows
}

func (c Confusion) summary() string {
	var right, all uint32
	for i, counts := range c.square() {
		right += counts[i]
		all += total(counts)
	}
	return fmt.Sprintf("%s of %s right (%s)", english.Thousands(int(right)), english.Thousands(int(all)), share(right, all))
}

// worst returns the count of the most frequent mistake.
func (c Confusion) worst() uint32 {
	most := uint32(0)
	for is, counts := range c.square() {
		for read, count := range counts {
			if is != read {
				most = max(most, count)
			}
		}
	}
	return most
}

func total(counts []uint32) uint32 {
	sum := uint32(0)
	for _, count := range counts {
		sum += count
	}
	return sum
}

func share(part, all uint32) string {
	if all == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(part)/float64(all))
}
