package plaintext

import "unicode/utf8"

// widthOf counts each letter as one column: a page has no terminal, and its program no room for the
// tables of Unicode's widths.
func widthOf(text string) int { return utf8.RuneCountInString(text) }

// firstCluster cuts off a letter.
func firstCluster(text string, _ int) (cluster, rest string, columns, next int) {
	_, size := utf8.DecodeRuneInString(text)
	return text[:size], text[size:], 1, -1
}
