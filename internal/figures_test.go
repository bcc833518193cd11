package internal_test

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// inCode holds the values of the figures that docs/figures.md lists, as the code has them. WebGPU
// fixes the alignment of resolved queries; the others of its limits are those of the simulator.
var inCode = map[string]int{
	"neighbours that run together": ir.Neighbours,
	"bytes of a sector":            ir.SectorBytes,
	"bytes of a line":              ir.LineBytes,
	"banks of workgroup memory":    ir.Banks,
	"workgroups in a dimension":    int(sim.Adapter().Limits.WorkgroupsPerDimension),

	"alignment of a storage buffer's offset": 256,
	"alignment of resolved queries":          256,
}

// said matches what a row says that a lesson says: its number and its words.
var said = regexp.MustCompile(`(\d+) "([^"]+)"`)

// The list of the hardware's figures has the values of the code, and the lessons have its words.
func TestFiguresOfTheLessons(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "figures.md"))
	require.NoError(t, err)
	values, words := 0, 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		name := strings.TrimSpace(cells[0])
		if want, ok := inCode[name]; ok {
			values++
			require.Equal(t, strconv.Itoa(want), strings.TrimSpace(cells[1]), name)
		}
		for _, of := range said.FindAllStringSubmatch(line, -1) {
			number, err := strconv.Atoi(of[1])
			require.NoError(t, err)
			words++
			require.True(t, lessonSays(t, number, of[2]), "lesson %d says %q", number, of[2])
		}
	}
	require.Equal(t, len(inCode), values)
	require.Greater(t, words, 9)
	for _, d := range cost.Devices {
		row := fmt.Sprintf("| %s | %.4g | %.4g | %d | %.4g | %d | %d | %d |", d.Name, d.Bandwidth/1e9, d.FLOPS/1e12, d.Cores, d.Clock/1e9, d.Threads, d.Workgroup>>10, d.Registers)
		require.Contains(t, string(text), row)
		require.Contains(t, string(text), "| "+d.Name+" | "+d.Title+" | "+d.Source+" |")
	}
}

// lessonSays reports whether the notebooks of a lesson contain some words.
func lessonSays(t *testing.T, number int, words string) bool {
	t.Helper()
	for _, l := range course.AllLessons() {
		if l.Number != number {
			continue
		}
		nb, err := nbformat.Read(filepath.Join("..", "notebooks", l.Notebook))
		require.NoError(t, err)
		for _, c := range nb.Cells {
			if strings.Contains(c.Source, words) {
				return true
			}
		}
	}
	return false
}

// A countedRow is a row of what docs/figures.md lists as counted.
type countedRow struct{ one, other, before, after, count, devices, from, to string }

// edit matches an edit of a shader in such a row.
var edit = regexp.MustCompile("^`(.*)` → `(.*)`$")

// countedRows reads the rows of the table below its heading.
func countedRows(t *testing.T) (rows []countedRow) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "figures.md"))
	require.NoError(t, err)
	_, below, found := strings.Cut(string(text), "\n## Counted\n")
	require.True(t, found)
	below, _, _ = strings.Cut(below, "\n## ")
	for line := range strings.Lines(below) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 8 || !said.MatchString(cells[0]) {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		row := countedRow{strings.Trim(cells[1], "`"), strings.Trim(cells[2], "`"), "", "", cells[4], cells[5], cells[6], cells[7]}
		if cells[3] != "" {
			parts := edit.FindStringSubmatch(cells[3])
			require.Len(t, parts, 3, line)
			row.before, row.after = parts[1], parts[2]
		}
		rows = append(rows, row)
	}
	return rows
}

// What the lessons say of costs is counted, on every device that they speak of.
func TestFiguresThatAreCounted(t *testing.T) {
	rows := countedRows(t)
	require.Greater(t, len(rows), 29)
	counted := map[string]goals.Computation{}
	count := func(way, before, after string) goals.Computation {
		key := way + "|" + before + "|" + after
		if counted[key] == nil {
			counted[key] = edited(t, way, before, after)
		}
		return counted[key]
	}
	for _, row := range rows {
		name := fmt.Sprintf("%+v", row)
		one := count(row.one, row.before, row.after)
		for _, d := range devicesOf(t, row.devices) {
			if row.count == "limit" {
				_, limit := one.Costs().On(d)
				require.Equal(t, row.from, limit, "%s on %s", name, d.Name)
				continue
			}
			value := valueOf(t, one, row.count, d)
			if row.other != "" {
				value /= valueOf(t, count(row.other, "", ""), row.count, d)
			}
			from, err := strconv.ParseFloat(row.from, 64)
			require.NoError(t, err, name)
			to, err := strconv.ParseFloat(row.to, 64)
			require.NoError(t, err, name)
			const rounding = 1e-6
			require.GreaterOrEqual(t, value, from-rounding, "%s on %s", name, d.Name)
			require.LessOrEqual(t, value, to+rounding, "%s on %s", name, d.Name)
		}
	}
}

// devicesOf returns the devices that a row names.
func devicesOf(t *testing.T, names string) (devices []cost.GPU) {
	if names == "every" {
		return cost.Devices
	}
	for name := range strings.SplitSeq(names, ", ") {
		d, err := cost.FindDevice(name)
		require.NoError(t, err)
		devices = append(devices, d)
	}
	return devices
}

