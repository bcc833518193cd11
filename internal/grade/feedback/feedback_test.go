package feedback_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/grade"
	"github.com/wgslab/wgslab/internal/grade/feedback"
	"github.com/wgslab/wgslab/internal/grade/gradetest"
	"github.com/wgslab/wgslab/internal/verdict"
	"pgregory.net/rapid"
)

// pages writes the pages of a table, and gives the folder and their names.
func pages(t testing.TB, table *grade.Table) (dir string, files []string) {
	dir = t.TempDir()
	require.NoError(t, feedback.Write(dir, table))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		files = append(files, e.Name())
	}
	return dir, files
}

func read(t testing.TB, path ...string) string {
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

// page finds the file that the index links for a student.
func page(t testing.TB, dir, student string) string {
	link := regexp.MustCompile(`<a href="([^"]+)"><bdi>` + regexp.QuoteMeta(student) + `</bdi>`).FindStringSubmatch(read(t, dir, "index.html"))
	require.NotNil(t, link, "the index links no page of %s", student)
	file, err := url.PathUnescape(link[1])
	require.NoError(t, err)
	return read(t, dir, file)
}

func TestFeedback(t *testing.T) {
	dir, files := pages(t, gradetest.Class())
	require.Len(t, files, 4)

	ada := page(t, dir, "Ada Lovelace")
	for _, want := range []string{
		`<strong>2</strong> of 10 points`,
		`1 exercise is right, and 3 on the way.`,
		`What would 2 and 3 give?`,                  // the verdict, with its question
		`1 of 1 elements are not right`,             // and its table
		`>-1</td>`,                                  //
		`class="here">    out[0] = a[0] - b[0]; //`, // the line that it is about
		`&lt;/pre&gt;&lt;script&gt;alert(`,          // which is text
		`<span class="file">02-add.ipynb</span>`,
		`It counts neither for nor against.`,
	} {
		require.Contains(t, ada, want)
	}
	require.NotContains(t, ada, "<script")
	require.Equal(t, 2, strings.Count(ada, `class="here"`), "one line in each shader whose verdict names one")
	again, right, open := strings.Index(ada, "<h2>Worth another look"), strings.Index(ada, "<h2>Right"), strings.Index(ada, "<h2>Still open")
	for id, section := range map[string][2]int{"add": {again, right}, "vector-add": {again, right}, "matmul": {again, right}, "hello": {right, open}, "saxpy": {open, len(ada)}, "relu": {open, len(ada)}, "forward": {open, len(ada)}} {
		at := strings.Index(ada, `id="`+id+`"`)
		require.Truef(t, section[0] < at && at < section[1], "%s stands at %d, not in %v", id, at, section)
	}

	best := page(t, dir, "李雷")
	require.NotContains(t, best, "Worth another look")
	require.Contains(t, best, "6 exercises are right, and none is wrong.")
	none := page(t, dir, `=HYPERLINK(&#34;http://127.0.0.1&#34;,&#34;x&#34;)`)
	require.Contains(t, none, "No exercise was begun.")
	require.Contains(t, none, "03-matmul.ipynb is no notebook: it is not JSON (line 1).")

	index := read(t, dir, "index.html")
	require.Contains(t, index, "3 submissions, on average 4 of 10 points")
	require.Contains(t, index, "missing-builtin (1)")
	require.Contains(t, index, "03-matmul.ipynb is no notebook")
}

// A page that is there is replaced; what a link points at stays as it is, and
// nothing half-written is left.
func TestFeedbackReplaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	table := gradetest.Class()
	table.Submissions = table.Submissions[1:2]
	table.Submissions[0].Student = "ada"
	require.NoError(t, feedback.Write(dir, table))
	mine := filepath.Join(t.TempDir(), "mine")
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o644))
	require.NoError(t, os.Remove(filepath.Join(dir, "ada.html")))
	require.NoError(t, os.Symlink(mine, filepath.Join(dir, "ada.html")))
	table.Submissions[0].Points = 9
	require.NoError(t, feedback.Write(dir, table))
	require.Equal(t, "mine", read(t, mine))
	require.Contains(t, read(t, dir, "ada.html"), "<strong>9</strong> of 10 points")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2)
}

// A folder that cannot be written is an error that names it.
func TestFeedbackNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	require.ErrorContains(t, feedback.Write(file, gradetest.Class()), file)
}

