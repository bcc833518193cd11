package page

import (
	"encoding/json"
	"html"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/page/cells"
	"github.com/wgslab/wgslab/internal/fronts/page/server"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
	"github.com/wgslab/wgslab/weights"
)

var root, _ = filepath.Abs("../../..") // fails if there is no working directory

func makePages(t *testing.T) files {
	t.Helper()
	c := &maker{Options: Options{Root: root, Source: "https://example.org/source"}, Assets: "a/0"}
	pages, err := c.pages(t.Context())
	require.NoError(t, err)
	return pages
}

// Every exercise has an editor that begins with its skeleton, and a check.
func TestExercisesHaveEditorsAndChecks(t *testing.T) {
	pages := makePages(t)
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		page := string(pages[pageOf(l)])
		for _, e := range l.Exercises() {
			require.Contains(t, page, `data-check="`+e.ID+`"`)
			skeleton := ""
			if e.IsOnHost() {
				var err error
				skeleton, err = e.ScriptSkeleton()
				require.NoError(t, err)
			} else {
				skeleton = skeletonOf(t, e.ID)
			}
			require.Equal(t, strings.TrimSpace(skeleton), strings.TrimSpace(editorText(t, page, e.ID)))
		}
		require.NotContains(t, page, "course.Here", "the page has a list of its own")
		require.NotContains(t, page, "$$")
	}
	require.Contains(t, string(pages["07-digits.html"]), "<mfrac>", "formulas are MathML")
	require.Contains(t, string(pages["01-bootstrap.html"]), "How this page works")
	require.NotContains(t, string(pages["01-bootstrap.html"]), "How these notebooks work")
	require.Contains(t, string(pages["05-softmax.html"]), `data-ask="{&#34;do&#34;:&#34;compare&#34;,&#34;exercise&#34;:&#34;matmul&#34;,&#34;other&#34;:&#34;matmul-tiled&#34;}"`)
}

// A notebook that somebody has solved and saved, in a clone or in a pack, gives nothing away.
func TestASolvedNotebookGivesTheSkeleton(t *testing.T) {
	for _, body := range []string{"fn main() {}", "", "%%writefile twice"} {
		from := &nbformat.Cell{ID: "vector-add-shader", Type: nbformat.Code, Source: "%%writefile work/vector-add.wgsl\n" + body}
		made, shown, err := readCell(nil, from)
		require.NoError(t, err)
		require.True(t, shown)
		require.Equal(t, skeletonOf(t, "vector-add"), made.Source)
	}
}

func skeletonOf(t *testing.T, id string) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(root, "exercises", id, "skeleton.wgsl"))
	require.NoError(t, err)
	return string(source)
}

var tag = regexp.MustCompile(`<[^>]*>`)

// textOf returns the visible text of HTML.
func textOf(source string) string { return html.UnescapeString(tag.ReplaceAllString(source, "")) }

func editorText(t *testing.T, page, id string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, `id="`+id+`" data-file="work/`+id+`.`)
	require.True(t, found, "there is no editor for %s", id)
	_, rest, _ = strings.Cut(rest, `<div class="editor">`)
	code, _, _ := strings.Cut(rest, "</div>")
	return textOf(code)
}

var (
	linked   = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	inlined  = regexp.MustCompile(`<script(?:[^>]*)>[^<]|<style| on[a-z]+=`)
	anchored = regexp.MustCompile(` id="([^"]*)"`)
)

// A page loads only the site's files. A link leads to an existing place, or shows clearly that it
// leads elsewhere.
func TestLinksLeadSomewhere(t *testing.T) {
	pages := makePages(t)
	there := map[string]map[string]bool{}
	for name, data := range pages {
		there[name] = map[string]bool{"": true}
		for _, m := range anchored.FindAllStringSubmatch(string(data), -1) {
			require.False(t, there[name][m[1]], "%s has two places called %s", name, m[1])
			there[name][m[1]] = true
		}
	}
	for name, data := range pages {
		if path.Ext(name) != ".html" {
			continue
		}
		require.Contains(t, html.UnescapeString(string(data)), `content="`+server.Policy+`"`)
		if name != sheetPage { // its style is in it, as everywhere it is shown
			require.NotRegexp(t, inlined, string(data), "%s", name)
		}
		for _, m := range linked.FindAllStringSubmatch(string(data), -1) {
			to, anchor, _ := strings.Cut(html.UnescapeString(m[1]), "#")
			switch {
			case strings.HasPrefix(m[0], " src=") && to != "" && !strings.HasPrefix(to, "a/0/"):
				require.Contains(t, pages, to, "%s shows it", name)
			case strings.HasPrefix(to, "https://"), strings.HasPrefix(to, "data:"), strings.HasPrefix(to, "a/0/"),
				to == "LICENSE.txt", to == "licences.txt":
			case to == "":
				require.True(t, there[name][anchor], "%s links to #%s", name, anchor)
			default:
				require.Contains(t, there, to, "%s links to it", name)
				require.True(t, there[to][anchor], "%s links to %s#%s", name, to, anchor)
			}
		}
	}
}

