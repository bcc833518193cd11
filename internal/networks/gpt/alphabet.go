package gpt

import (
	"fmt"
	"strings"
)

// Alphabet holds the letters that the network knows, in the order of their numbers. A paragraph
// ends with a newline.
const Alphabet = "\n !\"'(),-.0123456789:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// HeldOut is the end of Jane Austen's Persuasion, from the text that no training step saw.
const HeldOut = "Anne was tenderness itself, and she had the full worth of it in Captain Wentworth's affection. " +
	"His profession was all that could ever make her friends wish that tenderness less, the dread of a future war all that could dim her sunshine. " +
	"She gloried in being a sailor's wife, but she must pay the tax of quick alarm for belonging to that profession which is, if possible, " +
	"more distinguished in its domestic virtues than in its national importance.\n"

// Letters returns the numbers of a text's letters. The error names the first letter that is not in
// the Alphabet.
func Letters(text string) ([]uint32, error) {
	var all []uint32
	for _, letter := range text {
		at := strings.IndexRune(Alphabet, letter)
		if at < 0 {
			return nil, fmt.Errorf("the network does not know %q: it knows English letters, digits and %s", letter, `!"'(),-.:;?`)
		}
		all = append(all, uint32(at))
	}
	return all, nil
}

// Text returns the text of letters.
func Text(letters []uint32) string {
	var text strings.Builder
	for _, letter := range letters {
		text.WriteByte(Alphabet[letter])
	}
	return text.String()
}

// Prepare makes a text of the Alphabet to train on: one line for each paragraph, no two spaces in a
// row, and none of the other letters.
func Prepare(text string) string {
	var prepared strings.Builder
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(text, "\r", ""), "\n\n") {
		paragraph = strings.Map(func(letter rune) rune {
			switch {
			case letter == '\n' || letter == '\t':
				return ' '
			case strings.ContainsRune(Alphabet, letter):
				return letter
			}
			return -1
		}, strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "—", "--", "&", "and").Replace(paragraph))
		if words := strings.Fields(paragraph); len(words) > 0 {
			prepared.WriteString(strings.Join(words, " ") + "\n")
		}
	}
	return prepared.String()
}
