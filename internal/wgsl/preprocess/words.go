package preprocess

import (
	"regexp"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// anyWord matches the words of a directive.
var anyWord = regexp.MustCompile(`[A-Za-z_]\w*`)

// Words adds the names in a file for which a host can have a value, in any of its branches. They
// are true if a placeholder or a directive has them: then only a host or a #define can give one.
func (k *Kept) Words(file *syntax.Source, words map[string]bool) {
	for _, t := range k.scan(file) {
		switch t.kind {
		case word:
			if _, known := words[t.text]; !known {
				words[t.text] = false
			}
		case placeholder:
			words[t.name] = true
		case directive:
			for _, name := range anyWord.FindAllString(t.text, -1) {
				words[name] = true
			}
		}
	}
}
