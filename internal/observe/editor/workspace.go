package editor

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/creachadair/jrpc2"

	"github.com/wgslab/wgslab/internal/machine/shader"
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
			case entry.IsDir() || filepath.Ext(path) != ".wgsl" || open[path]:
				return nil
			}
			files++
			if data, err := shader.ReadFile(path); err == nil && len(data) <= shader.MaxSource {
				open[path] = true
				list = append(list, newDocument(uriOf(path), 0, newText(strings.ToValidUTF8(data, "\uFFFD"), countBytes)))
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
	case checkCommand, traceCommand:
		text, err := s.runOn(ctx, d, strings.TrimPrefix(p.Command, "wgslab."), id)
		if err != nil {
			return nil, jrpc2.Errorf(requestFailed, "%v", err)
		}
		s.notify("window/showMessage", ShowMessageParams{Type: 3, Message: text})
		return text, nil
	case stepCommand:
		text := "Start your editor's debugger (docs/debug.md says how), or run in a terminal: wgslab debug " + id + " " + pathOf(d.uri)
		s.notify("window/showMessage", ShowMessageParams{Type: 3, Message: text})
		return text, nil
	}
	return nil, jrpc2.Errorf(jrpc2.InvalidParams, "there is no command %s", p.Command)
}

// runOn runs a command on a copy of the text in the editor, because the file may be older.
func (s *Server) runOn(ctx context.Context, d *document, command, id string) (text string, err error) {
	folder, err := os.MkdirTemp("", "wgslab-lsp-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, filepath.Base(pathOf(d.uri)))
	if err := os.WriteFile(file, []byte(d.string), 0o600); err != nil {
		return "", err
	}
	return s.options.Run(ctx, command, id, file)
}
