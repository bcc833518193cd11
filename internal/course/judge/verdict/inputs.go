package verdict

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/view/mark"
)

// Inputs shows which elements of one input a right shader uses for an element of the output, and
// which the learner's shader uses.
type Inputs struct {
	For     string // the element of the output: w[1]
	Name    string // of the input
	Columns int    // of the window
	Cells   []InputCell
}

// An InputCell is one element of an input.
type InputCell struct {
	Index        int
	Wanted, Used bool
}

// An InputPicture is one of the two pictures of an input.
type InputPicture struct {
	Title, Label string
	Rows         []InputRow
}

// An InputRow is a row of squares. First names the element of its first square.
type InputRow struct {
	First   string
	Squares []InputSquare
}

// An InputSquare is one element in a picture. Its sign says the same as its colour; "" means
// unused.
type InputSquare struct {
	Sign string
	Mark mark.Mark
}

// Pictures returns what is wanted and what the learner's shader uses.
func (in Inputs) Pictures() []InputPicture {
	return []InputPicture{
		in.picture("for "+in.For+", a right shader uses", "○", func(c InputCell) (bool, bool) { return c.Wanted, c.Used }),
		in.picture("for "+in.For+", your shader uses", "✗", func(c InputCell) (bool, bool) { return c.Used, c.Wanted }),
	}
}

// Legend explains the signs of the pictures.
func (in Inputs) Legend() string {
	var right, missing, surplus bool
	for _, c := range in.Cells {
		right = right || c.Wanted && c.Used
		missing = missing || c.Wanted && !c.Used
		surplus = surplus || c.Used && !c.Wanted
	}
	var parts []string
	for _, sign := range []struct {
		there bool
		means string
	}{{right, "● used rightly"}, {missing, "○ needed, but not used"}, {surplus, "✗ used, but not needed"}} {
		if sign.there {
			parts = append(parts, sign.means)
		}
	}
	return strings.Join(parts, " · ")
}

// picture marks the elements that only this side uses with a sign of their own.
func (in Inputs) picture(title, alone string, sides func(InputCell) (here, there bool)) InputPicture {
	p := InputPicture{Title: title}
	var used []int
	for i, c := range in.Cells {
		name := fmt.Sprintf("%s[%d]", in.Name, c.Index)
		if i%in.Columns == 0 {
			p.Rows = append(p.Rows, InputRow{First: name})
		}
		var square InputSquare
		switch here, there := sides(c); {
		case here && there:
			square = InputSquare{"●", mark.Good}
		case here:
			square = InputSquare{alone, mark.Bad}
		}
		if square.Sign != "" {
			used = append(used, c.Index)
		}
		row := &p.Rows[len(p.Rows)-1]
		row.Squares = append(row.Squares, square)
	}
	p.Label = title + " " + in.listed(used)
	if len(used) == 0 {
		p.Label = title + " none of " + in.Name + "[" + fmt.Sprint(in.Cells[0].Index) + "] to " + in.Name + "[" + fmt.Sprint(in.Cells[len(in.Cells)-1].Index) + "]"
	}
	return p
}

// listed names elements in ranges: x[0] to x[9], x[12].
func (in Inputs) listed(indices []int) string {
	var parts []string
	for len(indices) > 0 {
		n := 1
		for n < len(indices) && indices[n] == indices[0]+n {
			n++
		}
		if n < 3 {
			n = 1
		}
		part := fmt.Sprintf("%s[%d]", in.Name, indices[0])
		if n > 1 {
			part += fmt.Sprintf(" to %s[%d]", in.Name, indices[n-1])
		}
		parts, indices = append(parts, part), indices[n:]
	}
	return strings.Join(parts, ", ")
}
