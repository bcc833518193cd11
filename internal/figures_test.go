package internal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
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
