package editor

import (
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/manifest"
	"github.com/wgslab/wgslab/internal/observe/targets"
	"github.com/wgslab/wgslab/internal/observe/vet"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A document is one version of a file's text. It is read-only; what the front end says about it is
// computed once, on first use.
type document struct {
	*text
	uri     string
	version int
	vet     func() *vet.Report
	names   func() *assist.Document

	templates *manifest.Reader // see Options
}

func newDocument(uri string, version int, t *text, templates *manifest.Reader) *document {
	source := shader.Read(pathOf(uri), t.string)
	var project *manifest.Project
	reader := templates.Again()
	if strings.HasPrefix(uri, "file:") {
		project, _ = reader.Project(source.Name) // reportOf says what is wrong with it
	}
	if project != nil { // else it may be an exercise, which is held to what every browser has
		source = shader.ReadWith(source.Name, source.Text, types.AllFeatures)
	}
	return &document{
		text: t, uri: uri, version: version, templates: templates,
		vet:   sync.OnceValue(func() *vet.Report { return reportOf(uri, source, reader, project) }),
		names: sync.OnceValue(func() *assist.Document { return assist.Of(source.Shader()) }),
	}
}

// reportOf returns the findings of wgslab vet. A shader that is a template is read as the variant
// that the server was started with, or else the first one that its wgslab.toml names for it.
// A project's shader is read for the project's targets.
func reportOf(uri string, source *shader.Source, reader *manifest.Reader, project *manifest.Project) *vet.Report {
	if !strings.HasPrefix(uri, "file:") {
		return vet.Of(source)
	}
	expanded, err := reader.One(source.Name, source.Text)
	switch {
	case err != nil:
		return vet.Unread(source.Name, err)
	case expanded.Source.Text == source.Text && len(expanded.Source.Problems()) == 0:
		return withTargets(source, project)
	case project == nil:
		return vet.Of(shader.ReadSource(expanded.Source, wgsl.Features)).AsWritten()
	}
	return withTargets(shader.ReadSource(expanded.Source, types.AllFeatures), project).AsWritten()
}

// withTargets returns the findings with what a project's targets lack. vet says if that list of
// targets can't be read.
func withTargets(source *shader.Source, project *manifest.Project) *vet.Report {
	var asked []targets.Release
	if project != nil {
		asked, _ = targets.Parse(project.Target)
	}
	if implied := targets.Implied(asked); implied != 0 {
		source = shader.ReadImplying(source.Shader().Source, implied)
	}
	report := vet.Of(source)
	if project != nil {
		report.Add(targets.Check(source, asked))
	}
	return report
}

// isTemplate reports whether the shader of the findings isn't the document's text.
func (d *document) isTemplate() bool { return d.vet().Shader().Source.Text != d.string }

// change returns the next version of a document.
func (d *document) change(version int, changes []TextDocumentContentChangeEvent) *document {
	t := d.text
	for _, c := range changes {
		whole := c.Text
		if c.Range != nil {
			start, end := t.span(*c.Range)
			whole = t.string[:start] + c.Text + t.string[end:]
		}
		t = newText(strings.ToValidUTF8(whole, "\uFFFD"), t.utf8)
	}
	return newDocument(d.uri, version, t, d.templates)
}

// edits returns edits of this version as the protocol has them.
func (d *document) edits(list []findings.Edit) []TextEdit {
	edits := []TextEdit{}
	for _, e := range list {
		edits = append(edits, TextEdit{Range: d.rangeOf(e.Span), NewText: e.New})
	}
	return edits
}

func (d *document) workspaceEdit(list []findings.Edit) WorkspaceEdit {
	return WorkspaceEdit{DocumentChanges: []TextDocumentEdit{{
		TextDocument: VersionedTextDocumentIdentifier{URI: d.uri, Version: &d.version}, Edits: d.edits(list),
	}}}
}

// pathOf returns the path in a file's address; another address stays as it is.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // file:///C:/work
		path = path[1:]
	}
	return filepath.FromSlash(path)
}

// uriOf returns the address of a file.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
