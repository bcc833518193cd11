package editor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/creachadair/jrpc2"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// mostFiles is the maximum number of files that a search for symbols reads.
const mostFiles = 1000

func (s *Server) workspaceSymbols(ctx context.Context, p *WorkspaceSymbolParams) (any, error) {
	list := []SymbolInformation{}
	for _, d := range s.everyDocument(ctx) {
		for _, symbol := range d.names().Symbols() {
			for _, found := range append(slices.Clone(symbol.Children), symbol) {
				if !matches(found.Name, p.Query) {
					continue
				}
				info := SymbolInformation{Name: found.Name, Kind: symbolKinds[found.Kind], Location: d.location(found.NameSpan)}
				if found.NameSpan != symbol.NameSpan {
					info.ContainerName = symbol.Name
				}
				list = append(list, info)
			}
		}
	}
	return list, nil
}

// matches reports whether a name has the letters of the query, in order, in either case.
func matches(name, query string) bool {
	name = strings.ToLower(name)
	for _, r := range strings.ToLower(query) {
		at := strings.IndexRune(name, r)
		if at < 0 {
			return false
		}
		name = name[at+len(string(r)):]
	}
	return true
}

// everyDocument returns the open documents and the shaders in the folders of the workspace, by
// address. The text in the editor counts, and not the one on the disk.
func (s *Server) everyDocument(ctx context.Context) []*document {
	s.mu.Lock()
	var list []*document
	open := map[string]bool{}
	for _, d := range s.documents {
		list, open[pathOf(d.uri)] = append(list, d), true
	}
	folders, countBytes := slices.Clone(s.folders), s.utf8
	s.mu.Unlock()
	files := 0
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil || files == mostFiles:
				return fs.SkipAll
			case err != nil:
				return nil // a folder that we may not read has no symbols
			case entry.IsDir() && path != folder && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules"):
				return fs.SkipDir
			case entry.IsDir() || filepath.Ext(path) != ".wgsl" && filepath.Ext(path) != ".wesl" || open[path]:
				return nil
			}
			files++
			if data, err := shader.ReadFile(path); err == nil && len(data) <= shader.MaxSource {
				open[path] = true
				list = append(list, newDocument(uriOf(path), 0, newText(strings.ToValidUTF8(data, "\uFFFD"), countBytes), s.options.Templates))
			}
			return nil
		})
	}
	slices.SortFunc(list, func(a, b *document) int { return strings.Compare(a.uri, b.uri) })
	return list
}

// The commands of code lenses. Their arguments are the exercise's id and the document's address.
const (
	checkCommand = "wgslab.check"
	stepCommand  = "wgslab.step"
	traceCommand = "wgslab.trace"
)

// codeLenses offers to run an exercise, above its entry point.
func (s *Server) codeLenses(d *document, _ *TextDocumentParams) (any, error) {
	list := []CodeLens{}
	id := s.exercise(d)
	entries := d.names().EntryPoints()
	if id == "" || s.options.Run == nil || len(entries) == 0 {
		return list, nil
	}
	for _, c := range []Command{
		{Title: "Check", Command: checkCommand}, {Title: "Step through", Command: stepCommand}, {Title: "Trace", Command: traceCommand},
	} {
		c.Arguments = []any{id, d.uri}
		list = append(list, CodeLens{Range: d.rangeOf(entries[0].NameSpan), Command: c})
	}
	return list, nil
}

func (s *Server) exercise(d *document) string {
	if s.options.Exercise == nil {
		return ""
	}
	return s.options.Exercise(pathOf(d.uri))
}

