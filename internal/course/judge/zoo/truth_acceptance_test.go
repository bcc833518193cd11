//go:build acceptance

package zoo_test

import (
	"math"
	"regexp"
	"strings"
)

// truth returns the lines in which a wrong shader differs from the nearest right one, and how many.
//
// They are compared without comments, space, sizes of workgroups and lines with nothing but braces.
// Variables of the right shader get the names of those that the wrong one declares with the same
// value. The nearest has the smallest difference in lines, where a changed line counts once; if
// several are as near, all their lines are true. A missing line makes the gap and the lines on both
// sides true.
func truth(wrong string, rights []string) (lines []int, size int) {
	size = math.MaxInt
	for _, right := range rights {
		switch l, n := differing(linesOf(wrong), linesOf(renamed(right, wrong))); {
		case n < size:
			lines, size = l, n
		case n == size:
			lines = append(lines, l...)
		}
	}
	return lines, size
}

// A line is what is compared of a line of a shader, with its number.
type line struct {
	text   string
	number int
}

var (
	comments = regexp.MustCompile(`//[^\n]*`)
	braces   = regexp.MustCompile(`^[{}]*$`)
)

var sizes = regexp.MustCompile(`@workgroup_size\([^)]*\)`)

func linesOf(text string) []line {
	var lines []line
	for i, l := range strings.Split(comments.ReplaceAllString(text, ""), "\n") {
		l = strings.Join(strings.Fields(sizes.ReplaceAllString(l, "@workgroup_size")), "")
		if !braces.MatchString(l) {
			lines = append(lines, line{l, i + 1})
		}
	}
	return lines
}

// declarations matches what declares a local name: its name and its value, or the builtin value.
var declarations = regexp.MustCompile(`(?:let|var)\s+(\w+)[^=;\n]*=\s*([^;\n]+);|@builtin\((\w+)\)\s*(\w+)`)

// renamed returns the right shader with the names of the wrong one.
func renamed(right, wrong string) string {
	type name struct{ name, value string }
	declared := func(text string) (names []name) {
		for _, m := range declarations.FindAllStringSubmatch(text, -1) {
			names = append(names, name{m[1] + m[4], m[2] + m[3]})
		}
		return names
	}
	for i := range declared(right) {
		from := declared(right)[i] // the values change with the names
		for _, to := range declared(wrong) {
			taken := regexp.MustCompile(`\b` + to.name + `\b`).MatchString(right)
			if to.value == from.value && !taken {
				right = regexp.MustCompile(`\b`+from.name+`\b`).ReplaceAllString(right, to.name)
				break
			}
		}
	}
	return right
}

// differing returns the lines of a in which it differs from b, and how many are changed, missing or
// too many.
func differing(a, b []line) (lines []int, size int) {
	common := make([][]int, len(a)+1) // the length of the longest common subsequence from i and j on
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i].text == b[j].text {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		from, added := i, 0
		for i < len(a) || j < len(b) {
			if i < len(a) && j < len(b) && a[i].text == b[j].text {
				break
			}
			if j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j, added = j+1, added+1
			}
		}
		size += max(i-from, added)
		lines = append(lines, changed(a, from, i, added)...)
		for i < len(a) && j < len(b) && a[i].text == b[j].text {
			i, j = i+1, j+1
		}
	}
	return lines, size
}

// changed returns the numbers of a[from:to], in whose place so many lines are added.
func changed(a []line, from, to, added int) (numbers []int) {
	if added <= to-from {
		for _, l := range a[from:to] {
			numbers = append(numbers, l.number)
		}
		return numbers
	}
	first, last := a[max(from-1, 0)].number, a[min(to, len(a)-1)].number
	for n := first; n <= last; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}
