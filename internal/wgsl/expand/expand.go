// Package expand keeps the places of an expanded shader: text that a preprocessor, a linker or a
// table of values made from the files that a person wrote. An Expansion collects the pieces of the
// text, each with its place. The syntax.Source that it returns reports all places in these files.
package expand

import (
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A piece is a part of an expanded text that has one place in a file.
type piece struct {
	start int32 // in the text; it ends where the next one starts
	file  *syntax.Source
	at    syntax.Span // in the file
	exact bool        // the text is the same in both, byte for byte
}

// written returns the part of the file that the bytes from to in the text stand for.
func (p *piece) written(from, to int32) syntax.Span {
	if !p.exact {
		return p.at
	}
	return syntax.Span{Start: p.at.Start + from - p.start, End: p.at.Start + to - p.start}
}

// An Expansion makes an expanded text from pieces, in the order of the text.
type Expansion struct {
	main   *syntax.Source
	text   strings.Builder
	pieces []piece
}

// New returns an expansion without text, of a shader that begins with the file main. The file may
// itself be an expanded text: then all places are in the files that it was made from.
func New(main *syntax.Source) *Expansion { return &Expansion{main: main} }

// Len returns the length of the text so far, in bytes.
func (b *Expansion) Len() int { return b.text.Len() }

// Copy adds a part of a file as it is.
func (b *Expansion) Copy(file *syntax.Source, at syntax.Span) {
	b.add(file.Slice(at), piece{file: file, at: at, exact: true})
}

// Write adds a text that stands for a part of a file: what a macro expands to, for its use.
func (b *Expansion) Write(text string, file *syntax.Source, at syntax.Span) {
	b.add(text, piece{file: file, at: at})
}

func (b *Expansion) add(text string, p piece) {
	if text == "" {
		return
	}
	p.start = int32(b.text.Len())
	b.text.WriteString(text)
	if last := len(b.pieces) - 1; last >= 0 && b.pieces[last].continues(p) {
		b.pieces[last].at.End = p.at.End
		return
	}
	b.pieces = append(b.pieces, p)
}

// continues reports whether the next piece only makes this one longer.
func (p *piece) continues(next piece) bool {
	if p.file != next.file || p.exact != next.exact {
		return false
	}
	return p.exact && p.at.End == next.at.Start || !p.exact && p.at == next.at
}

// Source returns the text with its places, and with the mistakes that kept it from being complete;
// their spans are in the text. The result is main itself if that is what the text is.
func (b *Expansion) Source(problems ...*findings.Finding) *syntax.Source {
	text := b.text.String()
	if len(problems) == 0 && text == b.main.Text && (len(b.pieces) == 0 || len(b.pieces) == 1 && b.pieces[0].exact && b.pieces[0].file == b.main) {
		return b.main
	}
	return syntax.NewExpanded(b.main.Name, text, &origin{main: b.main, pieces: b.pieces, length: int32(len(text))}, problems...)
}

// An origin is the table of an expanded text's pieces. It is read-only.
type origin struct {
	main   *syntax.Source
	pieces []piece // without gaps
	length int32
}

// find returns the index of the piece with a byte, or of the last piece.
func (o *origin) find(offset int32) int {
	return max(0, sort.Search(len(o.pieces), func(i int) bool { return o.pieces[i].start > offset })-1)
}

// Written implements syntax.Origin. A span that begins in one file and ends in another ends, in its
// file, with the piece that it begins in.
func (o *origin) Written(span syntax.Span) (file *syntax.Source, at syntax.Span, exact bool) {
	if len(o.pieces) == 0 {
		return o.main, syntax.Span{}, false
	}
	span.Start = min(max(span.Start, 0), o.length)
	span.End = min(max(span.End, span.Start), o.length)
	first := o.find(span.Start)
	last := first
	if span.End > span.Start {
		last = o.find(span.End - 1)
	}
	p := &o.pieces[first]
	at = p.written(span.Start, min(span.End, o.end(first)))
	if end := o.pieces[last]; last > first && end.file == p.file {
		at.End = max(at.End, end.written(end.start, span.End).End)
	}
	exact = first == last && p.exact
	file, at, same := p.file.Written(at)
	return file, at, exact && same
}

func (o *origin) end(i int) int32 {
	if i+1 < len(o.pieces) {
		return o.pieces[i+1].start
	}
	return o.length
}

// File implements syntax.Origin.
func (o *origin) File(name string) *syntax.Source {
	for _, p := range o.pieces {
		if file, _, _ := p.file.Written(p.at.At()); file.Name == name {
			return file
		}
	}
	if main := o.main.File(name); main.Name == name { // a file of which nothing is left
		return main
	}
	return nil
}
