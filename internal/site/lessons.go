package site

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/kernel/gocell"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/nbformat"
	"github.com/wgslab/wgslab/internal/site/cells"
	"github.com/wgslab/wgslab/internal/site/server"
	"github.com/wgslab/wgslab/pkg/draw"
)

// A course is what all pages are made with.
type course struct {
	Options
	Assets string // the folder of the scripts and styles, as the pages name it
}

// Policy is what the pages allow themselves.
func (*course) Policy() string { return server.Policy }

// A page is what a template shows.
type page struct {
	*course
	Title, About string
	Lesson       *lesson.Lesson // nil on the first page
	Lessons      []lesson.Lesson
	Cells        []cell
	Sample       *sample // of the first page
}

// A cell is one of a notebook's, as a page shows it.
type cell struct {
	Kind     string // "prose", "shader", "check", "picture" or "go"
	ID       string // the notebook's
	HTML     template.HTML
	Exercise *lesson.Exercise // of a check, and of a shader that is one's answer
	Name     string           // of a shader, its file in work/ without .wgsl
	Source   string           // of a shader, what stands there before anybody wrote
	Lines    int              // of a Go cell
	Ask      string           // of a picture: what the judge is asked for it, in JSON
	Written  bool             // a Go cell that the learner writes
	Runs     string           // of a Go cell that can be run, its name in the program
	Instead  template.HTML    // of a Go cell that no page can run: what is said in its place
}

var (
	writesShader  = regexp.MustCompile(`^%%writefile work/([\w-]+)\.wgsl\n`)
	checksShader  = regexp.MustCompile(`(?m)^check\.Exercise\("([\w-]+)"\)$`)
	tracesShader  = regexp.MustCompile(`(?m)^trace\.(?:Exercise|Compare)\("([\w-]+)"(?:, "([\w-]+)")?\)$`)
	showsTheMap   = regexp.MustCompile(`(?m)^course\.Here\(\d\)$`)
	notebookNamed = regexp.MustCompile(`^(?:\./)?([\w-]+)\.ipynb(#.*)?$`)
)

