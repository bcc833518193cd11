package tutor

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// codeWord finds a name, a number or a sign in code.
var codeWord = regexp.MustCompile(`[A-Za-z_]\w*|(\d+(?:\.\d+)?(?:e[-+]?\d+)?)[iufh]?|<<=?|>>=?|[-+*/%&|^<>=!]=|&&|\|\||\+\+|--|->|\S`)

// wordsOf returns the words of code. Numbers have no suffix: 1 stands for 1u.
func wordsOf(code string) (all []string) {
	for _, m := range codeWord.FindAllStringSubmatch(code, -1) {
		all = append(all, cmp.Or(m[1], m[0]))
	}
	return all
}

// hasCode reports whether a line has code. Where code has a "…", something is left out.
func hasCode(line []string, code string) bool {
	for part := range strings.SplitSeq(strings.ReplaceAll(code, "...", "…"), "…") {
		words := wordsOf(strings.Trim(part, " ;"))
		at := 0
		for at+len(words) <= len(line) && !slices.Equal(line[at:at+len(words)], words) {
			at++
		}
		if at+len(words) > len(line) {
			return false
		}
		line = line[at+len(words):]
	}
	return true
}
