package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/page/cells"
	"github.com/wgslab/wgslab/internal/fronts/page/server"
	notebookcell "github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/networks/draw"
)

// A maker makes the pages; templates use its fields and methods on every page.
type maker struct {
	Options
	Assets string // the folder of the scripts and styles, as the pages refer to it
}

// Policy returns the pages' content security policy.
func (*maker) Policy() string { return server.Policy }

// Language returns the name of the page about WGSL.
func (*maker) Language() string { return language.page }

// HostCalls returns the name of the page about the host's calls.
func (*maker) HostCalls() string { return hostCalls.page }

// A page holds the values for a template.
type page struct {
	*maker
	Title, About string
	Lesson       *course.Lesson // nil on the first page
	Lessons      []course.Lesson
	Cells        []cell
	Sample       *sample       // only on the first page
	Bench        template.HTML // the shader with which the bench begins; only on its page
}

// A cell is one cell of a notebook, in the form for a page.
type cell struct {
	Kind     string // "prose", "shader", "program", "check", "picture", "predict", "recall", "written" or "go"
	ID       string // the notebook's
	HTML     template.HTML
	Exercise *course.Exercise // of a check, and of a shader that answers an exercise
	Name     string           // of a shader or program, its file in work/ without .wgsl or .js
	Source   string           // of a shader or program, its text before any edit
	Lines    int              // of a Go cell
	Ask      string           // of a picture: the request to the judge, in JSON
	Question *course.Question // of a prediction
	Recalls  int              // the number of a lesson that begins with a question
	Writing  writing          // of a cell in which the learner writes something out
	Written  bool             // a Go cell that the learner writes
	Runs     string           // of a Go cell that can be run, its name in the program
	Instead  template.HTML    // of a Go cell that no page can run: the text that replaces it
}

var notebookNamed = regexp.MustCompile(`^([\w./-]+\.ipynb)(#.*)?$`)