// executeCommand runs the command of a code lens on the text in the editor, and shows what it
// prints.
func (s *Server) executeCommand(ctx context.Context, p *ExecuteCommandParams) (any, error) {
	var id, uri string
	if len(p.Arguments) != 2 || json.Unmarshal(p.Arguments[0], &id) != nil || json.Unmarshal(p.Arguments[1], &uri) != nil {
		return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s takes an exercise and the address of a document", p.Command)
	}
	d := s.document(uri)
	if d == nil || s.options.Run == nil || id == "" || id != s.exercise(d) {
		return nil, jrpc2.Errorf(requestFailed, "%s isn't open as an answer to an exercise %q", uri, id)
	}
	switch p.Command {
	case checkCommand:
		seed := strconv.FormatUint(rand.Uint64(), 10)
		text, err := s.show(ctx, d, "check", id, "--seed", seed)
		if err == nil {
			s.publishPlace(ctx, d, id, seed)
		}
		return text, err
	case traceCommand:
		return s.show(ctx, d, "trace", id)
	case stepCommand:
		text := "Start your editor's debugger (docs/debug.md says how), or run in a terminal: wgslab debug " + id + " " + pathOf(d.uri)
		s.notify("window/showMessage", ShowMessageParams{Type: 3, Message: text})
		return text, nil
	}
	return nil, jrpc2.Errorf(jrpc2.InvalidParams, "there is no command %s", p.Command)
}

// show runs a command on a document and shows what it prints.
func (s *Server) show(ctx context.Context, d *document, command, id string, flags ...string) (any, error) {
	text, err := s.runOn(ctx, d, command, id, flags...)
	if err != nil {
		return nil, jrpc2.Errorf(requestFailed, "%v", err)
	}
	s.notify("window/showMessage", ShowMessageParams{Type: 3, Message: text})
	return text, nil
}

// A checkedPlace is the first of a verdict's places.
type checkedPlace struct {
	Line    int
	Between []int // two lines between which something is missing; none if it is the line
}

// publishPlace adds the place that a check shows to the problems of a document, until the text
// changes. The same seed draws the same cases.
func (s *Server) publishPlace(ctx context.Context, d *document, id, seed string) {
	text, err := s.runOn(ctx, d, "check", id, "--json", "--seed", seed)
	var verdict struct{ Places []checkedPlace }
	if err != nil || json.Unmarshal([]byte(text), &verdict) != nil {
		return // what the check says is shown already
	}
	list := d.diagnostics()
	if len(verdict.Places) > 0 {
		list = append(list, d.checked(verdict.Places[0]))
	}
	s.publishing.Lock()
	defer s.publishing.Unlock()
	if s.document(d.uri) == d {
		s.notify("textDocument/publishDiagnostics", PublishDiagnosticsParams{URI: d.uri, Version: d.version, Diagnostics: list})
	}
}

// checked returns the problem at a place: its line, or both lines around what is missing.
func (d *document) checked(at checkedPlace) Diagnostic {
	first, last, message := at.Line, at.Line, "The check would look here first."
	if len(at.Between) == 2 {
		first, last = at.Between[0], at.Between[1]
		message = fmt.Sprintf("Something is missing between lines %d and %d.", first, last)
	}
	return Diagnostic{Range: d.rangeOf(d.linesFrom(first, last)), Severity: 2, Code: "check", Source: "wgslab", Message: message}
}

// linesFrom returns the span of some lines, from 1, without the space before them.
func (d *document) linesFrom(first, last int) (at findings.Span) {
	offset := 0
	for i, line := range strings.SplitAfter(d.string, "\n") {
		if i+1 == first {
			at.Start = int32(offset + len(line) - len(strings.TrimLeft(line, " \t")))
		}
		if i+1 == last {
			at.End = int32(offset + len(strings.TrimRight(line, "\r\n")))
		}
		offset += len(line)
	}
	return at
}

// runOn runs a command on a copy of the text in the editor, because the file may be older.
func (s *Server) runOn(ctx context.Context, d *document, command, id string, flags ...string) (text string, err error) {
	folder, err := os.MkdirTemp("", "wgslab-lsp-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, filepath.Base(pathOf(d.uri)))
	if err := os.WriteFile(file, []byte(d.string), 0o600); err != nil {
		return "", err
	}
	return s.options.Run(ctx, append([]string{command, id, file}, flags...)...)
}
