package wesl

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/format"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// errChanged says that the layout of a text would change more than white space.
var errChanged = errors.New("formatting would change this shader, so it stays as it is: please report it")

// Format gives a module one layout, as it is written: all that conditions choose from stays. It
// formats the WGSL with layout. An import and a condition keep their own text.
func Format(text string, layout func(string) (string, error)) (string, error) {
	m := &module{source: syntax.NewSource("", text), imports: map[string]*imported{}, paths: map[int32]*reference{}}
	m.tokens = syntax.Tokens(m.source)
	m.gone = make([]bool, len(m.tokens))
	c := conditions{module: m, chains: map[int]bool{}, unknown: map[string]int{}, all: true}
	c.translate()
	m.findImports()
	if len(m.mistakes) > 0 {
		m.source.Locate(m.mistakes[0])
		return "", &format.SyntaxError{Finding: m.mistakes[0]}
	}
	m.findPaths()
	type hidden struct {
		at   syntax.Span
		mark string
		line bool // it may begin a line
	}
	var marks []hidden
	for i, at := range m.dropped {
		marks = append(marks, hidden{at.Span, fmt.Sprintf("/*wgslab_%d_*/", i), !at.parameter})
	}
	for at, path := range m.paths {
		marks = append(marks, hidden{path.at, fmt.Sprintf("wgslab_path_%d_", at), false})
	}
	slices.SortFunc(marks, func(a, b hidden) int { return int(a.at.Start - b.at.Start) })
	var masked strings.Builder
	at, moved := int32(0), []shift{{}}
	for _, h := range marks {
		before := text[at:h.at.Start]
		masked.WriteString(before)
		if h.line && breaks(before) {
			masked.WriteString("\n")
		}
		moved = append(moved, shift{int32(masked.Len()), h.at.Start})
		masked.WriteString(h.mark)
		at = h.at.End
		moved = append(moved, shift{int32(masked.Len()), at})
	}
	formatted, err := layout(masked.String() + text[at:])
	var mistake *format.SyntaxError
	if errors.As(err, &mistake) {
		f := *mistake.Finding
		for _, h := range marks {
			f.Message = strings.ReplaceAll(f.Message, h.mark, text[h.at.Start:h.at.End])
		}
		f.Span = syntax.Span{Start: unmasked(moved, f.Span.Start), End: unmasked(moved, f.Span.End)}
		m.source.Locate(&f)
		return "", &format.SyntaxError{Finding: &f}
	}
	if err != nil {
		return "", err
	}
	for _, h := range marks {
		if strings.Count(formatted, h.mark) != 1 {
			return "", errChanged
		}
		formatted = strings.Replace(formatted, h.mark, text[h.at.Start:h.at.End], 1)
	}
	if !slices.Equal(words(text), words(formatted)) {
		return "", errChanged
	}
	return formatted, nil
}

// A shift is an offset in a masked text, and the same place in the text.
type shift struct{ masked, text int32 }

// unmasked returns the place in the text of an offset in the masked text.
func unmasked(all []shift, offset int32) int32 {
	i := sort.Search(len(all), func(i int) bool { return all[i].masked > offset }) - 1
	at := all[i].text + offset - all[i].masked
	if i+1 < len(all) {
		at = min(at, all[i+1].text)
	}
	return at
}

// breaks reports whether what follows a text begins a new statement, member or declaration on the
// same line.
func breaks(before string) bool {
	code := strings.TrimRight(before, " \t")
	return code != "" && strings.ContainsRune("{};,", rune(code[len(code)-1]))
}

// words returns the tokens of a text.
func words(text string) (all []string) {
	for _, token := range syntax.Tokens(syntax.NewSource("", text)) {
		all = append(all, text[token.Start:token.End])
	}
	return all
}