// pages returns the first page and the lessons, with their images.
func (c *maker) pages(ctx context.Context) (files, error) {
	templates, err := template.New("").Funcs(template.FuncMap{"page": pageOf, "where": where, "code": verdict.CodeSpans, "folded": folded}).
		ParseGlob(filepath.Join(assetsDir(c.Root), "*.html"))
	if err != nil {
		return nil, fmt.Errorf("reading the site's templates: %w", err)
	}
	all := files{}
	show := func(name, template string, p page) error {
		p.maker, p.Lessons = c, course.AllLessons()
		var out bytes.Buffer
		if err := templates.ExecuteTemplate(&out, template, p); err != nil {
			return fmt.Errorf("making %s: %w", name, err)
		}
		all[name] = out.Bytes()
		return nil
	}
	shown, err := makeSample(ctx, c.Root)
	if err != nil {
		return nil, err
	}
	first := page{Title: "wgslab", About: "Sixteen lessons in which you write the GPU code yourself, in your browser.", Sample: shown}
	if err := show("index.html", "index.html", first); err != nil {
		return nil, err
	}
	if all[sheetPage], err = draw.ForSite(server.Policy, c.Assets+"/"+sheetScript); err != nil {
		return nil, err
	}
	for _, d := range dictionaries {
		p, err := c.dictionary(ctx, d)
		if err != nil {
			return nil, err
		}
		if err := show(d.page, "dictionary.html", p); err != nil {
			return nil, err
		}
	}
	bench, err := readAsset(c.Root, "bench.wgsl")
	if err != nil {
		return nil, err
	}
	own := page{Title: "Bench: any compute shader", About: "Run your own WGSL in your browser: races, values, costs, and steps.", Bench: colourWGSL(string(bench))}
	if err := show("bench.html", "bench.html", own); err != nil {
		return nil, err
	}
	for _, l := range course.AllLessons() {
		nb, err := nbformat.Read(notebookOf(c.Root, l))
		if err != nil {
			return nil, err
		}
		cells, images, err := c.cells(ctx, l, nb)
		if err != nil {
			return nil, fmt.Errorf("making a page of %s: %w", l.Notebook, err)
		}
		for name, data := range images {
			all[name] = data
		}
		p := page{Title: fmt.Sprintf("%d · %s", l.Number, l.Title), About: about(l), Lesson: &l, Cells: cells}
		if err := show(pageOf(l), "lesson.html", p); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// A dictionary is a page to look things up, beside the notebooks.
type dictionary struct{ text, page, title, about string }

// The dictionaries: the shaders' language, the host's calls, and the course's words.
var (
	language  = dictionary{"wgsl.md", "wgsl.html", "WGSL for Go programmers", "The language of WebGPU's shaders on one page, for readers of Go."}
	hostCalls = dictionary{"webgpu.md", "webgpu.html", "WebGPU's calls", "The host's calls of WebGPU on one page, in Go and JavaScript."}
	glossary  = dictionary{"glossary.md", "glossary.html", "Glossary", "The words of GPU programming, with the lesson that explains each."}

	dictionaries = []dictionary{language, hostCalls, glossary}
)

// dictionary returns a dictionary's page.
func (c *maker) dictionary(ctx context.Context, d dictionary) (page, error) {
	text, err := os.ReadFile(filepath.Join(c.Root, "notebooks", d.text))
	if err != nil {
		return page{}, fmt.Errorf("reading the page %s: %w", d.title, err)
	}
	from := &nbformat.Cell{Type: nbformat.Markdown, ID: "dictionary", Source: string(text)}
	prose, err := c.newProse(ctx, course.Lesson{Notebook: d.text}, &nbformat.Notebook{Cells: []*nbformat.Cell{from}})
	if err != nil {
		return page{}, err
	}
	html, err := prose.html(from)
	if err != nil {
		return page{}, fmt.Errorf("making a page of %s: %w", d.text, err)
	}
	return page{Title: d.title, About: d.about, Cells: []cell{{Kind: "prose", ID: from.ID, HTML: html}}}, nil
}

// where says which lesson a page is.
func where(l *course.Lesson) string {
	if l.IsBeyond() {
		return "Beyond the eight lessons"
	}
	if l.Number > course.Core {
		return l.Title
	}
	place := fmt.Sprintf("Lesson %d of %d", l.Number, course.Core)
	if section := l.Section(); section > 0 {
		place += fmt.Sprintf(", part %d", section)
	}
	return place
}

// folded says what is in the fold around the shader of an exercise, and when it opens by itself.
func folded(e *course.Exercise) string {
	switch e.Kind {
	case course.FindBug:
		return fmt.Sprintf("Once your `%s` is right: a wrong one to repair", e.After)
	case course.BreakIt:
		return fmt.Sprintf("Once your `%s` is right: a wrong one, and a case that it survives", e.After)
	}
	return fmt.Sprintf("Lines to put in order. They show the idea of `%s`", e.After)
}

func about(l course.Lesson) string {
	if l.Number > course.Core {
		return "Exercises in which you write the GPU code yourself."
	}
	return fmt.Sprintf("Lesson %d of eight in which you write the GPU code yourself.", l.Number)
}

// notebookOf returns the path of a lesson's notebook: in the clone, or beside a pack.
func notebookOf(root string, l course.Lesson) string {
	if path, ok := course.PackNotebook(l); ok {
		return path
	}
	return filepath.Join(root, "notebooks", l.Notebook)
}

// pageOf returns the file name of a lesson's page.
func pageOf(l course.Lesson) string { return l.Name() + ".html" }

// cells reads the cells of a lesson, and the images in them.
func (c *maker) cells(ctx context.Context, l course.Lesson, nb *nbformat.Notebook) ([]cell, files, error) {
	prose, err := c.newProse(ctx, l, nb)
	if err != nil {
		return nil, nil, err
	}
	var cells []cell
	taken := map[string]bool{}
	for _, from := range nb.Cells {
		made, shown, err := readCell(prose, from)
		if err != nil {
			return nil, nil, fmt.Errorf("cell %s: %w", from.ID, err)
		}
		if !shown {
			continue
		}
		if taken[made.Anchor()] {
			return nil, nil, fmt.Errorf("cell %s: two places of the page would have the id %s", from.ID, made.Anchor())
		}
		taken[made.Anchor()] = true
		cells = append(cells, made)
	}
	return cells, prose.images, prose.leftOver()
}

// readCell reads one cell; shown is false for a cell that the page omits.
func readCell(prose *prose, from *nbformat.Cell) (c cell, shown bool, err error) {
	c = cell{ID: from.ID}
	if from.Type == nbformat.Markdown {
		c.Kind = "prose"
		c.HTML, err = prose.html(from)
		return c, true, err
	}
	if e := hostExercise(from.ID, "-host"); e != nil {
		c.Kind, c.Name, c.Exercise = "program", e.ID, e
		c.Source, err = e.ScriptSkeleton()
		c.HTML = template.HTML(template.HTMLEscapeString(c.Source))
		return c, true, err
	}
	if c.Exercise = hostExercise(from.ID, "-check"); c.Exercise != nil {
		c.Kind = "check"
		return c, true, nil
	}
	source := notebookcell.Read(from.Source)
	if file, ok := source.Shader(); ok {
		c.Kind, c.Name = "shader", strings.TrimSuffix(path.Base(file.Path), ".wgsl")
		text := file.Body
		if e, err := course.Find(c.Name); err == nil {
			c.Exercise = e
			if text, err = e.Skeleton(); err != nil { // in the cell may be somebody's solution
				return c, false, err
			}
		} else if !strings.HasPrefix(c.Name, "example-") {
			return c, false, err
		}
		c.Source = strings.TrimSuffix(text, "\n") + "\n"
		c.HTML = colourWGSL(c.Source)
		return c, true, nil
	}
	switch request, _ := requestOf(source); request.Do {
	case protocol.Check:
		c.Kind = "check"
		c.Exercise, err = course.Find(request.Exercise)
		return c, true, err
	case protocol.Predict:
		c.Kind = "predict"
		c.Question, err = course.FindQuestion(request.Exercise)
		return c, true, err
	case protocol.Recall:
		c.Kind, c.Recalls = "recall", request.Lesson
		return c, true, nil
	case protocol.Explain, protocol.Line:
		return written(c, request)
	case protocol.Map:
		return c, false, nil // the page's own list of lessons shows it
	case protocol.Trace, protocol.Cost, protocol.Count, protocol.Compare, protocol.Beside, protocol.Roof:
		ask, err := json.Marshal(request)
		c.Kind, c.Ask = "picture", string(ask)
		return c, true, err
	}
	return readGo(prose, from, source.Program().HasMain)
}

// A writing is what a page asks the learner to write out, in a few lines of its own.
type writing struct {
	Asks   string // the question
	Around string // lines of WGSL with a gap for the answer, or none
	Rows   int    // of the field
}

// written makes the cell of an explanation or of a line from memory. Its Ask is the request without
// the answer.
func written(c cell, request protocol.Request) (cell, bool, error) {
	ask, err := json.Marshal(request)
	if err != nil {
		return c, false, err
	}
	c.Kind, c.Ask = "written", string(ask)
	if request.Do == protocol.Line {
		l, err := course.FindLine(request.Exercise)
		if err != nil {
			return c, false, err
		}
		c.Writing = writing{"From memory: " + l.Asks, l.Around, 1}
		return c, true, nil
	}
	e, err := course.FindLessonQuestion(request.Lesson)
	if err != nil {
		return c, false, err
	}
	c.Writing = writing{Asks: "In your own words: " + e.Asks, Rows: 3}
	return c, true, nil
}

// hostExercise returns the exercise on the host whose cell has an id with that ending; nil if it is
// another cell. The page checks such exercises in JavaScript.
func hostExercise(cell, ending string) *course.Exercise {
	id, ok := strings.CutSuffix(cell, ending)
	if !ok {
		return nil
	}
	if e, err := course.Find(id); err == nil && e.IsOnHost() {
		return e
	}
	return nil
}

// readGo reads a cell that holds Go, with a main or without.
func readGo(prose *prose, from *nbformat.Cell, hasMain bool) (c cell, shown bool, err error) {
	source := strings.TrimPrefix(from.Source, "%noautoget\n")
	c = cell{ID: from.ID, Kind: "go", HTML: colourGo(source), Lines: 1 + strings.Count(strings.TrimSuffix(source, "\n"), "\n")}
	grading, _, err := from.Grading()
	if err != nil {
		return c, false, err
	}
	c.Written = grading.Solution
	if instead, ok := prose.takeInstead(from.ID); ok {
		c.Instead, err = prose.convert(instead)
	} else if hasMain {
		c.Runs = prose.lesson.Name() + "/" + from.ID
	}
	return c, true, err
}

// readGoCells reads the cells of all notebooks that hold Go and run in a page.
func readGoCells(root string) (*cells.GoSource, error) {
	source := cells.New()
	pack, err := course.PackTexts()
	if err != nil {
		return nil, err
	}
	source.AddPack(pack)
	if err := replaceExercises(source, root); err != nil {
		return nil, err
	}
	for _, l := range course.AllLessons() {
		nb, err := nbformat.Read(notebookOf(root, l))
		if err != nil {
			return nil, err
		}
		instead, err := readInstead(root, l)
		if err != nil {
			return nil, err
		}
		run := slices.DeleteFunc(slices.Clone(nb.Cells), func(c *nbformat.Cell) bool {
			_, said := instead[c.ID]
			return said || !holdsGo(c)
		})
		if err := source.Add(l.Name(), run); err != nil {
			return nil, err
		}
	}
	return source, nil
}

// exercisesFile embeds the files of the exercises.
const exercisesFile = "exercises/exercises.go"

// A page doesn't need all that it embeds: neither the texts of cells, nor the hints, which its
// lessons show, nor the solutions of host exercises, nor what the authors of wrong shaders thought.
// It needs the references of the host's pieces: they run where the learner's own are missing.
const (
	cellTexts = "//go:embed */skeleton.go */reference.go */skeleton.js */reference.js\n"
	solutions = " */wrong.md */right.md\n"
)

// thought finds what the author of a wrong shader thought, which is in quotation marks.
var thought = regexp.MustCompile(`(?m)^"[^"\n]*"(?: |$\n?)`)

// replaceExercises leaves out of the exercises what a page doesn't need.
func replaceExercises(source *cells.GoSource, root string) error {
	embeds, err := os.ReadFile(filepath.Join(root, exercisesFile))
	if err != nil {
		return fmt.Errorf("reading what embeds the exercises: %w", err)
	}
	for _, line := range []string{cellTexts, solutions} {
		if strings.Count(string(embeds), line) != 1 {
			return fmt.Errorf("%s doesn't embed %q", exercisesFile, line)
		}
	}
	pieces, ofShaders := "", "\n"
	for _, piece := range host.Pieces() {
		pieces += "//go:embed " + piece.ID + "/reference.js\n"
	}
	folder := os.DirFS(filepath.Join(root, "exercises"))
	for _, name := range []string{"hints.md", "wrong.md", "right.md"} {
		files, err := fs.Glob(folder, "*/"+name)
		if err != nil {
			return err // the pattern is valid
		}
		for _, file := range files {
			if name == "hints.md" {
				source.Replace("exercises/"+file, "")
				continue
			}
			if slices.ContainsFunc(course.OnHost, func(e *course.Exercise) bool { return e.ID == path.Dir(file) }) {
				continue
			}
			ofShaders += "//go:embed " + file + "\n"
			text, err := fs.ReadFile(folder, file)
			if err != nil {
				return fmt.Errorf("reading the solutions: %w", err)
			}
			if name == "wrong.md" {
				source.Replace("exercises/"+file, thought.ReplaceAllString(string(text), ""))
			}
		}
	}
	source.Replace(exercisesFile, strings.NewReplacer(cellTexts, pieces, solutions, ofShaders).Replace(string(embeds)))
	return nil
}

// holdsGo reports whether the page shows a cell as a Go program. It does not if the cell writes a
// shader, consists of one course call, or is of an exercise that the page has in JavaScript.
func holdsGo(c *nbformat.Cell) bool {
	if hostExercise(c.ID, "-host") != nil || hostExercise(c.ID, "-check") != nil {
		return false
	}
	source := notebookcell.Read(c.Source)
	_, isShader := source.Shader()
	_, isCall := requestOf(source)
	return c.Type == nbformat.Code && !isShader && !isCall
}

// requestOf returns the request to the judge that a cell consists of.
func requestOf(source *notebookcell.CellSource) (r protocol.Request, ok bool) {
	call, _ := source.Call()
	return protocol.FromCall(call.Function, call.Arguments)
}

// Answers returns the texts of a question's answers, in JSON.
func (c cell) Answers() string {
	texts, _ := json.Marshal(c.Question.Texts()) // strings never fail
	return string(texts)
}

// File returns the learner's file of a shader or a program.
func (c cell) File() string {
	if c.Kind == "program" {
		return learner.ProgramPath(c.Name)
	}
	return learner.ShaderPath(c.Name)
}

// Anchor returns the cell's name in an address.
func (c cell) Anchor() string {
	switch c.Kind {
	case "shader", "program":
		return c.Name
	case "check":
		return "check-" + c.Exercise.ID
	}
	return c.ID
}

// assetsDir returns the folder of the page's own sources.
func assetsDir(root string) string {
	return filepath.Join(root, "internal", "fronts", "page", "assets")
}

func readAsset(root, name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(assetsDir(root), name))
	if err != nil {
		return nil, fmt.Errorf("reading a part of the page: %w", err)
	}
	return data, nil
}
