// Package english writes numbers, lists and sentences for people to read.
package english

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Count returns a number with its noun: "1 row" or "2,000 rows".
func Count(n int, one, many string) string { return Thousands(n) + " " + Form(n, one, many) }

// Form returns the word that agrees with a number, such as "waits" or "wait".
func Form(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Thousands formats 10000 as 10,000.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// List joins words: "a, b and c".
func List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// Capital begins text with a capital letter.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// Sentence turns an error message into a sentence: it adds a full stop, and a capital unless the
// message begins with a file's name. An empty message stays empty.
func Sentence(message string) string {
	if message == "" {
		return ""
	}
	if word, _, _ := strings.Cut(message, " "); !strings.ContainsAny(word, "/.:") {
		message = Capital(message)
	}
	if !strings.ContainsAny(message[len(message)-1:], ".!?:") {
		message += "."
	}
	return message
}
