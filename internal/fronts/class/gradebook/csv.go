package gradebook

import (
	"encoding/csv"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/plaintext"
)

// CSV writes one row per student (RFC 4180, UTF-8): student, points, max_points, the points of
// each exercise, problems. An exercise that counts for no points has an empty field: it is for
// practice, or it needs execution. Points for costs follow, as ID-cost.
func CSV(w io.Writer, t *ClassTable) error {
	ids, rewarded := t.Exercises(), t.Rewarded()
	rows := csv.NewWriter(w)
	rows.UseCRLF = true
	header := slices.Concat([]string{"student", "points", "max_points"}, ids, costNames(rewarded), []string{"problems"})
	if err := rows.Write(header); err != nil {
		return err
	}
	for _, s := range t.Submissions {
		row := []string{noFormula(s.Student), number(s.Points), number(s.MaxPoints)}
		for _, id := range ids {
			points := ""
			if e := s.Outcome(id); e.MaxPoints > 0 {
				points = number(e.Points)
			}
			row = append(row, points)
		}
		for _, id := range rewarded {
			points := ""
			if e := s.Outcome(id); e.Costs != nil {
				points = number(e.Costs.Points)
			}
			row = append(row, points)
		}
		if err := rows.Write(append(row, noFormula(strings.Join(s.Problems, " ")))); err != nil {
			return err
		}
	}
	rows.Flush()
	return rows.Error()
}

// costNames returns the names of columns for the points for costs: those of the cells in a course
// with such points.
func costNames(ids []string) (names []string) {
	for _, id := range ids {
		names = append(names, id+"-cost")
	}
	return names
}

func number(points float64) string { return strconv.FormatFloat(points, 'f', -1, 64) }

// formula matches the places where a spreadsheet would start a formula: at the start of a cell,
// and after a semicolon, which separates cells in half of Europe.
var formula = regexp.MustCompile(`(^|;)([\s'"]*)([=+\-@＝＋－＠])`)

// noFormula makes text a single line that no spreadsheet reads as a formula. It puts an apostrophe
// before anything that would start one.
func noFormula(text string) string {
	return formula.ReplaceAllString(plaintext.OneLine(text), "$1$2'$3")
}