// edited counts a way, after an edit of its only shader if there is one.
func edited(t *testing.T, way, before, after string) goals.Computation {
	t.Helper()
	text, load := way, func(string) (*shader.Source, error) { return nil, fs.ErrNotExist }
	if before != "" {
		first, sizes, _ := strings.Cut(way, " ")
		id, right, _ := strings.Cut(first, "/")
		source := solution(t, id, right)
		require.Equal(t, 1, strings.Count(source, before), "%s: %s", way, before)
		text = id + " " + sizes
		load = func(string) (*shader.Source, error) {
			return shader.Read(id+".wgsl", strings.Replace(source, before, after, 1)), nil
		}
	}
	c, err := goals.CountWay(t.Context(), text, load)
	require.NoError(t, err)
	if before != "" {
		require.Equal(t, "yours", c[0].Whose, way)
	}
	return c
}

// solution returns a right shader of an exercise: the reference if name is "".
func solution(t *testing.T, id, name string) string {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	reference, err := e.Reference()
	require.NoError(t, err)
	if name == "" {
		return reference.Text
	}
	all, err := e.Right()
	require.NoError(t, err)
	i := slices.IndexFunc(all, func(s *shader.Source) bool { return s.Name == name })
	require.GreaterOrEqual(t, i, 0, "%s/%s", id, name)
	return all[i].Text
}

// valueOf returns one of the counts that the table names.
func valueOf(t *testing.T, c goals.Computation, count string, d cost.GPU) (value float64) {
	t.Helper()
	costs := c.Costs()
	switch count {
	case "µs", "times":
		seconds, _ := costs.On(d)
		return seconds * 1e6
	case "operations a byte":
		p := cost.UnderOneRoof(d, []string{c.Name()}, costs).Points[0]
		return p.Operations / p.Bytes
	case "workgroups at once":
		return float64(costs[0].Resident(d))
	}
	of, known := map[string]func(*cost.Total) float64{
		"moved": func(t *cost.Total) float64 { return t.Moved }, "once": func(t *cost.Total) float64 { return t.Once },
		"turns": func(t *cost.Total) float64 { return t.Turns }, "steps": func(t *cost.Total) float64 { return t.GroupSteps },
		"barriers": func(t *cost.Total) float64 { return t.Barriers },
	}[count]
	require.True(t, known, count)
	for _, r := range costs {
		value += of(&r.Total)
	}
	return value
}

// limitRow matches a row of lesson 11's table of limits: its name, the edit, and the time.
var limitRow = regexp.MustCompile("^\\| \\*\\*(\\w+)\\*\\*[^|]*\\|[^|]*\\| (none|`[^`]+`) \\| ([\\d.]+) (µs|ms) \\|$")

// Each edit in lesson 11's table meets the limit that the table names, on every device. It takes as
// long on the laptop as the table says.
func TestEveryLimitIsReachedByAnEdit(t *testing.T) {
	nb, err := nbformat.Read(filepath.Join("..", "notebooks", "beyond", "11-slow.ipynb"))
	require.NoError(t, err)
	rows := 0
	for _, c := range nb.Cells {
		if c.ID != "copy-2d-more" {
			continue
		}
		for line := range strings.Lines(c.Source) {
			row := limitRow.FindStringSubmatch(strings.TrimSpace(line))
			if row == nil {
				continue
			}
			rows++
			before, after := "", strings.Trim(row[2], "`")
			switch {
			case strings.HasPrefix(after, "@"):
				before = "@workgroup_size(16, 16)"
			case after != "none":
				before = "out[i] = x[i];"
			}
			counted := edited(t, "copy-2d", before, after)
			for _, d := range cost.Devices {
				_, limit := counted.Costs().On(d)
				require.Equal(t, row[1], limit, "%s on %s", after, d.Name)
			}
			require.Equal(t, row[3]+" "+row[4], cost.Duration(valueOf(t, counted, "µs", cost.Devices[0])/1e6))
		}
	}
	require.Equal(t, 5, rows)
}

// tokenRow matches a row of lesson 13's table of three tokens: query, key, value, and its lists.
var tokenRow = regexp.MustCompile(`^\| \d \| (\d) \| (\d) \| (\d+) \| ([\d, ]+) \| ([\d., ]+) \| ([\d.]+) \|$`)

// Lesson 13 works out attention for three tokens, and its numbers are right.
func TestTheThreeTokensOfAttention(t *testing.T) {
	nb, err := nbformat.Read(filepath.Join("..", "notebooks", "beyond", "13-attend.ipynb"))
	require.NoError(t, err)
	var rows [][]string
	for _, c := range nb.Cells {
		for line := range strings.Lines(c.Source) {
			if row := tokenRow.FindStringSubmatch(strings.TrimSpace(line)); row != nil && c.ID == "scores-idea" {
				rows = append(rows, row)
			}
		}
	}
	require.Len(t, rows, 3)
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		return n
	}
	for _, row := range rows {
		var scores, shares []string
		total, mixed := 0.0, 0.0
		for _, other := range rows {
			score := number(row[1]) * number(other[2])
			scores = append(scores, fmt.Sprint(score))
			total += math.Exp(score)
			mixed += math.Exp(score) * number(other[3])
		}
		for _, score := range scores {
			shares = append(shares, fmt.Sprintf("%.2f", math.Exp(number(score))/total))
		}
		require.Equal(t, strings.Join(scores, ", "), row[4])
		require.Equal(t, strings.Join(shares, ", "), row[5])
		require.Equal(t, fmt.Sprintf("%.1f", mixed/total), row[6])
	}
}