// Every student has a page of their own whose name is safe on any system,
// whatever the student is called.
func TestFeedbackFileNames(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		table := &grade.Table{}
		names := rapid.SliceOfN(rapid.OneOf(gradetest.Hostile(), rapid.SampledFrom([]string{
			"ada", "Ada", "ADA", "index", "INDEX", "index.html", "con", "nul.txt", "..", ".", ".hidden", "-rf", "a/b", `a\b`, "a.", "é", "e\u0301", "ada~00000000",
			strings.Repeat("long", 99), strings.Repeat("長", 99),
		})), 1, 12).Draw(t, "students")
		for i, name := range names {
			table.Submissions = append(table.Submissions, grade.Student{Student: name, Points: float64(i), MaxPoints: 1000})
		}
		run := filepath.Join(dir, fmt.Sprint(time.Now().UnixNano()))
		require.NoError(t, feedback.Write(run, table))
		entries, err := os.ReadDir(run)
		require.NoError(t, err)
		require.Len(t, entries, 1+len(names), "no page took another's place")
		folded := map[string]bool{}
		for _, e := range entries {
			name := e.Name()
			require.Regexp(t, `^[\pL\pN][\pL\pN_.~-]*\.html$`, name)
			require.LessOrEqual(t, len(name), 200)
			require.NotRegexp(t, `(?i)^(con|nul)\.`, name)
			require.False(t, folded[strings.ToLower(name)], name)
			folded[strings.ToLower(name)] = true
		}
		index, err := os.ReadFile(filepath.Join(run, "index.html"))
		require.NoError(t, err)
		links := regexp.MustCompile(`<a href="([^"]+)">`).FindAllStringSubmatch(string(index), -1)
		require.Len(t, links, len(names))
		for i, link := range links {
			file, err := url.PathUnescape(link[1])
			require.NoError(t, err)
			text, err := os.ReadFile(filepath.Join(run, file))
			require.NoError(t, err)
			require.Contains(t, string(text), fmt.Sprintf("<strong>%d</strong> of 1000 points", i), "the page of %q", names[i])
		}
	})
}

// A page's name does not depend on who else is in the class, unless two names
// would be one file.
func TestFeedbackFileNamesStay(t *testing.T) {
	_, alone := pages(t, &grade.Table{Submissions: []grade.Student{{Student: "Ada Lovelace"}}})
	_, together := pages(t, &grade.Table{Submissions: []grade.Student{{Student: "ada lovelace"}, {Student: "Ada-Lovelace"}, {Student: "Ada Lovelace"}, {Student: "bob"}}})
	require.Subset(t, together, alone)
	require.Contains(t, together, "bob.html")
}

// A very long shader is cut around the line that matters, and says so.
func TestFeedbackOfALongShader(t *testing.T) {
	lines := strings.Split(strings.Repeat("x\n", 3000), "\n")
	lines[1499] = "the one " + strings.Repeat("y", 5000)
	e := gradetest.Exercises()[1]
	e.Source = strings.Join(lines, "\r\n") + "\u202e\x00"
	e.Detail.Line = 1500
	dir, _ := pages(t, &grade.Table{Submissions: []grade.Student{{Student: "ada", Exercises: []grade.Exercise{e}}}})
	ada := read(t, dir, "ada.html")
	require.Contains(t, ada, "Your shader, lines 1301 to 1700 of 3001")
	require.Contains(t, ada, `<span data-n="1500" class="here">the one yyy`)
	require.Less(t, len(ada), 60<<10)
}

// sight is what a browser sees of a page.
type sight struct {
	Background string
	TooWide    int // pixels beyond the window
	Scripts    int // elements that could run something or ask for something
	Faint      []string
}

// look measures a page as it is shown: also text with less contrast to what is
// behind it than WCAG 2's 4.5 (3 where it is large). The verdict's own colours
// are the notebook's.
const look = `(() => {
	const light = color => {
		const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
		return .2126 * r + .7152 * g + .0722 * b;
	};
	const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
	const faint = new Set();
	for (const e of document.querySelectorAll('body *')) {
		if (e.closest('[role=group]') || ![...e.childNodes].some(n => n.nodeType == 3 && n.data.trim())) continue;
		const style = getComputedStyle(e), a = light(style.color), b = light(behind(e));
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) faint.add(e.className + ': ' + e.textContent.slice(0, 20) + ' ' + ratio.toFixed(2));
	}
	return {
		Background: getComputedStyle(document.body).backgroundColor,
		TooWide: document.documentElement.scrollWidth - innerWidth,
		Scripts: document.querySelectorAll('script, img, iframe, object, embed, link, form, base, svg, [onclick], [onload], [onerror]').length,
		Faint: [...faint],
	};
})()`

