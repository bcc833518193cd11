package assist

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

//go:embed words.txt
var wordText string

// A word is the entry in words.txt for a name that has a meaning in WGSL itself.
type word struct {
	kind    NameKind
	name    string
	doc     string // one sentence
	section string // of the specification, such as 9.4.1
	anchor  string // of the section, without the #
	needs   types.Feature
}

// wordTable returns the table by kind and name.
var wordTable = sync.OnceValue(func() map[NameKind]map[string]*word {
	table := map[NameKind]map[string]*word{}
	var w *word
	for line := range strings.Lines(wordText) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "  "):
			w.doc = strings.TrimSpace(line)
		default:
			w = wordHeader(strings.Fields(line))
			if table[w.kind] == nil {
				table[w.kind] = map[string]*word{}
			}
			table[w.kind][w.name] = w
		}
	}
	return table
})

func wordHeader(fields []string) *word {
	w := &word{kind: kindNamed(fields[0]), name: fields[1], section: strings.TrimPrefix(fields[2], "§"), anchor: fields[3][1:]}
	if len(fields) > 4 {
		w.needs = types.FeatureNamed(strings.TrimPrefix(fields[4], "needs:"))
	}
	return w
}

// lookup returns the table's entry for a name of a kind, or nil. An entry that ends in * matches
// every name with that beginning; the longest such entry wins.
func lookup(kind NameKind, name string) *word {
	if w := wordTable()[kind][name]; w != nil {
		return w
	}
	for end := len(name); end >= 0; end-- {
		if w := wordTable()[kind][name[:end]+"*"]; w != nil {
			return w
		}
	}
	return nil
}

// specification is the address of the specification.
const specification = "https://www.w3.org/TR/WGSL/"

// link returns the address of a section.
func link(anchor string) string {
	if anchor == "" {
		return specification
	}
	return specification + "#" + anchor
}

// enumerantKind returns the kind of a predeclared word (§ 6.4.1).
func enumerantKind(name string) NameKind {
	for _, kind := range []NameKind{AddressSpace, AccessMode} {
		if wordTable()[kind][name] != nil {
			return kind
		}
	}
	return TexelFormat
}