// Colours do not change the text.
func TestColoursLeaveTheText(t *testing.T) {
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		nb, err := nbformat.Read(filepath.Join(root, "notebooks", l.Notebook))
		require.NoError(t, err)
		for _, c := range nb.Cells {
			require.Equal(t, c.Source, textOf(string(colourGo(c.Source))), "%s, %s", l.Notebook, c.ID)
			require.Equal(t, c.Source, textOf(string(colourWGSL(c.Source))), "%s, %s", l.Notebook, c.ID)
		}
	}
	require.Contains(t, string(colourGo("func f() { g(\"<b>\") } // <")), `<span class="tok-keyword">func</span>`)
	require.Contains(t, string(colourWGSL("var<storage> a: f32; /* < */")), `<span class="tok-typeName">f32</span>`)
}

// Every Go cell can run in its page, except those that a text replaces.
func TestGoCellsRun(t *testing.T) {
	goCells, err := readGoCells(root)
	require.NoError(t, err)
	pages := makePages(t)
	var run, elsewhere []string
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		page := string(pages[pageOf(l)])
		for _, m := range regexp.MustCompile(`<section class="go" id="([^"]*)"(?: data-cell="([^"]*)")?>`).FindAllStringSubmatch(page, -1) {
			if m[2] == "" {
				elsewhere = append(elsewhere, l.Name()+"/"+m[1])
				continue
			}
			require.Equal(t, l.Name()+"/"+m[1], m[2])
			run = append(run, m[2])
		}
	}
	require.Equal(t, goCells.Runs(), run)
	require.Len(t, run, 74)
	require.Equal(t, []string{"10-train/draw-mine", "11-slow/ladder-measured"}, elsewhere)
	require.Contains(t, string(pages["06-forward.html"]), "In JupyterLab, the same exercise is written in Go.")
}

// A picture that moves stops by itself, and doesn't move for those who prefer that.
func TestPicturesThatMoveStop(t *testing.T) {
	moving := 0
	for _, folder := range []string{"images", "beyond/images"} {
		paths, err := filepath.Glob(filepath.Join(root, "notebooks", folder, "*.svg"))
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			if strings.Contains(string(text), "@keyframes") {
				moving++
				require.NotContains(t, string(text), "infinite", path)
				require.Contains(t, string(text), "@media (prefers-reduced-motion: no-preference)", path)
			}
		}
	}
	require.Equal(t, moving, strings.Count(string(makePages(t)["05-reduce.html"]), ` class="moving"`))
}

// The program of the judge and the cells links only packages that are useful in a page.
func TestTheProgramLinksWhatAPageCanUse(t *testing.T) {
	goCells, err := readGoCells(root)
	require.NoError(t, err)
	c, err := newCompiler(t.Context(), root, t.TempDir(), goCells)
	require.NoError(t, err)
	list, err := c.goTool(t.Context(), append(append([]string{"list", "-deps"}, c.flags...), "./"+cells.Program)...)
	require.NoError(t, err)
	linked := strings.Fields(string(list))
	require.Contains(t, linked, "github.com/wgslab/wgslab/internal/networks/draw", "the cells are in it")
	for _, p := range []string{"github.com/cogentcore/webgpu/wgpu", "github.com/janpfeifer/gonb/gonbui", "os/exec", "net", "net/http", "database/sql", "testing", "codeberg.org/go-pdf/fpdf"} {
		require.NotContains(t, linked, p)
	}
}