// The pages in a real browser: they ask for nothing, run nothing, fit a phone,
// and can be read in light, in dark and on paper.
func TestFeedbackInABrowser(t *testing.T) {
	table := gradetest.Class()
	attack := `</title></pre></span>"'><script>fetch("http://127.0.0.1:9/")</script><img src=x onerror=alert(1)><svg onload=alert(1)>` + "`}}{{.}}${1}\u202e"
	evil := gradetest.Exercises()
	for i := range evil {
		evil[i].Source, evil[i].Note, evil[i].Diagnosis = attack, attack, attack
		if evil[i].Detail != nil {
			d := *evil[i].Detail
			d.Message, d.Why, d.Ask, d.Excerpt, d.Detail, d.Line = attack, attack, attack, attack, attack, 1
			d.Mismatch = &verdict.Mismatch{Case: attack, Output: attack, Around: []verdict.Element{{}}}
			d.Cases = []verdict.CaseResult{{Name: attack}}
			evil[i].Detail = &d
		}
	}
	table.Submissions = append(table.Submissions, grade.Student{Student: attack, MaxPoints: 1, Exercises: evil, Problems: []string{attack}},
		grade.Student{Student: strings.Repeat("Wolfeschlegelsteinhausenbergerdorff", 4), Points: 0.333333, MaxPoints: 1})
	table.Adapter = attack
	dir, files := pages(t, table)

	tab := openTab(t)
	for _, file := range files {
		address := (&url.URL{Scheme: "file", Path: filepath.Join(dir, file)}).String()
		backgrounds := map[string]bool{}
		for _, way := range []struct {
			scheme, media string
			width         int64
		}{{"light", "screen", 1200}, {"dark", "screen", 1200}, {"light", "screen", 360}, {"dark", "print", 700}} {
			got := tab.see(t, address, way.scheme, way.media, way.width)
			require.Zero(t, got.Scripts, file)
			require.LessOrEqual(t, got.TooWide, 0, "%s, %d pixels wide", file, way.width)
			require.Empty(t, got.Faint, "%s, %s, %s", file, way.scheme, way.media)
			if way.media == "screen" {
				backgrounds[way.scheme+got.Background] = true
			} else {
				require.Equal(t, "rgb(255, 255, 255)", got.Background, "on paper")
			}
		}
		require.Len(t, backgrounds, 2, "%s: light and dark", file)
		requests, complaints := tab.noted()
		for _, request := range requests {
			require.Equal(t, address, request)
		}
		require.Len(t, requests, 4)
		require.Empty(t, complaints)
	}
}

// tab is a page in a headless Chromium.
type tab struct {
	ctx context.Context

	mu                   sync.Mutex
	requests, complaints []string
}

func openTab(t *testing.T) *tab {
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	at := slices.IndexFunc(names, func(name string) bool { _, err := exec.LookPath(name); return err == nil })
	require.GreaterOrEqual(t, at, 0, "no Chromium is installed: run make test, which installs what the tests need, or apt-get install chromium")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(names[at]), chromedp.NoSandbox, chromedp.DisableGPU)
	allocator, stopAllocator := chromedp.NewExecAllocator(ctx, options...)
	tabContext, stopTab := chromedp.NewContext(allocator)
	t.Cleanup(func() { stopTab(); stopAllocator(); cancel() })
	p := &tab{ctx: tabContext}
	require.NoError(t, chromedp.Do(tabContext))
	require.NoError(t, chromedp.Listen(tabContext, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			p.note(&p.requests, e.Request.URL)
		}
	}))
	console := chromedp.Console(tabContext)
	go func() {
		for message, err := range console {
			if err != nil {
				return
			}
			p.note(&p.complaints, message.Text)
		}
	}()
	_, err := chromedp.Call(tabContext, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	return p
}

func (p *tab) note(list *[]string, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*list = append(*list, text)
}

// noted is what was asked for and complained about since the last time.
func (p *tab) noted() (requests, complaints []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	requests, complaints = p.requests, p.complaints
	p.requests, p.complaints = nil, nil
	return requests, complaints
}

func (p *tab) see(t *testing.T, address, scheme, media string, width int64) sight {
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(p.ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address)))
	got, err := chromedp.Run(p.ctx, chromedp.Evaluate[sight](look))
	require.NoError(t, err)
	return got
}