// pages are the first page, the lessons, and what they show.
func (c *course) pages(ctx context.Context) (files, error) {
	templates, err := template.New("").Funcs(template.FuncMap{"page": pageOf}).
		ParseGlob(filepath.Join(assetsDir(c.Root), "*.html"))
	if err != nil {
		return nil, fmt.Errorf("reading the site's templates: %w", err)
	}
	all := files{}
	show := func(name, template string, p page) error {
		p.course, p.Lessons = c, lesson.Lessons
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
	first := page{Title: "wgslab", About: "Eight lessons in which you write the GPU code yourself, in your browser.", Sample: shown}
	if err := show("index.html", "index.html", first); err != nil {
		return nil, err
	}
	if all[sheetPage], err = draw.Sheet(server.Policy, c.Assets+"/"+sheetScript); err != nil {
		return nil, err
	}
	for _, l := range lesson.Lessons {
		nb, err := nbformat.Read(filepath.Join(c.Root, "notebooks", l.Notebook))
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
		p := page{Title: fmt.Sprintf("%d · %s", l.Number, l.Title), About: fmt.Sprintf("Lesson %d of eight in which you write the GPU code yourself.", l.Number), Lesson: &l, Cells: cells}
		if err := show(pageOf(l), "lesson.html", p); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// notebookName is what a lesson's notebook is called, without .ipynb.
func notebookName(l lesson.Lesson) string { return strings.TrimSuffix(l.Notebook, ".ipynb") }

// pageOf is the file of a lesson's page.
func pageOf(l lesson.Lesson) string { return notebookName(l) + ".html" }

// cells reads the cells of a lesson, and the images in them.
func (c *course) cells(ctx context.Context, l lesson.Lesson, nb *nbformat.Notebook) ([]cell, files, error) {
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
			return nil, nil, fmt.Errorf("cell %s: two places of the page would be called %s", from.ID, made.Anchor())
		}
		taken[made.Anchor()] = true
		cells = append(cells, made)
	}
	return cells, prose.images, prose.leftOver()
}

// readCell reads one cell; shown is false for one that a page has no use for.
func readCell(prose *prose, from *nbformat.Cell) (c cell, shown bool, err error) {
	c = cell{ID: from.ID}
	if from.Type == nbformat.Markdown {
		c.Kind = "prose"
		c.HTML, err = prose.html(from)
		return c, true, err
	}
	if m := writesShader.FindStringSubmatch(from.Source); m != nil {
		c.Kind, c.Name = "shader", m[1]
		c.Source = strings.TrimSuffix(from.Source[len(m[0]):], "\n") + "\n"
		c.HTML = colourWGSL(c.Source)
		if e, err := lesson.Find(c.Name); err == nil {
			c.Exercise = e
		} else if !strings.HasPrefix(c.Name, "example-") {
			return c, false, err
		}
		return c, true, nil
	}
	if m := checksShader.FindStringSubmatch(from.Source); m != nil {
		c.Kind = "check"
		c.Exercise, err = lesson.Find(m[1])
		return c, true, err
	}
	if showsTheMap.MatchString(from.Source) {
		return c, false, nil // the page's own list of lessons shows it
	}
	if m := tracesShader.FindStringSubmatch(from.Source); m != nil {
		c.Kind, c.Ask = "picture", askForTrace(m[1], m[2])
		return c, true, nil
	}
	return readGo(prose, from)
}

// readGo reads a cell that holds Go.
func readGo(prose *prose, from *nbformat.Cell) (c cell, shown bool, err error) {
	source := strings.TrimPrefix(from.Source, "%noautoget\n")
	c = cell{ID: from.ID, Kind: "go", HTML: colourGo(source), Lines: 1 + strings.Count(strings.TrimSuffix(source, "\n"), "\n")}
	grading, _, err := from.Grading()
	if err != nil {
		return c, false, err
	}
	c.Written = grading.Solution
	if instead, ok := prose.takeInstead(from.ID); ok {
		c.Instead, err = prose.convert(instead)
	} else if gocell.Read(from.Source).HasMain {
		c.Runs = notebookName(prose.lesson) + "/" + from.ID
	}
	return c, true, err
}

// readGoCells reads the cells of all notebooks that hold Go and run in a page.
func readGoCells(root string) (*cells.Source, error) {
	source := cells.New()
	for _, l := range lesson.Lessons {
		nb, err := nbformat.Read(filepath.Join(root, "notebooks", l.Notebook))
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
		if err := source.Add(notebookName(l), run); err != nil {
			return nil, err
		}
	}
	return source, nil
}

// holdsGo says whether a cell is a program of Go, which the page shows as one: not a shader, a check, the map or a trace.
func holdsGo(c *nbformat.Cell) bool {
	if c.Type != nbformat.Code {
		return false
	}
	for _, other := range []*regexp.Regexp{writesShader, checksShader, showsTheMap, tracesShader} {
		if other.MatchString(c.Source) {
			return false
		}
	}
	return true
}

// askForTrace asks the judge what one exercise's shader does with memory, or how two compare.
func askForTrace(id, other string) string {
	ask := map[string]string{"do": "trace", "exercise": id}
	if other != "" {
		ask["do"], ask["other"] = "compare", other
	}
	asked, _ := json.Marshal(ask) // strings always can be
	return string(asked)
}

// Anchor is how an address names the cell.
func (c cell) Anchor() string {
	switch c.Kind {
	case "shader":
		return c.Name
	case "check":
		return "check-" + c.Exercise.ID
	}
	return c.ID
}

// assetsDir is where the sources of the page itself are.
func assetsDir(root string) string { return filepath.Join(root, "internal", "site", "assets") }

func readAsset(root, name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(assetsDir(root), name))
	if err != nil {
		return nil, fmt.Errorf("reading a part of the page: %w", err)
	}
	return data, nil
}