func TestATextForACellThatIsGone(t *testing.T) {
	c := &maker{Options: Options{Root: root}}
	l := course.Lessons[0]
	nb, err := nbformat.Read(filepath.Join(root, "notebooks", l.Notebook))
	require.NoError(t, err)
	nb.Cells = nil
	_, _, err = c.cells(t.Context(), l, nb)
	require.ErrorContains(t, err, "missing cells: alive-note, go-cells, host-calls-hints, host-calls-task, host-device-hints, host-device-task, how-it-works, map-text, steps")
}

func TestALinkThatLeadsNowhere(t *testing.T) {
	c := &maker{Options: Options{Root: root}}
	for source, says := range map[string]string{
		"[x](09-none.ipynb)":      "09-none.ipynb",
		"![x](images/none.svg)":   "none.svg",
		"![x](../../etc/passwd)":  "there is no image ../../etc/passwd next to the notebook",
		"%%writefile work/x.wgsl": "",
	} {
		nb := &nbformat.Notebook{Cells: []*nbformat.Cell{{ID: "a", Type: nbformat.Markdown, Source: source}}}
		_, _, err := c.cells(t.Context(), course.Lesson{Notebook: "00-test.ipynb"}, nb)
		if says == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, says)
	}
}

// The bundle contains the same editor and grammar as JupyterLab, and the licence of every package
// in it.
func TestBundle(t *testing.T) {
	loaded, licences, err := bundle(root)
	require.NoError(t, err)
	for _, name := range []string{"app.js", "theme.js", "site.css"} {
		require.NotEmpty(t, loaded[name], name)
	}
	require.Contains(t, string(loaded["app.js"]), "textureSampleBaseClampToEdge", "the words of WGSL")
	require.NotEmpty(t, assist.Script())
	for _, name := range []string{"@codemirror/view", "@lezer/common", "fflate", "style-mod"} {
		require.Contains(t, string(licences[name]), "ermission", name)
	}
	require.NotContains(t, licences, "temml", "it works at home only")
}

func TestOffline(t *testing.T) {
	read := func(f files) (kept struct {
		Version      string
		Files, Later []string
	}) {
		t.Helper()
		script, err := offline(root, f)
		require.NoError(t, err)
		_, rest, _ := strings.Cut(string(script), "const { version, files, later } = ")
		list, _, found := strings.Cut(rest, ";\n")
		require.True(t, found)
		require.NoError(t, json.Unmarshal([]byte(list), &kept))
		return kept
	}
	first := read(files{"a": []byte("1"), "b": []byte("2")})
	require.Equal(t, []string{"a", "b"}, first.Files)
	require.Empty(t, first.Later)
	withWeights := read(files{"a/1/" + weights.LettersName: []byte("1"), "b": []byte("2")})
	require.Equal(t, []string{"b"}, withWeights.Files)
	require.Equal(t, []string{"a/1/" + weights.LettersName}, withWeights.Later)
	require.NotEqual(t, first.Version, read(files{"a": []byte("1"), "b": []byte("3")}).Version, "another file, another version")
	require.Equal(t, first.Version, read(files{"b": []byte("2"), "a": []byte("1")}).Version)
}

func TestTooLarge(t *testing.T) {
	require.NoError(t, Sizes{Interactive: MostInteractive, All: MostInAll}.Within())
	require.ErrorContains(t, Sizes{All: MostInAll + 1}.Within(), "too large")
	require.ErrorContains(t, Sizes{Later: MostLater + 1}.Within(), "too large")
	require.ErrorContains(t, Sizes{Interactive: MostInteractive + 1}.Within(), "too large")
}

// A new build of a site removes all files of the older one.
func TestWriteReplaces(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	require.NoError(t, files{"old.html": nil, "a/1/x.js": []byte("1")}.write(out))
	require.NoError(t, files{"new.html": []byte("2")}.write(out))
	entries, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	beside, err := os.ReadDir(filepath.Dir(out))
	require.NoError(t, err)
	require.Len(t, beside, 1)
}

// Visitors get an update if a file has changed, so two builds of one source must be the same.
func TestTheSampleIsTheSameEachTime(t *testing.T) {
	var made []*sample
	for range 2 {
		s, err := makeSample(t.Context(), "../../..")
		require.NoError(t, err)
		require.NotContains(t, string(s.Verdict), " ms</div>")
		made = append(made, s)
	}
	require.Equal(t, made[0], made[1])
}
