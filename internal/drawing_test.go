package internal_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"
)

// TestArchitectureDocument holds the table and the drawing in docs/ to the list of rooms.
func TestArchitectureDocument(t *testing.T) {
	const begin, end = "<!-- rooms: written by go test ./internal -update -->\n", "<!-- end of rooms -->\n"
	document, err := os.ReadFile(filepath.Join("..", "docs", "architecture.md"))
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(document), begin)
	require.True(t, ok, "docs/architecture.md has no line %q", begin)
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok, "docs/architecture.md has no line %q", end)
	golden.Assert(t, before+begin+roomTable()+end+after, filepath.Join("..", "..", "docs", "architecture.md"))
	golden.Assert(t, roomDrawing(t), filepath.Join("..", "..", "docs", "architecture.svg"))
}

// The document names folders that exist.
func TestArchitectureDocumentNamesFolders(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "docs", "architecture.md"))
	require.NoError(t, err)
	for _, name := range regexp.MustCompile("`((?:internal|pkg)/[a-z/]+)`").FindAllStringSubmatch(string(document), -1) {
		require.DirExists(t, filepath.Join("..", name[1]))
	}
}

func roomTable() string {
	var b strings.Builder
	b.WriteString("| room | what it holds | may import |\n|---|---|---|\n")
	for _, w := range rooms {
		var may []string
		for _, name := range w.may {
			may = append(may, path.Base(strings.TrimSuffix(name, "/...")))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", w.folder, w.what, strings.Join(may, ", "))
	}
	return b.String()
}

// reach returns, for each room, the rooms that it may import, directly or by way of others.
func reach() map[string][]string {
	all := map[string][]string{}
	for _, w := range rooms {
		for _, below := range rooms {
			if below.folder != w.folder && matchesAny(below.folder, w.may) {
				all[w.folder] = append(append(all[w.folder], below.folder), all[below.folder]...)
			}
		}
	}
	return all
}

// arrows returns the arrows of a room that no way around implies.
func arrows(w room, reached map[string][]string) []string {
	var direct []string
	for _, to := range rooms {
		if to.folder == w.folder || !matchesAny(to.folder, w.may) {
			continue
		}
		if !slices.ContainsFunc(rooms, func(by room) bool {
			return by.folder != w.folder && matchesAny(by.folder, w.may) && slices.Contains(reached[by.folder], to.folder)
		}) {
			direct = append(direct, to.folder)
		}
	}
	return direct
}

// places are the column and the row of each room in the drawing. A new room needs a place here.
var places = map[string][2]float64{
	"cmd":               {1.5, 0},
	"internal/fronts":   {1, 1},
	"pkg":               {2, 1},
	"internal/networks": {1.5, 2},
	"internal/course":   {1.5, 3},
	"weights":           {3, 3},
	"internal/observe":  {1, 4},
	"exercises":         {2, 4},
	"shaders":           {3, 4},
	"internal/machine":  {1, 5},
	"internal/wgsl":     {1, 6},
	"internal/ground":   {1, 7},
}

// The sizes of a box and of the grid, in pixels.
const boxWidth, boxHeight, columnWidth, rowHeight = 400, 54, 430, 96

// A box is a room in the drawing, and the ends of its arrows.
type box struct {
	Name, What string
	X, Y       float64
	Arrows     []string
}

func (b box) Width() int      { return boxWidth }
func (b box) Height() int     { return boxHeight }
func (b box) Middle() float64 { return b.X + boxWidth/2 }

func boxOf(t *testing.T, w room) box {
	place, ok := places[w.folder]
	require.True(t, ok, "the room %s has no place in the drawing", w.folder)
	return box{Name: path.Base(w.folder), What: w.what, X: 20 + place[0]*columnWidth, Y: 20 + place[1]*rowHeight}
}

func roomDrawing(t *testing.T) string {
	var boxes []box
	width, height := 0.0, 0.0
	reached := reach()
	for _, w := range rooms {
		from := boxOf(t, w)
		for _, name := range arrows(w, reached) {
			i := slices.IndexFunc(rooms, func(to room) bool { return to.folder == name })
			to := boxOf(t, rooms[i])
			from.Arrows = append(from.Arrows, fmt.Sprintf("M%g %gL%g %g", from.Middle(), from.Y+boxHeight, to.Middle(), to.Y-2))
		}
		width, height = max(width, from.X+boxWidth+20), max(height, from.Y+boxHeight+20)
		boxes = append(boxes, from)
	}
	var b strings.Builder
	require.NoError(t, drawing.Execute(&b, map[string]any{"Width": width, "Height": height, "Boxes": boxes}))
	return b.String()
}

var drawing = template.Must(template.New("drawing").Parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" font-family="sans-serif">
<title>The rooms and what they import</title>
<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" orient="auto"><path d="M0 0L10 5L0 10z" fill="#52606d"/></marker></defs>
<rect width="{{.Width}}" height="{{.Height}}" fill="#ffffff"/>
{{range .Boxes}}{{range .Arrows}}<path d="{{.}}" stroke="#52606d" stroke-width="1.5" marker-end="url(#tip)"/>
{{end}}{{end}}{{range .Boxes}}<rect x="{{.X}}" y="{{.Y}}" width="{{.Width}}" height="{{.Height}}" rx="6" fill="#e9f0f7" stroke="#52606d"/>
<text x="{{.Middle}}" y="{{.Y}}" dy="22" text-anchor="middle" font-size="16" font-weight="bold" fill="#1b2733">{{.Name}}</text>
<text x="{{.Middle}}" y="{{.Y}}" dy="42" text-anchor="middle" font-size="12" fill="#33475a">{{.What}}</text>
{{end}}</svg>
`))
